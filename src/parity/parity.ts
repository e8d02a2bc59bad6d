import { largest } from '../base/extent';
import { CaptiousError } from '../base/errors';
import type { Outcome } from '../base/outcome';
import { say, type Words } from '../base/say';
import type { Bench } from '../bench/bench';
import type { Dataset } from '../dataset/dataset';
import type { ImageFinder } from '../dataset/images/images';
import type { Evaluator, EvaluatorInfo } from '../evaluator/evaluator';
import { withReferences } from '../evaluator/overlap/refClipScore';
import type { References } from '../evaluator/overlap/references';
import type { Family } from '../evaluator/model/family';
import type { Want } from '../protocol/item';
import { changesFor } from './changes';
import { type Cause, confirm, type Confirmed } from './confirm';
import { differenceOf, type Difference, roundingOf, type Pair } from './difference';
import { Measurer } from './measurer';
import { type Sample, samplePairs } from './sample';
import { type Alone, Search, squared } from './search';
import { type TowerDifference, towersOf } from './towers';
import { unseenOf, type Untold, untoldOf } from './untold';
import type { Change, Described } from './change';

const shownPairs = 5;

export interface TriedChange extends Pick<Change, 'setting' | 'tower' | 'from' | 'to'> {
  /** The share of the squared difference of the searched pairs that the change removes alone. */
  alone: number;
  /** On how many searched images it changes a score of A. */
  acting: number;
}

export interface ShownPair {
  image: string;
  caption: string;
  a: number;
  b: number;
  explained: number;
}

export interface Parity {
  verdict: 'same' | 'explained' | 'partly' | 'unshown' | 'unexplained';
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
  /** What was found on the searched pairs and is not shown by the others. */
  doubted: Confirmed['doubted'];
  /** The share of the squared difference that all causes remove together. Null without causes. */
  removed: number | null;
  left: number;
  /** On how many pairs causes were searched, and on how many pairs of other images they were confirmed. */
  searched: number;
  confirmed: number;
  /** What the sample was chosen for: the images with a trait, in the sample and among those that were looked at. */
  sample: Pick<Sample, 'traits' | 'looked'>;
  /** The settings of which this sample cannot tell whether A and B differ in them. */
  untold: Untold[];
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
  /** The captions of each image that are references. Undefined if the dataset has none. */
  references?: References;
  pairs: number;
  seed: number;
  signal: AbortSignal;
}

/** Compares two evaluators that should be the same, and searches the settings of A that explain the difference. */
export async function compareForParity(request: ParityRequest): Promise<Parity> {
  const { a, b, dataset, seed, bench, signal } = request;
  const drawn = await draw(request);
  const { pairs, searched, ours, theirs, failed, longest } = await scoreBoth(request, drawn);
  const rounding = roundingOf(theirs, ours);
  const difference = differenceOf(pairs, ours, theirs);
  const measurer = new Measurer(a, bench, pairs, theirs, searched, signal);
  const isSame = difference.largest <= Math.sqrt(rounding);
  const changes = changesFor(
    a.blueprint,
    { info: b.info, described: request.described },
    { longest, scores: theirs },
  );
  const found = isSame
    ? { causes: [], alone: [] }
    : await new Search(measurer, changes, searched, rounding).run();
  const shown = await confirm(measurer, pairs, found.causes, { searched, rounding });
  const tried = await triedOf(measurer, pairs.slice(0, searched), found.alone, { ours, rounding });
  const { looked, traits } = drawn;
  return {
    verdict: isSame ? 'same' : verdictOf(shown, rounding),
    a: identity(a.info),
    b: identity(b.info),
    dataset: dataset.path,
    seed,
    pairs: pairs.length,
    images: imagesOf(pairs),
    failed,
    difference,
    causes: shown.rated,
    doubted: shown.doubted,
    removed: shown.removed,
    left: shown.left,
    searched,
    confirmed: pairs.length - searched,
    sample: { looked, traits },
    untold: isSame ? unseenOf(drawn) : untoldOf(tried),
    tried,
    towers: isSame ? [] : await towersOf(request, measurer, pairs, shown.causes, rounding),
    examples: examplesOf(pairs, ours, theirs, shown.scores),
  };
}

async function draw(request: ParityRequest): Promise<Sample> {
  const { a, b, dataset, finder, pairs, seed, signal } = request;
  const lookUp = b.lookUp?.bind(b);
  const own = await a.vary(a.blueprint.image.spec, a.blueprint.text.spec);
  return samplePairs(dataset, finder, {
    ...{ pairs, seed, signal, spec: a.blueprint.image.spec.preprocessing },
    cuts: async (texts) =>
      (
        await own.measureTexts!(
          texts.map((text) => a.info.prefix + text),
          signal,
        )
      ).map(({ cut }) => cut),
    ...(lookUp === undefined ? {} : { knows: (pair: Pair) => lookUp([wantOf(pair)])[0].ok }),
  });
}

function verdictOf({ causes, doubted, left }: Confirmed, rounding: number): Parity['verdict'] {
  if (causes.length === 0) return doubted.length === 0 ? 'unexplained' : 'unshown';
  return left <= 10 * Math.sqrt(rounding) ? 'explained' : 'partly';
}

function imagesOf(pairs: readonly Pair[]): number {
  return new Set(pairs.map(({ image }) => image.source.name)).size;
}

async function triedOf(
  measurer: Measurer,
  pairs: readonly Pair[],
  alone: readonly Alone[],
  { ours, rounding }: { ours: readonly number[]; rounding: number },
): Promise<TriedChange[]> {
  const base = squared(ours, measurer.target, 0, pairs.length);
  const tried: TriedChange[] = [];
  for (const { change, left } of alone) {
    const { scores } = (await measurer.scores([change], pairs.length))!;
    const acting = imagesOf(pairs.filter((_, i) => (scores[i] - ours[i]) ** 2 > rounding));
    const { setting, tower, from, to } = change;
    tried.push({ setting, tower, from, to, alone: base === 0 ? 0 : 1 - left / base, acting });
  }
  return tried;
}

function identity({ id, name, sha256 }: EvaluatorInfo): Parity['a'] {
  return { id, name, sha256 };
}

function wantOf({ image, caption }: Pair): Want {
  return { left: image, right: { kind: 'text', text: caption } };
}

interface Both {
  pairs: Pair[];
  searched: number;
  ours: number[];
  theirs: number[];
  failed: Parity['failed'];
  longest: number;
}

async function scoreBoth(
  { a, b, bench, references, signal }: ParityRequest,
  { pairs, searched }: Sample,
): Promise<Both> {
  if (!b.info.scores.includes('image-text'))
    throw new CaptiousError('evaluator', say('parity.scoresNoImages', b.info.name), {
      at: b.info.path,
      remedy: say('parity.useDualEncoder'),
    });
  const drawn = pairs.map((pair): Pair =>
    references === undefined ? pair : { ...pair, references: references.of(pair.image.source.name) },
  );
  if (a.blueprint.isReferenced && references === undefined)
    throw new CaptiousError('input', say('overlap.noReferences'), {
      remedy: say('overlap.provideReferences'),
    });
  const wants = drawn.map(wantOf);
  const own = await a.vary(a.blueprint.image.spec, a.blueprint.text.spec);
  Object.assign(own, { info: { ...own.info, prefix: a.info.prefix, scale: a.info.scale } });
  const whole =
    a.blueprint.isReferenced && references !== undefined ? withReferences(own, references, a.info) : own;
  const outcomes = [await bench.scores(whole, wants, signal), await bench.scores(b, wants, signal)] as const;
  const [ours, theirs]: [number[], number[]] = [[], []];
  let known = 0;
  const both = drawn.filter((_, i) => {
    const [one, other] = [outcomes[0][i], outcomes[1][i]];
    if (!one.ok || !other.ok || !Number.isFinite(one.value) || !Number.isFinite(other.value)) return false;
    ours.push(one.value);
    theirs.push(other.value);
    if (i < searched) known++;
    return true;
  });
  const [whyA, whyB] = outcomes.map(problemIn);
  const failed = {
    n: drawn.length - both.length,
    ...(whyA === undefined ? {} : { a: whyA }),
    ...(whyB === undefined ? {} : { b: whyB }),
  };
  if (known < 2)
    throw new CaptiousError('input', say('parity.tooFewScores', both.length, whyB ?? whyA ?? '–'), {
      remedy: say('parity.useMorePairs'),
    });
  if (theirs.every((score) => score === theirs[0]))
    throw new CaptiousError('evaluator', say('parity.constantScores', b.info.name, theirs[0]), {
      at: b.info.path,
      remedy: say('parity.checkOther'),
    });
  const sizes = await own.measureTexts!(
    both.map(({ caption }) => a.info.prefix + caption),
    signal,
  );
  return {
    pairs: both,
    searched: known,
    ours,
    theirs,
    failed,
    longest: largest(sizes.map(({ tokens }) => tokens)),
  };
}

function problemIn(outcomes: readonly Outcome<number>[]): Words | undefined {
  for (const outcome of outcomes) if (!outcome.ok) return outcome.problem;
  return undefined;
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
