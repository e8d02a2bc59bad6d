import { creditOf, type Item, wordsOf } from './items';
import { addTo, valueIn } from '../../base/lists';

/** The highest accuracy of models that do not see a part of the input. */
export interface Ceiling {
  /** The credit of the best such model for each item. */
  shares: Float64Array;
  /** The expected credit of such a model with random scores. */
  chances: Float64Array;
}

/** For models that see the image, and each caption as words without their order. */
export function orderBlind(items: readonly Item[]): Ceiling {
  const bags = items.map(({ captions }) => captions.map((caption) => wordsOf(caption).sort().join(' ')));
  return {
    shares: Float64Array.from(items, ({ right }, i) =>
      creditOf(
        bags[i].map((bag) => (bag === bags[i][right] ? 1 : 0)),
        right,
      ),
    ),
    chances: Float64Array.from(items, ({ right }, i) => chanceOf(bags[i], right)),
  };
}

/**
 * For models that see the captions, but no image. Where the same captions are asked about several images, such a model
 * gives one answer to all. Each of these items has the mean credit of the best answer.
 */
export function imageBlind(items: readonly Item[]): Ceiling {
  const questions = new Map<string, Map<string, number[]>>();
  for (const [i, { captions, right }] of items.entries()) {
    const key = JSON.stringify([...captions].sort());
    const answers = valueIn(questions, key, () => new Map());
    addTo(answers, captions[right], i);
  }
  const shares = new Float64Array(items.length);
  for (const answers of questions.values()) {
    const groups = [...answers.values()];
    const all = groups.flat();
    const credits = groups.map((group) => group.length * sameText(items[group[0]]));
    const share = credits.reduce((most, credit) => Math.max(most, credit), 0) / all.length;
    for (const i of all) shares[i] = share;
  }
  return {
    shares,
    chances: Float64Array.from(items, ({ captions, right }) => chanceOf(captions, right)),
  };
}

function sameText({ captions, right }: Item): number {
  return creditOf(
    captions.map((caption) => (caption === captions[right] ? 1 : 0)),
    right,
  );
}

/** The expected credit if each distinct input has a random score. */
function chanceOf(inputs: readonly string[], right: number): number {
  const same = inputs.filter((input) => input === inputs[right]).length;
  return 1 / new Set(inputs).size / same;
}
