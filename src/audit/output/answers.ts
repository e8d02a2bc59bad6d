import { together } from '../../base/say';
import { append } from '../../base/lists';
import { eachOf, inTurns, type Steps } from '../../base/turns/steps';
import type { Bench } from '../../bench/bench';
import type { Derived, Evaluator, Measure } from '../../evaluator/evaluator';
import { wantKey } from '../../evaluator/wantKey';
import { Clusters, Figure } from '../../probe/figure';
import type { Metric } from '../../probe/metric';
import type { Want } from '../../protocol/item';
import { distinctWants, type VariantsRequest } from '../scoring/distinctWants';

const atOnce = 256;

/** Measures an evaluator's answers, for example their stability. */
export async function measuresOfAnswers(
  evaluator: Evaluator,
  request: Omit<VariantsRequest, 'out' | 'writeImages' | 'kinds'>,
  bench: Pick<Bench, 'scores'>,
): Promise<Metric[]> {
  const metrics: Metric[] = [];
  for (const level of levelsOf(evaluator))
    append(metrics, await measuresAt(level, evaluator, request, bench));
  return metrics;
}

async function measuresAt(
  { outer, derived, measure }: Level,
  evaluator: Evaluator,
  request: Parameters<typeof measuresOfAnswers>[1],
  bench: Pick<Bench, 'scores'>,
): Promise<Metric[]> {
  const answers: number[][] = [];
  /** The cluster of each list in `answers`. */
  const images: number[] = [];
  const clusters = new Clusters();
  const seen = new Set<string>();
  const add = async (wants: readonly Clustered[]): Promise<void> => {
    // Several pairs may share answers, which count once.
    const parts = wants
      .map(({ want, cluster }) => ({ own: derived.expand(want), cluster }))
      .filter(({ own }) => {
        const key = own.map(wantKey).join(' ');
        const isNew = own.length > 0 && !seen.has(key);
        seen.add(key);
        return isNew;
      });
    const outcomes = await bench.scores(
      derived.inner,
      parts.flatMap(({ own }) => own),
      request.signal,
    );
    let at = 0;
    for (const { own, cluster } of parts) {
      const scores = outcomes
        .slice(at, (at += own.length))
        .flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
      if (scores.length < own.length) continue;
      answers.push(scores);
      images.push(clusters.of(cluster));
    }
  };
  let wants: Clustered[] = [];
  for await (const { want, cluster } of distinctWants(
    { ...request, kinds: evaluator.info.scores },
    evaluator,
  )) {
    append(
      wants,
      outer(want).flatMap((part) => (derived.refuse?.(part) === undefined ? [{ want: part, cluster }] : [])),
    );
    if (wants.length < atOnce) continue;
    await add(wants);
    wants = [];
  }
  await add(wants);
  return inTurns(
    eachOf(measure(answers), (found) => metricOf(found, images)),
    request.signal,
  );
}

interface Clustered {
  want: Want;
  cluster: string;
}

function* metricOf({ shares, ...found }: Measure, images: readonly number[]): Steps<Metric> {
  if (shares === undefined) return found;
  const figure = new Figure();
  for (const [i, share] of shares.entries()) figure.add(share, images[i]);
  const { note, ...metric } = yield* figure.metric(found.id, { share: true });
  return { ...metric, note: together(found.note, note) };
}

/** A derived evaluator whose answers can be measured. Other derived evaluators may wrap it. */
interface Level {
  /** Converts a pair for the outermost evaluator to pairs for this evaluator. */
  outer: (want: Want) => Want[];
  derived: Derived;
  measure: NonNullable<Derived['measure']>;
}

function levelsOf({ derived }: Evaluator): Level[] {
  if (derived === undefined) return [];
  const expand = (want: Want): Want[] => (derived.refuse?.(want) === undefined ? derived.expand(want) : []);
  const inner = levelsOf(derived.inner).map((level) => ({
    ...level,
    outer: (want: Want) => expand(want).flatMap(level.outer),
  }));
  const { measure } = derived;
  return measure === undefined ? inner : [{ outer: (want) => [want], derived, measure }, ...inner];
}
