// Every page: lists, figures, who is the stronger, two side by side. First seat first; outcomes loss, draw, win.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const people = data.people, words = people && people.seats;
  const simulated = document.querySelector(".mark") ? "SIMULATED. " : "";

  // ---- names: any case, accents or punctuation; numbers: no more digits than the interval allows
  const plain = { "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n", "ŧ": "t", "ß": "ss" };
  const folded = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/[łøđðþæœıħŋŧß]/g, (c) => plain[c]).replace(/[\s,_]+/g, " ").trim();
  const decimals = (width) => (width > 0 && width < 2 ? Math.min(3, Math.ceil(Math.log10(2 / width))) : 0);
  const even = (value, digits) => { const scaled = value * 10 ** digits, below = Math.floor(scaled); return scaled - below === 0.5 && below % 2 === 0 ? below / 10 ** digits : value; }; // ties as the terminal rounds them
  const number = (value, digits) => even(value, digits).toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1").replace(/-/g, "−");
  const numbers = (row, unit = 1) => { const digits = decimals(unit * (row.high - row.low)); return [row.mean, row.low, row.high].map((value) => number(unit * value, digits)); };
  const certain = (share) => (share > 0.995 ? ">99" : share < 0.005 ? "<1" : (100 * share).toFixed(0));
  const range = (row, unit = 1, sign = "") => { const [mean, low, high] = numbers(row, unit); return `${mean}${sign} (${low} to ${high})`; };
  const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;
  const results = ([loss, draw, win]) => `${plural(win, "win", "wins")}, ${plural(draw, "draw", "draws")}, ${plural(loss, "loss", "losses")}`;
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const element = (tag, text, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    if (text !== undefined && text !== null) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const remember = (hash) => { try { history.replaceState(null, "", hash); } catch { location.hash = hash; } };

  // ---- figures (figures.js): left out where the page has none
  const drawings = [];
  const { look, kinds } = typeof halfpointFigures === "undefined" ? {} : halfpointFigures({ people, decimals, number, range, element, colour, find, drawings });
  function pictured(made) { // one picture with one name to who does not see it
    for (const svg of made.matches("svg") ? [made] : made.querySelectorAll("svg")) if (!svg.closest("[class*=swatch]")) svg.setAttribute("role", "img");
    for (const group of made.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
    return made;
  }
  function drawn(room, kind, given) {
    const draw = () => {
      if (!room.clientWidth) return; // folded: drawn when it is opened
      for (const old of [...room.children]) if (old.tagName !== "FIGCAPTION") old.remove();
      const made = (kinds[kind] || kind)(room, given);
      room.append(pictured(made));
    };
    draw();
    drawings.push([room, draw]);
  }

  // ---- what is known of each person
  const known = new Map((people ? people.players : []).map((player) => [player.name, player]));
  const shares = (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return Float32Array.from(new Uint16Array(bytes.buffer), (whole) => whole / 65535);
  };
  const paired = people ? people.paired : [], several = Boolean(people && people.sides.length);
  const chances = people && shares(people.chances), stronger = people && shares(people.stronger);
  const placeOf = new Map(paired.map((name, index) => [name, index]));
  const sideKey = (names) => names.map(folded).sort().join(" + ");
  const sides = new Map((people ? people.sides : []).map((who, k) => [sideKey(who), { name: paired[k], people: who }]));
  const alike = new Map();
  for (const player of known.values()) alike.set(folded(player.name), [...(alike.get(folded(player.name)) || []), player]);
  const meant = (text) => {
    if (known.has(text)) return known.get(text);
    const found = alike.get(folded(text)) || [];
    return found.length === 1 ? found[0] : undefined;
  };
  const opposed = (text) => (several ? sides.get(sideKey(text.split("+"))) || sides.get(sideKey(people.sides[placeOf.get(text)] || [])) : meant(text));
  const apart = (one, other) => one.name !== other.name && !(several && one.people.some((name) => other.people.includes(name)));
  const outcomes = people && people.three_outcomes ? ["loss", "draw", "win", "score"] : ["score"];
  for (const row of people ? people.players.flatMap((one) => one.met || []) : []) {
    if (typeof row[0] === "number") [row[0], row[1]] = [people.players[row[0]].name, people.players[row[0]].mean];
  }
  function chance(i, j, kind) {
    const start = ((i * paired.length + j) * outcomes.length + outcomes.indexOf(kind)) * 3;
    return { kind, mean: chances[start], low: chances[start + 1], high: chances[start + 2] };
  }

  // ---- the panel of a person: results, opponents, the way through time, chances against any other
  const most = 200;
  function tableOf(heads, rows) {
    const made = element("table", null, { class: "met" });
    made.createTHead().append(element("tr", null, {}, ...heads.map((text) => element("th", text, { scope: "col" }))));
    made.createTBody().append(...rows.map((row) => element("tr", null, {}, ...row.map((cell) => element("td", cell)))));
    return made;
  }
  function opponents(player) {
    const rating = (one) => (one[1] === null ? -Infinity : one[1]), seen = 12;
    const rows = [...player.met].sort((a, b) => rating(b) - rating(a)).map((one) => {
      const [loss, draw, win] = [0, 1, 2].map((k) => one[2 + k] + one[5 + k]);
      return [one[0], one[1] === null ? "" : number(one[1], 0), win, draw, loss];
    });
    const heads = ["Opponent", "Rating", "W", "D", "L"], made = [element("h4", "Opponents"), tableOf(heads, rows.slice(0, seen))];
    if (rows.length > seen) made.push(element("details", null, {}, element("summary", `${Math.min(rows.length, most) - seen} more of ${rows.length}`), tableOf(heads, rows.slice(seen, most))));
    return made;
  }
  function person(player, into, rank, count) {
    const put = (...made) => into.append(...made);
    put(element("p", `${player.name}: rank ${rank} of ${count}, rating ${range(player)}.`));
    if (player.best !== undefined) put(element("p", `The strongest of the list with probability ${certain(player.best)}%.`));
    if (player.advantage) put(element("p", `Playing ${words.as_first}, against an opponent with the same advantage: ${range(player.advantage)} Elo better.`));
    if (player.draws) put(element("p", `Inclination to draw, with an equal who draws like the others: ${range(player.draws, 1, "%")} of the games; others ${player.draws.usual.toFixed(decimals(player.draws.high - player.draws.low))}%.`));
    for (const [side, text] of [["white", words.as_first], ["black", words.as_second]]) put(element("p", `${text[0].toUpperCase()}${text.slice(1)}: ${results(player[side])}.`));
    const columns = element("div", null, { class: "columns" }), left = element("div"), right = element("div");
    columns.append(left, right);
    put(columns);
    if (player.months) {
      const room = element("figure", null, {}, element("figcaption", `${simulated}Rating through time`));
      left.append(room);
      drawn(room, "lines", { title: "Rating through time with 95% interval", x: null, y: "rating (Elo)", rows: player.months.map(([x, y, low, high]) => ({ series: player.name, x, y, low, high })) });
    }
    if (player.met && player.met.length) left.append(...opponents(player));
    if (!several && placeOf.has(player.name) && paired.length > 1) {
      const others = paired.filter((name) => name !== player.name), chosen = element("select", null, { id: `against-${placeOf.get(player.name)}` });
      chosen.append(...others.map((name) => element("option", name, { value: name })));
      const said = element("div", null, { "aria-live": "polite" }), both = element("button", "Side by side", { type: "button" });
      const tell = () => {
        const i = placeOf.get(player.name), j = placeOf.get(chosen.value);
        said.replaceChildren(element("p", `Stronger than ${chosen.value} with probability ${certain(stronger[i * paired.length + j])}%.`),
          tableOf(["One game", ...(people.three_outcomes ? ["Win", "Draw", "Loss"] : []), "Score"], [[words.as_first, i, j], [words.as_second, j, i]].map(([text, a, b]) => {
            const mine = a === i, cell = (kind) => (kind === "score" && !mine ? `${certain(1 - chance(a, b, kind).mean)}%` : `${certain(chance(a, b, kind).mean)}%`);
            return [text, ...(people.three_outcomes ? (mine ? ["win", "draw", "loss"] : ["loss", "draw", "win"]).map(cell) : []), cell("score")];
          })));
      };
      chosen.addEventListener("change", tell);
      both.addEventListener("click", () => { find("two-white").value = player.name; find("two-black").value = chosen.value; pair(true); find("two").scrollIntoView(); find("two-white").focus({ preventScroll: true }); });
      right.append(element("h4", "Chances against"), element("p", null, { class: "filter" }, element("label", "Opponent ", { for: chosen.id }), chosen, both), said);
      tell();
    }
  }

  // ---- the list
  const lists = new Map();
  const shown = {
    text: (value) => value,
    number: (value, digits) => number(value, digits),
    percent: (value, digits) => `${digits ? number(value, digits) : certain(value / 100)}%`,
    told: (value) => value,
    heat: (value) => certain(value / 100),
    thirds: (shares) => shares.map((one) => `${certain(one / 100)}%`).join(" / "),
    span: ([low, high], digits) => `${number(low, digits)} to ${number(high, digits)}`,
    ranks: ([low, high]) => (low === high ? `${low}` : `${low}–${high}`),
    bar: ([mean, low, high], digits) => `${number(mean, digits)} (${number(low, digits)} to ${number(high, digits)})`,
  };
  const signed = (column, value) => (column.name.startsWith("less_") && value > 0 ? "+" : "");
  const cellText = (column, value) => (value === null ? "" : signed(column, value) + shown[column.kind](value, column.digits));
  const key = (column, value) => (value === null ? null : Array.isArray(value) ? value[0] : column.kind === "told" ? parseFloat(value.replace(/,/g, "").replace("−", "-").replace(">99", "99.9").replace("<", "0.00")) || 0 : column.kind === "text" ? folded(value) : value);
  function ticksOf(low, high) {
    const rough = Math.max(high - low, 1e-9) / 5, size = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 2.5, 5, 10].map((one) => one * size).find((one) => one >= 0.999 * rough);
    const made = [];
    for (let k = Math.ceil(low / step); k * step <= high; k++) made.push(k * step);
    return { ticks: made, from: low, to: high, digits: decimals(2 * step) };
  }
  function list(room, given) {
    const { columns, rows, noun } = given, head = columns.findIndex((one) => one.name === noun), id = room.id, few = rows.length <= 4;
    const bar = columns.findIndex((one) => one.kind === "bar"), value = bar - 2, ranked = columns.findIndex((one) => one.name === "rank");
    const every = rows.map((cells, place) => ({ cells, place, name: String(cells[head] === null ? "" : cellText(columns[head], cells[head])), text: folded(cells.filter((one) => typeof one === "string").join(" ")) }));
    const numeric = (column) => column.kind !== "text";
    let sorted = -1, ascending = true, some = given.some, searched = "", only = "", open = null;
    const spare = 60, off = new Set(), forced = new Set(columns.flatMap((one, k) => one.want === 0 ? [k] : [])); // columns that are hardly wanted stand in the panel
    let axis = null;
    if (bar >= 0) {
      const there = rows.map((cells) => cells[bar]).filter(Boolean);
      axis = ticksOf(Math.min(...there.map((one) => one[1])), Math.max(...there.map((one) => one[2])));
    }
    const at = (number_) => `${(100 * (number_ - axis.from) / (axis.to - axis.from || 1)).toFixed(2)}%`;
    const placed = (tag, where, text) => { const made = element(tag, text); made.style.left = at(where); return made; };
    function barOf(cells, hidden) {
      const [mean, low, high] = cells[bar], line = placed("i", low);
      line.style.width = `calc(${at(high)} - ${at(low)})`;
      const label = hidden ? { "aria-hidden": "true" } : { role: "img", "aria-label": shown.bar(cells[bar], columns[bar].digits) };
      return element("div", null, { class: "bar", ...label }, ...axis.ticks.map((tick) => placed("u", tick)), line, placed("b", mean));
    }

    // what stands above: search, a choice, columns, CSV
    room.classList.toggle("full", bar >= 0 || every.some((row) => row.text.length > 90));
    const tools = element("p", null, { class: "filter" }), count = element("span", null, { role: "status" });
    const search = element("input", null, { type: "search", id: `${id}-search`, autocomplete: "off" });
    search.addEventListener("input", () => { searched = folded(search.value); some = given.some; fill(); });
    if (!few) tools.append(element("label", "Search", { for: search.id }), search);
    const chosen = columns.findIndex((one) => one.name === given.filtered);
    if (chosen >= 0) {
      const choice = element("select", null, { id: `${id}-only` }), values = [...new Set(rows.map((cells) => cells[chosen]).filter((one) => one !== null))];
      choice.append(element("option", "all", { value: "" }), ...values.map((one) => element("option", `${one} (${rows.filter((cells) => cells[chosen] === one).length})`, { value: one })));
      choice.addEventListener("change", () => { only = choice.value; fill(); });
      tools.append(element("label", columns[chosen].title, { for: choice.id }), choice);
    }
    const boxes = element("div");
    const choose = element("details", null, {}, element("summary", "Columns"), boxes);
    const csv = element("button", "CSV", { type: "button", "aria-label": `CSV of what is seen: ${room.dataset.title}` });
    csv.addEventListener("click", () => {
      const link = element("a", null, { href: `data:text/csv;charset=utf-8,${encodeURIComponent(csvOf())}`, download: `${id}.csv` });
      link.click();
    });
    tools.append(choose, csv, count);
    const table = element("table", null, { "aria-label": room.dataset.title });
    const heading = element("tr"), body = element("tbody");
    table.append(element("thead", null, {}, heading), body);
    const more = element("button", "Show more", { type: "button", class: "more" });
    more.addEventListener("click", () => { some += 100; fill(); });
    room.replaceChildren(tools, table, element("p", null, { class: "more" }, more));

    const seen = () => columns.map((one, k) => k).filter((k) => !off.has(k));
    function found() {
      const kept = every.filter((row) => row.text.includes(searched) && (only === "" || row.cells[chosen] === only));
      if (sorted < 0) return kept;
      const sign = ascending ? 1 : -1, column = columns[sorted];
      return kept.sort((a, b) => {
        const [one, other] = [key(column, a.cells[sorted]), key(column, b.cells[sorted])];
        if (one === null || other === null) return (one === null) - (other === null);
        return sign * (typeof one === "number" ? one - other : one.localeCompare(other)) || a.place - b.place;
      });
    }
    function csvOf() {
      const safe = (text) => { const made = String(text ?? ""); const formula = typeof text === "string" && /^[=+\-@\t\r]/.test(made) ? `'${made}` : made; return /[",\n\r]/.test(formula) ? `"${formula.replace(/"/g, '""')}"` : formula; };
      const flat = (column, one) => (column.kind === "bar" ? [] : ["span", "ranks"].includes(column.kind) ? one || ["", ""] : [one]);
      const names = (column) => (column.kind === "bar" ? [] : ["span", "ranks"].includes(column.kind) ? [`${column.title} from`, `${column.title} to`] : [column.title]);
      const kept = seen(), lines = [kept.flatMap((k) => names(columns[k])), ...found().map((row) => kept.flatMap((k) => flat(columns[k], row.cells[k])))];
      return lines.map((line) => line.map(safe).join(",")).join("\n") + "\n";
    }
    function panelOf(row) {
      const cell = element("td", null, { colspan: columns.length }), values = element("dl", null, { class: "values" });
      for (const [k, column] of columns.entries()) {
        if (k === head || column.kind === "bar" || row.cells[k] === null) continue;
        const text = String(cellText(column, row.cells[k]));
        values.append(element("div", null, { class: text.length > 40 ? "long" : "" }, element("dt", column.title || column.name), element("dd", text)));
      }
      const back = element("button", "Back to the list", { type: "button", class: "back" });
      back.addEventListener("click", () => turn(row, true));
      const mine = given.people && known.get(row.name);
      if (mine) queueMicrotask(() => { person(mine, where, ranked >= 0 ? row.cells[ranked] : row.place + 1, rows.length); });
      const where = element("div");
      cell.append(back, values, where);
      if (mine) cell.append(element("p", null, {}, element("a", "Link to this panel", { href: `#player=${encodeURIComponent(row.name)}` })));
      return element("tr", null, { class: "panel", "aria-label": row.name }, cell);
    }
    function turn(row, back = false) {
      open = open === row ? null : row;
      if (given.people && known.has(row.name)) remember(open ? `#player=${encodeURIComponent(row.name)}` : `#${id}`);
      fill();
      const button = body.querySelector(`[data-place="${row.place}"]`);
      if (button && back) { button.focus({ preventScroll: true }); button.scrollIntoView({ block: "nearest" }); }
      else if (button) button.focus({ preventScroll: true });
    }
    function rowOf(row, tiers) {
      const made = element("tr", null, { class: tiers && given.tiers.includes(row.place) ? "tier" : "" });
      for (const k of seen()) {
        const column = columns[k], one = row.cells[k];
        const cell = element(k === head ? "th" : "td", null, k === head ? { scope: "row", class: "text" } : { class: numeric(column) ? ({ bar: "drawn", heat: "heat", thirds: "thirds" }[column.kind] || "") : /^\d{4}-\d\d-\d\d$/.test(one) ? "text day" : "text" });
        if (k === head) {
          const button = element("button", row.name, { type: "button", class: row.name.length > 22 ? "long" : "", "aria-expanded": String(open === row), "data-place": row.place });
          button.addEventListener("click", () => turn(row));
          cell.append(button);
          if (given.marks[row.place]) cell.append(" ", element("span", given.marks[row.place], { class: "mark" }));
          if (bar >= 0 && row.cells[bar]) cell.append(element("span", null, { class: "under bare" }, barOf(row.cells, true)));
        } else if (column.kind === "bar") {
          if (one) cell.append(barOf(row.cells));
        } else if (column.kind === "thirds") {
          cell.append(element("div", null, { class: "shares", role: "img", "aria-label": shown.thirds(one) }, ...["win", "draw", "loss"].map((name, k) => { const part = element("span", one[k] >= 8 ? one[k].toFixed(0) : "", { class: name }); part.style.flexGrow = one[k].toFixed(1); return part; })));
        } else {
          if (column.kind === "heat") cell.style.setProperty("--share", `${(one || 0).toFixed(0)}%`);
          cell.textContent = cellText(column, one);
          if (bar >= 0 && k === value && row.cells[bar]) cell.append(element("span", cellText(columns[value + 1], row.cells[value + 1]), { class: "under" }));
        }
        made.append(cell);
      }
      return made;
    }
    function fill() {
      const rows_ = found(), tiers = sorted < 0 && searched === "";
      heading.replaceChildren(...seen().map((k) => {
        const column = columns[k], made = element("th", null, { scope: "col", class: k === head ? "text" : { text: "text", bar: "drawn", heat: "heat", thirds: "thirds" }[column.kind] || "" });
        if (column.kind === "bar") { made.append(element("div", null, { class: "bar", "aria-label": "axis", role: "img" }, ...axis.ticks.filter((tick, k) => k % Math.ceil(axis.ticks.length / 3) === 0).map((tick) => placed("small", tick, number(tick, axis.digits))))); return made; }
        const button = element("button", column.title, { type: "button" });
        button.addEventListener("click", () => {
          ascending = sorted === k ? !ascending : column.kind === "text" || column.kind === "ranks" || k === ranked;
          sorted = k;
          fill();
          heading.querySelectorAll("th")[seen().indexOf(k)].querySelector("button").focus();
        });
        if (k === sorted) made.setAttribute("aria-sort", ascending ? "ascending" : "descending");
        made.append(button);
        return made;
      }));
      body.replaceChildren(...rows_.slice(0, some).flatMap((row) => [rowOf(row, tiers), ...(open === row ? [panelOf(row)] : [])]));
      table.classList.toggle("narrow", bar >= 0 && off.has(value + 1));
      table.classList.toggle("barred", bar >= 0 && !off.has(bar));
      count.textContent = few && rows_.length === rows.length ? "" : `${rows_.length} of ${rows.length}`;
      more.parentElement.hidden = rows_.length <= some;
    }
    function fit() {
      if (!room.clientWidth) return;
      const order = columns.map((one, k) => k).sort((a, b) => columns[b].want - columns[a].want);
      off.clear();
      order.filter((k) => columns[k].want >= spare && !forced.has(k)).forEach((k) => off.add(k));
      fill();
      for (const k of order) {
        if (table.scrollWidth <= room.clientWidth) break;
        if (k === head || forced.has(k) || off.has(k)) continue;
        off.add(k);
        fill();
      }
      room.classList.toggle("forced", forced.size > 0 && table.scrollWidth > room.clientWidth);
      choose.hidden = off.size === 0 && forced.size === 0 && columns.length < 5;
      boxes.replaceChildren(...columns.flatMap((column, k) => {
        if (k === head || column.kind === "bar") return [];
        const box = element("input", null, { type: "checkbox" });
        box.checked = !off.has(k);
        box.addEventListener("change", () => {
          if (box.checked) { forced.add(k); fit(); } else { forced.delete(k); off.add(k); fill(); }
        });
        return [element("label", null, {}, box, ` ${column.title || column.name}`)];
      }));
    }
    fit();
    lists.set(id, { given, fit, show(name) {
      const row = every.find((one) => one.name === name);
      if (!row) return;
      search.value = searched = "";
      some = Math.max(some, row.place + 1);
      if (open !== row) turn(row);
      body.querySelector(`[data-place="${row.place}"]`).scrollIntoView({ block: "start" });
    }, all() { some = Math.max(some, 2000); fill(); } });
  }

  // ---- who is the stronger: the best of the list against each other
  function matrix() {
    const best = paired.slice(0, document.documentElement.clientWidth < 600 ? 5 : 16), room = find("stronger"), count = known.size;
    room.hidden = best.length < 2;
    const named = several ? `The strongest ${best.length} sides of the games. ` : best.length < count ? `The best ${best.length} of ${count}. ` : "";
    room.querySelector("p").textContent = `${named}Chance in percent that whom the row names is stronger than whom the column names.`;
    const table = find("matrix");
    table.tHead.replaceChildren(element("tr", null, {}, element("td"), ...best.map((name, j) => element("th", j + 1, { scope: "col", title: name }))));
    table.tBodies[0].replaceChildren(...best.map((name, i) => element("tr", null, {}, element("th", `${i + 1} ${name}`, { scope: "row" }), ...best.map((other, j) => {
      if (i === j) return element("td");
      const value = stronger[i * paired.length + j], cell = element("td", certain(value), { title: `${name} is stronger than ${other}` });
      cell.style.background = `color-mix(in srgb, var(--rating) ${(45 * value).toFixed(0)}%, var(--ground))`;
      return cell;
    }))));
  }

  // ---- two side by side
  let pairDraw = null;
  function pair(asked = false) {
    const first = opposed(find("two-white").value), second = opposed(find("two-black").value);
    const i = first && placeOf.get(first.name), j = second && placeOf.get(second.name), body = find("two-table").tBodies[0];
    const fine = i !== undefined && j !== undefined && apart(first, second);
    find("two-table").hidden = !fine;
    if (!fine) {
      body.replaceChildren();
      find("two-chart").replaceChildren();
      pairDraw = null;
      find("two-note").textContent = "";
      find("two-answer").textContent = several ? `Choose two sides without a player in common, of the ${paired.length} strongest in the games.` : paired.length < known.size ? `Choose two different ${words.noun}s among the best ${paired.length} of the list.` : `Choose two different ${words.noun}s of the list.`;
      return;
    }
    const link = `#white=${encodeURIComponent(first.name)}&black=${encodeURIComponent(second.name)}`;
    find("two-link").href = link;
    if (asked) remember(link);
    const title = { loss: "loss", draw: "draw", win: "win", score: "expected score" };
    const rows = outcomes.map((kind) => ({ ...chance(i, j, kind), name: title[kind] }));
    body.replaceChildren(...rows.map((row) => {
      const [mean, low, high] = numbers(row, 100).map((text) => `${text}%`);
      return element("tr", null, { "data-kind": row.kind }, element("td", row.name), element("td", mean), element("td", `${low} to ${high}`));
    }));
    find("two-for").textContent = `For ${first.name}, ${words.as_first}`;
    const met = (first.met || []).find((one) => one[0] === second.name), between = met && [0, 1, 2].map((k) => met[2 + k] + met[5 + k]);
    const past = met ? ` They met ${plural(sum(between), "time", "times")}: ${results(between)} for ${first.name}.` : first.met ? " They never met." : "";
    const both = several ? "" : ` ${[first, second].map((one) => `${one.name} ${range(one)}`).join("; ")}.`;
    find("two-answer").textContent = `${first.name} is stronger than ${second.name} with probability ${certain(stronger[i * paired.length + j])}%.${both}${past}`;
    find("two-note").textContent = people.three_outcomes ? `One game. From ${people.draws} draws of the posterior.` : "This model has no draw probability: a draw counts as half a point of the expected score.";
    pairDraw = () => find("two-chart").replaceChildren(pictured(Plot.plot(look(find("two-chart"), {
      height: 60 + 34 * rows.length, marginLeft: 110, x: { domain: [0, 1], tickFormat: "%", label: "probability", grid: true }, y: { domain: rows.map((row) => row.name), label: null }, ariaLabel: "Probabilities with 95% intervals",
      marks: [Plot.barX(rows, { x: "mean", y: "name", fill: (row) => colour(row.kind === "score" ? "rating" : row.kind), fillOpacity: 0.55, insetTop: 6, insetBottom: 6 }),
        Plot.ruleY(rows, { x1: "low", x2: "high", y: "name", stroke: "currentColor", strokeWidth: 2 })],
    }))));
    pairDraw();
  }

  // ---- links: #white=...&black=... and #player=..., in any spelling that means one player
  function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B"));
    const put = (id, name) => { find(id).value = (opposed(name) || { name }).name; };
    if (people && wanted.has("white") && wanted.has("black")) {
      put("two-white", wanted.get("white"));
      put("two-black", wanted.get("black"));
      pair();
      find("two").scrollIntoView();
    } else if (wanted.has("player")) {
      const player = meant(wanted.get("player"));
      for (const one of lists.values()) if (player && one.given.people) one.show(player.name);
    }
  }

  for (const [id, given] of Object.entries(data.lists)) list(find(id), given);
  for (const [id, given] of Object.entries(data.charts)) drawn(document.querySelector(`[data-chart="${id}"]`), given.kind, given);
  if (people) {
    const pairs = several ? [...sides.values()] : paired.map((name) => known.get(name));
    document.querySelector('label[for="two-white"]').textContent = words.first;
    document.querySelector('label[for="two-black"]').textContent = words.second;
    find("paired").replaceChildren(...pairs.map((one) => element("option", null, { value: one.name })));
    find("two").hidden = pairs.length < 2;
    find("two-white").value = pairs[0].name;
    find("two-black").value = (pairs.find((one) => apart(pairs[0], one)) || pairs[pairs.length - 1]).name;
    for (const id of ["two-white", "two-black"]) find(id).addEventListener("input", () => pair(true));
    find("two-swap").addEventListener("click", () => {
      [find("two-white").value, find("two-black").value] = [find("two-black").value, find("two-white").value];
      pair(true);
    });
    matrix();
    pair();
  }
  follow();
  const redraw = () => { for (const [room, draw] of drawings) if (room.isConnected) draw(); if (pairDraw) pairDraw(); };
  for (const folded_ of document.querySelectorAll("main details")) folded_.addEventListener("toggle", () => {
    if (!folded_.open) return;
    for (const [id, one] of lists) if (folded_.contains(find(id))) one.fit();
    for (const [room, draw] of drawings) if (folded_.contains(room)) draw();
    if (pairDraw && folded_.contains(find("two"))) pairDraw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  let room = innerWidth;
  addEventListener("resize", () => { if (innerWidth === room) return; room = innerWidth; for (const one of lists.values()) one.fit(); if (people) matrix(); redraw(); });
  addEventListener("beforeprint", () => { for (const one of lists.values()) one.all(); });
  addEventListener("hashchange", follow);
})();
