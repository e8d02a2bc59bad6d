/* Writes a table as Markdown, HTML or CSV. */
import { markdownText as md } from '../../../base/text/markdown';
import { escapeXml as e } from '../../../base/xml';
import { imagesOf } from '../../../probe/metric';
import { quote } from '../../export/csv';
import { firmInterval, metricName } from '../../figures';
import { isNumber, type PaperCell, type PaperTable } from '../table';
import { oneLine, type Spread } from './spread';
import { plainHead } from './texText';

export function markdownTable(table: PaperTable, spread: Spread): string {
  const heads = flatHeads(table);
  const cell = (own: PaperCell): string => {
    if (!isNumber(own)) return md(own);
    const { value, rest } = oneLine(own, spread);
    return `${own.best ? `**${value}**` : value}${rest === '' ? '' : ` ${rest}`}`;
  };
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const align = [...Array<string>(table.labels).fill('---'), ...heads.map(() => '---:')];
  return [
    `**${md(table.caption)}**`,
    '',
    line([...(table.labelHeads ?? Array<string>(table.labels).fill('')), ...heads].map(md)),
    `| ${align.join(' | ')} |`,
    ...table.rows.map(({ labels, cells }) => line([...labels.map(md), ...cells.map(cell)])),
    '',
    ...table.notes.map((note) => `- ${md(note)}`),
    '',
  ].join('\n');
}

export function htmlPaperTable(table: PaperTable, spread: Spread): string {
  const blank = table.labels > 0 ? `<td colspan="${table.labels}"></td>` : '';
  const labels = (table.labelHeads ?? []).map((head) => `<th scope="col">${e(head)}</th>`).join('');
  const heads = table.heads.map(
    (cells, level) =>
      `<tr>${level === table.heads.length - 1 && labels !== '' ? labels : blank}${cells.map(({ text, span }) => `<th colspan="${span}" scope="col">${e(plainHead(text))}</th>`).join('')}</tr>`,
  );
  const cell = (own: PaperCell): string => {
    if (!isNumber(own)) return `<td class="n">${e(own)}</td>`;
    const { value, rest } = oneLine(own, spread);
    const shown = own.best ? `<strong>${e(value)}</strong>` : e(value);
    const small = rest === '' ? '' : `<br><span class="quiet">${e(rest)}</span>`;
    return `<td class="n">${shown}${small}</td>`;
  };
  const rows = table.rows.map(
    ({ labels, cells }) =>
      `<tr>${labels.map((label) => `<th scope="row">${e(label)}</th>`).join('')}${cells.map(cell).join('')}</tr>`,
  );
  const notes = table.notes.map((note) => `<li>${e(note)}</li>`).join('');
  return `<div class="scroll"><table><caption>${e(table.caption)}</caption><thead>${heads.join('')}</thead><tbody>${rows.join('\n')}</tbody></table></div><ul class="quiet">${notes}</ul>`;
}

const fields = [
  'table',
  'row',
  'column',
  'evaluator',
  'dataset',
  'metric',
  'value',
  'low',
  'high',
  'n',
  'ties',
  'best',
  'notDistinguishable',
  'images',
  'cluster',
];

/** Writes one line per value, with all digits. */
export function csvTable(table: PaperTable): string {
  const heads = flatHeads(table);
  const lines = table.rows.flatMap(({ labels, cells }) =>
    cells.flatMap((cell, i) =>
      (isNumber(cell) ? [cell, ...(cell.after === undefined ? [] : [cell.after])] : []).map(
        ({ entry, metric, best, level }) => [
          ...[table.id, labels.filter((label) => label !== '').join(', '), heads[i]],
          ...[entry.evaluator, entry.dataset, metricName(metric)],
          ...[metric.value, firmInterval(metric)?.[0], firmInterval(metric)?.[1], metric.n, metric.ties],
          ...[best === true ? 1 : 0, level === true ? 1 : 0, imagesOf(metric)],
          entry.report.dataset.cluster ?? 'image',
        ],
      ),
    ),
  );
  return [fields, ...lines]
    .map((line) => `${line.map((field) => quote(field ?? undefined)).join(',')}\n`)
    .join('');
}

/** The headings above each column, joined in one text, outermost first. */
export function flatHeads({ heads }: PaperTable): string[] {
  const levels = heads.map((cells) =>
    cells.flatMap(({ text, span }) => Array<string>(span).fill(plainHead(text))),
  );
  return levels.at(-1)!.map((_, i) =>
    levels
      .map((level) => level[i])
      .filter((text) => text !== '')
      .join(' · '),
  );
}
