import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type CaptiousError, inputError } from '../../base/errors';
import { temporaryFolder } from '../../base/files/temporary';
import { Random } from '../../base/random';
import { say } from '../../base/say';
import { inTurns } from '../../base/turns/steps';
import type { Bench } from '../../bench/bench';
import type { Example } from '../../dataset/example';
import type { ImageFinder } from '../../dataset/images/images';
import { calibrated } from '../../evaluator/calibrated';
import type { Evaluator } from '../../evaluator/evaluator';
import { clusterOf } from '../../probe/metric';
import { isForFitting } from '../../probe/invariance/calibration/calibrate';
import type { CalibrateOptions, Calibration, Plain } from '../../probe/invariance/calibration/calibration';
import { plainFigures, type PlainPair } from '../../probe/invariance/calibration/plain';
import { type InvarianceRow, isMainVariant, mainRows, transformsOf } from '../../probe/invariance/row';
import type { ImageItem, Want } from '../../protocol/item';
import { ImageFiles } from '../imageFiles';
import { findImages } from '../findImages';

/** A caption with its image and the image's changed copy, both as unchanged items of a file. */
export interface PlainCase {
  family: string;
  image: string;
  wants: readonly [file: Want, changed: Want];
}

/** The rows of up to `count` images for fitting and as many held-out images, which the seed chooses. */
export function rowsForFiles(
  rows: readonly InvarianceRow[],
  options: Pick<CalibrateOptions, 'seed' | 'dev'>,
  count: number,
): InvarianceRow[] {
  const scored = mainRows(rows).filter(({ score }) => score !== null);
  const images = new Random(options.seed, 'plain files').shuffle([...new Set(scored.map(clusterOf))].sort());
  const part = (isDev: boolean): string[] =>
    images.filter((image) => isForFitting(image, options) === isDev).slice(0, count);
  const kept = new Set([...part(true), ...part(false)]);
  return scored.filter((row) => kept.has(clusterOf(row)));
}

/** Writes the rows' images with each change of the whole image as files into `folder`, and pairs them with the captions. */
export async function writePlainCases(
  rows: readonly InvarianceRow[],
  examples: AsyncIterable<Example>,
  { finder, folder, signal }: { finder: ImageFinder; folder: string; signal: AbortSignal },
): Promise<PlainCase[]> {
  const files = new ImageFiles(folder);
  const cases: PlainCase[] = [];
  const fileOf = async (item: ImageItem): Promise<ImageItem> => {
    const name = await files.add(item, signal);
    return name === undefined
      ? item
      : { kind: 'image', source: { name, path: join(folder, name) }, transforms: [] };
  };
  try {
    for await (const example of examples) {
      const own = rows.filter((row) => row.example === example.id);
      const [image] = own.length === 0 ? [] : await findImages(example, finder);
      if (image === undefined) continue;
      const original = await fileOf(image);
      for (const row of own)
        for (const variant of row.variants.filter(isMainVariant)) {
          if (variant.transform === undefined || variant.transform.op === 'move') continue;
          const transforms = [...image.transforms, ...transformsOf(row, variant)];
          const right = { kind: 'text', text: row.text } as const;
          const changed = await fileOf({ ...image, transforms });
          const wants = [
            { left: original, right },
            { left: changed, right },
          ] as const;
          cases.push({ family: variant.family, image: clusterOf(row), wants });
        }
    }
    await files.flush(signal);
  } finally {
    await files.close();
  }
  return cases;
}

/** What each correction does to the cases. Throws if a part of the images has no case with scores. */
export async function judgePlainCases(
  cases: readonly PlainCase[],
  fits: readonly Calibration[],
  { inner, bench, signal }: { inner: Evaluator; bench: Pick<Bench, 'scores'>; signal: AbortSignal },
): Promise<Plain[]> {
  const scoresOf = async (evaluator: Evaluator): Promise<(number | undefined)[]> => {
    const outcomes = await bench.scores(
      evaluator,
      cases.flatMap(({ wants }) => wants),
      signal,
    );
    return outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined));
  };
  const before = await scoresOf(inner);
  const found: Plain[] = [];
  for (const { options, lambda, families } of fits) {
    const file = { encoder: inner.info.id, estimator: options.estimator, lambda, families };
    const { id, name } = inner.info;
    const after = await scoresOf(calibrated(inner, file, { id, name, path: '' }));
    const pairs = cases.flatMap(({ family, image }, i): PlainPair[] => {
      const sizes = [before, after].map((scores) => {
        const [file, changed] = [scores[2 * i], scores[2 * i + 1]];
        return file === undefined || changed === undefined ? undefined : Math.abs(changed - file);
      });
      const [own, corrected] = sizes;
      return own === undefined || corrected === undefined
        ? []
        : [{ family, image, before: own, after: corrected }];
    });
    const part = (isDev: boolean): PlainPair[] =>
      pairs.filter(({ image }) => isForFitting(image, options) === isDev);
    const [dev, heldOut] = [part(true), part(false)];
    if (dev.length === 0 || heldOut.length === 0) throw noScores();
    found.push({
      dev: await inTurns(plainFigures(dev), signal),
      heldOut: await inTurns(plainFigures(heldOut), signal),
    });
  }
  return found;
}

function noScores(): CaptiousError {
  return inputError(say('calibration.noChangedImageScored'), say('calibration.nameImagesOrSkip'));
}

/** Runs `work` with a temporary folder for changed images. */
export async function withPlainFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder('plain');
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
