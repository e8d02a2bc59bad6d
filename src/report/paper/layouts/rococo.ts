import type { Metric, Slice } from '../../../probe/metric';
import type { Entry } from '../entry';
import { evaluatorLayout, type Layout } from '../layout';
import { type Column, findMetric } from '../table';

const policies = [
  { id: 'random-vocabulary', head: 'Rand-voca', file: /rand[-_]?voca/i },
  { id: 'same-concept', head: 'Same-concept', file: /same[-_]?concept/i },
  { id: 'different-concept', head: 'Diff-concept', file: /diff(erent)?[-_]?concept/i },
  { id: 'danger', head: 'Danger', file: /danger/i },
] as const;

/** The columns R@1, drop rate and RSMS for one kind of altered captions or images. */
function stressed(
  group: string,
  of: (entry: Entry, metric: string) => Metric | undefined,
  id: string,
  rsms = 'RSMS',
): Column[] {
  const column = (head: string, metric: string, rest: Partial<Column>): Column => ({
    ...{ group, head, metric, factor: 100, digits: 2, find: (entry: Entry) => of(entry, metric) },
    ...rest,
  });
  return [
    column('R@1 ↑', `${id}.stressed.r1`, { better: 'higher' }),
    // The paper prints a drop as a negative number.
    column('drop rate', `${id}.dropRate`, { factor: -100 }),
    column(`${rsms} ↓`, `${id}.rsms`, { better: 'lower' }),
  ];
}

interface Kind {
  slice: Slice;
  /** The kind of a metric without a slice. */
  name: string;
  /** If the altered captions come from the dataset file, the file's name must name the kind. */
  file?: RegExp;
}

/** Finds the metric in the kind's slice, or else the metric without a slice if it covers this kind. */
function ofKind({ slice, name, file }: Kind) {
  return (entry: Entry, metric: string): Metric | undefined => {
    const sliced = findMetric(entry, metric, slice);
    if (sliced !== undefined) return sliced;
    const whole = findMetric(entry, metric, undefined);
    const kind = whole?.kind;
    return kind === name || (kind === 'file' && file?.test(entry.dataset)) ? whole : undefined;
  };
}

const ofImages = ({ op, lambda }: { op: string; lambda: number }) =>
  ofKind({ slice: { images: op, lambda }, name: `${op}-${lambda}` });

function layout(
  table: number,
  what: string,
  caption: string,
  columns: readonly Column[],
  needs: string,
  notes: readonly string[] = [],
): Layout {
  const id = `rococo.table${table}`;
  return evaluatorLayout({
    ...{ id, probe: 'rococo', mirrors: `RoCOCO, Table ${table}: ${what}` },
    ...{ caption, notes, blocks: columns },
    needs: { columns: ({ group }) => group !== cleanGroup, option: needs },
  });
}

/** The paper calls this group of columns "COCO" or "COCO 5K". */
const cleanGroup = 'Clean';

function clean(metric: string): Column {
  return { group: cleanGroup, head: 'R@1 ↑', metric, factor: 100, digits: 2, better: 'higher' };
}

function imageColumns(lambdas: readonly number[], rsms: string): Column[] {
  return ['mix', 'patch'].flatMap((op) =>
    lambdas.flatMap((lambda) =>
      stressed(
        `${op === 'mix' ? 'Mix' : 'Patch'} (λ = ${lambda})`,
        ofImages({ op, lambda }),
        'rococo.t2i',
        rsms,
      ),
    ),
  );
}

const inText =
  'RoCOCO, image to text (%): recall at 1 in the clean gallery; with altered captions, recall at 1, drop rate, and share of searches that an altered caption wins (RSMS).';
const inImages =
  'RoCOCO, text to image (%): recall at 1 in the clean gallery; with altered images, recall at 1, drop rate, and share of searches that an altered image wins';

export const rococoLayouts: readonly Layout[] = [
  layout(
    3,
    'image-to-text retrieval',
    inText,
    [
      clean('rococo.i2t.r1'),
      ...policies.flatMap(({ id, head, file }) =>
        stressed(head, ofKind({ slice: { alteration: id }, name: id, file }), 'rococo.i2t'),
      ),
    ],
    'rococo.captions=all',
  ),
  layout(
    4,
    'text-to-image retrieval',
    `${inImages} (RSMS).`,
    [clean('rococo.t2i.r1'), ...imageColumns([0.9, 0.8], 'RSMS')],
    'rococo.images=mix-0.9,mix-0.8,patch-0.9,patch-0.8',
  ),
  layout(
    5,
    'captions without a noun',
    `${inText} Altered captions lack one noun: a random one, or the one with the highest or lowest influence (EI).`,
    [
      clean('rococo.i2t.r1'),
      ...(['random', 'high', 'low'] as const).flatMap((influence) =>
        stressed(
          `${influence === 'random' ? 'Random' : influence === 'high' ? 'High EI' : 'Low EI'} deletion`,
          ofKind({ slice: { alteration: 'deletion', influence }, name: `deletion-${influence}` }),
          'rococo.i2t',
        ),
      ),
    ],
    'rococo.deletion=true',
    ['Each evaluator’s own influence chooses the noun.'],
  ),
  layout(
    6,
    'captions with several replaced words',
    `${inText} Two to five random words of a caption are replaced; means over the seeds.`,
    [
      clean('rococo.i2t.r1'),
      ...[2, 3, 4, 5].flatMap((words) =>
        stressed(
          `${words} words`,
          ofKind({ slice: { alteration: 'words', words }, name: `words-${words}` }),
          'rococo.i2t',
        ),
      ),
    ],
    'rococo.words=true',
  ),
  layout(
    7,
    'text-to-image retrieval with stronger changes',
    `${inImages} (IR@1).`,
    [clean('rococo.t2i.r1'), ...imageColumns([0.7, 0.6], 'IR@1')],
    'rococo.images=mix-0.7,mix-0.6,patch-0.7,patch-0.6',
    ['IR@1 is RSMS.'],
  ),
];
