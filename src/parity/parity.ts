import { largest } from '../base/extent';
import { CaptiousError } from '../base/errors';
import type { Outcome } from '../base/outcome';
import { say, type Words } from '../base/say';
import type { Bench } from '../bench/bench';
import { cosine } from '../bench/similarity';
import type { Dataset } from '../dataset/dataset';
import type { ImageFinder } from '../dataset/images/images';
import type { Evaluator, EvaluatorInfo } from '../evaluator/evaluator';
import type { Family } from '../evaluator/model/family';
import type { Item, Want } from '../protocol/item';
import { type Change, changesFor, type Described } from './changes';
import { differenceOf, type Difference, roundingOf } from './difference';
import { Measurer, type Pair } from './measurer';
import { samplePairs } from './sample';
import { Search, squared } from './search';

/** The pairs in which causes are searched. The other pairs confirm them. */
const searched = 60;
const shownPairs = 5;

type Named = Pick<Change, 'setting' | 'tower' | 'from' | 'to'>;

/** A setting of A whose other value explains a part of the difference. */
export interface Cause extends Named {
  /** The share of the squared difference that the change removes alone. Negative if it adds to the difference. */
  alone: number;
  /** The share of what remains without this change that it removes together with the others. */
  together: number;
}

export interface TriedChange extends Named {
  alone: number;
  /** Whether it changes a score of A at all. */
  acts: boolean;
}

/** How much the embeddings of a tower differ once A has all causes. */
export interface TowerDifference {
  tower: 'image' | 'text';
  lowest: number;
  median: number;
  n: number;
}

export interface ShownPair {
  image: string;
  caption: string;
  a: number;
  b: number;
  explained: number;
}

export interface Parity {
  verdict: 'same' | 'explained' | 'partly' | 'unexplained';
  a: Pick<EvaluatorInfo, 'id' | 'name' | 'sha256'>;
  b: Pick<EvaluatorInfo, 'id' | 'name' | 'sha256'>;
  dataset: string;
  seed: number;
  pairs: number;
  images: number;
  /** The drawn pairs that A or B could not score, with a reason of each. */
  failed: { n: number; a?: Words; b?: Words };
  difference: Difference;
  causes: Cause[];
  /** The share of the squared difference that all causes remove together. Null without causes. */
  removed: number | null;
  left: number;
  /** On how many pairs causes were searched, and on how many others they were confirmed. */
  searched: number;
  confirmed: number;
  tried: TriedChange[];
  towers: TowerDifference[];
  examples: ShownPair[];
}

export interface ParityRequest {
  a: Family;
  b: Evaluator;
  /** The description of B, if B is a model folder, too. */
  described?: Described;
  bench: Bench;
  dataset: Dataset;
  finder: ImageFinder;
  pairs: number;
  seed: number;
  signal: AbortSignal;
}

/** Compares two evaluators that should be the same, and searches the settings of A that explain the difference. */
export async function compareForParity(request: ParityRequest): Promise<Parity> {
  const { a, b, dataset, seed, bench, signal } = request;
  const lookUp = b.lookUp?.bind(b);
  const drawn = await samplePairs(dataset, request.finder, {
    ...request,
    ...(lookUp === undefined ? {} : { knows: (pair: Pair) => lookUp([wantOf(pair)])[0].ok }),
  });
  const { pairs, ours, theirs, failed, longest } = await scoreBoth(request, drawn);
  const rounding = roundingOf(theirs, ours);
  const difference = differenceOf(pairs, ours, theirs);
  const count = Math.min(pairs.length, searched);
  const measurer = new Measurer(a, bench, pairs, theirs, count, signal);
  const isSame = difference.largest <= Math.sqrt(rounding);
  const changes = changesFor(
    a.blueprint,
    { info: b.info, described: request.described },
    { longest, scores: theirs },
  );
  const found = isSame
    ? { causes: [], alone: [] }
    : await new Search(measurer, changes, count, rounding).run();
  const confirmed = await confirm(measurer, found.causes, rounding, pairs.length);
  const base = squared(ours, theirs, 0, count);
  const own = ours.slice(0, count);
  const tried: TriedChange[] = [];
  for (const { change, left } of found.alone) {
    const acts = (await measurer.scores([change], count))!.scores.some((score, i) => score !== own[i]);
    tried.push({ ...named(change), alone: 1 - left / base, acts });
  }
  return {
    verdict: isSame
      ? 'same'
      : confirmed.causes.length === 0
        ? 'unexplained'
        : confirmed.left <= 10 * Math.sqrt(rounding)
          ? 'explained'
          : 'partly',
    a: identity(a.info),
    b: identity(b.info),
    dataset: dataset.path,
    seed,
    pairs: pairs.length,
    images: new Set(pairs.map(({ image }) => image.source.name)).size,
    failed,
    difference,
    ...confirmed.result,
    searched: count,
    confirmed: pairs.length - count,
    tried,
    towers: isSame ? [] : await towersOf(request, measurer, pairs, confirmed.causes),
    examples: examplesOf(pairs, ours, theirs, confirmed.scores),
  };
}

function identity({ id, name, sha256 }: EvaluatorInfo): Parity['a'] {
  return { id, name, sha256 };
}

function named({ setting, tower, from, to }: Change): Named {
  return { setting, tower, from, to };
}

function wantOf({ image, caption }: Pair): Want {
  return { left: image, right: { kind: 'text', text: caption } };
}

interface Both {
  pairs: Pair[];
  ours: number[];
  theirs: number[];
  failed: Parity['failed'];
  longest: number;
}

async function scoreBoth({ a, b, bench, signal }: ParityRequest, drawn: readonly Pair[]): Promise<Both> {
  if (!b.info.scores.includes('image-text'))
    throw new CaptiousError('evaluator', say('parity.scoresNoImages', b.info.name), {
      at: b.info.path,
      remedy: say('parity.useDualEncoder'),
    });
  const wants = drawn.map(wantOf);
  const own = await a.vary(a.blueprint.image.spec, a.blueprint.text.spec);
  Object.assign(own, { info: { ...own.info, prefix: a.info.prefix, scale: a.info.scale } });
  const outcomes = [await bench.scores(own, wants, signal), await bench.scores(b, wants, signal)] as const;
  const [ours, theirs]: [number[], number[]] = [[], []];
  const pairs = drawn.filter((_, i) => {
    const [one, other] = [outcomes[0][i], outcomes[1][i]];
    if (!one.ok || !other.ok || !Number.isFinite(one.value) || !Number.isFinite(other.value)) return false;
    ours.push(one.value);
    theirs.push(other.value);
    return true;
  });
  const [whyA, whyB] = outcomes.map(problemIn);
  const failed = {
    n: drawn.length - pairs.length,
    ...(whyA === undefined ? {} : { a: whyA }),
    ...(whyB === undefined ? {} : { b: whyB }),
  };
  if (pairs.length < 2)
    throw new CaptiousError('input', say('parity.tooFewScores', pairs.length, whyB ?? whyA ?? '–'), {
      remedy: say('parity.useMorePairs'),
    });
  if (theirs.every((score) => score === theirs[0]))
    throw new CaptiousError('evaluator', say('parity.constantScores', b.info.name, theirs[0]), {
      at: b.info.path,
      remedy: say('parity.checkOther'),
    });
  const sizes = await own.measureTexts!(
    pairs.map(({ caption }) => a.info.prefix + caption),
    signal,
  );
  return { pairs, ours, theirs, failed, longest: largest(sizes.map(({ tokens }) => tokens)) };
}

function problemIn(outcomes: readonly Outcome<number>[]): Words | undefined {
  for (const outcome of outcomes) if (!outcome.ok) return outcome.problem;
  return undefined;
}

interface Confirmed {
  causes: Change[];
  scores: Float64Array;
  left: number;
  result: Pick<Parity, 'causes' | 'removed' | 'left'>;
}

/** Measures the causes on all pairs. A cause that removes less than it leaves there is dropped. */
async function confirm(
  measurer: Measurer,
  found: readonly Change[],
  rounding: number,
  pairs: number,
): Promise<Confirmed> {
  const measure = async (changes: readonly Change[]): Promise<number> => {
    const scored = await measurer.scores(changes, pairs);
    return scored === undefined ? Infinity : squared(scored.scores, measurer.target, 0, pairs);
  };
  const base = await measure([]);
  let causes = [...found];
  for (const change of found) {
    const without = causes.filter((one) => one !== change);
    if ((await measure(without)) <= 2 * Math.max(await measure(causes), rounding)) causes = without;
  }
  const all = await measure(causes);
  const { scores, scale } = (await measurer.scores(causes, pairs))!;
  const left = scores.reduce((most, score, i) => Math.max(most, Math.abs(score - measurer.target[i])), 0);
  const rated: Cause[] = [];
  for (const change of causes) {
    const without = await measure(causes.filter((one) => one !== change));
    const to = change.setting === 'scale' && scale !== undefined ? scale : change.to;
    rated.push({
      ...named(change),
      to,
      alone: 1 - (await measure([change])) / base,
      together: 1 - all / without,
    });
  }
  rated.sort((a, b) => b.alone - a.alone);
  return {
    causes,
    scores,
    left,
    result: { causes: rated, removed: causes.length === 0 ? null : 1 - all / base, left },
  };
}

/** Compares embeddings of the same items, if B has embeddings of the same length. */
async function towersOf(
  { b, bench, signal }: ParityRequest,
  measurer: Measurer,
  pairs: readonly Pair[],
  causes: readonly Change[],
): Promise<TowerDifference[]> {
  if (b.derived !== undefined || b.mapped !== undefined || b.lookUp !== undefined) return [];
  if (b.embedTexts === undefined || b.embedImages === undefined) return [];
  const items: Record<'image' | 'text', Item[]> = {
    image: pairs.map(({ image }) => image),
    text: pairs.map(({ caption }) => ({ kind: 'text', text: b.info.prefix + caption })),
  };
  const towers: TowerDifference[] = [];
  for (const tower of ['image', 'text'] as const) {
    const changes = causes.filter((change) => change.tower === tower);
    const own = await measurer.rowsOf(tower, changes, pairs.length);
    const other = await bench.embeddings(b, items[tower], signal);
    const cosines = other.flatMap((outcome, i) =>
      outcome.ok && own?.[i].length === outcome.value.length ? [cosine(own[i], outcome.value)] : [],
    );
    cosines.sort((x, y) => x - y);
    if (cosines.length > 0)
      towers.push({ tower, lowest: cosines[0], median: cosines[cosines.length >> 1], n: cosines.length });
  }
  return towers;
}

/** The pairs whose scores differ most. */
function examplesOf(
  pairs: readonly Pair[],
  ...[ours, theirs, explained]: readonly ArrayLike<number>[]
): ShownPair[] {
  return pairs
    .map(({ image, caption }, i) => ({
      image: image.source.name,
      caption,
      a: ours[i],
      b: theirs[i],
      explained: explained[i],
    }))
    .sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b))
    .slice(0, shownPairs);
}
