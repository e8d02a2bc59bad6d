import { pauses } from '../../base/errors';
import { largest } from '../../base/extent';
import type { Bench } from '../../bench/bench';
import { cosine } from '../../bench/similarity';
import { Random } from '../../base/random';
import { type Caption, drawKey, type Example } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import { nounsOf, without } from '../../perturb/words/replace';
import type { Token } from '../../perturb/text/token';

/** A caption of an example, for computing the influence of its nouns. */
export interface CaptionRef {
  example: string;
  index: number;
  text: string;
  /** What random choices about the caption are seeded with. */
  key: readonly (string | number)[];
}

export interface WeighedCaption extends CaptionRef {
  nouns: Token[];
  /** By evaluator: the edit influence (EI) of each noun; NaN if an embedding failed. */
  influence: Map<Evaluator, number[]>;
  /** The evaluators that choose the noun to replace. */
  voters: readonly Evaluator[];
}

/** Each noun needs an embedding of the whole caption without it, so a caption with more nouns has none to replace. */
export const mostNouns = 100;

function fewNouns(text: string): Token[] {
  const nouns = nounsOf(text);
  return nouns.length > mostNouns ? [] : nouns;
}

/** Whose influence of nouns is computed. */
export interface Weighing {
  audited: readonly Evaluator[];
  voters: readonly Evaluator[];
}

/** The edit influence (EI) of each noun: 1 − cos(f(caption), f(caption without the noun)). */
export async function weigh(
  bench: Bench,
  { audited, voters }: Weighing,
  captions: readonly CaptionRef[],
  signal: AbortSignal,
): Promise<WeighedCaption[]> {
  const pause = pauses(signal);
  const weighed: WeighedCaption[] = [];
  for (const caption of captions) {
    await pause();
    weighed.push({ ...caption, nouns: fewNouns(caption.text), influence: new Map(), voters });
  }
  const texts = weighed.flatMap(({ text, nouns }) => [text, ...nouns.map((noun) => without(text, noun))]);
  const items = texts.map((text) => ({ kind: 'text' as const, text: text === '' ? ' ' : text }));
  for (const evaluator of new Set([...voters, ...audited])) {
    const made = await bench.embeddings(evaluator, items, signal);
    let at = 0;
    for (const caption of weighed) {
      const whole = made[at++];
      caption.influence.set(
        evaluator,
        caption.nouns.map(() => {
          const rest = made[at++];
          return whole.ok && rest.ok ? 1 - cosine(whole.value, rest.value) : NaN;
        }),
      );
    }
  }
  return weighed;
}

/** Examples per batch. Embeddings are released after each batch. */
const atOnce = 200;

/** The influence of the nouns in each participant's captions. A participant is an example with its captions. */
export async function weighAll<P extends { example: Example; captions: readonly Caption[] }>(
  bench: Bench,
  weighing: Weighing,
  participants: readonly P[],
  signal: AbortSignal,
): Promise<Map<P, readonly WeighedCaption[]>> {
  const weights = new Map<P, readonly WeighedCaption[]>();
  for (let from = 0; from < participants.length; from += atOnce) {
    const part = participants.slice(from, from + atOnce);
    const refs = part.flatMap(({ example, captions }) =>
      captions.map((caption, index) => ({
        ...{ example: example.id, index, text: caption.text },
        key: drawKey(example, caption),
      })),
    );
    const weighed = await weigh(bench, weighing, refs, signal);
    for (const participant of part) weights.set(participant, weighed.splice(0, participant.captions.length));
  }
  return weights;
}

/** The indexes of the nouns with the lowest influence. A repeated word can give several indexes. */
export function lowest(influence: readonly number[]): number[] {
  return extremes(influence, Math.min);
}

export function highest(influence: readonly number[]): number[] {
  return extremes(influence, Math.max);
}

function extremes(influence: readonly number[], of: (a: number, b: number) => number): number[] {
  const defined = influence.filter((value) => !Number.isNaN(value));
  if (defined.length === 0) return [];
  const extreme = defined.reduce((a, b) => of(a, b));
  return [...influence.keys()].filter((noun) => influence[noun] === extreme);
}

export interface Choice {
  /** The index of the chosen noun among the caption's nouns. */
  noun: number;
  /** The number of voters that chose the noun, out of `voters` with a value. */
  votes: number;
  voters: number;
}

/**
 * The noun that received the most votes. Each voter votes for the nouns with the lowest influence. Ties are
 * decided at random. Undefined if no voter has a value.
 */
export function chooseNoun(
  { key, influence, voters: all }: Pick<WeighedCaption, 'key' | 'influence' | 'voters'>,
  seed: number,
): Choice | undefined {
  const votes = new Map<number, number>();
  let voters = 0;
  for (const voter of all) {
    const choices = lowest(influence.get(voter) ?? []);
    if (choices.length > 0) voters++;
    for (const noun of choices) votes.set(noun, (votes.get(noun) ?? 0) + 1);
  }
  if (voters === 0) return undefined;
  const most = largest(votes.values());
  const equals = [...votes.keys()].filter((noun) => votes.get(noun) === most).sort((a, b) => a - b);
  const noun = equals.length === 1 ? equals[0] : new Random(seed, ...key, 'rococo.word').pick(equals);
  return { noun, votes: most, voters };
}

/**
 * The nouns in the order in which a replacement is tried: the chosen one, then the others by their mean influence on
 * the voters. Without voters, the order is random.
 */
export function nounsInOrder(caption: WeighedCaption, seed: number): number[] {
  const { key, nouns, influence, voters } = caption;
  const all = [...nouns.keys()];
  if (voters.length === 0) return new Random(seed, ...key, 'rococo.word').shuffle(all);
  const chosen = chooseNoun(caption, seed)?.noun;
  if (chosen === undefined) return [];
  const total = (noun: number): number =>
    voters.reduce((sum, voter) => sum + (influence.get(voter)?.[noun] ?? NaN), 0);
  const others = all.filter((noun) => noun !== chosen && !Number.isNaN(total(noun)));
  return [chosen, ...others.sort((a, b) => total(a) - total(b) || a - b)];
}
