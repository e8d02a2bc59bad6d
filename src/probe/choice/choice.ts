import { say } from '../../base/say';
import { claimsBesideBlind } from '../benchmark/beside/claims';
import { wholeMetric } from '../view';
import { missingImage } from '../missingImage';
import type { PairProbe, Plan } from '../probe';
import type { Metric, Claim } from '../metric';
import { leadsOf } from './decide';
import { byImage, everyPair, rightOf, textPairs } from './plan';
import type { ChoiceRow } from './row';
import { ChoiceSummary } from './summary';
import { choiceView } from './view';

interface ChoicePlan extends Plan {
  /** The number of `wants` for an image with a caption. Those for two captions follow. */
  pairs: number;
}

export const choice: PairProbe<ChoicePlan, ChoiceRow> = {
  ...choiceView,
  slicesInTableOnly: true,
  options: [
    {
      key: 'votes',
      title: say('choice.minimumVotes'),
      describe:
        'For VALSE: minimum number of annotators who voted that only the caption is right. Captious leaves out examples with fewer such votes.',
      default: 2,
    },
    {
      key: 'threshold',
      title: say('choice.scoreThreshold'),
      describe:
        'For the metrics p_c and p_f of VALSE: a caption counts as right if its score is above this threshold. If empty, the threshold is 0.5 for evaluators that return probabilities.',
      default: '',
    },
  ],
  claims,

  needs: () => ['image-text', 'text-text'],

  refuse(example, { scores, image, options }) {
    if (!choiceView.madeFor.some((form) => form === example.form)) return say('choice.notChoice');
    const own = rightOf(example);
    if (!own.some((at) => at >= 0)) return say('choice.noRightCaption');
    if (example.votes !== undefined && example.votes < Number(options.votes))
      return say('choice.tooFewVotes', example.votes, Number(options.votes));
    if (isTextTriplet(example, scores)) return undefined;
    if (example.images.length === 0) return missingImage(example);
    if (own.length * example.images.length < 2) return say('choice.nothingToChoose');
    if (!scores.includes('image-text')) return say('choice.evaluatorLacksImageScores');
    return everyPair(example, image) === undefined ? say('choice.imageMissing') : undefined;
  },

  plan(example, { scores, image }) {
    const pairs = (scores.includes('image-text') ? everyPair(example, image) : undefined) ?? [];
    const [first, second, wrong] = example.captions.map(({ text }) => text);
    const texts = isTextTriplet(example, scores) ? textPairs([first, second, wrong]) : [];
    return { pairs: pairs.length, wants: [...pairs, ...texts] };
  },

  kinds: ({ wants, pairs }) => wants.map((_, at) => (at < pairs ? 'caption' : 'two captions')),

  measure(example, { pairs }, scores, _, __, onLost) {
    const { images, captions, attributes, by, sides, groups } = example;
    const asked = [scores.subarray(0, pairs), scores.subarray(pairs)].filter(({ length }) => length > 0);
    const lost = asked.filter((part) => part.some(Number.isNaN)).length;
    if (lost > 0 && lost === asked.length) return [];
    onLost?.({ variants: lost });
    const hasImages = pairs > 0 && !scores.subarray(0, pairs).some(Number.isNaN);
    const hasTexts = scores.length > pairs && !scores.subarray(pairs).some(Number.isNaN);
    const names = hasImages ? images.map(({ name }) => name) : [];
    const crops = names.length === 0 ? [] : images.map(({ crop }) => crop ?? null);
    const [same, withFirst, withSecond] = scores.subarray(pairs);
    return [
      {
        example: example.id,
        row: example.row,
        place: example.place,
        image: images.at(0)?.name,
        captions: captions.map(({ text }) => text),
        images: names,
        ...(crops.some((crop) => crop !== null) ? { crops } : {}),
        rightOf: rightOf(example),
        scores: byImage(scores, names.length, captions.length),
        ...(hasTexts ? { texts: [same, withFirst, withSecond] } : {}),
        ...(Object.keys(attributes).length === 0 ? {} : { tags: attributes }),
        ...(by === undefined ? {} : { by }),
        ...(sides === undefined ? {} : { sides: [...sides] }),
        ...(groups === undefined ? {} : { groups }),
        ...(lost === 0 ? {} : { lost }),
      },
    ];
  },

  faults(row) {
    if (row.images.length === 0) return [];
    const { captions } = leadsOf(row);
    return captions
      .flatMap((lead, i) => {
        if (lead === undefined || lead > 0) return [];
        const best = row.captions
          .map((text, c) => ({ text, score: row.scores[i][c], isRight: row.rightOf[c] === i }))
          .filter(({ isRight }) => !isRight)
          .sort((a, b) => b.score - a.score)[0];
        return [
          {
            message: say(
              'choice.wrongCaptionWins',
              row.images[i],
              best.score.toFixed(4),
              best.text,
              lead === 0
                ? say('choice.tiesWithOwnCaption')
                : say('choice.beatsOwnCaption', (-lead).toFixed(4)),
            ),
            size: -lead,
          },
        ];
      })
      .sort((a, b) => b.size - a.size);
  },

  shares(row) {
    if (row.images.length === 0) return [];
    const { text, image, group, match, captions } = leadsOf(row);
    const [only] = captions;
    const shares: [string, number | undefined][] =
      row.images.length === 1
        ? [['accuracy', only]]
        : [
            ['text', text],
            ['image', image],
            ['group', group],
            ['match', match],
          ];
    return shares.flatMap(([name, lead]) =>
      lead === undefined
        ? []
        : [{ metric: `choice.${name}`, value: lead > 0 ? 1 : 0, better: 'higher' as const }],
    );
  },

  summary: (context) => new ChoiceSummary(context),
};

function isTextTriplet({ form }: { form: string }, scores: readonly string[]): boolean {
  return form === 'triplet' && scores.includes('text-text');
}

function claims(metrics: readonly Metric[]): Claim[] {
  const leading = ['choice.group', 'choice.itt', 'choice.accuracy', 'choice.imageAccuracy']
    .map((id) => wholeMetric(metrics, id))
    .find((metric) => metric?.chance !== undefined);
  if (leading?.chance === undefined) return [];
  return claimsBesideBlind(metrics, leading.id, leading.chance, {
    above: say('choice.aboveChance'),
    across: say('choice.notFromChance'),
    below: say('choice.belowChance'),
  });
}
