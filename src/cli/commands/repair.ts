import { basename, dirname, join, resolve } from 'node:path';
import { runAudit } from '../../audit/run';
import { defaultSeed, prepareFolder } from '../../audit/folder';
import { CaptiousError } from '../../base/errors';
import { homeFolder, storeFolder } from '../../base/files/home';
import { createBench } from '../../bench/createBench';
import { createImageFinder } from '../../dataset/images/images';
import { openDataset } from '../../dataset/open';
import { fileInFolder, parseReference } from '../../evaluator/reference';
import { probeNamed } from '../../probe/list';
import { npyOf } from '../../repair/npy';
import type { Photo } from '../../repair/photos';
import { defaultCost, defaultFit, repair, type Repair } from '../../repair/repair';
import { OutputFile, writeWhole } from '../../report/output';
import { type Command, list, onePositional, repeated, text, wholeNumber } from '../arguments';
import { parseSettings } from './audit';
import { type Comparison, compared, repairAsJson, showRepair } from './repairOutcome';
import { openAsking } from '../consent';
import { images, set, yes } from '../options';
import { log, printJson, ProgressBar } from '../terminal';

const defaultHeldOut = 0.3;

/** Probes that need only images with captions. */
const usualProbes: readonly string[] = ['rococo', 'lgip', 'prsm', 'invariance'];

export const repairCommand: Command = {
  name: 'repair',
  summary:
    'fit a linear head that lowers the scores of altered captions and images, and measure its gain and cost',
  usage: ['repair FILE --evaluator E --out DIR'],
  operands: { FILE: "images with captions; Captious alters both itself, with RoCOCO's method" },
  options: {
    evaluator: { value: 'E', describe: 'the dual encoder to repair; it is not modified' },
    out: {
      value: 'DIR',
      describe: `folder of the new evaluator (use it as --evaluator DIR): ${fileInFolder}, a matrix for each tower (text.npy, image.npy), held-out.json, and reports`,
    },
    'held-out': {
      value: 'SHARE',
      describe: `share of the images to hold out and audit afterwards (default ${defaultHeldOut})`,
    },
    'fit-on': {
      value: 'C=V',
      describe: 'always fit on images whose column C is V, as in --fit-on split=train2017',
    },
    probe: {
      value: 'P[,P…]',
      multiple: true,
      describe: `probes for both evaluators on the held-out images (default ${usualProbes.join(',')}); none: skip`,
    },
    set,
    images,
    yes,
    semantic: {
      value: 'W',
      describe: `weight of the loss on altered captions (default ${defaultFit.semantic})`,
    },
    visual: { value: 'W', describe: `weight of the loss on altered images (default ${defaultFit.visual})` },
    decay: { value: 'W', describe: `weight of the distance from the identity (default ${defaultFit.decay})` },
    cost: {
      value: 'R',
      describe: `largest loss of clean retrieval (default ${defaultCost}); five-fold cross-validation by mean reciprocal rank chooses how much of the correction to keep, perhaps none`,
    },
    rank: { value: 'N', describe: `rank of the head (default ${defaultFit.rank})` },
    epochs: { value: 'N', describe: `passes over the images (default ${defaultFit.epochs})` },
    seed: { value: 'N', describe: `seed of the split, the alterations and the fit (default ${defaultSeed})` },
    json: { describe: 'print everything as one JSON value' },
  },
  examples: ['repair samples/captions.json --evaluator starter --out repaired'],

  async run(call) {
    const { values, signal } = call;
    const path = onePositional(call, 'repair', 'A dataset file');
    const ref = text(values, 'evaluator');
    const out = text(values, 'out');
    if (ref === undefined) throw missing('--evaluator', 'Name a dual encoder, as in --evaluator starter.');
    if (out === undefined) throw missing('--out', 'Name a folder for the repaired evaluator.');
    const weight = (key: string, otherwise: number): number =>
      numberIn(key, text(values, key), 0, Infinity) ?? otherwise;
    const heldOut = numberIn('held-out', text(values, 'held-out'), 0, 0.9) ?? defaultHeldOut;
    const fitOn = columnValue(text(values, 'fit-on'));
    const cost = numberIn('cost', text(values, 'cost'), 0, 1) ?? defaultCost;
    const named = list(values, 'probe').filter((id) => id !== 'none');
    named.forEach(probeNamed);
    const options = parseSettings(repeated(values, 'set'));
    const seed = wholeNumber(values, 'seed') ?? defaultSeed;
    const fit = {
      ...defaultFit,
      semantic: weight('semantic', defaultFit.semantic),
      visual: weight('visual', defaultFit.visual),
      decay: weight('decay', defaultFit.decay),
      rank: wholeNumber(values, 'rank', 1) ?? defaultFit.rank,
      epochs: wholeNumber(values, 'epochs', 1) ?? defaultFit.epochs,
    };
    const images = repeated(values, 'images');
    const home = homeFolder();
    const dataset = await openDataset(resolve(path), { signal });
    const bar = new ProgressBar();
    const bench = createBench({
      store: storeFolder(home),
      onProgress: (progress) => bar.draw('repair', { examples: 0, ...progress }),
      onWarning: log,
    });
    const evaluator = await openAsking(ref, { home, signal }, values.yes === true).catch(
      async (error: unknown) => {
        await bench.close();
        throw error;
      },
    );
    let made: Repair;
    try {
      const finder = createImageFinder({ datasetPath: dataset.path, folders: images });
      made = await repair({
        dataset,
        finder,
        evaluator,
        bench,
        seed,
        heldOut,
        fitOn,
        fit,
        cost,
        signal,
        onEpoch: (epoch, of) => bar.show('fit', epoch / of, `epoch ${epoch} of ${of}`),
      });
    } finally {
      bar.clear();
      await bench.close();
      await evaluator.close();
    }
    const { fittedOn, chosen } = made;
    await prepareFolder(out);
    for (const tower of ['text', 'image'] as const)
      await writeBytes(join(out, `${tower}.npy`), npyOf(made.maps[tower]));
    const file = {
      kind: 'repaired',
      name: `${evaluator.info.name}, repaired`,
      encoder: parseReference(ref, { home }).absolute,
      encoderSha256: evaluator.info.sha256,
      text: './text.npy',
      image: './image.npy',
      fitted: `Fitted on ${fittedOn.length} images of ${basename(dataset.path)}, ${made.heldOut.length} held out; seed ${seed}, ${Object.entries(
        fit,
      )
        .map(([key, value]) => `${key} ${value}`)
        .join(', ')}; ${chosen.share} of the correction kept.`,
    };
    await writeWhole(join(out, fileInFolder), `${JSON.stringify(file, null, 1)}\n`);
    const heldOutPath = join(out, 'held-out.json');
    await writeWhole(heldOutPath, `${JSON.stringify(asCoco(made.heldOut), null, 1)}\n`);

    const comparisons: Comparison[] = [];
    const asked = list(values, 'probe').length > 0;
    const probes = made.heldOut.length === 0 ? [] : asked ? named : usualProbes;
    if (probes.length > 0) {
      const reports = await runAudit({
        dataset: heldOutPath,
        probes,
        evaluators: [ref, out],
        images: [...images, dirname(dataset.path)],
        out: join(out, 'reports'),
        seed,
        options,
        signal,
        onEvent: (event) => {
          if (event.type === 'progress') bar.draw(event.probe, event.progress);
        },
      }).finally(() => bar.clear());
      for (const probe of probes) comparisons.push(await compared(probe, reports));
    }
    if (values.json) printJson(repairAsJson(made, out, comparisons));
    else showRepair(made, out, comparisons);
    return 0;
  },
};

/** A separate dataset, so that any probe can run on the held-out images. */
function asCoco(photos: readonly Photo[]): unknown {
  let caption = 0;
  return {
    images: photos.map(({ name }, i) => ({ id: i + 1, file_name: name })),
    annotations: photos.flatMap(({ captions }, i) =>
      captions.map((said) => ({ id: ++caption, image_id: i + 1, caption: said })),
    ),
  };
}

async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const file = await OutputFile.create(path);
  try {
    await file.write(bytes);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

function columnValue(given: string | undefined): { column: string; value: string } | undefined {
  if (given === undefined) return undefined;
  const at = given.indexOf('=');
  if (at > 0) return { column: given.slice(0, at), value: given.slice(at + 1) };
  throw new CaptiousError('usage', `--fit-on ${given}: expected column=value.`, {
    remedy: 'An example: --fit-on split=train2017.',
  });
}

function numberIn(key: string, given: string | undefined, least: number, most: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() !== '' && Number.isFinite(value) && value >= least && value <= most) return value;
  throw new CaptiousError('usage', `--${key} ${given}: expected a number of ${least} or more.`, {
    remedy: most === Infinity ? undefined : `Give a number from ${least} to ${most}.`,
  });
}

function missing(option: string, remedy: string): CaptiousError {
  return new CaptiousError('usage', `${option} is missing.`, { remedy });
}
