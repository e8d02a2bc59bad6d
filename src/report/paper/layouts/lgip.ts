import type { Layout } from '../layout';
import { datasetBlocks, evaluatorTable } from '../layout';
import type { Column } from '../table';

function columns(
  names: readonly (readonly [head: string, metric: string, better?: 'higher' | 'lower'])[],
  digits = 3,
): Column[] {
  return names.map(([head, metric, better]) => ({ head, metric, digits, ...(better && { better }) }));
}

function layout(id: string, mirrors: string, caption: string, own: readonly Column[]): Layout {
  return {
    ...{ id, mirrors, probe: 'lgip' },
    build: (entries) => evaluatorTable(entries, { id, caption, blocks: datasetBlocks(entries, own) }),
  };
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
  layout(
    'lgip.table3',
    'LGIP, Table 3: flipped paraphrases',
    'LGIP under combined perturbations (paraphrase and semantic flip).',
    columns([
      ['E_inv ↓', 'lgip.inv', 'lower'],
      ['E_sens^comb ↑', 'lgip.sens.combined', 'higher'],
      ['PR^comb ↑', 'lgip.pr.combined', 'higher'],
    ]),
  ),
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
