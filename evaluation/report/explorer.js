// The explorer: a rating list, who is the stronger, two players, one player. First seat first; outcomes loss, draw, win.
(() => {
  "use strict";
  const record = JSON.parse(document.getElementById("explorer-data").textContent);
  const find = (id) => document.getElementById(id);
  const shares = (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return Float32Array.from(new Uint16Array(bytes.buffer), (whole) => whole / 65535);
  };
  const count = record.players.length, words = record.seats;
  const chances = shares(record.chances), stronger = shares(record.stronger);
  const pairedOf = new Map(record.paired.map((name, index) => [name, index]));
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  for (const player of record.players) {
    const [loss, draw, win] = [0, 1, 2].map((k) => player.white[k] + player.black[k]);
    player.games = loss + draw + win;
    player.points = win + draw / 2;
    player.share = player.games ? player.points / player.games : -1;
  }
  const byRating = [...record.players].sort((a, b) => b.mean - a.mean);
  byRating.forEach((player, index) => { player.rank = index + 1; });

  // ---- names: any case, accents or punctuation; numbers: no more digits than the interval allows
  const plain = { "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n", "ŧ": "t", "ß": "ss" };
  const folded = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/[łøđðþæœıħŋŧß]/g, (c) => plain[c]).replace(/[\s,_]+/g, " ").trim();
  const exact = new Map(record.players.map((player) => [player.name, player]));
  const alike = new Map();
  for (const player of record.players) {
    player.folded = folded(player.name);
    alike.set(player.folded, [...(alike.get(player.folded) || []), player]);
  }
  const meant = (text) => {
    if (exact.has(text)) return exact.get(text);
    const found = alike.get(folded(text)) || [];
    return found.length === 1 ? found[0] : undefined;
  };
  // of sides of several people those of the games are set against each other, their people typed in any order
  const several = record.sides.length > 0;
  const sideKey = (names) => names.map(folded).sort().join(" + ");
  const sides = new Map(record.sides.map((people, k) => [sideKey(people), { name: record.paired[k], people }]));
  const opposed = (text) => (several ? sides.get(sideKey(text.split("+"))) || sides.get(sideKey((record.sides[pairedOf.get(text)] || []))) : meant(text));
  const apart = (one, other) => one.name !== other.name && !(several && one.people.some((name) => other.people.includes(name)));
  const decimals = (width) => (width > 0 && width < 2 ? Math.min(3, Math.ceil(Math.log10(2 / width))) : 0);
  const minus = (text) => text.replace(/-/g, "−");
  const numbers = (row, unit = 1) => {
    const digits = decimals(unit * (row.high - row.low));
    return [row.mean, row.low, row.high].map((value) => minus((unit * value).toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1")));
  };
  const percent = (row) => numbers(row, 100).map((text) => `${text}%`);
  const certain = (value) => (value > 0.995 ? ">99" : value < 0.005 ? "<1" : (100 * value).toFixed(0));
  const range = (row, unit = 1, sign = "") => { const [mean, low, high] = numbers(row, unit); return `${mean}${sign} (${low} to ${high})`; };
  const plural = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  const results = ([loss, draw, win]) => `${plural(win, "win", "wins")}, ${plural(draw, "draw", "draws")}, ${plural(loss, "loss", "losses")}`;

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const colour = (name) => getComputedStyle(find("explorer")).getPropertyValue(`--${name}`).trim();
  const width = (id) => Math.min(680, find(id).clientWidth || 560);
  const drawn = { background: "none", fontSize: "13px" };

  // ---- the rating list
  const page = 100;
  let shown = page, key = "mean", ascending = false;
  const ends = d3.nice(Math.min(...byRating.map((p) => p.low)), Math.max(...byRating.map((p) => p.high)), 4);
  const ticks = d3.ticks(...ends, 4);
  const share = (elo) => `${(100 * (elo - ends[0]) / (ends[1] - ends[0] || 1)).toFixed(2)}%`;
  find("explorer-axis").append(...ticks.map((tick) => { const made = element("small", minus(String(tick))); made.style.left = share(tick); return made; }));
  function bar(player) {
    const made = element("div", undefined, { class: "explorer-bar", role: "img", "aria-label": range(player) });
    for (const tick of ticks) { const rule = element("u"); rule.style.left = share(tick); made.append(rule); }
    const line = element("i"), dot = element("b");
    line.style.left = share(player.low);
    line.style.width = `calc(${share(player.high)} - ${share(player.low)})`;
    dot.style.left = share(player.mean);
    made.append(line, dot);
    return made;
  }
  function named(player) {
    const made = element("button", player.name, { type: "button" });
    made.addEventListener("click", () => { find("explorer-player").value = player.name; person(true); find("explorer-one").scrollIntoView(); find("explorer-player").focus({ preventScroll: true }); });
    return made;
  }
  function list() {
    const searched = folded(find("explorer-search").value);
    const rows = byRating.filter((player) => player.folded.includes(searched));
    const sign = ascending ? 1 : -1;
    const value = (player) => player[key] ?? -Infinity;
    rows.sort((a, b) => sign * (key === "name" ? a.name.localeCompare(b.name) : value(a) - value(b)) || a.rank - b.rank);
    const body = find("explorer-list").tBodies[0];
    body.replaceChildren(...rows.slice(0, shown).map((player) => {
      const row = element("tr"), [mean, low, high] = numbers(player);
      const wide = (text) => element("td", text, { class: "explorer-wide" });
      const name = element("td"), rating = element("td", mean), forest = element("td", undefined, { class: "explorer-wide explorer-forest" });
      const under = element("span", undefined, { class: "explorer-under", "aria-hidden": "true" });
      under.append(bar(player));
      name.append(named(player), under);
      rating.append(element("span", `${low} to ${high}`, { class: "explorer-under" }));
      forest.append(bar(player));
      const digits = decimals(200 / Math.sqrt(player.games || 1));
      row.append(element("td", player.rank), name, rating, wide(`${low} to ${high}`), forest, wide(player.best === undefined ? "" : `${certain(player.best)}%`),
        element("td", player.games), wide(Number.isInteger(player.points) ? player.points : player.points.toFixed(1)),
        element("td", player.games ? `${(100 * player.share).toFixed(digits)}%` : ""), wide(player.opponents === undefined ? "" : minus(player.opponents.toFixed(0))));
      return row;
    }));
    find("explorer-count").textContent = `${rows.length} of ${count} players`;
    find("explorer-more").hidden = rows.length <= shown;
  }
  for (const heading of find("explorer-list").querySelectorAll("th[data-key]")) {
    heading.querySelector("button").addEventListener("click", () => {
      const chosen = heading.dataset.key;
      ascending = chosen === key ? !ascending : chosen === "name" || chosen === "rank";
      key = chosen;
      for (const other of find("explorer-list").querySelectorAll("th[data-key]")) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      list();
    });
  }
  find("explorer-search").addEventListener("input", () => { shown = page; list(); });
  find("explorer-more").addEventListener("click", () => { shown += page; list(); });

  // ---- who is the stronger: the best of the list against each other
  function matrix() {
    const room = find("explorer").clientWidth, best = record.paired.slice(0, room < 600 ? 5 : 16);
    find("explorer-stronger").hidden = best.length < 2;
    const named = several ? `The strongest ${best.length} sides of the games. ` : best.length < count ? `The best ${best.length} of ${count}. ` : "";
    const who = several ? "side" : "player";
    find("explorer-stronger-note").textContent = `${named}Chance in percent that the ${who} of the row is stronger than the ${who} of the column.`;
    const head = element("tr");
    head.append(element("th"), ...best.map((name, j) => element("th", j + 1, { scope: "col", title: name })));
    find("explorer-matrix").tHead.replaceChildren(head);
    find("explorer-matrix").tBodies[0].replaceChildren(...best.map((name, i) => {
      const row = element("tr");
      row.append(element("th", `${i + 1} ${name}`, { scope: "row" }), ...best.map((other, j) => {
        if (i === j) return element("td", "");
        const value = stronger[i * record.paired.length + j], cell = element("td", certain(value), { title: `${name} is stronger than ${other}` });
        cell.style.background = `color-mix(in srgb, var(--rating) ${(55 * value).toFixed(0)}%, var(--paper))`;
        return cell;
      }));
      return row;
    }));
  }

  // ---- two players
  const kinds = ["loss", "draw", "win", "score"];
  function chance(i, j, kind) {
    const start = ((i * record.paired.length + j) * kinds.length + kinds.indexOf(kind)) * 3;
    return { kind, mean: chances[start], low: chances[start + 1], high: chances[start + 2] };
  }
  function pair(asked = false) {
    const first = opposed(find("explorer-white").value), second = opposed(find("explorer-black").value);
    const i = first && pairedOf.get(first.name), j = second && pairedOf.get(second.name);
    const body = find("explorer-pair-table").tBodies[0];
    const clear = (text) => {
      find("explorer-pair-answer").textContent = text;
      find("explorer-pair-note").textContent = find("explorer-pair-for").textContent = "";
      find("explorer-pair-table").hidden = true;
      body.replaceChildren();
      find("explorer-pair-chart").replaceChildren();
    };
    if (i === undefined || j === undefined || !apart(first, second)) {
      clear(several ? `Choose two sides without a player in common, of the ${record.paired.length} strongest in the games.` : record.paired.length < count ? `Choose two different players among the best ${record.paired.length} of the list.` : "Choose two different players of the list.");
      return;
    }
    find("explorer-pair-table").hidden = false;
    find("explorer-pair-link").href = `#white=${encodeURIComponent(first.name)}&black=${encodeURIComponent(second.name)}`;
    if (asked) remember(find("explorer-pair-link").hash);
    const title = { loss: "loss", draw: "draw", win: "win", score: "expected score" };
    const rows = (record.three_outcomes ? kinds : ["score"]).map((kind) => chance(i, j, kind));
    body.replaceChildren(...rows.map((row) => {
      const made = element("tr", undefined, { "data-kind": row.kind }), [mean, low, high] = percent(row);
      made.append(element("td", title[row.kind]), element("td", mean), element("td", `${low} to ${high}`));
      return made;
    }));
    find("explorer-pair-for").textContent = `For ${first.name}, ${words.as_first}`;
    const met = (first.met || []).find((one) => one[0] === second.name), between = met && [0, 1, 2].map((k) => met[2 + k] + met[5 + k]);
    const history = met ? ` They met ${plural(sum(between), "time", "times")}: ${results(between)} for ${first.name}.` : first.met ? " They never met." : "";
    find("explorer-pair-answer").textContent = `${first.name} is stronger than ${second.name} with probability ${certain(stronger[i * record.paired.length + j])}%.${history}`;
    find("explorer-pair-note").textContent = !record.three_outcomes
      ? "This model has no draw probability: a draw counts as half a point of the expected score."
      : `One game. From ${record.draws} draws of the posterior.`;
    const tint = (kind) => colour(kind === "score" ? "rating" : kind);
    find("explorer-pair-chart").replaceChildren(Plot.plot({
      width: width("explorer-two"), height: 60 + 34 * rows.length, marginLeft: 110, marginBottom: 45, x: { domain: [0, 1], tickFormat: "%", label: "probability", grid: true },
      y: { domain: rows.map((row) => title[row.kind]), label: null }, style: { ...drawn, color: colour("ink") },
      ariaLabel: "Probabilities with 95% intervals",
      marks: [
        Plot.barX(rows, { x: "mean", y: (row) => title[row.kind], fill: (row) => tint(row.kind), fillOpacity: 0.55, insetTop: 6, insetBottom: 6 }),
        Plot.ruleY(rows, { x1: "low", x2: "high", y: (row) => title[row.kind], stroke: colour("ink"), strokeWidth: 2 }),
      ],
    }));
  }
  for (const id of ["explorer-white", "explorer-black"]) find(id).addEventListener("input", () => pair(true));
  find("explorer-swap").addEventListener("click", () => {
    const first = find("explorer-white").value;
    find("explorer-white").value = find("explorer-black").value;
    find("explorer-black").value = first;
    pair(true);
  });

  // ---- one player
  const most = 200;
  function opponents(player) {
    const rating = (one) => (one[1] === null ? -Infinity : one[1]);
    const rows = [...player.met].sort((a, b) => rating(b) - rating(a)), seen = 12;
    const table = (part) => {
      const made = element("table", undefined, { class: "explorer-met" }), head = element("tr");
      head.append(...["Opponent", "Rating", "Games", "Wins", "Draws", "Losses"].map((text) => element("th", text, { scope: "col", class: text === "Games" ? "explorer-wide" : "" })));
      made.createTHead().append(head);
      made.createTBody().append(...part.map((one) => {
        const row = element("tr"), [loss, draw, win] = [0, 1, 2].map((k) => one[2 + k] + one[5 + k]), cell = element("td");
        if (exact.has(one[0])) cell.append(named(exact.get(one[0]))); else cell.textContent = one[0];
        row.append(cell, ...[one[1] === null ? "" : minus(one[1].toFixed(0)), loss + draw + win, win, draw, loss].map((text, k) => element("td", text, { class: k === 1 ? "explorer-wide" : "" })));
        return row;
      }));
      return made;
    };
    const made = [element("h4", "Opponents"), table(rows.slice(0, seen))];
    if (rows.length > seen) {
      const rest = element("details");
      rest.append(element("summary", rows.length > most ? `${most - seen} more of ${rows.length - seen}` : `${rows.length - seen} more`), table(rows.slice(seen, most)));
      made.push(rest);
    }
    return made;
  }
  function person(asked = false) {
    const place = find("explorer-player-page"), player = meant(find("explorer-player").value);
    if (player === undefined) { place.replaceChildren(element("p", "Choose a player of the list.")); return; }
    find("explorer-player-link").href = `#player=${encodeURIComponent(player.name)}`;
    if (asked) remember(find("explorer-player-link").hash);
    const made = [element("p", `${player.name}: rank ${player.rank} of ${count}, rating ${range(player)}.`)];
    if (player.best !== undefined) made.push(element("p", `The strongest of the list with probability ${certain(player.best)}%.`));
    if (player.advantage) made.push(element("p", `Playing ${words.as_first}, against an opponent with the same advantage: ${range(player.advantage)} Elo better.`));
    if (player.draws) made.push(element("p", `Inclination to draw, with an equal who draws like the others: ${range(player.draws, 1, "%")} of the games; others ${player.draws.usual.toFixed(decimals(player.draws.high - player.draws.low))}%.`));
    const sides = [words.as_first, words.as_second];
    const rows = ["white", "black"].flatMap((side, s) => ["loss", "draw", "win"].map((kind, k) => ({ side: sides[s], kind, games: player[side][k] })));
    for (const [s, side] of ["white", "black"].entries()) made.push(element("p", `${sides[s][0].toUpperCase()}${sides[s].slice(1)}: ${results(player[side])}.`));
    made.push(Plot.plot({
      width: width("explorer-one"), height: 140, marginLeft: 95, marginBottom: 45, x: { label: "games", grid: true }, y: { label: null, domain: sides },
      color: { domain: ["loss", "draw", "win"], range: ["loss", "draw", "win"].map(colour), legend: true },
      style: { ...drawn, color: colour("ink") }, ariaLabel: `Results ${words.as_first} and ${words.as_second}`,
      marks: [Plot.barX(rows, Plot.stackX({ x: "games", y: "side", fill: "kind", insetTop: 4, insetBottom: 4 }))],
    }));
    if (player.months) {
      const dated = typeof player.months[0][0] === "string";
      const moves = player.months.map(([time, mean, below, above]) => ({ time: dated ? new Date(time) : time, mean, below, above }));
      made.push(element("h4", "Rating through time"), Plot.plot({
        width: width("explorer-one"), height: 260, marginLeft: 60, marginBottom: 45, x: { label: dated ? null : "period" }, y: { label: "rating (Elo)", grid: true },
        style: { ...drawn, color: colour("ink") }, ariaLabel: "Rating through time with 95% interval",
        marks: [
          Plot.areaY(moves, { x: "time", y1: "below", y2: "above", fill: colour("rating"), fillOpacity: 0.25 }),
          Plot.lineY(moves, { x: "time", y: "mean", stroke: colour("rating"), strokeWidth: 2 }),
        ],
      }));
    }
    if (player.met && player.met.length) made.push(...opponents(player));
    place.replaceChildren(...made);
  }
  find("explorer-player").addEventListener("input", () => person(true));

  // ---- links: #white=...&black=... and #player=..., in any spelling that means one player
  function remember(hash) {
    try { history.replaceState(null, "", hash); } catch { location.hash = hash; }
  }
  function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B"));
    const put = (id, name) => { find(id).value = ((id === "explorer-player" ? meant : opposed)(name) || { name }).name; };
    if (wanted.has("white") && wanted.has("black")) {
      put("explorer-white", wanted.get("white"));
      put("explorer-black", wanted.get("black"));
      pair();
      find("explorer-two").scrollIntoView();
    } else if (wanted.has("player")) {
      put("explorer-player", wanted.get("player"));
      person();
      find("explorer-one").scrollIntoView();
    }
  }

  find("explorer-names").replaceChildren(...byRating.map((player) => element("option", undefined, { value: player.name })));
  const about = record.about;
  find("explorer-title").textContent = about.title || "Explorer";
  find("explorer-answer").textContent = about.answer || "";
  find("explorer-verdict").textContent = about.verdict || "";
  find("explorer-verdict").classList.toggle("bad", about.converged === false);
  find("explorer-facts").replaceChildren(...(about.facts || []).map(([name, text]) => {
    const made = element("div");
    made.append(element("dt", name), element("dd", text));
    return made;
  }));
  find("explorer-scale").textContent = about.scale || "";
  find("explorer-how").hidden = !(about.made || []).length;
  find("explorer-how").querySelector("ul").replaceChildren(...(about.made || []).map((text) => element("li", text)));
  for (const [id, text] of [["explorer-white", words.first], ["explorer-black", words.second]]) document.querySelector(`label[for="${id}"]`).textContent = text;
  const pairs = several ? [...sides.values()] : byRating;
  find("explorer-paired").replaceChildren(...pairs.map((one) => element("option", undefined, { value: one.name })));
  if (several) find("explorer-two-heading").textContent = "Two sides";
  find("explorer-white").value = pairs[0].name;
  find("explorer-black").value = (pairs.find((one) => apart(pairs[0], one)) || pairs[pairs.length - 1]).name;
  find("explorer-player").value = byRating[0].name;
  const redraw = () => { matrix(); pair(); person(); };
  list();
  redraw();
  follow();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  let room = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== room) { room = innerWidth; redraw(); } });
  addEventListener("hashchange", follow);
})();
