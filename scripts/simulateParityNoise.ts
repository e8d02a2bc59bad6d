// Counts how often "captious parity" names a cause where none is, and where noise hides a part of one: tsx
// scripts/simulateParityNoise.ts [DATA SETS [IMAGES,…]]. Embeddings are random, each setting changes those of a tower at random, and
// the search and the confirmation are those of the command.
import { Random } from '../src/base/random';
import { type Cause, confirm } from '../src/parity/confirm';
import { roundingOf, type Pair } from '../src/parity/difference';
import { type Measurer, partsOf } from '../src/parity/measurer';
import { products, scaled } from '../src/parity/scoring';
import { Search } from '../src/parity/search';
import type { Change } from '../src/parity/change';
import type { Rows } from '../src/parity/references';

const seed = 49;
const perImage = 2;
const dimension = 16;
const variants = { image: 20, text: 15 };

/** B's scores of pairs, from A's and from those of A with one changed setting. */
type Make = (
  a: readonly number[],
  planted: readonly number[],
  images: readonly number[],
  random: Random,
) => number[];

const kinds: Record<string, Make> = {
  'independent noise': (a, _, __, random) => a.map((score) => score + 0.03 * normal(random)),
  'heavy-tailed noise': (a, _, __, random) =>
    a.map((score) => score + (random.uniform() < 0.05 ? 0.3 * normal(random) : 0.001 * normal(random))),
  'offset per image': (a, _, images, random) => {
    const offsets = new Map(images.map((image) => [image, 0.03 * normal(random)]));
    return a.map((score, i) => score + offsets.get(images[i])!);
  },
  'noise that grows with the score': (a, _, __, random) =>
    a.map((score) => score + 0.3 * Math.abs(score) * normal(random)),
  'another slope, and noise': (a, _, __, random) => {
    const slope = 1 + 0.1 * normal(random);
    return a.map((score) => slope * score + 0.05 * normal(random));
  },
  'monotone map': (a, _, __, random) => {
    const power = 1.2 + random.uniform();
    return a.map((score) => Math.sign(score) * Math.abs(score) ** power);
  },
  'a cause, and noise of a third of its size': (a, planted, _, random) =>
    withNoise(a, planted, 1 / 3, random),
  'a cause, and noise of two thirds of its size': (a, planted, _, random) =>
    withNoise(a, planted, 2 / 3, random),
};

function withNoise(
  a: readonly number[],
  planted: readonly number[],
  share: number,
  random: Random,
): number[] {
  const size = Math.sqrt(a.reduce((sum, score, i) => sum + (planted[i] - score) ** 2, 0) / a.length);
  return planted.map((score) => score + share * size * normal(random));
}

async function main(count: number, sizes: readonly number[]): Promise<void> {
  for (const images of sizes)
    for (const [kind, make] of Object.entries(kinds)) {
      const named = { planted: 0, other: 0, monotone: 0, scale: 0 };
      for (let i = 0; i < count; i++) {
        const causes = await causesOf(make, images, new Random(seed, kind, images, i));
        if (causes.some(({ setting, to }) => setting !== 'scale' && to !== 'image 0')) named.other++;
        else if (causes.some(({ to }) => to === 'image 0')) named.planted++;
        else if (causes.some(({ to }) => to === 'monotone')) named.monotone++;
        else if (causes.length > 0) named.scale++;
      }
      console.log(
        `${images} images, ${kind}: setting 0 named in ${named.planted}, a setting that is none in ${named.other}, ` +
          `a monotone function in ${named.monotone}, only a fitted scale in ${named.scale} of ${count}`,
      );
    }
}

async function causesOf(make: Make, count: number, random: Random): Promise<Cause[]> {
  const images = Array.from({ length: count * perImage }, (_, i) => Math.floor(i / perImage));
  const own = { image: rowsOf(count, random), text: rowsOf(images.length, random) };
  const shifts = new Map<string, Rows>();
  const changes: Change[] = (['factor', 'clipped', 'affine', 'monotone'] as const).map((kind) =>
    change('scale', 'score', kind),
  );
  for (const change of changes) change.score = { kind: change.to as 'factor' };
  for (const tower of ['image', 'text'] as const)
    for (let k = 0; k < variants[tower]; k++) {
      const size = 10 ** (-2 + 1.7 * random.uniform());
      const to = `${tower} ${k}`;
      shifts.set(
        to,
        rowsOf(own[tower].length, random).map((row) => row.map((value) => size * value)),
      );
      // Each change is a setting of its own.
      changes.push(change(to, tower, to));
    }
  const encoded = new Map<string, Rows>();
  const encode = (tower: 'image' | 'text', made: readonly Change[]): Rows => {
    const added = made.filter((one) => one.tower === tower).map(({ to }) => to);
    const key = `${tower} ${added.join()}`;
    let rows = encoded.get(key);
    if (rows === undefined) {
      rows = added.reduce<Rows>(
        (sum, to) => sum.map((row, i) => row.map((value, d) => value + shifts.get(to)![i][d])),
        own[tower],
      );
      if (tower === 'image') rows = images.map((at) => rows![at]);
      encoded.set(key, rows);
    }
    return rows;
  };
  const cosines = (made: readonly Change[], length = images.length): Float64Array =>
    products(encode('image', made).slice(0, length), encode('text', made), []);
  const a = Array.from(cosines([]));
  const planted = Array.from(cosines([change('image 0', 'image', 'image 0')]));
  const target = make(a, planted, images, random);
  // Half of the images, at most 60 pairs.
  const searched = Math.min(perImage * Math.floor(count / 2), 60);
  const measurer: Pick<Measurer, 'scores' | 'scoresOf' | 'target'> = {
    target,
    scores: (made, length) => measurer.scoresOf(partsOf(made), length),
    scoresOf: ({ image, text, score }, length) =>
      Promise.resolve(
        scaled(cosines([...image, ...text], length), { name: 'cosine' }, score, { target, fitted: searched }),
      ),
  };
  const pairs = images.map((image): Pair => {
    const source = { name: String(image), bytes: new Uint8Array() };
    return { image: { kind: 'image', source, transforms: [] }, caption: '' };
  });
  const rounding = roundingOf(target, a);
  const { causes } = await new Search(measurer as Measurer, changes, searched, rounding).run();
  return (await confirm(measurer as Measurer, pairs, causes, { searched, rounding })).rated;
}

function change(setting: string, tower: Change['tower'], to: string): Change {
  return { setting: setting as Change['setting'], tower, from: '', to };
}

function rowsOf(count: number, random: Random): Float32Array[] {
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: dimension }, () => normal(random) + 0.4),
  );
}

function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.uniform()));
  return radius * Math.cos(2 * Math.PI * random.uniform());
}

const [count = '200', sizes = '20,44,100'] = process.argv.slice(2);
void main(Number(count), sizes.split(',').map(Number));
