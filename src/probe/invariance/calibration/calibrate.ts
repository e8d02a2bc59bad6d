import { smallest } from '../../../base/extent';
import { Random } from '../../../base/random';
import { correctionOf, type CalibratedFamily, type Standing } from '../../../evaluator/calibration';
import { spearman } from '../../../stats/correlation';
import { isDefined } from '../../../stats/outcome';
import { median } from '../../../stats/summary';
import type { Metric } from '../../metric';
import { changeOfTotal } from './changeOfTotal';
import type { CalibrateOptions, Calibration, PartFigures, Reference } from './calibration';
import { calibrationWords } from './calibrationWords';
import { flipRiskMetrics } from '../rrf';
import { type InvarianceRow, type InvarianceVariant, type Axis, isMainVariant, mainRows } from '../row';

export const lambdas: readonly number[] = Array.from({ length: 21 }, (_, i) => i / 20);

export function keyOfRow({ example, text }: Pick<InvarianceRow, 'example' | 'text'>): string {
  return JSON.stringify([example, text]);
}

/** A changed score and the score to compare it with, each with its position in its orbit. */
interface Pair {
  axis: Axis;
  family: string;
  photo: string;
  score: number;
  against: number;
  partialMetrics: { score: Standing[]; against: Standing[] };
}

interface Unit {
  row: InvarianceRow;
  photo: string;
  isDev: boolean;
}

/** Chooses λ on one part of the images and measures its effect on the others. */
export function calibrate(
  rows: readonly InvarianceRow[],
  references: readonly Reference[],
  options: CalibrateOptions,
): Calibration {
  const units = unitsOf(rows, options);
  const dev = units.filter(({ isDev }) => isDev);
  const heldOut = units.filter(({ isDev }) => !isDev);
  const families = familiesOf(dev, options);
  const parts = {
    dev: new Part(dev, families, references, options),
    heldOut: new Part(heldOut, families, references, options),
  };
  const sweep = lambdas.map((lambda) => {
    const agreement = parts.dev.agreement(lambda);
    const start = parts.dev.agreement(0);
    const allowed = agreement.every(
      (rho, i) => rho === null || start[i] === null || rho >= start[i] - options.epsilon,
    );
    return { lambda, total: parts.dev.total(lambda), agreement, allowed };
  });
  const least = smallest(sweep.filter(({ allowed }) => allowed).map(({ total }) => total));
  // Sums in another order differ in their last digits, and that difference must not count as lower
  // sensitivity.
  const { lambda } = sweep.find(({ allowed, total }) => allowed && total <= least * (1 + 1e-12))!;
  const calibration: Calibration = {
    options,
    lambda,
    families,
    sweep,
    dev: parts.dev.figures(lambda),
    heldOut: parts.heldOut.figures(lambda),
    words: [],
  };
  calibration.words = calibrationWords(calibration, references.length);
  return calibration;
}

/** The rows of metrics without a slice, split so that all rows of an image are on the same side. */
function unitsOf(rows: readonly InvarianceRow[], { seed, dev }: CalibrateOptions): Unit[] {
  return mainRows(rows).flatMap((row) => {
    if (row.score === null) return [];
    const photo = row.image ?? row.example;
    return [{ row, photo, isDev: new Random(seed, photo, 'calibration split').uniform() < dev }];
  });
}

/** The families of the rows. Their weights and median shifts come from the part used for fitting. */
function familiesOf(dev: readonly Unit[], { weights }: CalibrateOptions): CalibratedFamily[] {
  const deltas = new Map<string, { family: CalibratedFamily; deltas: number[] }>();
  for (const { row } of dev) {
    for (const variant of row.variants.filter(isMainVariant)) {
      const { axis, family: name, delta, transform } = variant;
      let found = deltas.get(name);
      if (found === undefined) {
        found = { family: { name, weight: 1, shift: 0 }, deltas: [] };
        deltas.set(name, found);
      }
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

class Part {
  private readonly pairs: Pair[];
  private readonly bases: { key: string; score: number; partialMetrics: Standing[] }[];

  constructor(
    private readonly units: readonly Unit[],
    private readonly families: readonly CalibratedFamily[],
    private readonly references: readonly Reference[],
    private readonly options: CalibrateOptions,
  ) {
    this.pairs = units.flatMap((unit) => this.pairsOf(unit));
    this.bases = units.map(({ row }) => ({
      key: keyOfRow(row),
      score: row.score!,
      partialMetrics: this.partialMetrics(row, row.score!, undefined),
    }));
  }

  private pairsOf({ row, photo }: Unit): Pair[] {
    return row.variants.filter(isMainVariant).map((variant) => {
      const { axis, family, score, against } = variant;
      const spatial = axis === 'spatial';
      return {
        axis,
        family,
        photo,
        score,
        against,
        partialMetrics: spatial
          ? {
              score: this.partialMetrics(row, score, variant),
              against: this.partialMetrics(row, against, undefined),
            }
          : { score: this.wordStandings(variant), against: [] },
      };
    });
  }

  /** The pair's position in each orbit of image changes, computed like in the saved evaluator. */
  private partialMetrics(
    row: InvarianceRow,
    own: number,
    variant: InvarianceVariant | undefined,
  ): Standing[] {
    return this.families
      .filter(({ words }) => words === undefined)
      .map((family) => {
        const isOwn = variant?.family === family.name;
        const orbit = row.variants.filter(
          (other) => other.family === family.name && other.transform?.op !== 'move',
        );
        const others = orbit.filter((other) => other !== variant).map(({ score }) => score);
        if (isOwn && orbit.length > 0) others.push(row.score!);
        return { ...family, variant: isOwn, score: isOwn ? own : row.score!, others };
      });
  }

  /** A changed caption is only in its own orbit, because the rows contain no scores of it with changed images. */
  private wordStandings({ family, score }: InvarianceVariant): Standing[] {
    return this.families
      .filter(({ name }) => name === family)
      .map((own) => ({ ...own, variant: true, score, others: [] }));
  }

  private corrected(score: number, partialMetrics: readonly Standing[], lambda: number): number {
    return score - lambda * correctionOf(this.options.estimator, partialMetrics);
  }

  private delta({ score, against, partialMetrics }: Pair, lambda: number): number {
    return (
      this.corrected(score, partialMetrics.score, lambda) -
      this.corrected(against, partialMetrics.against, lambda)
    );
  }

  private sensitivity(family: string, lambda: number): number {
    return median(
      this.pairs.filter((pair) => pair.family === family).map((pair) => Math.abs(this.delta(pair, lambda))),
    );
  }

  private get present(): { family: string; axis: Axis; n: number }[] {
    const found = new Map<string, { family: string; axis: Axis; n: number }>();
    for (const { family, axis } of this.pairs) {
      const one = found.get(family) ?? { family, axis, n: 0 };
      one.n++;
      found.set(family, one);
    }
    return [...found.values()].sort((a, b) => (a.family < b.family ? -1 : 1));
  }

  total(lambda: number): number {
    return this.present.reduce((sum, { family }) => sum + this.sensitivity(family, lambda), 0);
  }

  /** Spearman's ρ with each reference over common captions; null if undefined. */
  agreement(lambda: number): (number | null)[] {
    return this.references.map(({ scores }) => {
      const shared = this.bases.filter(({ key }) => scores.has(key));
      const rho = spearman(
        shared.map(({ score, partialMetrics }) => this.corrected(score, partialMetrics, lambda)),
        shared.map(({ key }) => scores.get(key)!),
      );
      return isDefined(rho) ? rho.coefficient : null;
    });
  }

  figures(lambda: number): PartFigures {
    const families = this.present.map((one) => ({
      ...one,
      before: this.sensitivity(one.family, 0),
      after: this.sensitivity(one.family, lambda),
    }));
    const before = this.agreement(0);
    const after = this.agreement(lambda);
    return {
      photos: new Set(this.units.map(({ photo }) => photo)).size,
      families,
      total: this.totals(lambda),
      rrf: (['spatial', 'societal'] as const)
        .filter((axis) => this.pairs.some((pair) => pair.axis === axis))
        .flatMap((axis) => {
          const { width } = this.options;
          if (width === undefined) return [];
          return [{ axis, before: this.risk(axis, 0, width), after: this.risk(axis, lambda, width) }];
        }),
      agreement: this.references.map(({ name, scores }, i) => ({
        reference: name,
        n: this.bases.filter(({ key }) => scores.has(key)).length,
        before: before[i],
        after: after[i],
      })),
    };
  }

  private totals(lambda: number): PartFigures['total'] {
    const total: PartFigures['total'] = { before: this.total(0), after: this.total(lambda) };
    if (this.options.width === undefined || lambda === 0) return total;
    const sizes = (at: number): Float64Array =>
      Float64Array.from(this.pairs, (pair) => Math.abs(this.delta(pair, at)));
    const interval = changeOfTotal({
      families: this.pairs.map(({ family }) => family),
      photos: this.pairs.map(({ photo }) => photo),
      before: sizes(0),
      after: sizes(lambda),
    });
    if (interval !== undefined) total.ci = interval;
    return total;
  }

  private risk(axis: Axis, lambda: number, width: number): Metric {
    const own = this.pairs.filter((pair) => pair.axis === axis);
    const numbers = new Map([...new Set(own.map(({ photo }) => photo))].map((photo, i) => [photo, i]));
    const metrics = flipRiskMetrics(
      `invariance.${axis}`,
      Float64Array.from(own, (pair) => this.delta(pair, lambda) / width),
      Uint32Array.from(own, ({ photo }) => numbers.get(photo)!),
      undefined,
      [0.7],
    );
    return metrics[0];
  }
}
