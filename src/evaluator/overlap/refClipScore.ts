import { say } from '../../base/say';
import { largest } from '../../base/extent';
import type { TextItem, Want } from '../../protocol/item';
import type { Evaluator } from '../evaluator';
import { hashWith, noReferences, type References, referencesOf } from './references';

/** The harmonic mean of two non-negative numbers; 0 if either is 0. */
function harmonic(score: number, similar: number): number {
  return score === 0 || similar === 0 ? 0 : (2 * score * similar) / (score + similar);
}

/**
 * Makes an evaluator whose score is the harmonic mean of the inner score and the caption's greatest cosine to
 * a reference. The metric's prefix is put before the caption and the references.
 */
export function withReferences(
  inner: Evaluator,
  references: References,
  { id, name }: { id: string; name: string },
): Evaluator {
  const { info } = inner;
  const item = (text: string): TextItem => ({ kind: 'text', text: info.prefix + text });
  return {
    info: {
      ...info,
      id,
      name,
      sha256: hashWith(references, 'harmonic mean', info.sha256),
      scores: ['image-text'],
      scale: { name: 'own', low: 0 },
      notes: [say('overlap.refClipScore'), ...info.notes],
    },
    references,
    derived: {
      inner,
      refuse: (want) => (referencesOf(want, references).length === 0 ? noReferences : undefined),
      expand: ({ left, right, ...more }) => {
        const { text } = right as TextItem;
        const others = referencesOf({ left, right, ...more }, references);
        return [
          { left, right: { kind: 'text', text } },
          ...others.map((one): Want => ({ left: item(text), right: item(one) })),
        ];
      },
      combine: (_want, [score, ...similar]) => harmonic(Math.max(0, score), Math.max(0, largest(similar))),
    },
    close: () => inner.close(),
  };
}
