import {
  judgePlainCases,
  rowsForFiles,
  withPlainFolder,
  writePlainCases,
} from '../../audit/calibration/plainFiles';
import { CaptiousError, evaluatorError, inputError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { english } from '../../base/english';
import { createBench } from '../../bench/createBench';
import { createImageFinder } from '../../dataset/images/images';
import type { Dataset } from '../../dataset/dataset';
import { openDataset } from '../../dataset/open';
import { metricPrefix } from '../../evaluator/clipscore';
import type { Evaluator } from '../../evaluator/evaluator';
import { previewEvaluator } from '../../evaluator/open';
import type { Calibration } from '../../probe/invariance/calibration/calibration';
import { plainWords } from '../../probe/invariance/calibration/calibrationWords';
import { clusterOf } from '../../probe/metric';
import type { InvarianceRow } from '../../probe/invariance/row';
import type { Report } from '../../report/report';
import { openAsking } from '../consent';

const usual = 24;

interface Asked {
  /** The number of images of each part; undefined if the user named none. */
  count: number | undefined;
  images: readonly string[];
  asked: string | undefined;
  yes: boolean;
  signal: AbortSignal;
}

/**
 * Measures each correction on images that were changed and saved as files, and adds the result to it. Returns what was not
 * measured, in words. Without `count`, this can be everything, because the report alone is enough to fit a correction.
 */
export async function judgePlainly(
  fits: readonly Calibration[],
  rows: readonly InvarianceRow[],
  report: Report,
  { count, images, asked, yes, signal }: Asked,
): Promise<string | undefined> {
  if (count === 0) return notMeasured('This was not asked for (--files 0).');
  const home = homeFolder();
  const bench = createBench({ store: storeFolder(home) });
  let inner: Evaluator | undefined;
  try {
    const ref = encoderOf(report);
    if (count === undefined && (await previewEvaluator(ref, { home })).remote)
      return notMeasured('An endpoint is asked only if you say for how many images (--files N).');
    // The report's author chose this evaluator, so its code needs consent.
    inner = await openAsking(ref, { home, signal, python: { asked, confirm: true } }, yes);
    refuseOther(inner, report);
    const dataset = await openUnchanged(report, signal);
    const finder = createImageFinder({ dataset, folders: images, signal });
    const chosen = rowsForFiles(rows, fits[0].options, count ?? usual);
    const opened = { inner, bench, signal };
    const found = await withPlainFolder(async (folder) => {
      const cases = await writePlainCases(chosen, dataset.read({ signal }), { finder, folder, signal });
      return judgePlainCases(cases, fits, opened);
    });
    for (const [i, plain] of found.entries()) {
      fits[i].plain = plain;
      // With λ = 0, the words already say that no score changes.
      if (fits[i].lambda > 0) fits[i].words.unshift(plainWords(fits[i], plain.heldOut));
    }
    const wanted = new Set(chosen.map(clusterOf)).size;
    const missing = wanted - found[0].dev.images - found[0].heldOut.images;
    return missing === 0
      ? undefined
      : `${missing} of ${wanted} images have no score as changed files, and were left out of this measurement.`;
  } catch (error) {
    if (signal.aborted || count !== undefined || !(error instanceof CaptiousError)) throw error;
    return notMeasured(english(error.what));
  } finally {
    await bench.close();
    await inner?.close();
  }
}

function notMeasured(why: string): string {
  return `Not measured on changed image files: ${why} So the estimators were compared only on images that Captious changed itself.`;
}

/** Opens the report's dataset. Throws if it has changed since the audit, because its captions then differ from the rows. */
async function openUnchanged({ dataset: { path, sha256 } }: Report, signal: AbortSignal): Promise<Dataset> {
  if ((await new Fingerprints(undefined).sha256(path)) !== sha256)
    throw inputError(
      'The dataset has changed since the audit.',
      'Run the audit again, and calibrate the new report.',
      path,
    );
  return openDataset(path, { signal });
}

/** A reference that opens a report's evaluator: the evaluator's id, or a metric's prefix and the encoder's path. */
export function encoderOf({ evaluator: { id, path } }: Report): string {
  const metric = metricPrefix(id);
  return id.slice(metric.length) === 'starter' || path === undefined ? id : `${metric}${path}`;
}

/** Throws if the evaluator differs from that of the report. An untrusted report could name any evaluator. */
export function refuseOther({ info }: Evaluator, { evaluator }: Report): void {
  if (info.sha256 === evaluator.sha256) return;
  throw evaluatorError(
    'The evaluator differs from the one in the report.',
    'Run the audit again, and calibrate the new report.',
    info.path ?? info.id,
  );
}
