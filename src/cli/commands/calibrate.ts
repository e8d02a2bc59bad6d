import { say } from '../../base/say';
import { resolve } from 'node:path';
import { type PreferenceAccuracy, preferenceAccuracy } from '../../audit/preferences';
import { inputError, usageError } from '../../base/errors';
import { inTurns } from '../../base/turns/steps';
import { homeFolder, storeFolder } from '../../base/files/home';
import { createBench } from '../../bench/createBench';
import { type Estimator, estimators } from '../../evaluator/calibration';
import type { Evaluator } from '../../evaluator/evaluator';
import { calibrate, chosenOf } from '../../probe/invariance/calibration/calibrate';
import { keyOfRow } from '../../probe/invariance/calibration/part';
import {
  type Calibration,
  type Reference,
  type Weighting,
  weightings,
} from '../../probe/invariance/calibration/calibration';
import { rangeOf } from '../../probe/invariance/warnings';
import { auditAt } from '../audits';
import { openAsking } from '../consent';
import { python, yes } from '../options';
import { logPartly } from '../shownImages';
import { calibrationHtml } from '../../report/export/calibration';
import { endsOf, figure } from '../../report/figures';
import { writeWhole } from '../../report/output';
import type { Report } from '../../report/report';
import { type Ablation, calibrateAll, showAllFamilies, showFits } from './calibrateAll';
import { encoderOf, judgePlainly, refuseOther } from './calibratePlain';
import { type Command, list, oneOf, text, wholeNumber } from '../arguments';
import { print, printJson } from '../terminal';
import { imageFolders } from '../datasetRequest';

const epsilons = [0.005, 0.01, 0.02];

export const calibrateCommand: Command = {
  name: 'calibrate',
  summary: 'fit a score correction to an invariance report, and measure its effect on held-out images',
  usage: ['calibrate REPORT'],
  operands: { REPORT: 'an invariance report' },
  options: {
    reference: {
      value: 'R[,R…]',
      multiple: true,
      describe:
        'invariance reports of reference evaluators. The corrected scores must agree with the reference scores almost as well as the raw scores do (see --epsilon)',
    },
    estimator: {
      value: 'E',
      describe: `estimator of the correction: ${estimators.join(', ')} (default: literal or shrink, whichever has the lower sensitivity on the images for fitting, as changed image files if these are measured, see --files). signed has no effect on images that were changed before Captious reads them`,
    },
    weights: { value: 'W', describe: `weights for fitting: ${weightings.join(' or ')} (default uniform)` },
    epsilon: {
      value: 'X',
      describe: "largest allowed drop of Spearman's ρ with each reference (default 0.01)",
    },
    dev: { value: 'SHARE', describe: 'share of the images for fitting (default 0.5)' },
    seed: { value: 'N', describe: 'seed of the split (default 42)' },
    files: {
      value: 'N',
      describe:
        'number of images for fitting, and of held-out images, that are flipped, rotated and blurred and saved as temporary files, which the corrected evaluator scores like any other file (default 24, for endpoints 0). Those for fitting decide between the estimators, and the held-out ones measure the effect',
    },
    out: { value: 'FILE', describe: 'save the correction as an evaluator file (x.evaluator.json)' },
    html: {
      value: 'FILE',
      describe:
        'write an HTML page. It shows the parameter sweep, and the sensitivity, agreement and flip risk before and after the correction',
    },
    preferences: {
      value: 'FILE',
      describe:
        'with --out: report how often raw and calibrated scores agree with the human preferences in FILE',
    },
    images: {
      value: 'DIR',
      multiple: true,
      describe: 'image folder of the dataset and of the --preferences file. Repeatable',
    },
    python,
    yes,
    json: { describe: 'print all results as one JSON value' },
  },
  examples: ['calibrate reports/invariance.starter.report.json --out calibrated.evaluator.json'],

  async run({ positionals, values, signal }) {
    if (positionals.length !== 1)
      throw usageError(`Expected one report, got ${positionals.length}.`, 'See: captious calibrate --help');
    const wished = oneOf('estimator', text(values, 'estimator'), estimators);
    const weights: Weighting = oneOf('weights', text(values, 'weights'), weightings) ?? 'uniform';
    const epsilon = share('epsilon', text(values, 'epsilon') ?? '0.01');
    const dev = share('dev', text(values, 'dev') ?? '0.5');
    const seed = wholeNumber(values, 'seed') ?? 42;
    const out = text(values, 'out');
    const preferences = text(values, 'preferences');
    if (preferences !== undefined && out === undefined)
      throw usageError(
        '--preferences needs --out, because the saved evaluator scores the preferences.',
        'Add --out FILE.',
      );
    const { report, rows } = await auditAt(positionals[0]);
    const references = await Promise.all(list(values, 'reference').map((path) => referenceOf(path, report)));
    const { width } = rangeOf(report.evaluator.scale);
    const fit = (estimator: Estimator, more: Partial<Calibration['options']> = {}): Promise<Calibration> =>
      inTurns(calibrate(rows, references, { estimator, weights, epsilon, dev, seed, ...more }), signal);
    const fits: Calibration[] = [];
    for (const estimator of estimators) fits.push(await fit(estimator, { width }));
    requireImages(fits[0], positionals[0]);
    const images = imageFolders(values);
    const access = { asked: text(values, 'python'), yes: values.yes === true };
    const plainly = await judgePlainly(fits, rows, report, {
      ...{ count: wholeNumber(values, 'files'), images, ...access, signal },
    });
    const chosen = chosenOf(fits, wished);
    const all = await calibrateAll((estimator, more) => fit(estimator, { width, ...more }));
    const ablations: Ablation[] = [];
    for (const by of weightings)
      for (const limit of epsilons) {
        const { lambda, heldOut } = await fit(chosen.options.estimator, { weights: by, epsilon: limit });
        ablations.push({ weights: by, epsilon: limit, lambda, heldOut: heldOut.total });
      }
    if (out !== undefined) await save(out, chosen, report, positionals[0]);
    const html = text(values, 'html');
    if (html !== undefined)
      await writeWhole(html, calibrationHtml(report, fits, chosen, [...all.fits, all.quantile]));
    const accuracy =
      preferences === undefined || out === undefined
        ? undefined
        : await sides({ path: preferences, images, ...access }, { report, out }, signal);
    if (values.json) {
      printJson({
        chosen: chosen.options.estimator,
        ...(plainly === undefined ? {} : { files: plainly }),
        fits,
        ablations,
        allFamilies: all,
        ...(accuracy === undefined ? {} : { accuracy }),
      });
      return 0;
    }
    showFits(fits, { chosen, wished: wished !== undefined, plainly }, ablations);
    showAllFamilies(all);
    if (accuracy !== undefined) {
      const [raw, after] = accuracy.map(
        ({ value, ci, n }) => `${figure(value, ci)}${ci === undefined ? '' : ` ${endsOf(ci)}`} over ${n}`,
      );
      print(`\nAgreement with human preferences: raw ${raw}, calibrated ${after}.`);
    }
    if (out !== undefined) print(`\nevaluator: ${out}`);
    return 0;
  },
};

function requireImages({ dev, heldOut }: Calibration, at: string): void {
  if (dev.images === 0 || heldOut.images === 0)
    throw inputError(
      'The report has too few images. Captious fits the correction on one part of them and tests it on the other part.',
      'Audit a larger dataset, or change --dev.',
      at,
    );
}

async function referenceOf(path: string, of: Report): Promise<Reference> {
  const { report, rows } = await auditAt(path);
  if (report.dataset.sha256 !== of.dataset.sha256)
    throw inputError(
      'The reference report is for another dataset.',
      'Audit the same file with the reference evaluator.',
      path,
    );
  return {
    name: report.evaluator.id,
    scores: new Map(rows.flatMap((row) => (row.score === null ? [] : [[keyOfRow(row), row.score]]))),
  };
}

async function save(out: string, chosen: Calibration, report: Report, from: string): Promise<void> {
  const { options, lambda, families, heldOut, plain } = chosen;
  const measured = plain?.heldOut ?? heldOut;
  const how = plain === undefined ? say('calibrate.changedByCaptious') : say('calibrate.changedFiles');
  const file = {
    kind: 'calibrated',
    name: `${report.evaluator.name}, calibrated (${options.estimator})`,
    encoder: encoderOf(report),
    estimator: options.estimator,
    lambda,
    families,
    fitted: say(
      'calibrate.fitted',
      ...[chosen.dev.images, resolve(from), options.weights, options.epsilon, options.seed, options.dev],
      ...[measured.images, how, figure(measured.total.before), figure(measured.total.after)],
    ),
  };
  await writeWhole(out, `${JSON.stringify(file, null, 1)}\n`);
}

async function sides(
  {
    path,
    images,
    asked,
    yes: allows,
  }: { path: string; images: readonly string[]; asked: string | undefined; yes: boolean },
  { report, out }: { report: Report; out: string },
  signal: AbortSignal,
): Promise<PreferenceAccuracy[]> {
  const home = homeFolder();
  const bench = createBench({ store: storeFolder(home) });
  const evaluators: Evaluator[] = [];
  try {
    for (const ref of [encoderOf(report), out])
      // The report's author chose this evaluator, so its code needs consent.
      evaluators.push(await openAsking(ref, { home, signal, python: { asked, confirm: true } }, allows));
    refuseOther(evaluators[0], report);
    return await preferenceAccuracy(path, evaluators, { bench, images, signal, onPartly: logPartly });
  } finally {
    await bench.close();
    await Promise.all(evaluators.map((evaluator) => evaluator.close()));
  }
}

function share(key: string, given: string): number {
  const value = Number(given);
  if (given.trim() !== '' && value >= 0 && value <= 1) return value;
  throw usageError(`"${given}" is not a value of --${key}.`, 'Give a number between 0 and 1.');
}
