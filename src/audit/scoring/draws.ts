/* Several draws of the variants in one run: the same examples with consecutive seeds. */
import type { Outcome } from '../../base/outcome';
import type { Steps } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { type Metric, ownCluster, type Row } from '../../probe/metric';
import type { Findings, PairProbe, PlanContext, Summary } from '../../probe/probe';
import { type Known, scoresOf, type PlannedDraw } from './follow';
import type { Checked } from './needed';
import type { PairRun } from './pairRun';

/**
 * The summary of all draws. An image counts once, with the rows of all draws, so intervals over images hold what the
 * draws contribute, too. Each main metric also has its value in each draw.
 */
export class DrawsSummary implements Summary<Row> {
  private readonly byDraw: ReadonlyMap<number | undefined, Summary<Row>>;

  constructor(
    private readonly all: Summary<Row>,
    seeds: readonly number[],
    summary: (seed: number) => Summary<Row>,
  ) {
    this.byDraw = new Map(seeds.map((seed) => [seed, summary(seed)]));
  }

  add(row: Row): void {
    this.all.add(row);
    this.byDraw.get(row.seed)?.add(row);
  }

  soFar(): Metric[] {
    return this.all.soFar();
  }

  *finish(): Steps<Findings> {
    const findings = yield* this.all.finish();
    const draws = [...this.byDraw.values()].map(
      (summary) => new Map(summary.soFar().map(({ id, value }) => [id, value])),
    );
    const metrics = findings.metrics.map((metric) =>
      metric.slice === undefined && draws.some((values) => values.has(metric.id))
        ? { ...metric, draws: draws.map((values) => values.get(metric.id) ?? null) }
        : metric,
    );
    return { ...findings, metrics };
  }
}

/** The summary of a run with these seeds, or of one draw. */
export function summaryOfDraws(
  probe: PairProbe,
  context: Omit<PlanContext, 'image' | 'scores'>,
  { scores, scale }: Pick<PlanContext, 'scores' | 'scale'>,
  seeds: readonly number[] | undefined,
): Summary<Row> {
  const summary = (seed: number): Summary<Row> => probe.summary({ ...context, seed, scores, scale });
  const all = summary(context.seed);
  return seeds === undefined ? all : new DrawsSummary(all, seeds, summary);
}

interface MeasuredDraw {
  /** What each pair of the plan got. Undefined for pairs that need no score. */
  outcomes: (Outcome<number> | undefined)[];
  lost: { variants: number; captions: number };
  kinds: readonly string[] | undefined;
  rows: Row[];
}

/** The rows of one draw of an example, and what became of its pairs. Takes their outcomes from `results`. */
export function measuredDraw(
  run: Pick<PairRun, 'probe' | 'seeds'>,
  example: Example,
  { planned: { plan, context: known }, seams, unneeded }: Checked<PlannedDraw>,
  onlyMeasured: Known,
  results: Iterator<Outcome<number>>,
): MeasuredDraw {
  const context = { ...known, ...onlyMeasured };
  const outcomes = plan.wants.map((_, want) => (unneeded.has(want) ? undefined : results.next().value));
  const scores = scoresOf(outcomes);
  const lost = { variants: 0, captions: 0 };
  const rows = run.probe.measure(example, plan, scores, context, seams, (more) => {
    lost.variants += more.variants ?? 0;
    lost.captions += more.captions ?? 0;
  });
  const ofDraw = run.seeds === undefined ? {} : { seed: context.seed };
  return {
    outcomes,
    lost,
    kinds: run.probe.kinds?.(plan),
    rows: rows.map((row): Row => ({ ...row, ...ownCluster(example), ...ofDraw })),
  };
}
