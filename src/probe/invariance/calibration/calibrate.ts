import { valueIn } from '../../../base/lists';
import { smallest } from '../../../base/extent';
import { eachOf, type Steps } from '../../../base/turns/steps';
import { Random } from '../../../base/random';
import { type CalibratedFamily, correctsPlainFiles, type Estimator } from '../../../evaluator/calibration';
import { median } from '../../../stats/summary';
import { clusterOf } from '../../metric';
import type { CalibrateOptions, Calibration, Reference } from './calibration';
import { calibrationWords } from './calibrationWords';
import { type InvarianceRow, type InvarianceVariant, isMainVariant, mainRows } from '../row';
import { Part, type Unit } from './part';

export const lambdas: readonly number[] = Array.from({ length: 21 }, (_, i) => i / 20);

/** Chooses λ on one part of the images and measures its effect on the other part. */
export function* calibrate(
  rows: readonly InvarianceRow[],
  references: readonly Reference[],
  options: CalibrateOptions,
): Steps<Calibration> {
  const units = unitsOf(rows, options);
  const dev = units.filter(({ isDev }) => isDev);
  const heldOut = units.filter(({ isDev }) => !isDev);
  const families = familiesOf(dev, options);
  const parts = {
    dev: new Part(dev, families, references, options),
    heldOut: new Part(heldOut, families, references, options),
  };
  const sweep = yield* eachOf(lambdas, function* (lambda) {
    yield;
    const agreement = parts.dev.agreement(lambda);
    const start = parts.dev.agreement(0);
    const allowed = agreement.every(
      (rho, i) => rho === null || start[i] === null || rho >= start[i] - options.epsilon,
    );
    yield;
    const heldOut = { total: parts.heldOut.total(lambda), agreement: parts.heldOut.agreement(lambda) };
    return { lambda, total: parts.dev.total(lambda), agreement, allowed, heldOut };
  });
  const least = smallest(sweep.filter(({ allowed }) => allowed).map(({ total }) => total));
  // Sums of equal values in another order may differ in their last digits. This must not count as lower
  // sensitivity.
  const { lambda } = sweep.find(({ allowed, total }) => allowed && total <= least * (1 + 1e-12))!;
  const calibration: Calibration = {
    options,
    lambda,
    families,
    sweep,
    dev: yield* parts.dev.figures(lambda),
    heldOut: yield* parts.heldOut.figures(lambda),
    words: [],
  };
  if (options.byFamily === true) {
    calibration.familyRrf = yield* parts.heldOut.familyRisks(lambda);
    calibration.oracle = sweep
      .map(({ lambda: at, heldOut: { total } }) => ({ lambda: at, total }))
      .reduce((best, one) => (one.total < best.total ? one : best));
  }
  calibration.words = calibrationWords(calibration, references.length);
  return calibration;
}

/**
 * The correction with the wished estimator. By default, among those that can correct plain files, the one with the lowest
 * sensitivity on such files made from the images for fitting. If that was not measured, these images as Captious changes them.
 */
export function chosenOf(fits: readonly Calibration[], wished?: Estimator): Calibration {
  const left = ({ plain, dev }: Calibration): number => (plain?.dev ?? dev).total.after;
  const least = fits
    .filter(({ options }) => correctsPlainFiles(options.estimator))
    .reduce((a, b) => (left(b) < left(a) ? b : a));
  return fits.find(({ options }) => options.estimator === wished) ?? least;
}

/** Whether an image serves to choose λ. The other images are held out. */
export function isForFitting(image: string, { seed, dev }: Pick<CalibrateOptions, 'seed' | 'dev'>): boolean {
  return new Random(seed, image, 'calibration split').uniform() < dev;
}

/** The main rows that have a score. Each image either serves to choose λ (`isDev`) or is held out. */
function unitsOf(rows: readonly InvarianceRow[], options: CalibrateOptions): Unit[] {
  return mainRows(rows).flatMap((row) => {
    if (row.score === null) return [];
    const image = clusterOf(row);
    return [{ row: withoutSides(row), image, isDev: isForFitting(image, options) }];
  });
}

/** The row without the moves that have their own caption: all members of an orbit must share one. */
function withoutSides(row: InvarianceRow): InvarianceRow {
  const isOther = ({ transform, text }: InvarianceVariant): boolean =>
    transform === undefined || text === undefined;
  return row.variants.every(isOther) ? row : { ...row, variants: row.variants.filter(isOther) };
}

/** The families of the rows, with their weights and median shifts. */
function familiesOf(dev: readonly Unit[], { weights }: CalibrateOptions): CalibratedFamily[] {
  const deltas = new Map<string, { family: CalibratedFamily; deltas: number[] }>();
  for (const { row } of dev) {
    for (const variant of row.variants.filter(isMainVariant)) {
      const { axis, family: name, delta, transform } = variant;
      const found = valueIn(deltas, name, () => ({ family: { name, weight: 1, shift: 0 }, deltas: [] }));
      found.deltas.push(delta);
      const { family } = found;
      if (axis === 'societal') family.words = [...new Set([...(family.words ?? []), variant.variant])];
      else if (transform?.op === 'move') family.op = 'move';
      else if (transform !== undefined) {
        const known = family.transforms ?? [];
        const isNew = known.every((other) => JSON.stringify(other) !== JSON.stringify(transform));
        family.transforms = isNew ? [...known, transform] : known;
      }
    }
  }
  const all = [...deltas.values()].sort((a, b) => (a.family.name < b.family.name ? -1 : 1));
  const sensitivities = all.map((one) => median(one.deltas.map(Math.abs)));
  const mean = sensitivities.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length);
  return all.map((one, i) => ({
    ...one.family,
    weight: weights === 'uniform' || mean === 0 ? 1 : sensitivities[i] / mean,
    shift: median(one.deltas),
  }));
}
