/*
 * The influence of each word of many captions: the score of a caption minus its score without the word, and if asked for,
 * the word's Shapley value.
 */
import { say } from '../../base/say';
import { Random } from '../../base/random';
import { type Caption, drawKey, type Example } from '../../dataset/example';
import { usualOptions } from '../../explain/explain';
import type { Plan as Game } from '../../explain/shapley';
import { keep, type Unit, wordsOf } from '../../explain/units';
import { planFor } from '../../explain/words';
import { rulesApply } from '../../perturb/text/fileLanguage';
import { tag } from '../../perturb/text/tagger';
import { wordKindAt } from '../../perturb/text/wordKind';
import type { WordKind } from '../../perturb/words/wordKinds';
import { missingImage } from '../missingImage';
import type { PairProbe, Plan } from '../probe';
import { explainCharts } from './charts';
import { explainClaims } from './claims';
import { explainOptions, leastOfWordFrom, wantsShapley } from './options';
import { massOf, type PlannedRegions, prepareRegions, regionsOf } from './regions';
import type { ExplainedWord, ExplainRow } from './row';
import { ExplainSummary } from './summary';
import { explainView } from './view';

/** A caption of one word has nothing left without it, and one of many words takes as many scores. */
const [leastWords, mostWords] = [2, 100];

interface PlannedCaption {
  index: number;
  text: string;
  units: readonly Unit[];
  /** The caption without each word. */
  without: readonly string[];
  /** The index in `wants` of the caption's score. The scores without each word follow, then those of the coalitions. */
  at: number;
  game?: Game;
  /** The scores of the hidden regions are the last ones of the caption, from `regionsAt`. */
  regions?: PlannedRegions;
  regionsAt: number;
}

interface ExplainPlan extends Plan {
  captions: PlannedCaption[];
  unfit: number;
}

export const explain: PairProbe<ExplainPlan, ExplainRow> = {
  ...explainView,
  options: explainOptions,
  claims: explainClaims,
  faults: () => [],
  shares: () => [],
  charts: explainCharts,
  slicesInTableOnly: true,
  isCostly: () => true,

  needs: () => ['image-text'],
  prepare: prepareRegions,

  refuse(example, { scores, image, options }) {
    leastOfWordFrom(options);
    if (!scores.includes('image-text')) return say('lgip.evaluatorLacksJointScores');
    const captions = example.captions.filter(({ role }) => role === 'caption');
    if (captions.length === 0) return say('invariance.noCaptionForImage');
    const usable = captions.filter(hasWords);
    if (usable.length === 0) return say('explain.wordsNeeded', leastWords, mostWords);
    return usable.some((caption) => image(caption.image) === undefined) ? missingImage(example) : undefined;
  },

  *plan(example, context) {
    const plan: ExplainPlan = { wants: [], captions: [], unfit: 0 };
    for (const [index, caption] of example.captions.entries()) {
      if (caption.role !== 'caption') continue;
      if (!hasWords(caption)) {
        plan.unfit++;
        continue;
      }
      const image = context.image(caption.image);
      if (image === undefined) throw new Error(`Example ${example.id} was planned without its image.`);
      const text = caption.text.trim();
      const units = wordsOf(text);
      const without = units.map((_, left) => keep(text, units, (unit) => unit !== left));
      const game = wantsShapley(context.options)
        ? planFor(
            units.length,
            usualOptions.permutations,
            () => new Random(context.seed, ...drawKey(example, caption), 'explain.words'),
          )
        : undefined;
      const regions = regionsOf(image, context);
      const coalitions = game?.coalitions.map((has) => keep(text, units, (unit) => has[unit])) ?? [];
      plan.captions.push({
        ...{ index, text, units, without, at: plan.wants.length },
        ...(game === undefined ? {} : { game }),
        ...(regions === undefined ? {} : { regions }),
        regionsAt: plan.wants.length + 1 + without.length + coalitions.length,
      });
      plan.wants.push({ left: image, right: { kind: 'text', text }, against: text });
      for (const shorter of [...without, ...coalitions])
        plan.wants.push({
          left: image,
          // Servers and tokenizers do not accept an empty text. The whole caption is the first text.
          right: { kind: 'text', text: shorter || ' ', ...(shorter === text ? {} : { origin: text }) },
          against: text,
        });
      for (const left of regions?.hidden ?? [])
        plan.wants.push({ left, right: { kind: 'text', text }, against: text });
      yield;
    }
    return plan;
  },

  kinds({ wants, captions }) {
    const kinds = wants.map(() => 'some of the words');
    for (const { at, units, regions, regionsAt } of captions) {
      kinds[at] = 'caption';
      kinds.fill('without a word', at + 1, at + 1 + units.length);
      kinds.fill('a region hidden', regionsAt, regionsAt + (regions?.hidden.length ?? 0));
    }
    return kinds;
  },

  measure(example, plan, scores, { language }, _, onLost) {
    const rows = plan.captions.flatMap((planned): ExplainRow[] => {
      const score = scores[planned.at];
      if (Number.isNaN(score)) {
        onLost?.({ captions: 1 });
        return [];
      }
      const kinds = rulesApply(planned.text, language) ? kindsOf(planned) : undefined;
      const values = shapleyOf(planned, scores);
      const words = planned.units.flatMap(({ word, start, end }, at): ExplainedWord[] => {
        const own = scores[planned.at + 1 + at];
        const kind = kinds?.[at];
        return Number.isNaN(own)
          ? []
          : [
              {
                ...{ word, span: [start, end], at, ...(kind === undefined ? {} : { kind }) },
                ...{ text: planned.without[at], score: own, influence: score - own },
                ...(values === undefined ? {} : { shapley: values[at] }),
              },
            ];
      });
      const lost = planned.units.length - words.length;
      onLost?.({ variants: lost });
      const orders = values && planned.game?.permutations;
      const regions = planned.regions && massOf(score, scores.subarray(planned.regionsAt), planned.regions);
      return [
        {
          ...{ ...rowOf(example, planned, score), words },
          ...(orders === undefined ? {} : { orders }),
          ...(regions === undefined ? {} : { regions }),
          ...(lost === 0 ? {} : { lost }),
        },
      ];
    });
    if (plan.unfit > 0 && rows.length > 0) rows[0].unfit = plan.unfit;
    return rows;
  },

  summary: ({ options }) => new ExplainSummary(leastOfWordFrom(options)),
};

/** Undefined if one of the texts has no score, because each value needs all of them. */
function shapleyOf({ game, units, at }: PlannedCaption, scores: Float64Array): number[] | undefined {
  if (game === undefined) return undefined;
  const from = at + 1 + units.length;
  const values = [...scores.subarray(from, from + game.coalitions.length)];
  return values.some(Number.isNaN) ? undefined : game.solve(values).map(({ value }) => value);
}

function hasWords({ text }: Caption): boolean {
  const words = wordsOf(text.trim()).length;
  return words >= leastWords && words <= mostWords;
}

/** The kind of each word, by its first token that is no punctuation. Undefined if the caption cannot be tagged. */
function kindsOf({ text, units }: PlannedCaption): (WordKind | undefined)[] | undefined {
  const tokens = tag(text);
  if (tokens === undefined) return undefined;
  return units.map(({ start, end }) => {
    const at = tokens.findIndex((token) => token.end > start && token.start < end && token.pos !== 'PUNCT');
    return at === -1 ? undefined : wordKindAt(tokens, at);
  });
}

function rowOf(
  example: Example,
  { index, text, units }: PlannedCaption,
  score: number,
): Omit<ExplainRow, 'words'> {
  const caption = example.captions[index];
  return {
    ...{ example: example.id, row: example.row, place: example.place },
    image: example.images.at(caption.image)?.name,
    ...{ caption: index, field: caption.field, captionPlace: caption.place },
    ...{ text, score, length: units.length },
  };
}
