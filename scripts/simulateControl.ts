/*
 * Type-I error and power of RoCOCO's control, which compares altered captions with as many captions of other images.
 * npx tsx scripts/simulateControl.ts [DATASETS]
 */
import { atOnce } from '../src/base/turns/steps';
import { Random } from '../src/base/random';
import { against } from '../src/probe/claim';
import { Figure } from '../src/probe/figure';
import { inHalves } from '../src/probe/rococo/search/control';
import { normalQuantile } from '../src/stats/normal';

const datasets = Number(process.argv[2] ?? 1000);
const [dimension, parts, captions] = [6, 8, 2];

const normal = (random: Random): number => normalQuantile((random.uniform() + 1e-12) / (1 + 2e-12));
const vector = (random: Random): number[] => Array.from({ length: dimension }, () => normal(random));
/** A unit vector near another one. */
function nearby(random: Random, center: readonly number[], noise: number): number[] {
  const moved = center.map((value) => value + noise * normal(random));
  const norm = Math.hypot(...moved);
  return moved.map((value) => value / norm);
}
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((all, x, i) => all + x * b[i], 0);

/** Altered captions are captions of images that are not in the data, except for a share, which are near their own captions. */
function isFound(random: Random, images: number, share: number): 'above' | 'below' | 'across' {
  const vectors = Array.from({ length: images }, () => vector(random));
  const said = (center: readonly number[]) =>
    Array.from({ length: captions }, () => nearby(random, center, 0.8));
  const clean = vectors.map(said);
  const altered = clean.map((own) => {
    const foreign = said(vector(random));
    return own.map((row, at) => (random.uniform() < share ? nearby(random, row, 0.1) : foreign[at]));
  });
  const figure = new Figure();
  for (const [q, image] of vectors.entries()) {
    const best = clean[q].reduce((most, row) => Math.max(most, dot(image, row)), -Infinity);
    const rivals = (rows: readonly number[][][], without: number) =>
      Array.from({ length: parts }, (_, part) => {
        const own = rows.filter((_, image) => image % parts === part && image !== without).flat();
        return { above: own.filter((row) => dot(image, row) > best).length, equal: 0 };
      });
    const others = rivals(clean, q);
    const shares = inHalves(q % parts, { captions: others, added: others, altered: rivals(altered, -1) });
    figure.add(shares.withOthers - shares.withAltered, q);
  }
  const { ci } = atOnce(figure.metric('', { interval: 'test' }));
  return ci === undefined ? 'across' : against(ci, 0);
}

console.log('| altered captions | images | "cost more" | "cost less" |');
console.log('|---|---:|---:|---:|');
for (const [name, share] of [
  ['captions of images that are not in the data', 0],
  ['a fifth of them near their own captions', 0.2],
  ['all near their own captions', 1],
] as const)
  for (const images of [20, 50, 200]) {
    const times = images > 100 ? Math.ceil(datasets / 4) : datasets;
    const sides = Array.from({ length: times }, (_, at) =>
      isFound(new Random(19, name, images, at), images, share),
    );
    const rate = (side: string): string => (sides.filter((one) => one === side).length / times).toFixed(3);
    console.log(`| ${name} | ${images} | ${rate('above')} | ${rate('below')} |`);
  }
