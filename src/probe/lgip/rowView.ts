import { english } from '../../base/english';
import { say } from '../../base/say';
import { captionsOf, harmOf, markOf } from './mark';
import { kinds, lengthBand } from './names';
import { families, kindOf, labelOf, reworded, verdictOf } from './variantNames';
import { joinedDraws, type LgipRow, lgipRowSchema } from './row';
import { rowCheck } from '../rowSchema';
import type { MetricKey } from '../../protocol/parts/chart';
import { rowView } from '../view';

/** The metric keys of a kind of flip. `name` is the kind's displayed name. */
function caughtByKind(name: string): MetricKey[] {
  const named = (words: typeof kinds) => Object.keys(words).find((kind) => english(words[kind]) === name);
  const combined = named(reworded);
  if (combined !== undefined) return [{ id: 'lgip.pr.combined', slice: { flip: combined } }];
  const kind = named(kinds) ?? name;
  return [{ id: `lgip.pr.${kind}` }, { id: `lgip.beyond.pr.${kind}` }];
}

/** One table line per variant. A caption without variants has no line. */
export const lgipRows = rowView<LgipRow>({
  row: rowCheck(lgipRowSchema),
  facets: [
    { id: 'verdict', title: say('choice.result'), share: false, outcome: true },
    { id: 'family', title: say('invariance.family'), share: false },
    {
      id: 'kind',
      title: say('lgip.typeChart'),
      filter: say('lgip.typeFilter'),
      share: true,
      metrics: caughtByKind,
    },
    {
      id: 'length',
      title: say('lgip.captionLengthChart'),
      filter: say('lgip.captionLengthFilter'),
      share: true,
      metrics: (words) => [{ id: 'lgip.pr', slice: { 'caption length': words } }],
    },
  ],
  delta: {
    title: say('lgip.variantMinusOriginal'),
    head: 'Δ',
    wanted: say('lgip.changeWanted'),
    lower: true,
  },
  points: {
    title: say('lgip.textDistanceChart'),
    x: say('lgip.flipMinusOriginal'),
    y: say('lgip.axisTextDistance'),
    border: 'zero',
  },
  chance: 0.5,

  key: ({ caption }) => String(caption),
  joined: joinedDraws,
  lineKey: (row, sub) => `${row.variants[sub].family} ${row.variants[sub].text}`,

  facts: (row) =>
    row.variants.map((variant) => {
      const verdict = verdictOf(variant);
      return {
        delta: variant.delta,
        harm: harmOf(variant),
        verdict,
        facets: [
          verdict === 'none' ? english(families.paraphrase) : verdict,
          english(families[variant.family]),
          english(kindOf(variant)),
          lengthBand(row.words),
        ],
        point:
          variant.distance === undefined || variant.gap === undefined
            ? undefined
            : [variant.delta, variant.distance],
      };
    }),

  words: (row) => [row.text, ...row.variants.map(({ text }) => text), row.image ?? ''].join('\n'),

  line(row, sub) {
    const variant = row.variants[sub];
    return { before: row.text, after: variant.text, label: labelOf(variant), score: variant.score };
  },

  captions: captionsOf,
  mark: markOf,
});
