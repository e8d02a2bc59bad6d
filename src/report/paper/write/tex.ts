/* Writes a table as LaTeX with booktabs and siunitx, for \input. */
import { append } from '../../../base/lists';
import { largest } from '../../../base/extent';
import { isNumber, noValue, type NumberCell, type PaperCell, type PaperRow, type PaperTable } from '../table';
import { oneLine, secondLine, type Spread } from './spread';
import { plainHead, tex, texHead } from './texText';

export const packages = ['booktabs', 'siunitx', 'adjustbox'];

/** A table with more columns of numbers, or with more letters, is as wide as the page. */
const mostInColumn = 5;
const mostLetters = 65;

/** The width of a letter below a value, and the space between columns, in letters of the text. */
const scriptsize = 0.7;
const betweenColumns = 2;

/** The most rows that fit on a page. */
const mostRows = 24;

/** Writes a table as LaTeX. A long table is split into several tables, between groups of rows. */
export function texTable(table: PaperTable, spread: Spread): string {
  const columns = table.rows[0].cells.map((_, i) => formatOf(table.rows.map(({ cells }) => cells[i])));
  const parts = partsOf(table.rows);
  const isWide = columns.length > mostInColumn || lettersIn(table, spread) > mostLetters;
  return [
    `% ${table.id}, written by Captious. Needs: ${packages.map((name) => `\\usepackage{${name}}`).join(' ')}`,
    ...parts.flatMap((rows, i) => {
      const count = parts.length === 1 ? '' : ` Part ${i + 1} of ${parts.length}.`;
      const label = `tab:captious-${table.id.replaceAll('.', '-')}${i === 0 ? '' : `-${i + 1}`}`;
      return [
        `\\begin{table${isWide ? '*' : ''}}[t]`,
        '  \\centering',
        `  \\caption{${tex(table.caption + count)}}`,
        `  \\label{${label}}`,
        '  \\smallskip',
        '  \\sisetup{reset-math-version=false, table-align-text-after=false, retain-explicit-plus=true}',
        '  \\begin{adjustbox}{max width=\\linewidth, max totalheight=0.75\\textheight}',
        `  \\begin{tabular}{${'l'.repeat(table.labels)}${columns.join('')}}`,
        '    \\toprule',
        ...headsOf(table),
        '    \\midrule',
        ...linesOf(rows, table, spread),
        '    \\bottomrule',
        '  \\end{tabular}',
        '  \\end{adjustbox}',
        '',
        '  \\smallskip',
        '  \\begin{minipage}{\\linewidth}\\footnotesize\\raggedright',
        ...(i === parts.length - 1 ? table.notes : ['The last part has the notes.']).map(
          (note) => `    ${tex(note)}\\par`,
        ),
        '  \\end{minipage}',
        `\\end{table${isWide ? '*' : ''}}`,
      ];
    }),
    '',
  ].join('\n');
}

/** About how many letters of the text a line of the table has, with the space between its columns. */
function lettersIn({ heads, labels, labelHeads, rows }: PaperTable, spread: Spread): number {
  const names = Array.from({ length: labels }, (_, i) => [
    labelHeads?.[i] ?? '',
    ...rows.map((row) => row.labels[i]),
  ]);
  const longest = (texts: readonly string[]): number => largest(texts.map((text) => text.length));
  const widths = rows[0].cells.map((_, i) => {
    const cells = rows.map((row) => row.cells[i]);
    const values = cells.map((cell) => (isNumber(cell) ? oneLine(cell, spread) : { value: cell, rest: '' }));
    const small = scriptsize * longest(values.map(({ rest }) => rest));
    return Math.max(longest([plainHead(heads.at(-1)![i].text), ...values.map(({ value }) => value)]), small);
  });
  const all = [...names.map(longest), ...widths];
  return all.reduce((sum, width) => sum + width, betweenColumns * (all.length - 1));
}

function partsOf(rows: readonly PaperRow[]): PaperRow[][] {
  const groups: PaperRow[][] = [];
  for (const row of rows) {
    if (row.ruled === true || groups.length === 0) groups.push([]);
    groups.at(-1)!.push(row);
  }
  const parts: PaperRow[][] = [[]];
  // A part that starts within an evaluator's rows repeats the evaluator's name.
  let name = '';
  for (const group of groups) {
    name = group[0].labels[0] || name;
    if (parts.at(-1)!.length > 0 && parts.at(-1)!.length + group.length > mostRows) {
      const [first, ...others] = group;
      parts.push([{ ...first, labels: [name, ...first.labels.slice(1)] }, ...others]);
    } else append(parts.at(-1)!, group);
  }
  return parts;
}

function headsOf(table: PaperTable): string[] {
  return table.heads.map((cells, level) => {
    const isLast = level === table.heads.length - 1;
    let at = table.labels + 1;
    const rules: string[] = [];
    const set = cells.map(({ text, span }) => {
      if (!isLast && text !== '') rules.push(`\\cmidrule(lr){${at}-${at + span - 1}}`);
      at += span;
      const head = texHead(text);
      return isLast ? `{${head}}` : `\\multicolumn{${span}}{c}{${head}}`;
    });
    const labels =
      isLast && table.labelHeads ? `${table.labelHeads.map(texHead).join(' & ')} ` : blank(table);
    return `    ${rowStart(labels)}& ${set.join(' & ')} \\\\${rules.join(' ')}`;
  });
}

/** Keeps LaTeX from reading a row that begins with "[" or "*" as the argument of the command before it. */
function rowStart(text: string): string {
  return /^\s*[[*]/.test(text) ? `{}${text}` : text;
}

function blank({ labels }: PaperTable): string {
  return ' & '.repeat(labels - 1);
}

function linesOf(rows: readonly PaperRow[], table: PaperTable, spread: Spread): string[] {
  return rows.flatMap(({ labels, cells, ruled }, i) => {
    const below = cells.map((cell) => (isNumber(cell) ? secondLine(cell, spread) : ''));
    const small = below.map((text) => (text === '' ? '' : `{\\scriptsize ${tex(withMinus(text))}}`));
    return [
      ...(ruled === true && i > 0 ? ['    \\addlinespace'] : []),
      `    ${rowStart(labels.map(tex).join(' & '))} & ${cells.map(cellText).join(' & ')} \\\\`,
      ...(small.some((text) => text !== '') ? [`    ${blank(table)}& ${small.join(' & ')} \\\\`] : []),
    ];
  });
}

/** A column's format: the most digits before and after the point, or "c" if siunitx cannot align the cells. */
function formatOf(cells: readonly PaperCell[]): string {
  const numbers = cells.filter(isNumber);
  if (numbers.length === 0 || numbers.some(({ after }) => after !== undefined)) return 'c';
  const before = largest(numbers.map(({ shown }) => shown.replace(/^[+-]/, '').split('.')[0].length));
  const behind = largest(numbers.map(({ shown }) => shown.split('.').at(1)?.length ?? 0));
  const sign = numbers.some(({ shown }) => /^[+-]/.test(shown)) ? '+' : '';
  const exponent = numbers.some(({ shown }) => shown.includes('e'));
  if (exponent) return 'c';
  const mark = numbers.some(({ level }) => level) ? ',table-space-text-post={$^{\\dagger}$}' : '';
  return `S[table-format=${sign}${before}.${behind}${mark}]`;
}

function cellText(cell: PaperCell): string {
  if (!isNumber(cell)) return cell === noValue ? '{--}' : `{${tex(cell)}}`;
  if (cell.after !== undefined) return `{${pair(cell, cell.after)}}`;
  const mark = cell.level ? '{$^{\\dagger}$}' : '';
  return `${cell.best ? '\\boldmath ' : ''}${cell.shown}${mark}`;
}

/** Replaces hyphens before digits with minus signs. siunitx does this only in its own columns. */
function withMinus(text: string): string {
  return text.replace(/-(?=\d)/g, '−');
}

function pair(before: NumberCell, after: NumberCell): string {
  return `${tex(withMinus(before.shown))} $\\rightarrow$ ${tex(withMinus(after.shown))}`;
}
