import type { Metric } from '../../../probe/metric';
import { kindOf } from '../../../probe/rococo/stages/kindNote';
import type { Entry } from '../entry';
import { datasetBlocks, evaluatorTable, type Layout } from '../layout';
import { type Column, findMetric } from '../table';

const policies = [
  { id: 'random-vocabulary', head: 'Rand-voca', file: /rand[-_]?voca/i },
  { id: 'same-concept', head: 'Same-concept', file: /same[-_]?concept/i },
  { id: 'different-concept', head: 'Diff-concept', file: /diff(erent)?[-_]?concept/i },
  { id: 'danger', head: 'Danger', file: /danger/i },
] as const;

const pictures = [
  { op: 'mix', lambda: 0.9 },
  { op: 'mix', lambda: 0.8 },
  { op: 'patch', lambda: 0.9 },
  { op: 'patch', lambda: 0.8 },
] as const;

/** The columns R@1, drop rate and RSMS for one kind of altered captions or images. */
function stressed(
  group: string,
  of: (entry: Entry, metric: string) => Metric | undefined,
  id: string,
): Column[] {
  const column = (head: string, metric: string, rest: Partial<Column>): Column => ({
    ...{ group, head, metric, factor: 100, digits: 2, find: (entry: Entry) => of(entry, metric) },
    ...rest,
  });
  return [
    column('R@1 ↑', `${id}.stressed.r1`, { better: 'higher' }),
    // The paper prints a drop as a negative number.
    column('drop rate', `${id}.dropRate`, { factor: -100 }),
    column('RSMS ↓', `${id}.rsms`, { better: 'lower' }),
  ];
}

/**
 * Finds the metric in the policy's slice, or else the metric without a slice if it covers this policy. If the
 * altered captions come from the dataset file, the file's name must name the policy.
 */
function ofPolicy({ id: policy, file }: (typeof policies)[number]) {
  return (entry: Entry, metric: string): Metric | undefined => {
    const sliced = findMetric(entry, metric, { alteration: policy });
    if (sliced !== undefined) return sliced;
    const whole = findMetric(entry, metric, undefined);
    const kind = whole && kindOf(whole);
    return kind === policy || (kind === 'file' && file.test(entry.dataset)) ? whole : undefined;
  };
}

function ofPictures({ op, lambda }: (typeof pictures)[number]) {
  return (entry: Entry, metric: string): Metric | undefined => {
    const sliced = findMetric(entry, metric, { pictures: op, lambda });
    if (sliced !== undefined) return sliced;
    const whole = findMetric(entry, metric, undefined);
    return whole && kindOf(whole) === `${op}-${lambda}` ? whole : undefined;
  };
}

function layout(id: string, mirrors: string, caption: string, columns: readonly Column[]): Layout {
  return {
    ...{ id, mirrors, probe: 'rococo' },
    build: (entries) => evaluatorTable(entries, { id, caption, blocks: datasetBlocks(entries, columns) }),
  };
}

function clean(metric: string): Column {
  // The paper calls this group of columns "COCO 5K".
  return { group: 'Clean', head: 'R@1 ↑', metric, factor: 100, digits: 2, better: 'higher' };
}

export const rococoLayouts: readonly Layout[] = [
  layout(
    'rococo.table3',
    'RoCOCO, Table 3: image-to-text retrieval',
    'RoCOCO, image to text (%): recall at 1 in the clean gallery; with altered captions, recall at 1, drop rate, and share of searches that an altered caption wins (RSMS).',
    [
      clean('rococo.i2t.r1'),
      ...policies.flatMap((policy) => stressed(policy.head, ofPolicy(policy), 'rococo.i2t')),
    ],
  ),
  layout(
    'rococo.table4',
    'RoCOCO, Table 4: text-to-image retrieval',
    'RoCOCO, text to image (%): recall at 1 in the clean gallery; with altered images, recall at 1, drop rate, and share of searches that an altered image wins (RSMS).',
    [
      clean('rococo.t2i.r1'),
      ...pictures.flatMap((kind) =>
        stressed(
          `${kind.op === 'mix' ? 'Mix' : 'Patch'} (λ = ${kind.lambda})`,
          ofPictures(kind),
          'rococo.t2i',
        ),
      ),
    ],
  ),
];
