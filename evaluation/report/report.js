"use strict";

// Sorting: a click on a heading sorts its table by that column, a second click turns the order; empty cells stay last.
function sortValue(row, place) {
  const cell = row.cells[place];
  if (cell.dataset.sort !== undefined) return Number(cell.dataset.sort);
  const text = cell.textContent.trim();
  if (text === "") return null;
  const number = Number(text);
  return cell.classList.contains("number") && !Number.isNaN(number) ? number : text.toLowerCase();
}

function sortTable(table, heading) {
  const headings = [...heading.parentElement.children];
  const place = headings.indexOf(heading);
  const descending = heading.getAttribute("aria-sort") === "ascending";
  for (const other of headings) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [sortValue(row, place), row]);
  keyed.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return descending ? -order : order;
  });
  body.append(...keyed.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  for (const heading of table.tHead.rows[0].cells) {
    heading.querySelector("button")?.addEventListener("click", () => sortTable(table, heading));
  }
}

// Filtering: a row stays if it holds every word that was typed.
for (const input of document.querySelectorAll("input[data-filters]")) {
  const body = document.getElementById(input.dataset.filters).tBodies[0];
  const count = document.querySelector(`[data-counts="${input.dataset.filters}"]`);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = `${shown} rows`;
  });
}
