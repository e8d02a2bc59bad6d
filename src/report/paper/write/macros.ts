/* Writes a LaTeX macro for each number of the tables, so that a paper's text can use macros instead of numbers. */
import { append } from '../../../base/lists';
import { metricName } from '../../figures';
import { isNumber, type NumberCell, type PaperTable } from '../table';
import { tex } from './texText';

const digits = ['Zero', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** The endings of an evaluator's macros. Another evaluator's name may end in them, such as "clipN" beside "clip". */
const ends = ['', 'Ci', 'N'];

/** A macro's name has only letters: "lgip.pr" and "ViT-B/32" become LgipPr and ViTBThreeTwo. */
export function macroName(parts: readonly string[]): string {
  return parts
    .flatMap((part) => part.normalize('NFD').match(/[A-Za-z]+|\d/g) ?? [])
    .map((word) => digits[Number(word)] ?? word[0].toUpperCase() + word.slice(1))
    .join('');
}

export function macros(tables: readonly PaperTable[]): string {
  const cells = tables.flatMap(({ rows }) =>
    rows.flatMap((row) =>
      row.cells.filter(isNumber).flatMap((cell) => [cell, ...(cell.after ? [cell.after] : [])]),
    ),
  );
  const hasDatasets = new Set(cells.map(({ entry }) => entry.dataset)).size > 1;
  const taken = new Map<string, string>();
  const lines: string[] = [];
  for (const cell of cells) {
    const { entry, metric } = cell;
    const identity = JSON.stringify([entry.evaluator, entry.dataset, metricName(metric), cell.shown]);
    const stem = macroName([
      metric.id,
      ...Object.values(metric.slice ?? {}).map(String),
      entry.report.evaluator.id,
      ...(hasDatasets ? [entry.dataset] : []),
    ]);
    let name = `captious${stem}`;
    const isOthers = (macro: string): boolean => taken.has(macro) && taken.get(macro) !== identity;
    for (let i = 0; ends.some((end) => isOthers(`${name}${end}`)); i++)
      name = `captious${stem}${String.fromCharCode(65 + (i % 26)).repeat(1 + Math.floor(i / 26))}`;
    if (taken.has(name)) continue;
    for (const end of ends) taken.set(`${name}${end}`, identity);
    lines.push(`% ${comment(`${metricName(metric)}, ${entry.evaluator}, ${entry.dataset}`)}`);
    append(lines, commands(name, cell));
  }
  return ['% Written by Captious. Read it in the preamble: \\input{macros}', ...lines, ''].join('\n');
}

function commands(name: string, { shown, ci, metric }: NumberCell): string[] {
  const command = (end: string, text: string) => `\\newcommand{\\${name}${end}}{${tex(text)}}`;
  return [
    command('', shown),
    ...(ci === undefined ? [] : [command('Ci', `[${ci[0]}, ${ci[1]}]`)]),
    command('N', String(metric.n)),
  ];
}

function comment(text: string): string {
  return text.replace(/[\n\r]/g, ' ');
}
