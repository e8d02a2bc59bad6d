/* Sections of a page as data, written as HTML or as Markdown. */
import { english } from '../../../base/english';
import type { Words } from '../../../base/say';
import { markdownText } from '../../../base/text/markdown';
import { escapeXml as e } from '../../../base/xml';
import type { Cell, Chart, Kind, Run } from '../../../chart/chart';
import { drawn } from '../chartMarkup';
import type { Speech } from '../speech';

export type Block =
  | { is: 'text'; words: Words }
  /** `beside` is small text under an item. */
  | { is: 'list'; items: readonly { words: Words; beside?: Words }[] }
  /** A table; or several charts, which Markdown leaves out, because it has their numbers in tables. */
  | { is: 'charts'; charts: readonly Chart<Words>[] }
  | { is: 'code'; lines: readonly string[] }
  /** Closed at first on a page. */
  | { is: 'folded'; title: Words; blocks: readonly Block[] };

export interface Section {
  title: Words;
  blocks: readonly Block[];
}

export function sectionsHtml(sections: readonly Section[], speech: Speech): string[] {
  const shown = (words: Words): string => e(speech.say(words));
  const html = (block: Block): string => {
    switch (block.is) {
      case 'text':
        return `<p>${shown(block.words)}</p>`;
      case 'list':
        return `<ul class="claims">${block.items.map(({ words, beside }) => `<li>${shown(words)}${beside === undefined ? '' : `<small>${shown(beside)}</small>`}</li>`).join('\n')}</ul>`;
      case 'charts':
        return drawn(block.charts, speech).join('\n');
      case 'code':
        return `<pre>${block.lines.map(e).join('\n')}</pre>`;
      case 'folded':
        return `<details><summary>${shown(block.title)}</summary>${block.blocks.map(html).join('\n')}</details>`;
    }
  };
  return sections.map(({ title, blocks }) => `<h2>${shown(title)}</h2>${blocks.map(html).join('\n')}`);
}

export function sectionsMarkdown(sections: readonly Section[]): string {
  const text = (words: Words): string => markdownText(english(words));
  const lines = (block: Block): string[] => {
    switch (block.is) {
      case 'text':
        return [text(block.words), ''];
      case 'list':
        return [
          ...block.items.map(
            ({ words, beside }) => `- ${text(words)}${beside === undefined ? '' : ` *${text(beside)}*`}`,
          ),
          '',
        ];
      case 'charts':
        return block.charts.flatMap((chart) => (chart.type === 'table' ? tableLines(chart) : []));
      case 'code':
        return ['```sh', ...block.lines, '```', ''];
      case 'folded':
        return [`### ${text(block.title)}`, '', ...block.blocks.flatMap(lines)];
    }
  };
  return sections
    .flatMap(({ title, blocks }) => {
      const own = blocks.flatMap(lines);
      return own.length === 0 ? [] : [`## ${text(title)}`, '', ...own];
    })
    .join('\n');
}

function tableLines({ title, columns, rows }: Kind<'table', Words>): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    ...(title === '' ? [] : [`**${markdownText(english(title))}**`, '']),
    row(columns.map((column) => markdownText(english(column.title)))),
    row(columns.map(({ number }) => (number ? '---:' : '---'))),
    ...rows.map((cells) => row(cells.map(cellText))),
    '',
  ];
}

function cellText(cell: Cell<Words>): string {
  // A cell begins no list, so the full stop of a number needs no backslash.
  const plain = (words: Words): string => markdownText(english(words)).replace(/^(\d+)\\/, '$1');
  const run = (one: Run<Words>): string => {
    if (typeof one === 'string' || 'code' in one) return plain(one);
    if ('strong' in one) return `**${plain(one.strong)}**`;
    return plain('quiet' in one ? one.quiet : one.text);
  };
  if (typeof cell === 'string' || 'code' in cell) return plain(cell);
  const parts = 'lines' in cell ? cell.lines.map(plain) : cell.runs.map(run);
  return parts.filter((part) => part !== '').join(' ');
}
