/* Writes rows.jsonl: two captions of each of 30 images, with influences that words, images and chance decide. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/base/random';
import type { WordKind } from '../../../src/perturb/words/wordKinds';
import type { ExplainRow } from '../../../src/probe/explain/row';

const kinds: readonly WordKind[] = [
  ...(['function', 'color', 'noun', 'verb', 'relation', 'function', 'number', 'noun'] as const),
  ...(['other', 'adjective', 'noun'] as const),
];
const distinct: Readonly<Record<WordKind, number>> = {
  ...{ function: 6, color: 8, noun: 30, verb: 12, relation: 7, number: 3, adjective: 9, other: 4 },
};

const uniformOf = (...name: readonly (string | number)[]): number => new Random(9, ...name).uniform() - 0.5;

function shapleyOf(influence: number, ...place: readonly number[]): number {
  return Math.round(1000 * (0.8 * influence + 0.1 * uniformOf('shapley', ...place))) / 1000;
}

/** The area is one of the image, and the mass one of the caption. */
function regionsOf(image: number, caption: number): { mass: number; area: number } {
  const [area, mass] = [uniformOf('area', image), uniformOf('mass', image, caption)].map(
    (part) => part + 0.5,
  );
  return { mass, area };
}

function row(image: number, caption: number): ExplainRow {
  const random = new Random(7, image, caption);
  const own = kinds.filter(() => random.uniform() < 0.85);
  return {
    ...{ example: `${image}`, row: image, image: `${image}.jpg`, caption, field: 'caption' },
    ...{ text: 'a', score: 0.5, length: own.length },
    words: own.map((kind, at) => {
      const word = `${kind}${Math.floor(distinct[kind] ** random.uniform())}`;
      const part = uniformOf('word', word) + 0.5 * uniformOf('image', image);
      const influence = Math.round(1000 * (part + 0.7 * uniformOf(image, caption, at))) / 1000;
      // Every third caption has a text without a score, so none of its words has a Shapley value.
      const shapley =
        (image + caption) % 3 === 0 ? {} : { shapley: shapleyOf(influence, image, caption, at) };
      return { word, span: [0, 1], at, kind, text: 'b', score: 0.5 - influence, influence, ...shapley };
    }),
    ...(image % 4 === 3 ? {} : { regions: regionsOf(image, caption) }),
  };
}

const rows = Array.from({ length: 60 }, (_, i) => row(i >> 1, i % 2));
writeFileSync(join(__dirname, 'rows.jsonl'), rows.map((one) => `${JSON.stringify(one)}\n`).join(''));
