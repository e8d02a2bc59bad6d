import { english } from '../base/english';
import { markdownCode, markdownText } from '../base/text/markdown';
import type { Cause } from './confirm';
import type { Parity } from './parity';
import type { Trait } from './traits';
import { doubtWords, number, percent, settingWords, traitWords, verdictWords } from './words';

/** How many changes without a cause are listed. */
const shownChanges = 8;

export interface Table {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

export interface ParityTables {
  difference: Table;
  causes: Table;
  doubted: Table;
  untold: Table;
  tried: Table;
  towers: Table;
  examples: Table;
}

/** The tables of a comparison, for the terminal and for a bug report. */
export function tablesOf(parity: Parity): ParityTables {
  const { difference, causes, doubted, untold, tried, towers, examples } = parity;
  const { n, changed } = difference.decisions;
  const isCause = ({ setting, to }: { setting: string; to: string }): boolean =>
    [...causes, ...doubted].some(
      (cause) => cause.setting === setting && (cause.to === to || setting === 'scale'),
    );
  const others = tried.filter((change) => change.acting > 0 && change.alone > 0 && !isCause(change));
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
      header: ['cause', 'A', 'B', 'removes alone', 'removes of the rest', '95 % interval', 'images'],
      rows: causes.map(causeRow),
    },
    doubted: {
      header: [
        'not shown',
        'A',
        'B',
        'removes alone',
        'removes of the rest',
        '95 % interval',
        'images',
        'why',
      ],
      rows: doubted.map((cause) => [...causeRow(cause), english(doubtWords[cause.why])]),
    },
    untold: {
      header: ['cannot be told on this sample', 'images', 'why'],
      rows: untold.map(({ setting, images, why }) => [
        english(settingWords[setting]),
        images === null ? '–' : String(images),
        english(why),
      ]),
    },
    tried: {
      header: ['other change of A', 'A', 'changed to', 'removes alone'],
      rows: others
        .slice(0, shownChanges)
        .map(({ setting, from, to, alone }) => [english(settingWords[setting]), from, to, percent(alone)]),
    },
    towers: {
      header: ['embeddings of', 'lowest cosine', 'median cosine', 'n', "B's remove of the rest"],
      rows: towers.map(({ tower, lowest, median, n: count, removes }) => [
        `${tower}s`,
        lowest.toFixed(7),
        median.toFixed(7),
        String(count),
        removes === null ? '–' : percent(removes),
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

function causeRow({ setting, from, to, alone, together, interval, acting }: Cause): string[] {
  const ends = interval?.map(percent).join(' to ') ?? '–';
  return [english(settingWords[setting]), from, to, percent(alone), percent(together), ends, String(acting)];
}

/** What was drawn, and where causes were searched and confirmed. */
export function sampleLines({ pairs, images, searched, confirmed, sample, seed, dataset }: Parity): string[] {
  const shown = Object.entries(sample.traits)
    .filter(([, { looked }]) => looked > 0)
    .map(
      ([trait, { sample: own, looked }]) => `${own} of ${looked} with ${english(traitWords[trait as Trait])}`,
    );
  return [
    `${pairs} pairs of ${images} images from ${dataset}, seed ${seed}. ${sample.looked} images were looked at.`,
    ...(shown.length === 0 ? [] : [`Preferred images in the sample: ${shown.join(', ')}`]),
    `Causes were searched on ${searched} pairs and confirmed on ${confirmed} pairs of other images.`,
  ];
}

/** A report for an issue tracker. `command` is the command that made it. */
export function parityPage(parity: Parity, command: string): string {
  const { a, b } = parity;
  const tables = tablesOf(parity);
  return [
    `# ${markdownText(`${a.name} and ${b.name}`)}`,
    ...verdictWords(parity).map((words) => markdownText(english(words))),
    [
      `- A: ${markdownText(a.name)} (${markdownCode(a.id)}, SHA-256 ${markdownCode(a.sha256)})`,
      `- B: ${markdownText(b.name)} (${markdownCode(b.id)}, SHA-256 ${markdownCode(b.sha256)})`,
      ...sampleLines(parity).map((line) => `- ${markdownText(line)}`),
    ].join('\n'),
    ['To reproduce:', '', '```sh', command, '```'].join('\n'),
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
