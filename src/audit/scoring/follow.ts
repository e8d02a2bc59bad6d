/* What is asked of an evaluator about planned examples apart from the pairs of their plans. */
import type { Outcome } from '../../base/outcome';
import type { Example } from '../../dataset/example';
import { type Evaluator, requestOf } from '../../evaluator/evaluator';
import type { PlanContext, Plan } from '../../probe/probe';
import type { Want } from '../../protocol/item';
import type { Checked } from './needed';
import type { PairRun } from './pairRun';

export interface PlannedDraw {
  plan: Plan;
  context: PlanContext;
}

export interface Planned {
  example: Example;
  draws: PlannedDraw[];
}

/** What only `measure` knows about an evaluator's pairs. */
export type Known = Pick<PlanContext, 'truncates' | 'request'>;

export async function knownOf(
  run: PairRun,
  evaluator: Evaluator,
  planned: readonly Planned[],
): Promise<Known> {
  const truncates = await truncationOf(run, evaluator, planned);
  const request = await requestsOf(evaluator, planned);
  return { ...(truncates === undefined ? {} : { truncates }), ...(request === undefined ? {} : { request }) };
}

/** The requests of pairs whose text holds an instruction. Undefined if there are none. */
async function requestsOf(evaluator: Evaluator, planned: readonly Planned[]): Promise<Known['request']> {
  const requests = new Map<Want, string>();
  for (const { draws } of planned)
    for (const { plan } of draws)
      for (const want of plan.wants) {
        const { right } = want;
        if (right.kind !== 'text' || right.injection === undefined) continue;
        const request = await requestOf(evaluator, want);
        if (request !== undefined) requests.set(want, request);
      }
  return requests.size === 0 ? undefined : (want) => requests.get(want);
}

/** Measures the texts whose truncation the probe asks for. Undefined if it asks for none, or the limit is not known. */
async function truncationOf(
  { probe, signal }: PairRun,
  evaluator: Evaluator,
  planned: readonly Planned[],
): Promise<PlanContext['truncates']> {
  if (probe.textsToMeasure === undefined || evaluator.measureTexts === undefined) return undefined;
  const plans = planned.flatMap(({ draws }) => draws.map(({ plan }) => plan));
  const texts = [...new Set(plans.flatMap((plan) => probe.textsToMeasure!(plan)))];
  const sizes = texts.length === 0 ? [] : await evaluator.measureTexts(texts, signal);
  const cut = new Map(texts.map((text, at) => [text, sizes[at].cut]));
  return (text) => cut.get(text);
}

export function scoresOf(outcomes: readonly (Outcome<number> | undefined)[]): Float64Array {
  return Float64Array.from(outcomes, (outcome) => (outcome?.ok === true ? outcome.value : NaN));
}

/** Lets the probe ask for further scores, for all examples side by side. `outcomes` are those of all plans, in order. */
export async function followPlans(
  { probe, bench, signal }: PairRun,
  evaluator: Evaluator,
  planned: readonly Planned[],
  checked: readonly Checked<PlannedDraw>[],
  outcomes: readonly Outcome<number>[],
): Promise<void> {
  if (probe.follow === undefined) return;
  const ask = async (wants: readonly Want[]): Promise<Float64Array> =>
    scoresOf(await bench.scores(evaluator, wants, signal));
  const examples = planned.flatMap(({ example, draws }) => draws.map(() => example));
  const results = outcomes.values();
  await Promise.all(
    checked.map(({ planned: { plan, context }, unneeded }, i) => {
      const own = plan.wants.map((_, want) => (unneeded.has(want) ? undefined : results.next().value));
      return probe.follow!(examples[i], plan, scoresOf(own), context, ask);
    }),
  );
}
