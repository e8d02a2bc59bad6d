import type { Evaluator } from '../../../src/evaluator/evaluator';
import { Random } from '../../../src/base/random';

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

/**
 * A scorer of images and captions without models. A score depends on the image, its transforms and the caption only.
 * `map` changes the units of the scores.
 */
export function fakeScorer(
  id: string,
  { seed = id, noise = 0.4, map = (score: number) => score } = {},
): Evaluator {
  return {
    info: {
      ...{ id, name: id, kind: 'pair-scorer', sha256: `${id} ${map.toString()}`, scores: ['image-text'] },
      ...{ precision: 'float64', provider: 'cpu', scale: { name: 'own' }, prefix: '', notes: [] },
    },
    kept: false,
    knowsImage: () => true,
    scorePairs: (pairs) =>
      Promise.resolve(
        pairs.map(({ image: { source, transforms }, text }) => {
          const words = text.toLowerCase().match(/\w+/g) ?? [];
          const own = words.map((word) => normal(new Random(seed, source.name, word)));
          const match = own.reduce((a, b) => a + b, 0) / Math.sqrt(own.length);
          const whole = normal(new Random(seed, source.name, text, JSON.stringify(transforms)));
          return { ok: true as const, value: map(0.25 + 0.1 * match + 0.1 * noise * whole) };
        }),
      ),
    close: () => Promise.resolve(),
  };
}
