// Plants differences in copies of the starter and counts how often "captious parity" names them, with only the scores of
// the copy: tsx scripts/simulateParity.ts [PAIRS [MODEL IMAGES]]. The model must read square images.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Random } from '../src/base/random';
import { createBench } from '../src/bench/createBench';
import { Family } from '../src/evaluator/model/family';
import { makeDataset, type Plant, Planting, plantsFor } from '../test/unit/parity/plants';

const root = join(__dirname, '..');
const seed = 49;

async function main(pairs: number, model: string, images: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'captious-parity-'));
  const home = join(folder, 'home');
  const bench = createBench();
  const a = await Family.describe(model, { home });
  try {
    const data = await makeDataset(folder, join(root, 'samples'), images);
    const planting = new Planting(folder, model, data, bench, a, home);
    const { width, resize } = a.blueprint.image.spec.preprocessing;
    const all = Object.entries(plantsFor(width, 12));
    // A model that squashes its images has this shape already. The tiny model's cosines are all negative.
    const none = resize?.rule === 'exact' ? 'shape' : 'clipping';
    const named = all.filter(([name]) => name !== none);
    const same = await planting.compare([]);
    console.log(`nothing planted: ${same.verdict}, ${same.causes.length} causes`);
    let first = 0;
    for (const [name, plant] of named) {
      const { causes, verdict, difference } = await planting.compare([plant]);
      const isFirst = causes.at(0)?.setting === plant.setting;
      if (isFirst) first++;
      const found = causes
        .map(({ setting, to, alone }) => `${setting} ${to} (${alone.toFixed(3)})`)
        .join('; ');
      console.log(
        `${isFirst ? 'ok  ' : 'MISS'} ${name}: ${verdict}, ${difference.largest.toPrecision(3)}: ${found}`,
      );
    }
    console.log(`${first} of ${named.length} planted causes are named first`);
    const random = new Random(seed, 'parity.pairs');
    let both = 0;
    for (let i = 0; i < pairs; i++) {
      const [one, other] = twoOf(named, random);
      const { causes, verdict } = await planting.compare([one[1], other[1]]);
      const isBoth = [one, other].every(([, { setting }]) =>
        causes.some((cause) => cause.setting === setting),
      );
      if (isBoth) both++;
      const found = causes.map(({ setting, to }) => `${setting} ${to}`).join('; ');
      console.log(`${isBoth ? 'ok  ' : 'MISS'} ${one[0]} + ${other[0]}: ${verdict}: ${found}`);
    }
    if (pairs > 0) console.log(`both are named for ${both} of ${pairs} random pairs`);
  } finally {
    await bench.close();
    await a.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function twoOf(plants: readonly (readonly [string, Plant])[], random: Random): [string, Plant][] {
  for (;;) {
    const [one, other] = [random.pick(plants), random.pick(plants)];
    const isFair =
      one[1].setting !== other[1].setting && (one[1].images ?? other[1].images) !== undefined
        ? one[1].images === undefined || other[1].images === undefined
        : one[1].setting !== other[1].setting;
    if (isFair) return [[...one], [...other]];
  }
}

const [pairs = '40', model = join(root, 'models/starter'), images = '24'] = process.argv.slice(2);
void main(Number(pairs), resolve(model), Number(images));
