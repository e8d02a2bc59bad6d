import { createHash } from 'node:crypto';
import { escapeXml as e } from '../../base/xml';
import { english } from '../../base/english';
import { page } from '../export/page';
import type { Entry } from '../paper/entry';
import { type Board, type BoardCell, shownCell } from './cells';

/**
 * Sorts the table by a clicked column, best values first. A second click reverses the order. The page's
 * security policy allows this script by its hash.
 */
const script = `
for (const head of document.querySelectorAll('th[data-column] button')) head.addEventListener('click', () => {
  const cell = head.parentElement, body = document.querySelector('#board tbody'), at = cell.cellIndex;
  const up = cell.getAttribute('aria-sort') ? cell.getAttribute('aria-sort') !== 'ascending' : cell.dataset.column !== 'higher';
  for (const other of cell.parentElement.cells) other.removeAttribute('aria-sort');
  cell.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const key = (row) => { const own = row.cells[at].dataset.value; return own === undefined ? row.cells[at].textContent : own === '' ? null : Number(own); };
  const rows = [...body.rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
  });
  body.append(...rows);
});
`;

export const scriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;

/** `pages` has the path of each report's page, to which the values link. */
export function boardPage(
  { columns, rows, entries, notes }: Board,
  pages: ReadonlyMap<Entry, string>,
): string {
  const arrow = { higher: ' ↑', lower: ' ↓' } as const;
  const heads = columns.map(
    ({ title, dataset, names, better }) =>
      `<th class="n" scope="col" data-column="${better ?? 'lower'}"><button>${e(title)}${better === undefined ? '' : arrow[better]}<small>${e(dataset)} · ${e(names.map(english).join(': '))}</small></button></th>`,
  );
  const body = rows.map(
    ({ evaluator, kind, cells }) =>
      `<tr><th scope="row">${e(evaluator)}<small>${e(kind)}</small></th>${cells.map((cell) => cellOf(cell, pages)).join('')}</tr>`,
  );
  const table = `<div class="scroll"><table id="board"><thead><tr><th scope="col" data-column="lower"><button>Evaluator</button></th>${heads.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
  return page(
    'Board',
    [
      `<p>Evaluators: ${rows.length}, reports: ${entries.length}. Click a value to open its report with the failures. Click a column header to sort.</p>`,
      table,
      english(notes) === '' ? '' : `<p>${e(english(notes))}</p>`,
      `<style>#board button { all: unset; cursor: pointer; font-weight: 600; } #board button:focus-visible { outline: 2px solid; } #board small { display: block; font-weight: 400; opacity: .75; } #board a { color: inherit; } th[aria-sort] { text-decoration: underline; }</style>`,
      `<script>${script}</script>`,
    ],
    { scriptHashes: [scriptHash] },
  );
}

function cellOf(cell: BoardCell, pages: ReadonlyMap<Entry, string>): string {
  if ('missing' in cell) return `<td class="n" data-value="" title="${e(english(cell.missing))}">–</td>`;
  const { text, interval, doubt } = shownCell(cell);
  const { value, n } = cell.metric;
  return `<td class="n" data-value="${value}"><a href="${e(encodeURI(pages.get(cell.entry)!))}#failures">${text}</a>${interval === '' ? '' : `<small>${interval}</small>`}<small>n = ${n}</small>${doubt === undefined ? '' : `<small>${e(english(doubt))}</small>`}</td>`;
}
