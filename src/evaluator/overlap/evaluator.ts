import { say } from '../../base/say';
import type { Outcome } from '../../base/outcome';
import { type TextItem, wantKind } from '../../protocol/item';
import type { Evaluator } from '../evaluator';
import { mostCaption, type OverlapMetric, overlapNames, OverlapScorer } from './overlap';
import { hashWith, noReferences, type References, referencesOf } from './references';

/** Increase this number when scores change, so that the evaluator's hash changes, too. */
const generation = '2';

/** A metric such as BLEU as an evaluator. It compares a caption with references and ignores the image. */
export function overlapEvaluator(metric: OverlapMetric, references: References): Evaluator {
  const scorer = new OverlapScorer(references.all);
  return {
    info: {
      id: metric,
      name: overlapNames[metric],
      kind: 'pair-scorer',
      path: references.path,
      sha256: hashWith(references, metric, generation),
      scores: ['image-text'],
      precision: 'float64',
      provider: 'cpu',
      scale: { name: 'own', low: 0, high: metric.startsWith('cider') ? 10 : 1 },
      prefix: '',
      notes: [say('overlap.overlapScore', overlapNames[metric])],
    },
    references,
    knowsImage: () => true,
    ...(references.partly === undefined ? {} : { partlyKnown: references.partly }),
    lookUp: (wants) =>
      wants.map((want): Outcome<number> => {
        if (wantKind(want) !== 'image-text') return { ok: false, problem: say('overlap.onlyReferences') };
        const others = referencesOf(want, references);
        if (others.length === 0) return { ok: false, problem: noReferences };
        const { text } = want.right as TextItem;
        const most = mostCaption([metric]);
        if ([text, ...others].some(({ length }) => length > most))
          return { ok: false, problem: say('overlap.captionTooLong', most) };
        return { ok: true, value: scorer.score(metric, text, others) };
      }),
    close: () => Promise.resolve(),
  };
}
