// The lists of a page: search, sorting, a choice of columns, CSV and the panel of a row; `page` has the page's numbers and people.
const halfpointLists = (page) => {
  "use strict";
  const { folded, decimals, number, certain, element, remember, known, person } = page;
  const lists = new Map(); // by the anchor of a list: what it was given, and how it is fitted to its room or shows a row
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
  const signed = (column, value) => (column.signed && Number(number(value, column.digits)) > 0 ? "+" : "");
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
      const safe = (text) => { const made = String(text ?? ""); const formula = typeof text === "string" && /^[=+\-@\t\r\n\u2212]/.test(made.normalize("NFKC")) ? `'${made}` : made; return /[",\n\r]/.test(formula) ? `"${formula.replace(/"/g, '""')}"` : formula; };
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
        const cell = element(k === head ? "th" : "td", null, k === head ? { scope: "row", class: "text" } : { class: numeric(column) ? ({ bar: "drawn", heat: "heat", thirds: "thirds" }[column.kind] || "") : /^\d+-\d+-\d+$/.test(one) ? "text day" : "text" });
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
      const order = columns.map((one, k) => k).sort((a, b) => columns[b].want - columns[a].want || b - a);
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
  return { list, lists };
};
