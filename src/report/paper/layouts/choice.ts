import { type Entry, inOrder } from '../entry';
import { evaluatorLayout, type Layout } from '../layout';
import type { Column, Block } from '../table';

/** The published files, in the order of the benchmark's table. */
const splits = [
  ['Replace', 'Object', 'replace_obj'],
  ['Replace', 'Attribute', 'replace_att'],
  ['Replace', 'Relation', 'replace_rel'],
  ['Swap', 'Object', 'swap_obj'],
  ['Swap', 'Attribute', 'swap_att'],
  ['Add', 'Object', 'add_obj'],
  ['Add', 'Attribute', 'add_att'],
] as const;

function sugarcrepeBlocks(entries: readonly Entry[]): Block[] {
  const order = (dataset: string): number => {
    const at = splits.findIndex(([, , file]) => file === dataset);
    return at === -1 ? splits.length : at;
  };
  return inOrder(entries, ({ dataset }) => dataset)
    .sort((a, b) => order(a) - order(b))
    .map((dataset) => {
      const [group, name] = splits.find(([, , file]) => file === dataset) ?? ['', dataset];
      const column: Column = {
        ...{ head: name, metric: '', factor: 100, digits: 2, better: 'higher' },
        find: ({ report }) =>
          report.metrics.find(({ id, slice }) => slice === undefined && /^sugarcrepe\.[^.]*$/.test(id)),
      };
      return {
        head: group,
        columns: [column],
        entryOf: (evaluator) => entries.find((one) => one.dataset === dataset && one.evaluator === evaluator),
      };
    });
}

export const choiceLayouts: readonly Layout[] = [
  evaluatorLayout({
    ...{ id: 'sugarcrepe', probe: 'sugarcrepe' },
    mirrors: 'SugarCrepe: accuracy by type of hard negative',
    caption: 'SugarCrepe: accuracy (%) of scoring the right caption above a fluent one with an error.',
    blocks: sugarcrepeBlocks,
    notes: ['Chance level: 50.'],
  }),
  evaluatorLayout({
    ...{ id: 'winoground', probe: 'winoground' },
    mirrors: 'Winoground: text, image and group score',
    caption: 'Winoground: text, image and group score (%).',
    blocks: ['Text', 'Image', 'Group'].map((head): Column => ({
      ...{ head, metric: `winoground.${head.toLowerCase()}` },
      ...{ factor: 100, digits: 2, better: 'higher' },
    })),
    notes: ['Chance levels: 25, 25 and 16.67.'],
  }),
];
