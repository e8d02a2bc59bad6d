/** Estimates metrics of a whole LGIP report from the judgments of a sample. */
import { english } from '../../base/english';
import { mean } from '../../stats/summary';
import { stratifiedMean, type StratifiedMean, type Unit } from '../../stats/agreement/stratified';
import { stratifiedRatio, type ValuedUnit } from '../../stats/agreement/stratifiedRatio';
import { wilsonInterval } from '../../stats/proportion';
import { isDefined, type Outcome } from '../../stats/outcome';
import { clusterOf } from '../../probe/metric';
import type { LgipRow, LgipVariant } from '../../probe/lgip/row';
import type { SampleOptions } from '../draw';
import { type Placed, type Strata, strataOf } from '../strata';
import type { LgipVerdict } from './merge';
import { keepsMeaning, lgipId, lgipPath } from './variants';

/** An estimate with its interval. `note` says why the estimate or the interval is missing. */
export interface Estimated {
  estimate: number | null;
  ci?: [number, number];
  /** The interval computed from the labels only, without the scores of unlabelled variants. */
  labelsOnly?: [number, number];
  note?: string;
}

export type ValidShare = ReturnType<typeof validShare>;

export interface CorrectedMetric extends Estimated {
  id: string;
  /** The metric's value in the report, computed from all variants. */
  reported: number;
  labels: number;
  variants: number;
}

export interface Correction {
  /** Each family's share of valid variants. */
  valid: ValidShare[];
  /** Estimates of the pooled metrics over valid variants only. */
  metrics: CorrectedMetric[];
  leftOut: string[];
  pooled: string[];
}

interface Labelled extends Placed {
  cluster: string;
  /** For a paraphrase, the absolute shift. For any other variant, the caption's score minus the variant's. */
  score: number;
}

/** Metrics that are means over variants. `of` returns a variant's value from its score. */
const pooledMetrics: readonly { id: string; family: string; of: (score: number) => number }[] = [
  { id: 'lgip.inv.pooled', family: 'paraphrase', of: (shift) => shift },
  { id: 'lgip.sens.pooled', family: 'flip', of: (gap) => gap },
  { id: 'lgip.pr.pooled', family: 'flip', of: (gap) => (gap > 0 ? 1 : 0) },
];

export class LgipCorrection {
  private readonly variants: Labelled[] = [];
  private readonly labels: ReadonlyMap<string, number>;
  /** The variants of the last example, whose rows of all draws follow each other. */
  private last: { example: string; seen: Set<string> } | undefined;

  constructor(
    verdicts: readonly LgipVerdict[],
    private readonly strata: SampleOptions['strata'],
  ) {
    this.labels = new Map(verdicts.map(({ id, valid }) => [id, valid ? 1 : 0]));
  }

  add(row: LgipRow): void {
    if (this.last?.example !== row.example) this.last = { example: row.example, seen: new Set() };
    const { seen } = this.last;
    for (const variant of row.variants) {
      const id = lgipId(row, variant);
      const label = this.labels.get(id);
      this.variants.push({
        path: lgipPath(row.text, variant, this.strata),
        cluster: clusterOf(row),
        score: scoreOf(variant),
        isRepeat: seen.has(id),
        ...(label === undefined ? {} : { label }),
      });
      seen.add(id);
    }
  }

  /** All variants of families with enough labels, each with its stratum. */
  units(): { units: Unit[]; leftOut: string[] } {
    const { placed, leftOut } = strataOf(this.variants);
    return { units: placed.map(unitOf), leftOut };
  }

  finish(): Correction {
    const strata = strataOf(this.variants);
    const { leftOut, pooled } = strata;
    const families = familiesOf(strata);
    return {
      valid: families.map((family) => validShare(strata, family)),
      metrics: pooledMetrics
        .filter(({ family }) => families.includes(family))
        .map(({ id, family, of }) => {
          const units = ofFamily(strata, family).map((one): ValuedUnit => {
            const value = of(one.unit.score);
            return { ...unitOf(one), value };
          });
          const range: [number, number] | undefined = id === 'lgip.pr.pooled' ? [0, 1] : undefined;
          return {
            id,
            reported: mean(units.map(({ value }) => value)),
            ...sizes(ofFamily(strata, family)),
            ...estimated(stratifiedRatio(units), range),
          };
        }),
      leftOut,
      pooled,
    };
  }
}

/** Each family's share of valid variants, with the families that have too few labels. */
export function validShares(units: readonly Labelled[]): {
  valid: ValidShare[];
  leftOut: string[];
} {
  const strata = strataOf(units);
  return {
    valid: familiesOf(strata).map((family) => validShare(strata, family)),
    leftOut: strata.leftOut,
  };
}

function familiesOf({ placed }: Strata<Labelled>): string[] {
  return [...new Set(placed.map(({ unit }) => unit.path[0]))].sort();
}

function validShare(strata: Strata<Labelled>, family: string) {
  const units = ofFamily(strata, family).map(unitOf);
  return {
    family,
    ...sizes(ofFamily(strata, family)),
    ...(unanimous(units) ?? estimated(stratifiedMean(units), [0, 1])),
  };
}

function scoreOf({ family, delta }: LgipVariant): number {
  return keepsMeaning(family) ? Math.abs(delta) : -delta;
}

function ofFamily({ placed }: Strata<Labelled>, family: string): Strata<Labelled>['placed'] {
  return placed.filter(({ unit }) => unit.path[0] === family);
}

function unitOf({ unit: { cluster, score, label }, stratum }: { unit: Labelled; stratum: string }): Unit {
  return { stratum, cluster, score, ...(label === undefined ? {} : { label }) };
}

function sizes(placed: Strata<Labelled>['placed']): { labels: number; variants: number } {
  const distinct = placed.filter(({ unit }) => unit.isRepeat !== true);
  return {
    labels: distinct.filter(({ unit }) => unit.label !== undefined).length,
    variants: distinct.length,
  };
}

/**
 * The estimate if all labels are equal, otherwise undefined. The interval is Wilson's with each image as one trial,
 * because equal labels have no variance.
 */
function unanimous(units: readonly Unit[]): Estimated | undefined {
  const labelled = units.filter(({ label }) => label !== undefined);
  const first = labelled[0]?.label;
  if (first === undefined || labelled.some(({ label }) => label !== first)) return undefined;
  const images = new Set(labelled.map(({ cluster }) => cluster)).size;
  const found = wilsonInterval(first * images, images);
  if (!isDefined(found)) return undefined;
  const ci: [number, number] = [found.low, found.high];
  return { estimate: first, ci, labelsOnly: ci };
}

/** Limits an estimate and its interval to `range`. */
function estimated(found: Outcome<StratifiedMean>, range?: readonly [number, number]): Estimated {
  if (!isDefined(found)) return { estimate: null, note: `No estimate: ${english(found.reason)}.` };
  const within = (value: number): number =>
    range === undefined ? value : Math.min(range[1], Math.max(range[0], value));
  const { estimate, low, high, labelsOnly } = found;
  if (high === low)
    return {
      estimate: within(estimate),
      note: 'No interval: the labelled variants do not differ within any stratum.',
    };
  return {
    estimate: within(estimate),
    ci: [within(low), within(high)],
    labelsOnly: [within(labelsOnly.low), within(labelsOnly.high)],
  };
}
