import { append } from '../../base/append';
import type { Bench } from '../../bench/bench';
import type { Derived, Evaluator, Measure } from '../../evaluator/evaluator';
import type { Want } from '../../protocol/item';
import { distinctWants, type VariantsRequest } from '../variants';

const atOnce = 256;

/**
 * What an evaluator says about the answers behind its scores, such as how stable they are. The answers of a
 * finished run come from the store, also after a resume.
 */
export async function measuresOfAnswers(
  evaluator: Evaluator,
  request: Omit<VariantsRequest, 'out' | 'writeImages' | 'kinds'>,
  bench: Pick<Bench, 'scores'>,
): Promise<Measure[]> {
  const { outer, derived } = measuring(evaluator);
  if (derived?.measure === undefined) return [];
  const answers: number[][] = [];
  const add = async (wants: readonly Want[]): Promise<void> => {
    const parts = wants.map(derived.expand);
    const outcomes = await bench.scores(derived.inner, parts.flat(), request.signal);
    let at = 0;
    for (const { length } of parts) {
      const own = outcomes.slice(at, (at += length));
      const scores = own.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
      if (scores.length === length && length > 0) answers.push(scores);
    }
  };
  let wants: Want[] = [];
  for await (const { want } of distinctWants({ ...request, kinds: evaluator.info.scores })) {
    append(
      wants,
      outer(want).filter((part) => derived.refuse?.(part) === undefined),
    );
    if (wants.length < atOnce) continue;
    await add(wants);
    wants = [];
  }
  await add(wants);
  return derived.measure(answers);
}

/** Finds the derived score with a `measure`. `outer` gives the pairs that this score receives for a pair of the probe. */
function measuring({ derived }: Evaluator): { outer: (want: Want) => Want[]; derived: Derived | undefined } {
  if (derived === undefined || derived.measure !== undefined) return { outer: (want) => [want], derived };
  const inner = measuring(derived.inner);
  const expand = (want: Want): Want[] => (derived.refuse?.(want) === undefined ? derived.expand(want) : []);
  return { outer: (want) => expand(want).flatMap(inner.outer), derived: inner.derived };
}
