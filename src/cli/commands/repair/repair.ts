import { dirname, join } from 'node:path';
import { runAudit } from '../../../audit/run';
import { defaultSeed } from '../../../audit/output/folder';
import { homeFolder, storeFolder } from '../../../base/files/home';
import { createBench } from '../../../bench/createBench';
import { createImageFinder } from '../../../dataset/images/images';
import { openDataset } from '../../../dataset/open';
import type { EvaluatorInfo } from '../../../evaluator/evaluator';
import { fileInFolder } from '../../../evaluator/reference';
import { defaultCost, defaultFit, repair, type Repair } from '../../../repair/repair';
import type { Command } from '../../arguments';
import { saveRepair } from './files';
import { defaultHeldOut, readOrder, type RepairOrder, usualProbes } from './order';
import { type Comparison, compared, repairAsJson, showRepair } from './outcome';
import { openAsking } from '../../consent';
import { images, python, set, splitOptions, yes } from '../../options';
import { logPartly } from '../../shownImages';
import { log, printJson, ProgressBar } from '../../terminal';

export const repairCommand: Command = {
  name: 'repair',
  summary:
    'fit a linear head that lowers the scores of altered captions and images, and measure its gain and cost',
  usage: ['repair FILE --evaluator E --out DIR'],
  operands: { FILE: "a dataset file with images and captions. Captious alters both with RoCOCO's method" },
  options: {
    ...splitOptions,
    evaluator: { value: 'E', describe: 'the dual encoder to repair; it is not modified' },
    out: {
      value: 'DIR',
      describe: `folder for the new evaluator. Use it with --evaluator DIR. It contains ${fileInFolder}, a matrix for each tower (text.npy, image.npy), held-out.json and the reports`,
    },
    'held-out': {
      value: 'SHARE',
      describe: `share of the images to hold out and audit afterwards (default ${defaultHeldOut})`,
    },
    'fit-on': {
      value: 'C=V',
      describe: 'never hold out images that have the value V in column C. Example: --fit-on split=train2017',
    },
    probe: {
      value: 'P[,P…]',
      multiple: true,
      describe: `probes that audit both evaluators on the held-out images (default ${usualProbes.join(',')}). "none" skips these audits`,
    },
    set,
    images,
    python,
    yes,
    semantic: {
      value: 'W',
      describe: `weight of the loss on altered captions (default ${defaultFit.semantic})`,
    },
    visual: { value: 'W', describe: `weight of the loss on altered images (default ${defaultFit.visual})` },
    decay: {
      value: 'W',
      describe: `weight of the penalty that keeps the head close to the identity (default ${defaultFit.decay})`,
    },
    cost: {
      value: 'R',
      describe: `largest allowed drop of the mean reciprocal rank on unaltered captions and images (default ${defaultCost}). Five-fold cross-validation chooses which share of the correction to apply. The share can be 0`,
    },
    rank: { value: 'N', describe: `rank of the head (default ${defaultFit.rank})` },
    epochs: { value: 'N', describe: `passes over the images (default ${defaultFit.epochs})` },
    seed: { value: 'N', describe: `seed of the split, the alterations and the fit (default ${defaultSeed})` },
    json: { describe: 'print all results as one JSON value' },
  },
  examples: ['repair samples/captions.json --evaluator starter --out repaired'],

  async run(call) {
    const order = readOrder(call);
    const bar = new ProgressBar();
    const { made, info } = await fitTo(order, bar, call.signal);
    const heldOut = await saveRepair(made, info, order);
    const comparisons = made.heldOut.length === 0 ? [] : await compareOn(heldOut, order, bar, call.signal);
    logPartly(made.partly);
    if (call.values.json) printJson(repairAsJson(made, order.out, comparisons));
    else showRepair(made, order.out, comparisons);
    return 0;
  },
};

async function fitTo(
  order: RepairOrder,
  bar: ProgressBar,
  signal: AbortSignal,
): Promise<{ made: Repair; info: EvaluatorInfo }> {
  const home = homeFolder();
  const dataset = await openDataset(order.path, { signal });
  const bench = createBench({
    store: storeFolder(home),
    onProgress: (progress) => bar.draw('repair', { examples: 0, ...progress }),
    onWarning: log,
  });
  const evaluator = await openAsking(
    order.ref,
    { home, signal, python: { asked: order.python } },
    order.yes,
  ).catch(async (error: unknown) => {
    await bench.close();
    throw error;
  });
  try {
    const finder = createImageFinder({ dataset, folders: [...order.images, dirname(order.path)], signal });
    const made = await repair({
      ...order,
      dataset,
      finder,
      evaluator,
      bench,
      signal,
      onEpoch: (epoch, of) => bar.show('fit', epoch / of, `epoch ${epoch} of ${of}`),
    });
    return { made, info: evaluator.info };
  } finally {
    bar.clear();
    await bench.close();
    await evaluator.close();
  }
}

async function compareOn(
  dataset: string,
  { probes, ref, images, path, out, seed, options, python: asked }: RepairOrder,
  bar: ProgressBar,
  signal: AbortSignal,
): Promise<Comparison[]> {
  if (probes.length === 0) return [];
  const reports = await runAudit({
    dataset,
    probes,
    evaluators: [ref, out],
    images: [...images, dirname(path)],
    out: join(out, 'reports'),
    seed,
    options,
    python: { asked },
    // Both evaluators use the encoder opened above, which already has the user's consent.
    consent: () => Promise.resolve(true),
    signal,
    onEvent: (event) => {
      if (event.type === 'progress') bar.draw(event.probe, event.progress);
    },
  }).finally(() => bar.clear());
  const comparisons: Comparison[] = [];
  for (const probe of probes) comparisons.push(await compared(probe, reports, signal));
  return comparisons;
}
