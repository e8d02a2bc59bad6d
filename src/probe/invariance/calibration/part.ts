import { allOf, eachOf, type Steps } from '../../../base/turns/steps';
import { correctionOf, type CalibratedFamily, type Standing } from '../../../evaluator/calibration';
import { spearman } from '../../../stats/correlation';
import { isDefined } from '../../../stats/outcome';
import { median } from '../../../stats/summary';
import { imageInterval } from '../../inference/interval';
import type { Metric } from '../../metric';
import { flipRiskMetrics } from '../rrf';
import { type Axis, type InvarianceRow, type InvarianceVariant, isMainVariant } from '../row';
import type { CalibrateOptions, FamilyRisk, PartFigures, Reference } from './calibration';
import { changeOfTotal } from './changeOfTotal';

export function keyOfRow({ example, text }: Pick<InvarianceRow, 'example' | 'text'>): string {
  return JSON.stringify([example, text]);
}

/** The score after a change, the score that it is compared with, and what corrects each (`standings`). */
interface Pair {
  axis: Axis;
  family: string;
  image: string;
  score: number;
  against: number;
  standings: { score: Standing[]; against: Standing[] };
}

export interface Unit {
  row: InvarianceRow;
  image: string;
  isDev: boolean;
}

/** Computes the sensitivity, the agreement and the flip risk of one part of the images for any λ. */
export class Part {
  private readonly pairs: Pair[];
  private readonly bases: { key: string; score: number; standings: Standing[] }[];

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
      standings: this.standings(row, row.score!, undefined),
    }));
  }

  private pairsOf({ row, image }: Unit): Pair[] {
    return row.variants.filter(isMainVariant).map((variant) => {
      const { axis, family, score, against } = variant;
      const spatial = axis === 'spatial';
      return {
        axis,
        family,
        image,
        score,
        against,
        standings: spatial
          ? { score: this.standings(row, score, variant), against: this.standings(row, against, undefined) }
          : this.wordStandings(row, variant),
      };
    });
  }

  /** One standing for each family of image changes. Orbits include moved objects only with `inRows`. */
  private standings(row: InvarianceRow, own: number, variant: InvarianceVariant | undefined): Standing[] {
    return this.families
      .filter(({ words }) => words === undefined)
      .map((family) => {
        const isOwn = variant?.family === family.name;
        const orbit = row.variants.filter(
          (other) => other.family === family.name && (this.inRows || other.transform?.op !== 'move'),
        );
        const others = orbit.filter((other) => other !== variant).map(({ score }) => score);
        if (isOwn && orbit.length > 0) others.push(row.score!);
        return { ...family, variant: isOwn, score: isOwn ? own : row.score!, others };
      });
  }

  /**
   * The standings of a changed caption and of its neutral caption. With `inRows`, the orbit is the neutral caption
   * and its variants of the same family. The image is always the original one.
   */
  private wordStandings(row: InvarianceRow, variant: InvarianceVariant): Pair['standings'] {
    const own = this.families.filter(({ name }) => name === variant.family);
    const score = own.map((family) => ({ ...family, variant: true, score: variant.score, others: [] }));
    if (!this.inRows) return { score, against: [] };
    const words = row.variants.filter(
      (other) =>
        isMainVariant(other) && other.family === variant.family && other.againstText === variant.againstText,
    );
    const others = words.filter((other) => other !== variant).map((other) => other.score);
    return {
      score: score.map((standing) => ({ ...standing, others: [variant.against, ...others] })),
      against: own.map((family) => ({
        ...family,
        variant: false,
        score: variant.against,
        others: words.map((other) => other.score),
      })),
    };
  }

  private get inRows(): boolean {
    return this.options.orbits === 'rows';
  }

  private corrected(score: number, standings: readonly Standing[], lambda: number): number {
    return score - lambda * correctionOf(this.options.estimator, standings, this.options.quantile);
  }

  private delta({ score, against, standings }: Pair, lambda: number): number {
    return (
      this.corrected(score, standings.score, lambda) - this.corrected(against, standings.against, lambda)
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

  /** Spearman's ρ with each reference, over the captions that the reference also scored. Null if not defined. */
  agreement(lambda: number): (number | null)[] {
    return this.references.map(({ scores }) => {
      const shared = this.bases.filter(({ key }) => scores.has(key));
      const rho = spearman(
        shared.map(({ score, standings }) => this.corrected(score, standings, lambda)),
        shared.map(({ key }) => scores.get(key)!),
      );
      return isDefined(rho) ? rho.coefficient : null;
    });
  }

  *figures(lambda: number): Steps<PartFigures> {
    const families = yield* eachOf(this.present, (one) => this.familyFigures(one, lambda));
    const before = this.agreement(0);
    const after = this.agreement(lambda);
    return {
      images: new Set(this.units.map(({ image }) => image)).size,
      families,
      total: yield* this.totals(lambda),
      rrf: yield* allOf(['spatial', 'societal'] as const, (axis) => this.axisRisks(axis, lambda)),
      agreement: this.references.map(({ name, scores }, i) => ({
        reference: name,
        n: this.bases.filter(({ key }) => scores.has(key)).length,
        before: before[i],
        after: after[i],
      })),
    };
  }

  private *familyFigures(
    one: Part['present'][number],
    lambda: number,
  ): Steps<PartFigures['families'][number]> {
    yield;
    const [before, after] = [this.sensitivity(one.family, 0), this.sensitivity(one.family, lambda)];
    if (this.options.byFamily !== true) return { ...one, before, after };
    const beforeCi = yield* this.interval(one.family, 0);
    return { ...one, before, after, beforeCi, afterCi: yield* this.interval(one.family, lambda) };
  }

  private *axisRisks(axis: Axis, lambda: number): Steps<PartFigures['rrf']> {
    const { width } = this.options;
    const isOwn = (pair: Pair) => pair.axis === axis;
    if (width === undefined || !this.pairs.some(isOwn)) return [];
    const id = `invariance.${axis}`;
    const before = yield* this.risk(id, isOwn, 0, width);
    return [{ axis, before, after: yield* this.risk(id, isOwn, lambda, width) }];
  }

  /** The interval of the median size of a family's changes, calibrated with lambda. Resamples images. */
  private *interval(family: string, lambda: number): Steps<readonly [number, number] | undefined> {
    const own = this.pairs.filter((pair) => pair.family === family);
    const found = yield* imageInterval({
      values: Float64Array.from(own, (pair) => Math.abs(this.delta(pair, lambda))),
      clusters: own.map(({ image }) => image),
      statistic: 'median',
    });
    return isDefined(found) ? [found.low, found.high] : undefined;
  }

  /** Table 16 of the paper: each family's flip risk before and after calibration. */
  *familyRisks(lambda: number): Steps<FamilyRisk[]> {
    const { width } = this.options;
    if (width === undefined) return [];
    const risks: FamilyRisk[] = [];
    for (const { family, axis } of this.present) {
      const isOwn = (pair: Pair) => pair.family === family;
      const id = `invariance.${axis}.${family}`;
      const before = yield* this.risk(id, isOwn, 0, width);
      risks.push({ family, axis, before, after: yield* this.risk(id, isOwn, lambda, width) });
    }
    return risks;
  }

  private *totals(lambda: number): Steps<PartFigures['total']> {
    const total: PartFigures['total'] = { before: this.total(0), after: this.total(lambda) };
    if (this.options.width === undefined || lambda === 0) return total;
    const sizes = (at: number): Float64Array =>
      Float64Array.from(this.pairs, (pair) => Math.abs(this.delta(pair, at)));
    const interval = yield* changeOfTotal({
      families: this.pairs.map(({ family }) => family),
      images: this.pairs.map(({ image }) => image),
      before: sizes(0),
      after: sizes(lambda),
    });
    if (interval !== undefined) total.ci = interval;
    return total;
  }

  private *risk(id: string, isOwn: (pair: Pair) => boolean, lambda: number, width: number): Steps<Metric> {
    const own = this.pairs.filter(isOwn);
    const metrics = yield* flipRiskMetrics(
      id,
      Float64Array.from(own, (pair) => this.delta(pair, lambda) / width),
      { images: own.map(({ image }) => image) },
      undefined,
      [0.7],
    );
    return metrics[0];
  }
}
