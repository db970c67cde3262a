// The explorer: a rating list, two players, one player. White first; outcomes loss, draw, win for White.
(() => {
  "use strict";
  const record = JSON.parse(document.getElementById("explorer-data").textContent);
  const find = (id) => document.getElementById(id);
  const floats = (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Float32Array(bytes.buffer);
  };
  const count = record.players.length;
  const chances = floats(record.chances);
  const pairedOf = new Map(record.paired.map((name, index) => [name, index]));
  const indexOf = new Map(record.players.map((player, index) => [player.name, index]));
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  for (const player of record.players) player.games = sum(player.white) + sum(player.black);
  const byRating = [...record.players].sort((a, b) => b.mean - a.mean);
  byRating.forEach((player, index) => { player.rank = index + 1; });
  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const colour = (name) => getComputedStyle(find("explorer")).getPropertyValue(`--${name}`).trim();
  const width = () => Math.min(560, find("explorer-pair-chart").clientWidth || 560);

  // ---- the rating list
  const page = 100;
  let shown = page, key = "mean", ascending = false;
  const low = Math.min(...byRating.map((p) => p.low)), high = Math.max(...byRating.map((p) => p.high));
  const share = (elo) => `${(100 * (elo - low) / (high - low || 1)).toFixed(2)}%`;
  find("explorer-scale").textContent = `${Math.round(low)} to ${Math.round(high)} Elo`;
  function list() {
    const words = find("explorer-search").value.trim().toLowerCase();
    const rows = byRating.filter((player) => player.name.toLowerCase().includes(words));
    const sign = ascending ? 1 : -1;
    rows.sort((a, b) => sign * (key === "name" ? a.name.localeCompare(b.name) : a[key] - b[key]) || a.rank - b.rank);
    const body = find("explorer-list").tBodies[0];
    body.replaceChildren(...rows.slice(0, shown).map((player) => {
      const row = element("tr");
      const name = element("button", player.name, { type: "button" });
      name.addEventListener("click", () => { find("explorer-player").value = player.name; person(); find("explorer-player").focus(); });
      const bar = element("div", undefined, { class: "explorer-bar" });
      const line = element("i"), dot = element("b");
      line.style.left = share(player.low);
      line.style.width = `calc(${share(player.high)} - ${share(player.low)})`;
      dot.style.left = share(player.mean);
      bar.append(line, dot);
      const nameCell = element("td"), barCell = element("td", undefined, { class: "explorer-wide" });
      nameCell.append(name);
      barCell.append(bar);
      row.append(element("td", player.rank), nameCell, element("td", player.mean.toFixed(1)), element("td", player.sd.toFixed(1)),
        element("td", `${player.low.toFixed(0)} to ${player.high.toFixed(0)}`), barCell, element("td", player.games));
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

  // ---- two players
  const kinds = ["loss", "draw", "win", "score"];
  function chance(i, j, kind) {
    const start = ((i * record.paired.length + j) * kinds.length + kinds.indexOf(kind)) * 3;
    return { kind, mean: chances[start], low: chances[start + 1], high: chances[start + 2] };
  }
  const percent = (value) => `${(100 * value).toFixed(1)}%`;
  function pair() {
    const i = pairedOf.get(find("explorer-white").value), j = pairedOf.get(find("explorer-black").value);
    const body = find("explorer-pair-table").tBodies[0];
    if (i === undefined || j === undefined || i === j) {
      find("explorer-pair-note").textContent = record.paired.length < count
        ? `Choose two different players among the best ${record.paired.length} of the list.` : "Choose two different players of the list.";
      body.replaceChildren();
      find("explorer-pair-chart").replaceChildren();
      return;
    }
    const title = { loss: "loss", draw: "draw", win: "win", score: "expected score" };
    const rows = (record.three_outcomes ? kinds : ["score"]).map((kind) => chance(i, j, kind));
    body.replaceChildren(...rows.map((row) => {
      const made = element("tr", undefined, { "data-kind": row.kind });
      made.append(element("td", title[row.kind]), element("td", percent(row.mean)), element("td", `${percent(row.low)} to ${percent(row.high)}`));
      return made;
    }));
    find("explorer-pair-note").textContent = !record.three_outcomes
      ? "This model has no draw probability: a draw counts as half a point of the expected score."
      : `From ${record.draws} draws of the posterior.`;
    const tint = (kind) => colour(kind === "score" ? "link" : kind);
    find("explorer-pair-chart").replaceChildren(Plot.plot({
      width: width(), height: 60 + 34 * rows.length, marginLeft: 110, marginBottom: 45, x: { domain: [0, 1], tickFormat: "%", label: "probability", grid: true },
      y: { domain: rows.map((row) => title[row.kind]), label: null }, style: { background: "none", color: colour("ink"), fontSize: "13px" },
      ariaLabel: "Probabilities with 95% intervals",
      marks: [
        Plot.barX(rows, { x: "mean", y: (row) => title[row.kind], fill: (row) => tint(row.kind), fillOpacity: 0.55, insetTop: 6, insetBottom: 6 }),
        Plot.ruleY(rows, { x1: "low", x2: "high", y: (row) => title[row.kind], stroke: colour("ink"), strokeWidth: 2 }),
      ],
    }));
  }
  for (const id of ["explorer-white", "explorer-black"]) find(id).addEventListener("input", pair);
  find("explorer-swap").addEventListener("click", () => {
    const first = find("explorer-white").value;
    find("explorer-white").value = find("explorer-black").value;
    find("explorer-black").value = first;
    pair();
  });

  // ---- one player
  function person() {
    const place = find("explorer-player-page"), player = record.players[indexOf.get(find("explorer-player").value)];
    if (player === undefined) { place.replaceChildren(element("p", "Choose a player of the list.")); return; }
    const range = (v, digits) => `${v.mean.toFixed(digits)} (95% ${v.low.toFixed(digits)} to ${v.high.toFixed(digits)})`;
    const made = [element("p", `${player.name}: rank ${player.rank} of ${count}, rating ${range(player, 0)} Elo.`)];
    if (player.advantage) made.push(element("p", `With White against an opponent with the same advantage: ${range(player.advantage, 1)} Elo better.`));
    if (player.draws) made.push(element("p", `Draws with an equal who draws like the others: ${range(player.draws, 1)} percent of the games; others ${player.draws.usual.toFixed(1)}.`));
    const rows = ["white", "black"].flatMap((side) => ["loss", "draw", "win"].map((kind, k) => ({ side: `as ${side === "white" ? "White" : "Black"}`, kind, games: player[side][k] })));
    for (const side of ["as White", "as Black"]) {
      const mine = rows.filter((row) => row.side === side);
      made.push(element("p", `${side}: ${mine[2].games} wins, ${mine[1].games} draws, ${mine[0].games} losses`));
    }
    made.push(Plot.plot({
      width: width(), height: 140, marginLeft: 80, marginBottom: 45, x: { label: "games", grid: true }, y: { label: null, domain: ["as White", "as Black"] },
      color: { domain: ["loss", "draw", "win"], range: ["loss", "draw", "win"].map(colour), legend: true },
      style: { background: "none", color: colour("ink"), fontSize: "13px" }, ariaLabel: "Results by colour",
      marks: [Plot.barX(rows, Plot.stackX({ x: "games", y: "side", fill: "kind", insetTop: 4, insetBottom: 4 }))],
    }));
    if (player.months) {
      const moves = player.months.map(([time, mean, below, above]) => ({ time, mean, below, above }));
      made.push(element("h4", "Rating through time"), Plot.plot({
        width: width(), height: 260, marginLeft: 60, marginBottom: 45, x: { label: "time" }, y: { label: "rating (Elo)", grid: true },
        style: { background: "none", color: colour("ink"), fontSize: "13px" }, ariaLabel: "Rating through time with 95% interval",
        marks: [
          Plot.areaY(moves, { x: "time", y1: "below", y2: "above", fill: colour("win"), fillOpacity: 0.25 }),
          Plot.lineY(moves, { x: "time", y: "mean", stroke: colour("win"), strokeWidth: 2 }),
        ],
      }));
    }
    place.replaceChildren(...made);
  }
  find("explorer-player").addEventListener("input", person);

  find("explorer-names").replaceChildren(...byRating.map((player) => element("option", undefined, { value: player.name })));
  find("explorer-title").textContent = record.about.title || "Explorer";
  find("explorer-about").textContent = record.about.text || "";
  find("explorer-white").value = byRating[0].name;
  find("explorer-black").value = byRating[Math.min(1, count - 1)].name;
  find("explorer-player").value = byRating[0].name;
  const redraw = () => { pair(); person(); };
  list();
  redraw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("resize", redraw);
})();
