// Figures of a page, drawn by Observable Plot; `page` has the page's own numbers, colours and people.
const halfpointFigures = (page) => {
  "use strict";
  const { people, decimals, number, range, element, colour, find, drawings } = page;
  const hues = ["rating", "win", "loss", "second", "third", "draw"];
  const look = (room, more) => ({ width: Math.max(280, Math.min(720, room.clientWidth || 340)), marginBottom: 42, style: { background: "none", fontSize: "13px", color: "var(--ink)", fontFamily: "inherit" }, ...more });
  const ticks = (values) => values.every(Number.isInteger) ? Math.max(1, Math.min(5, Math.max(...values) - Math.min(...values))) : 5;
  const kinds = {
    intervals(room, { rows, x, zero, title }) {
      const narrow = room.clientWidth < 520, longest = Math.max(...rows.map((row) => row.name.length));
      return Plot.plot(look(room, {
        height: 60 + (narrow ? 40 : 24) * rows.length, marginLeft: narrow ? 8 : Math.min(0.5 * room.clientWidth, 20 + 7.2 * longest), ariaLabel: title, ariaDescription: rows.slice(0, 12).map((row) => `${row.name} ${range(row)}`).join("; "),
        x: { label: x, grid: true, ticks: narrow ? 4 : 5 }, y: { label: null, domain: rows.map((row) => row.name), tickSize: 0, axis: narrow ? null : "left" },
        marks: [zero ? Plot.ruleX([0], { stroke: "currentColor", strokeDasharray: "3,3" }) : null,
          narrow ? Plot.text(rows, { text: "name", y: "name", frameAnchor: "left", textAnchor: "start", dy: -14 }) : null,
          Plot.ruleY(rows, { x1: "low", x2: "high", y: "name", stroke: colour("rating"), strokeWidth: 2 }),
          Plot.dot(rows, { x: "mean", y: "name", r: 4.5, fill: colour("rating"), title: (row) => `${row.name}: ${range(row)}`, tip: tip() })],
      }));
    },
    lines(room, { rows, x, y, zero, title }) {
      const dated = typeof rows[0].x === "string", moved = rows.map((row) => ({ ...row, x: dated ? new Date(row.x) : row.x }));
      const series = [...new Set(rows.map((row) => row.series))].slice(0, hues.length), kept = moved.filter((row) => series.includes(row.series));
      const banded = kept.filter((row) => row.low !== undefined && row.low !== null), symbol = series.length > 1 ? "series" : undefined;
      return Plot.plot(look(room, {
        height: 300, marginLeft: 56, ariaLabel: title, x: { label: x, ticks: ticks(kept.map((row) => row.x)) }, y: { label: y, grid: true },
        color: { domain: series, range: hues.map(colour), legend: false }, symbol: { domain: series, legend: series.length > 1 },
        marks: [zero ? Plot.ruleY([0], { stroke: "currentColor", strokeDasharray: "3,3" }) : null,
          series.length > 2 ? null : Plot.areaY(banded, { x: "x", y1: "low", y2: "high", fill: "series", fillOpacity: 0.2 }),
          Plot.lineY(kept, { x: "x", y: "y", stroke: "series", strokeWidth: 2 }),
          Plot.dot(kept, { x: "x", y: "y", stroke: "series", symbol, r: 3.5, title: (row) => `${row.series}, ${row.x instanceof Date ? row.x.toISOString().slice(0, 10) : row.x}: ${number(row.y, decimals(Math.abs(row.y) / 50))}`, tip: tip() })],
      }));
    },
    time(room, { y, title }) {
      const all = people.players.filter((one) => one.months), dated = typeof all[0].months[0][0] === "string";
      const shown_ = room.dataset.shown ? JSON.parse(room.dataset.shown) : all.slice(0, 4).map((one) => one.name);
      const rows = all.flatMap((one) => one.months.map(([x, mean, low, high]) => ({ series: one.name, x: dated ? new Date(x) : x, y: mean, low, high })));
      const kept = rows.filter((row) => shown_.includes(row.series)), choice = element("select", null, { id: "time-add" });
      choice.append(element("option", "Add or remove", { value: "" }), ...all.map((one) => element("option", `${shown_.includes(one.name) ? "− " : "+ "}${one.name}`, { value: one.name })));
      choice.addEventListener("change", () => {
        const name = choice.value;
        room.dataset.shown = JSON.stringify(shown_.includes(name) ? shown_.filter((one) => one !== name) : [...shown_, name].slice(-hues.length));
        drawings.find((one) => one[0] === room)[1]();
        find("time-add").focus();
      });
      const plot = Plot.plot(look(room, {
        height: 380, marginLeft: 56, ariaLabel: title, ariaDescription: kept.length ? `In colour: ${shown_.join(", ")}` : "", x: { label: dated ? null : "period", ticks: ticks(rows.map((row) => row.x)) }, y: { label: y, grid: true },
        color: { domain: shown_, range: hues.map(colour) }, symbol: { domain: shown_, legend: shown_.length > 0 },
        marks: [Plot.lineY(rows, { x: "x", y: "y", z: "series", stroke: colour("soft"), strokeOpacity: 0.35, strokeWidth: 1 }),
          Plot.areaY(kept, { x: "x", y1: "low", y2: "high", fill: "series", z: "series", fillOpacity: 0.15 }),
          Plot.lineY(kept, { x: "x", y: "y", stroke: "series", strokeWidth: 2 }),
          Plot.dot(kept, { x: "x", y: "y", stroke: "series", symbol: "series", r: 3, title: (row) => `${row.series}, ${dated ? row.x.toISOString().slice(0, 10) : row.x}: ${number(row.y, 0)} (${number(row.low, 0)} to ${number(row.high, 0)})`, tip: tip() })],
      }));
      return element("div", null, {}, element("p", null, { class: "filter" }, element("label", "In colour", { for: "time-add" }), choice), plot);
    },
    reliability(room, { rows, x, y, title }) {
      const series = [...new Set(rows.map((row) => row.series))].slice(0, 3), all = rows.flatMap((row) => [row.x, row.y, row.low, row.high]);
      const domain = d3.nice(Math.max(0, Math.min(...all)), Math.min(1, Math.max(...all)), 5), [from, to] = domain;
      return Plot.plot(look(room, {
        height: 340, marginLeft: 56, ariaLabel: title, x: { label: x, domain, tickFormat: "%", ticks: 5 }, y: { label: y, domain, tickFormat: "%", grid: true },
        color: { domain: series, range: hues.map(colour) }, symbol: { domain: series, legend: series.length > 1 },
        marks: [Plot.link([0], { x1: from, y1: from, x2: to, y2: to, stroke: "currentColor", strokeDasharray: "3,3" }),
          Plot.ruleX(rows, { x: "x", y1: "low", y2: "high", stroke: "series", strokeOpacity: 0.6 }),
          Plot.dot(rows, { x: "x", y: "y", stroke: "series", symbol: "series", r: 4, title: (row) => `${row.series}: forecast ${(100 * row.x).toFixed(0)}%, came ${(100 * row.y).toFixed(0)}% of ${row.games} games`, tip: tip() })],
      }));
    },
  };
  const tip = () => ({ fill: colour("ground"), stroke: colour("soft") });
  return { hues, look, kinds };
};
