import { Clusters, Figure } from '../../../probe/figure';
import type { LgipRow } from '../../../probe/lgip/row';
import { clusterOf, type Metric } from '../../../probe/metric';
import { plainMean } from '../../../stats/summary';
import { LeftOutRows } from '../../rowChecks';
import { readRows } from '../../rows';
import type { Entry } from '../entry';
import { datasetBlocks, evaluatorLayout, evaluatorTable, type Layout } from '../layout';
import type { Column } from '../table';

function columns(
  names: readonly (readonly [head: string, metric: string, better?: 'higher' | 'lower'])[],
  digits = 3,
): Column[] {
  return names.map(([head, metric, better]) => ({ head, metric, digits, ...(better && { better }) }));
}

function layout(id: string, mirrors: string, caption: string, own: readonly Column[]): Layout {
  return evaluatorLayout({ id, mirrors, probe: 'lgip', caption, blocks: own });
}

/** Table 3's E_inv is over the paraphrases that were flipped, so its values differ from those of Table 2. */
const flippedParaphrases: Layout = {
  id: 'lgip.table3',
  probe: 'lgip',
  mirrors: 'LGIP, Table 3: flipped paraphrases',
  async build(entries) {
    const errors = new Map<Entry, Metric>();
    for (const entry of entries) errors.set(entry, await errorOfFlipped(entry));
    const [error, ...others] = columns([
      ['E_inv ↓', 'lgip.inv.flipped', 'lower'],
      ['E_sens^comb ↑', 'lgip.sens.combined', 'higher'],
      ['PR^comb ↑', 'lgip.pr.combined', 'higher'],
    ]);
    return evaluatorTable(entries, {
      id: 'lgip.table3',
      caption: 'LGIP under combined perturbations (paraphrase and semantic flip).',
      blocks: datasetBlocks(entries, [{ ...error, find: (entry) => errors.get(entry) }, ...others]),
      needs: { columns: ({ metric }) => metric.includes('combined'), option: 'lgip.mostCombined=6' },
      notes: ['E inv: over the paraphrases that were flipped, averaged over the captions that have one.'],
    });
  },
};

async function errorOfFlipped({ path, report, inTurns }: Entry): Promise<Metric> {
  const figure = new Figure();
  const clusters = new Clusters();
  for await (const row of readRows(path, report, new LeftOutRows())) {
    const { variants } = row as LgipRow;
    const flipped = new Set(variants.flatMap(({ of }) => of ?? []));
    const errors = [...flipped].map((at) => Math.abs(variants[at].delta));
    if (errors.length > 0) figure.add(plainMean(errors), clusters.of(clusterOf(row)));
  }
  return inTurns(figure.metric('lgip.inv.flipped'));
}

export const lgipLayouts: readonly Layout[] = [
  layout(
    'lgip.table2',
    'LGIP, Table 2: invariance error, sensitivity and positive rate',
    'LGIP. Lower invariance error is better; higher sensitivity and positive rate (PR) are better.',
    columns([
      ['E_inv ↓', 'lgip.inv', 'lower'],
      ['E_sens ↑', 'lgip.sens', 'higher'],
      ['PR ↑', 'lgip.pr', 'higher'],
    ]),
  ),
  flippedParaphrases,
  layout(
    'lgip.table4',
    'LGIP, Table 4: simple and advanced paraphrases',
    'LGIP. Paraphrase invariance under simple and advanced paraphrases. Adv: relative increase from simple to advanced.',
    [
      ...columns([
        ['E_inv^simple ↓', 'lgip.inv.simple', 'lower'],
        ['E_inv^adv ↓', 'lgip.inv.advanced', 'lower'],
      ]),
      { head: 'Adv ↑ (%)', metric: 'lgip.inv.advancedIncrease', digits: 1, factor: 100, signed: true },
    ],
  ),
  layout(
    'lgip.table5',
    'LGIP, Table 5: positive rate by strength of the flip',
    'LGIP. Positive rate (PR) under flips of increasing strength.',
    columns(
      [
        ['Weak PR', 'lgip.pr.weak', 'higher'],
        ['Medium PR', 'lgip.pr.medium', 'higher'],
        ['Strong PR', 'lgip.pr.strong', 'higher'],
      ],
      2,
    ),
  ),
  layout(
    'lgip.table6',
    'LGIP, Table 6: positive rate by type of flip',
    'LGIP. Positive rate (PR) by type of flip.',
    columns(
      [
        ['Color PR ↑', 'lgip.pr.color', 'higher'],
        ['Number PR ↑', 'lgip.pr.number', 'higher'],
        ['Object PR ↑', 'lgip.pr.object', 'higher'],
      ],
      2,
    ),
  ),
  layout(
    'lgip.table7',
    'LGIP, Table 7: sensitivity and positive rate by type of flip',
    'LGIP. Semantic sensitivity and positive rate (PR) for flips of objects (Obj), colours (Col) and counts (Cnt).',
    [
      { group: 'Obj', head: 'Gap', metric: 'lgip.sens.object', digits: 3, better: 'higher' },
      { group: 'Obj', head: 'PR', metric: 'lgip.pr.object', digits: 3, better: 'higher' },
      { group: 'Col', head: 'Gap', metric: 'lgip.sens.color', digits: 3, better: 'higher' },
      { group: 'Col', head: 'PR', metric: 'lgip.pr.color', digits: 3, better: 'higher' },
      { group: 'Cnt', head: 'Gap', metric: 'lgip.sens.number', digits: 3, better: 'higher' },
      { group: 'Cnt', head: 'PR', metric: 'lgip.pr.number', digits: 3, better: 'higher' },
    ],
  ),
];
