import { english } from '../base/english';
import { markdownCode, markdownText } from '../base/text/markdown';
import type { Parity } from './parity';
import { number, percent, settingWords, verdictWords } from './words';

/** How many changes without a cause are listed. */
const shownChanges = 8;

export interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

export interface ParityTables {
  difference: Table;
  causes: Table;
  tried: Table;
  towers: Table;
  examples: Table;
}

/** The tables of a comparison, for the terminal and for a bug report. */
export function tablesOf(parity: Parity): ParityTables {
  const { difference, causes, tried, towers, examples } = parity;
  const { n, changed } = difference.decisions;
  const isCause = ({ setting, to }: { setting: string; to: string }): boolean =>
    causes.some((cause) => cause.setting === setting && (cause.to === to || setting === 'scale'));
  const others = tried.filter((change) => change.acts && change.alone > 0 && !isCause(change));
  return {
    difference: {
      header: ['difference', 'value'],
      rows: [
        ['largest', number(difference.largest)],
        ['median', number(difference.median)],
        ["rank correlation (Spearman's ρ)", difference.rank === null ? '–' : difference.rank.toFixed(4)],
        ['changed decisions', n === 0 ? '–' : `${changed} of ${n}`],
      ],
    },
    causes: {
      header: ['cause', 'A', 'B', 'removes alone', 'removes of the rest'],
      rows: causes.map(({ setting, from, to, alone, together }) => [
        english(settingWords[setting]),
        from,
        to,
        percent(alone),
        percent(together),
      ]),
    },
    tried: {
      header: ['other change of A', 'A', 'changed to', 'removes alone'],
      rows: others
        .slice(0, shownChanges)
        .map(({ setting, from, to, alone }) => [english(settingWords[setting]), from, to, percent(alone)]),
    },
    towers: {
      header: ['embeddings of', 'lowest cosine', 'median cosine', 'n'],
      rows: towers.map(({ tower, lowest, median, n: count }) => [
        `${tower}s`,
        lowest.toFixed(7),
        median.toFixed(7),
        String(count),
      ]),
    },
    examples: {
      header: ['image', 'caption', 'A', 'B', 'A as B'],
      rows: examples.map(({ image, caption, a, b, explained }) => [
        image,
        caption,
        ...[a, b, explained].map((score) => score.toPrecision(6)),
      ]),
    },
  };
}

/** A report for an issue tracker. */
export function parityPage(parity: Parity): string {
  const { a, b, dataset, pairs, images, seed } = parity;
  const tables = tablesOf(parity);
  return [
    `# ${markdownText(`${a.name} and ${b.name}`)}`,
    ...verdictWords(parity).map((words) => markdownText(english(words))),
    [
      `- A: ${markdownText(a.name)} (${markdownCode(a.id)}, SHA-256 ${markdownCode(a.sha256)})`,
      `- B: ${markdownText(b.name)} (${markdownCode(b.id)}, SHA-256 ${markdownCode(b.sha256)})`,
      `- ${pairs} pairs of ${images} images from ${markdownCode(dataset)}, seed ${seed}`,
      `- Causes were searched on ${parity.searched} pairs and measured on all.`,
    ].join('\n'),
    ...Object.values(tables)
      .filter(({ rows }: Table) => rows.length > 0)
      .map(markdownTable),
    '',
  ].join('\n\n');
}

function markdownTable({ header, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownText).join(' | ')} |`;
  return [line(header), `| ${header.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}
