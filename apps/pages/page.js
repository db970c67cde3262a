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
  const certain = (share) => (share >= 0.995 ? ">99" : share <= 0.005 ? "<1" : (100 * share).toFixed(0));
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

  // ---- the lists (lists.js)
  const { list, lists } = halfpointLists({ folded, decimals, number, certain, element, remember, known, person });

  // ---- who is the stronger: the best of the list against each other
  function matrix() {
    const best = paired.slice(0, document.documentElement.clientWidth < 600 ? 5 : 16), room = find("stronger"), count = known.size;
    room.hidden = best.length < 2;
    const named = several ? `The strongest ${best.length} sides of the games. ` : best.length < count ? `The best ${best.length} of ${count}. ` : "";
    room.querySelector("p").textContent = `${named}Probability in percent that the competitor in the row is stronger than the one in the column.`;
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
