// Plants differences in copies of a model and counts how often "captious parity" names them, with only the scores of the
// copy: tsx scripts/simulateParity.ts [PAIRS [MODEL [IMAGES]]]. The model must read square images.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Random } from '../src/base/random';
import { createBench } from '../src/bench/createBench';
import { Family } from '../src/evaluator/model/family';
import type { Cause } from '../src/parity/confirm';
import { makeDataset } from '../test/unit/parity/plantedImages';
import { type Plant, Planting, plantsFor } from '../test/unit/parity/plants';
import type { Setting } from '../src/parity/change';

const root = join(__dirname, '..');
const seed = 49;

async function main(pairs: number, model: string, images: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'captious-parity-'));
  const home = join(folder, 'home');
  const bench = createBench();
  const a = await Family.describe(model, { home });
  try {
    const { width, resize } = a.blueprint.image.spec.preprocessing;
    const square = { side: width, squashes: resize?.rule === 'exact' };
    const dataset = await makeDataset(folder, join(root, 'samples'), images, square);
    const planting = new Planting(folder, model, dataset, bench, a, home);
    // open_clip's file of the plant would also crop the images of a model that squashes them.
    const all = Object.entries(plantsFor(width, 12));
    const plants = all.filter(([name]) => name !== 'crop rounding' || !square.squashes);
    const same = await planting.compare([]);
    console.log(`nothing planted: ${same.verdict}, ${same.causes.length} causes`);
    const effective = await alone(planting, plants);
    // Most cosines of a model with random weights are negative, so clipping hides the other cause of a pair. The error of
    // interpolating a monotone function hides a small one.
    const hiding = square.squashes ? ['exponential'] : ['clipping', 'exponential'];
    const shown = effective.filter(([name]) => !hiding.includes(name));
    await together(planting, shown, pairs);
  } finally {
    await bench.close();
    await a.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type NamedPlant = readonly [name: string, plant: Plant];

/** Plants each cause alone. Returns those that change a score of this model. */
async function alone(planting: Planting, plants: readonly NamedPlant[]): Promise<NamedPlant[]> {
  const effective: NamedPlant[] = [];
  let first = 0;
  for (const [name, plant] of plants) {
    const { causes, doubted, verdict, difference } = await planting.compare([plant]);
    if (verdict === 'same') {
      console.log(`--   ${name}: changes no score`);
      continue;
    }
    effective.push([name, plant]);
    const isFirst = causes.at(0)?.setting === plant.setting;
    if (isFirst) first++;
    const doubts = doubted.map(({ setting, why }) => ` [${setting}: ${why}]`).join('');
    const size = difference.largest.toPrecision(3);
    console.log(`${isFirst ? 'ok  ' : 'MISS'} ${name}: ${verdict}, ${size}: ${listed(causes)}${doubts}`);
  }
  console.log(`${first} of ${effective.length} planted causes are named first`);
  return effective;
}

function listed(causes: readonly Cause[]): string {
  return causes
    .map(({ setting, to, together: share }) => `${setting} ${to} (${share.toFixed(3)})`)
    .join('; ');
}

async function together(planting: Planting, plants: readonly NamedPlant[], pairs: number): Promise<void> {
  const random = new Random(seed, 'parity.pairs');
  let both = 0;
  for (let i = 0; i < pairs; i++) {
    const [one, other] = twoOf(plants, random);
    const { causes, doubted, verdict } = await planting.compare([one[1], other[1]]);
    const isBoth = [one, other].every(([, { setting }]) => causes.some((cause) => cause.setting === setting));
    if (isBoth) both++;
    const doubts = doubted.map(({ setting, why }) => ` [${setting}: ${why}]`).join('');
    console.log(
      `${isBoth ? 'ok  ' : 'MISS'} ${one[0]} + ${other[0]}: ${verdict}: ${listed(causes)}${doubts}`,
    );
  }
  if (pairs > 0) console.log(`both are named for ${both} of ${pairs} random pairs`);
}

function twoOf(plants: readonly NamedPlant[], random: Random): NamedPlant[] {
  for (;;) {
    const [one, other] = [random.pick(plants), random.pick(plants)];
    if (isFair(one[1], other[1])) return [one, other];
  }
}

const resized: readonly Setting[] = ['shape', 'filter', 'cropRounding'];
const prepared: readonly Setting[] = [...resized, 'constants', 'channels', 'resizing'];

/** Whether both plants have an effect together. */
function isFair(one: Plant, other: Plant): boolean {
  const both = [one, other];
  const each = (list: readonly Setting[]): boolean => both.every(({ setting }) => list.includes(setting));
  const some = (list: readonly Setting[]): boolean => both.some(({ setting }) => list.includes(setting));
  return (
    one.setting !== other.setting &&
    (one.images === undefined || other.images === undefined) &&
    // A product replaces the scale in B's files.
    !(both.some(({ product }) => product !== undefined) && some(['scale', 'normalisation'])) &&
    // The files of these images have the final size.
    !(both.some(({ images }) => images === 'aliased') && some(resized)) &&
    // open_clip's file replaces the other one.
    !(some(['cropRounding']) && each(prepared)) &&
    // A caption that is truncated has no final period, and a few cosines are left of float16's rounding.
    !(some(['limit']) && some(['punctuation'])) &&
    !(some(['rounding']) && some(['precision']))
  );
}

const [pairs = '40', model = join(root, 'models/starter'), images = '44'] = process.argv.slice(2);
void main(Number(pairs), resolve(model), Number(images));
