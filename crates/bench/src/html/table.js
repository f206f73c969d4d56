// The table of tasks: sorted by a click on a heading, narrowed by what is typed above it.
const table = document.getElementById('tasks');
const body = table.tBodies[0];
const rows = [...body.rows];
table.tHead.addEventListener('click', event => {
  const heading = event.target.closest('th');
  if (!heading) return;
  const up = heading.getAttribute('aria-sort') !== 'ascending';
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const key = row => row.cells[heading.cellIndex].dataset.n ?? row.cells[heading.cellIndex].textContent;
  const numeric = rows.every(row => row.cells[heading.cellIndex].dataset.n !== undefined);
  rows.sort((a, b) => (numeric ? key(a) - key(b) : key(a).localeCompare(key(b))) * (up ? 1 : -1));
  body.append(...rows);
});
document.getElementById('search').addEventListener('input', event => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
  }
});
