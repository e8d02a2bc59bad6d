import { join, resolve } from 'node:path';
import { versions } from '../../../base/files/versions';
import { CaptiousError, usageError } from '../../../base/errors';
import { homeFolder } from '../../../base/files/home';
import { installFolder } from '../../../base/install';
import type { PartlyFound } from '../../../dataset/images/partlyFound';
import { type Command, text, type Values, wholeNumber } from '../../arguments';
import { openFor } from '../../consent';
import { auditOptions, images, map, python, splitOptions, yes } from '../../options';
import { logPartly } from '../../shownImages';
import { log, print, printJson, table } from '../../terminal';
import { readItems } from './items';
import { compare, type Comparison, type Rate, type Speeds } from './measure';
import { measureSide, type Side, type Subject } from './side';
import { imageFolders, fieldsOf } from '../../datasetRequest';

const usualTolerance = 0.001;
const usualLimit = 500;

export const benchCommand: Command = {
  name: 'bench',
  summary: "measure an evaluator's speed, and compare a GPU's scores and speed with the CPU's",
  usage: ['bench [DATASET] [--evaluator E] [--provider P]'],
  operands: { DATASET: 'a dataset file (default: the sample images)' },
  options: {
    ...splitOptions,
    evaluator: { value: 'E', describe: 'the evaluator: a model on this computer (default: starter)' },
    provider: {
      value: 'P',
      describe:
        'compare this provider with the CPU: cuda, coreml, dml or webgpu. For an evaluator in Python: the value of its argument "device", such as cuda or mps. Without --provider, the command measures only the CPU',
    },
    images,
    limit: { value: 'N', describe: `use only the first N examples (default ${usualLimit})` },
    rounds: { value: 'N', describe: 'passes over all items, after a warm-up (default 5)' },
    tolerance: {
      value: 'T',
      describe: `greatest allowed difference between two scores; for scores above 1, a relative difference (default ${usualTolerance})`,
    },
    map,
    batch: auditOptions.batch,
    threads: auditOptions.threads,
    precision: auditOptions.precision,
    python,
    yes,
    json: { describe: 'print all results as one JSON value' },
  },
  notes: [
    "Each speed is the median of several passes after a warm-up, from files and texts to embeddings, without a cache. Each image is scored with its own caption and with another image's caption. For a text encoder, each caption is scored with two other captions. A decision is which of the two pairs scores higher. It differs if the CPU and the provider disagree. If a provider lacks an operator, ONNX Runtime runs it on the CPU; the output shows how many nodes each provider ran. If a provider runs nothing, that is an error.",
    'Exit code 1: a score differs by more than the tolerance, or only one of the two providers has a score. With TF32, embedding values of a GPU differ from float32 by about 0.1 %. The sample images are too few to load a GPU fully: measure speeds with your own dataset.',
  ],
  examples: [
    'bench',
    'bench captions.json --images images --evaluator clip-vit-base-patch32 --provider cuda',
  ],

  async run({ positionals, values, signal }) {
    if (positionals.length > 1)
      throw usageError(`Expected one dataset, got ${positionals.length}.`, 'See: captious bench --help');
    const samples = join(installFolder(), 'samples');
    const dataset = resolve(positionals[0] ?? join(samples, 'captions.json'));
    const limit = wholeNumber(values, 'limit', 1) ?? usualLimit;
    const tolerance = toleranceOf(values);
    const provider = text(values, 'provider');
    const items = await readItems(dataset, {
      folders: positionals.length === 0 ? [join(samples, 'images')] : imageFolders(values),
      ...{ limit, signal, map: fieldsOf(values) },
    });
    logPartly(items.partly);
    const subject = subjectOf(values, items, signal);
    // Measures `other` first, so that the error for a missing provider comes early.
    const compares = provider !== undefined && provider !== 'cpu';
    const other = compares ? await progress(subject, provider) : undefined;
    const cpu = await progress(subject, compares ? 'cpu' : provider);
    const comparison = other === undefined ? undefined : compare(cpu.scores, other.scores);
    const result: Result = {
      evaluator: subject.ref,
      dataset,
      captions: items.texts.length,
      images: items.images.length,
      ...(items.partly === undefined ? {} : { partly: items.partly }),
      rounds: subject.wish.rounds,
      batch: subject.wish.batch ?? null,
      threads: wholeNumber(values, 'threads', 1) ?? null,
      versions: { ...versions(), node: process.versions.node },
      sides: [cpu, ...(other === undefined ? [] : [other])],
      ...(comparison === undefined ? {} : { comparison: { ...comparison, tolerance } }),
    };
    if (values.json)
      printJson({
        ...result,
        sides: result.sides.map(({ provider, ran, speeds }) => ({ provider, ran, speeds })),
      });
    else show(result);
    const agrees = comparison === undefined || (comparison.greatest <= tolerance && comparison.missing === 0);
    return agrees ? 0 : 1;
  },
};

interface Result {
  evaluator: string;
  dataset: string;
  captions: number;
  images: number;
  partly?: PartlyFound;
  rounds: number;
  /** The largest batch size. Null means that the bench decides. */
  batch: number | null;
  /** The threads of each model. Null means one thread per core. */
  threads: number | null;
  versions: Record<string, string>;
  sides: Side[];
  comparison?: Comparison & { tolerance: number };
}

function subjectOf(values: Values, items: Subject['items'], signal: AbortSignal): Subject {
  const [batch, threads] = (['batch', 'threads'] as const).map((name) => wholeNumber(values, name, 1));
  const precision = text(values, 'precision');
  const home = homeFolder();
  return {
    ref: text(values, 'evaluator') ?? 'starter',
    home,
    items,
    wish: {
      rounds: wholeNumber(values, 'rounds', 1) ?? 5,
      signal,
      ...(batch === undefined ? {} : { batch }),
    },
    open: (ref, more) =>
      openFor({ values, signal }, ref, {
        home,
        onNotice: log,
        ...(batch === undefined ? {} : { batch }),
        ...(threads === undefined ? {} : { threads }),
        ...(precision === undefined ? {} : { precision }),
        ...more,
      }),
  };
}

function progress(subject: Subject, provider: string | undefined): Promise<Side> {
  log(`measuring ${subject.ref}${provider === undefined ? '' : ` with ${provider}`}…`);
  return measureSide(subject, provider);
}

function toleranceOf(values: Values): number {
  const given = text(values, 'tolerance');
  if (given === undefined) return usualTolerance;
  const value = Number(given);
  if (given.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new CaptiousError('usage', `--tolerance ${given}: expected a number of 0 or more.`);
}

function show({
  evaluator,
  captions,
  images,
  rounds,
  batch,
  threads,
  versions,
  sides,
  comparison,
}: Result): void {
  const kinds = (['texts', 'images', 'pairs'] as const).filter((kind) =>
    sides.some(({ speeds }) => speeds[kind] !== undefined),
  );
  print(
    `${evaluator}: ${captions} captions and ${images} images, ${rounds} rounds, ${batch === null ? 'batches as in audits' : `batches of ${batch}`}, ${threads === null ? 'one thread per core' : `${threads} threads`}`,
  );
  print(
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}\n`,
  );
  const rows = sides.map(({ provider, speeds }) => [
    provider,
    ...kinds.flatMap((kind) => rateCells(speeds[kind])),
  ]);
  print(table(['provider', ...kinds.flatMap((kind) => [`${kind}/s`, 'slowest', 'fastest'])], rows));
  print('');
  for (const { provider, ran } of sides) print(`${provider} ran ${ran}`);
  if (comparison === undefined) return;
  const [cpu, other] = sides;
  print(
    `\n${other.provider} relative to the CPU: ${kinds.map((kind) => timesAs(kind, cpu.speeds, other.speeds)).join(', ')}`,
  );
  const { scores, greatest, mean, missing, decisions, flips, tolerance } = comparison;
  const verdict = greatest <= tolerance ? 'within' : 'above';
  print(
    `${scores} scores: greatest difference ${greatest.toExponential(1)} (${verdict} the tolerance ${tolerance}), mean ${mean.toExponential(1)}`,
  );
  if (missing > 0) print(`${missing} scores exist with only one of the two providers`);
  print(`decisions that differ: ${flips} of ${decisions}`);
}

function rateCells(rate: Rate | undefined): string[] {
  return rate === undefined
    ? ['', '', '']
    : [rate.median, rate.slowest, rate.fastest].map((value) => value.toPrecision(3));
}

function timesAs(kind: keyof Speeds, cpu: Speeds, other: Speeds): string {
  return `${kind} ${((other[kind]?.median ?? NaN) / (cpu[kind]?.median ?? NaN)).toFixed(2)} times as fast`;
}
