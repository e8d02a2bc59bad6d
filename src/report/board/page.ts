import { createHash } from 'node:crypto';
import { escapeXml as e } from '../../base/xml';
import { imagesOf } from '../../probe/metric';
import { leastImages } from '../../stats/decisions/smallSample';
import { page } from '../export/page';
import { valueOf } from '../figures';
import type { Entry } from '../paper/entry';
import type { BoardCell, BoardColumn, BoardRow } from './cells';

/**
 * Sorts the table when a column head is clicked; the first click puts the best on top. The page allows this
 * script by its hash.
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

export function boardPage(
  columns: readonly BoardColumn[],
  rows: readonly BoardRow[],
  entries: readonly Entry[],
): string {
  const arrow = { higher: ' ↑', lower: ' ↓' } as const;
  const heads = columns.map(
    ({ title, dataset, name, better }) =>
      `<th class="n" scope="col" data-column="${better ?? 'lower'}"><button>${e(title)}${better === undefined ? '' : arrow[better]}<small>${e(dataset)} · ${e(name)}</small></button></th>`,
  );
  const body = rows.map(
    ({ evaluator, kind, cells }) =>
      `<tr><th scope="row">${e(evaluator)}<small>${e(kind)}</small></th>${cells.map(cellOf).join('')}</tr>`,
  );
  const table = `<div class="scroll"><table id="board"><thead><tr><th scope="col" data-column="lower"><button>Evaluator</button></th>${heads.join('')}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
  const few = rows.some(({ cells }) =>
    cells.some((cell) => cell !== undefined && imagesOf(cell.metric) < leastImages),
  );
  return page(
    'Board',
    [
      `<p>Evaluators: ${rows.length}, reports: ${entries.length}. Click a value to open its report with the failures. Click a column head to sort.</p>`,
      table,
      few ? `<p>Values of fewer than ${leastImages} images have no interval.</p>` : '',
      `<style>#board button { all: unset; cursor: pointer; font-weight: 600; } #board button:focus-visible { outline: 2px solid; } #board small { display: block; font-weight: 400; opacity: .75; } #board a { color: inherit; } th[aria-sort] { text-decoration: underline; }</style>`,
      `<script>${script}</script>`,
    ],
    [scriptHash],
  );
}

function cellOf(cell: BoardCell | undefined): string {
  if (cell === undefined) return '<td class="n" data-value="">–</td>';
  const { metric, page: link } = cell;
  const { ci } = metric;
  const span =
    ci === undefined || imagesOf(metric) < leastImages
      ? ''
      : `<small>[${ci.map((end) => end.toFixed(4)).join(', ')}]</small>`;
  return `<td class="n" data-value="${metric.value}"><a href="${e(encodeURI(link))}#failures">${valueOf(metric)}</a>${span}<small>n = ${metric.n}</small></td>`;
}
