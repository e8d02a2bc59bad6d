import { valueIn } from '../base/lists';
import { CaptiousError, pauses, throwIfCancelled, evaluatorError } from '../base/errors';
import { say, type Words } from '../base/say';
import type { Outcome } from '../base/outcome';
import type { Derived, Evaluator } from '../evaluator/evaluator';
import { noReferences, referencesOf } from '../evaluator/overlap/references';
import { type ImageItem, type Item, type TextItem, type Want, wantKind } from '../protocol/item';
import type { Bench, BenchOptions } from './bench';
import { BenchQueue } from './queue';
import type { Work } from './task';
import { similarity } from './similarity';
import type { Value } from './value';

export function createBench(options: BenchOptions = {}): Bench {
  const queue = new BenchQueue(options);
  return {
    scores: (evaluator, wants, signal) => scores(queue, evaluator, wants, signal),
    embeddings: (evaluator, items, signal) => embeddings(queue, evaluator, items, signal),
    cutTexts: (evaluator) => queue.cuts.count(reader(evaluator)),
    forgetCuts: (evaluator) => queue.cuts.forget(reader(evaluator)),
    takeNewCuts: (evaluator) => queue.cuts.take(reader(evaluator)),
    recallCuts: (evaluator, taken) => queue.cuts.recall(reader(evaluator), taken),
    close: () => queue.close(),
  };
}

/** The places of a pair's items in the list of works, or the reason why the pair has no score. */
type PlannedScore = { left: number; right?: number; scaled?: boolean } | { problem: Words };

async function scores(
  queue: BenchQueue,
  evaluator: Evaluator,
  wants: readonly Want[],
  signal: AbortSignal | undefined,
): Promise<Outcome<number>[]> {
  const { info } = evaluator;
  if (evaluator.derived !== undefined) return derivedScores(queue, evaluator.derived, wants, signal);
  throwIfCancelled(signal);
  if (evaluator.lookUp !== undefined) return evaluator.lookUp(wants);
  const works = new Works();
  const planned = (want: Want): PlannedScore => {
    const kind = wantKind(want);
    if (!info.scores.includes(kind)) {
      throw new CaptiousError('evaluator', say('bench.pairKindUnscorable', info.name, kind), {
        at: info.path,
        remedy: say('bench.chooseEvaluatorOrProbe'),
      });
    }
    if (kind !== 'image-text') return { left: works.item(want.left), right: works.item(want.right) };
    const image = want.left as ImageItem;
    const text = info.prefix + (want.right as TextItem).text;
    if (evaluator.scorePairs !== undefined) {
      const others = evaluator.references && referencesOf(want, evaluator.references);
      return others?.length === 0 ? { problem: noReferences } : { left: works.pair(image, text, others) };
    }
    return { left: works.item(image), right: works.item({ kind: 'text', text }), scaled: true };
  };
  const plans = await inTurn(wants, signal, planned);
  const outcomes = await measure(queue, evaluator, works.list, signal);
  return inTurn(plans, signal, (plan): Outcome<number> => {
    if ('problem' in plan) return { ok: false, problem: plan.problem };
    const { left, right, scaled } = plan;
    if (right === undefined) return scoreOf(outcomes[left]);
    const [a, b] = [vectorOf(outcomes[left]), vectorOf(outcomes[right])];
    if (a.ok && b.ok && a.value.length !== b.value.length) {
      throw new CaptiousError(
        'evaluator',
        say('bench.embeddingLengthsDiffer', info.name, a.value.length, b.value.length),
        { at: info.path, remedy: say('bench.checkModelHalvesMatch') },
      );
    }
    return similarity(a, b, scaled ? info.scale : undefined);
  });
}

/** Maps items with pauses, because an example with many captions has many pairs. */
async function inTurn<T, U>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  map: (item: T, index: number) => U,
): Promise<U[]> {
  const pause = pauses(signal);
  const mapped: U[] = [];
  for (const [i, item] of items.entries()) {
    await pause();
    mapped.push(map(item, i));
  }
  return mapped;
}

/** The innermost evaluator, which reads the texts. */
function reader(evaluator: Evaluator): Evaluator {
  const inner = evaluator.derived?.inner ?? evaluator.mapped?.inner;
  return inner === undefined ? evaluator : reader(inner);
}

/** Measures items. Embeddings are stored before a linear map is applied, so that a new map can reuse them. */
async function measure(
  queue: BenchQueue,
  evaluator: Evaluator,
  works: readonly Work[],
  signal: AbortSignal | undefined,
): Promise<Outcome<Value>[]> {
  const { mapped } = evaluator;
  if (mapped === undefined) return queue.measure(evaluator, works, signal);
  const outcomes = await measure(queue, mapped.inner, works, signal);
  return outcomes.map((outcome, i): Outcome<Value> => {
    if (!outcome.ok || outcome.value.kind !== 'vector') return outcome;
    const map = works[i].kind === 'text' ? mapped.text : mapped.image;
    return { ok: true, value: { ...outcome.value, vector: map(outcome.value.vector) } };
  });
}

/** Scores the parts of all pairs with the inner evaluator in one call. */
async function derivedScores(
  queue: BenchQueue,
  { inner, refuse, expand, combine }: Derived,
  wants: readonly Want[],
  signal: AbortSignal | undefined,
): Promise<Outcome<number>[]> {
  const problems = await inTurn(wants, signal, (want) => refuse?.(want));
  const parts = await inTurn(wants, signal, (want, i) => (problems[i] === undefined ? expand(want) : []));
  const outcomes = await scores(queue, inner, parts.flat(), signal);
  let at = 0;
  return inTurn(wants, signal, (want, i): Outcome<number> => {
    const problem = problems[i];
    if (problem !== undefined) return { ok: false, problem };
    const own = outcomes.slice(at, (at += parts[i].length));
    const failed = own.find((outcome) => !outcome.ok);
    if (failed !== undefined) return failed;
    const values = own.map((outcome) => (outcome.ok ? outcome.value : NaN));
    return { ok: true, value: combine(want, values) };
  });
}

async function embeddings(
  queue: BenchQueue,
  evaluator: Evaluator,
  items: readonly Item[],
  signal: AbortSignal | undefined,
): Promise<Outcome<Float32Array>[]> {
  const works = new Works();
  const places = items.map((item) => {
    const can = item.kind === 'text' ? evaluator.embedTexts : evaluator.embedImages;
    if (can === undefined) {
      throw evaluatorError(
        say(
          'bench.embedsNoSuchItems',
          evaluator.info.name,
          item.kind === 'text' ? say('bench.texts') : say('bench.images'),
        ),
        say('bench.chooseEvaluator'),
        evaluator.info.path,
      );
    }
    return works.item(item);
  });
  const outcomes = await measure(queue, evaluator, works.list, signal);
  return places.map((place) => {
    const outcome = vectorOf(outcomes[place]);
    // Returns a copy, because a caller could change the cached embedding.
    return outcome.ok ? { ok: true, value: outcome.value.slice() } : outcome;
  });
}

/** The distinct requests of one call. */
class Works {
  readonly list: Work[] = [];
  private readonly texts = new Map<string, number>();
  private readonly images = new Map<string | Uint8Array, Map<string, number>>();

  item(item: Item): number {
    if (item.kind === 'text') {
      return valueIn(this.texts, item.text, () => this.list.push(item) - 1);
    }
    return this.ofImage(item, 'alone', { kind: 'image', image: item });
  }

  pair(image: ImageItem, text: string, references?: readonly string[]): number {
    if (references === undefined) return this.ofImage(image, `with ${text}`, { kind: 'pair', image, text });
    const what = `with ${JSON.stringify([text, references])}`;
    return this.ofImage(image, what, { kind: 'pair', image, text, references });
  }

  private ofImage({ source, transforms }: ImageItem, what: string, work: Work): number {
    const image = 'path' in source ? source.path : source.bytes;
    const works = valueIn(this.images, image, () => new Map());
    const name = `${JSON.stringify(transforms)} ${what}`;
    return valueIn(works, name, () => this.list.push(work) - 1);
  }
}

function vectorOf(outcome: Outcome<Value>): Outcome<Float32Array> {
  if (!outcome.ok) return outcome;
  if (outcome.value.kind !== 'vector') throw new Error('Expected an embedding, found a score.');
  return { ok: true, value: outcome.value.vector };
}

function scoreOf(outcome: Outcome<Value>): Outcome<number> {
  if (!outcome.ok) return outcome;
  if (outcome.value.kind !== 'score') throw new Error('Expected a score, found an embedding.');
  return { ok: true, value: outcome.value.score };
}
