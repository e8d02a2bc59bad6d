/*
 * Type-I errors of the verdicts of the probe `explain`: how often any verdict is given if nouns and other words move the
 * score by as much on average. npx tsx scripts/simulateInfluence.ts [DATASETS]
 */
import { atOnce } from '../src/base/turns/steps';
import { Random } from '../src/base/random';
import type { WordKind } from '../src/perturb/words/wordKinds';
import { explainClaims } from '../src/probe/explain/claims';
import type { ExplainRow } from '../src/probe/explain/row';
import { Contrasts } from '../src/probe/explain/contrasts';
import { normalQuantile } from '../src/stats/normal';

const datasets = Number(process.argv[2] ?? 400);
const sizes = [20, 50, 200];
const span = [0, 1] as const;

const normal = (random: Random): number => normalQuantile(Math.max(1e-12, random.uniform()));

/** The words of a caption, and how many distinct words of each kind there are. */
const caption = ['function', 'color', 'noun', 'verb', 'relation', 'function', 'number', 'noun'] as const;
const distinct: Readonly<Partial<Record<WordKind, number>>> = {
  ...{ function: 12, color: 11, noun: 200, verb: 60, relation: 15, number: 8 },
};

interface Shares {
  /** The shares of the variance of an influence that come from the word and from the image. */
  word: number;
  image: number;
}

/** One to three captions an image. Frequent words have most of the places (Zipf's law). */
function rowsOf(random: Random, images: number, { word, image }: Shares): ExplainRow[] {
  const effects = new Map<string, number>();
  const effectOf = (name: string): number => {
    if (!effects.has(name)) effects.set(name, normal(random));
    return effects.get(name)!;
  };
  return Array.from({ length: images }).flatMap((_, i) => {
    const ofImage = normal(random);
    return Array.from({ length: 1 + (i % 3) }, (_caption, index): ExplainRow => ({
      ...{ example: `${i}`, row: i, image: `${i}`, caption: index, field: 'caption' },
      ...{ text: 'a', score: 0, length: caption.length },
      words: caption.map((kind, at) => {
        const nth = Math.floor(distinct[kind]! ** random.uniform());
        const name = `${kind} ${nth}`;
        const rest = Math.sqrt(1 - word - image) * normal(random);
        const influence = Math.sqrt(word) * effectOf(name) + Math.sqrt(image) * ofImage + rest;
        return { word: name, span, at, kind, text: 'b', score: -influence, influence };
      }),
    }));
  });
}

console.log(`| verdicts of \`explain\` | ${sizes.map((images) => `${images} images`).join(' | ')} |`);
console.log('|---|---:|---:|---:|');
for (const [name, shares] of [
  ['influences differ by chance', { word: 0, image: 0 }],
  ['half of the variance is the image’s', { word: 0, image: 0.5 }],
  ['half of the variance is the word’s', { word: 0.5, image: 0 }],
  ['nine tenths are the word’s', { word: 0.9, image: 0 }],
  ['half the word’s, three tenths the image’s', { word: 0.5, image: 0.3 }],
] as const) {
  const wrong = sizes.map((images) => {
    let count = 0;
    for (let i = 0; i < datasets; i++) {
      const contrasts = new Contrasts();
      for (const row of rowsOf(new Random(11, name, images, i), images, shares))
        contrasts.add(row, Number(row.image));
      if (explainClaims(atOnce(contrasts.metrics())).length > 0) count++;
    }
    return (count / datasets).toFixed(3);
  });
  console.log(`| ${name} | ${wrong.join(' | ')} |`);
}
