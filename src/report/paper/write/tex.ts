/* A table as LaTeX with booktabs and siunitx, to include in a paper with \input. */
import { largest } from '../../../base/extent';
import { isNumber, noValue, type NumberCell, type PaperCell, type PaperTable } from '../table';
import { secondLine, type Spread } from './spread';
import { tex, texHead } from './texText';

export const packages = ['booktabs', 'siunitx', 'adjustbox'];

export function texTable(table: PaperTable, spread: Spread): string {
  const width = table.rows[0].cells.length;
  const columns = Array.from({ length: width }, (_, i) => formatOf(table.rows.map(({ cells }) => cells[i])));
  const blank = ' & '.repeat(table.labels - 1);
  const heads = table.heads.flatMap((cells, level) => {
    const isLast = level === table.heads.length - 1;
    let at = table.labels + 1;
    const rules: string[] = [];
    const set = cells.map(({ text, span }) => {
      if (!isLast && text !== '') rules.push(`\\cmidrule(lr){${at}-${at + span - 1}}`);
      at += span;
      const head = texHead(text);
      return isLast ? `{${head}}` : `\\multicolumn{${span}}{c}{${head}}`;
    });
    const labels = isLast && table.labelHeads ? `${table.labelHeads.map(texHead).join(' & ')} ` : blank;
    return [`    ${labels}& ${set.join(' & ')} \\\\${rules.join(' ')}`];
  });
  const rows = table.rows.flatMap(({ labels, cells, ruled }, i) => {
    const below = cells.map((cell) => (isNumber(cell) ? secondLine(cell, spread) : ''));
    const line = `    ${labels.map(tex).join(' & ')} & ${cells.map(cellText).join(' & ')} \\\\`;
    return [
      ...(ruled === true && i > 0 ? ['    \\addlinespace'] : []),
      line,
      ...(below.some((text) => text !== '')
        ? [
            `    ${blank}& ${below.map((text) => (text === '' ? '' : `{\\scriptsize ${tex(text)}}`)).join(' & ')} \\\\`,
          ]
        : []),
    ];
  });
  return [
    `% ${table.id}, written by Captious. Needs: ${packages.map((name) => `\\usepackage{${name}}`).join(' ')}`,
    '\\begin{table}[t]',
    '  \\centering',
    `  \\caption{${tex(table.caption)}}`,
    `  \\label{tab:captious-${table.id.replace(/[^A-Za-z0-9]+/g, '-')}}`,
    '  \\sisetup{reset-math-version=false, table-align-text-after=false, retain-explicit-plus=true}',
    '  \\begin{adjustbox}{max width=\\linewidth, max totalheight=0.75\\textheight}',
    `  \\begin{tabular}{${'l'.repeat(table.labels)}${columns.join('')}}`,
    '    \\toprule',
    ...heads,
    '    \\midrule',
    ...rows,
    '    \\bottomrule',
    '  \\end{tabular}',
    '  \\end{adjustbox}',
    '',
    '  \\smallskip',
    '  \\begin{minipage}{\\linewidth}\\footnotesize\\raggedright',
    ...table.notes.map((note) => `    ${tex(note)}\\par`),
    '  \\end{minipage}',
    '\\end{table}',
    '',
  ].join('\n');
}

/** The most digits before and after the point. Cells with two numbers are text. */
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

function pair(before: NumberCell, after: NumberCell): string {
  return `${tex(before.shown)} $\\rightarrow$ ${tex(after.shown)}`;
}
