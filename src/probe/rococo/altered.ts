import { createHash } from 'node:crypto';
import { pauses } from '../../base/errors';
import { drawKey } from '../../dataset/example';
import type { Slice } from '../metric';
import {
  alterByDeletion,
  alterByPolicy,
  alterManyWords,
  type Alteration,
  changedWord,
  type Deletion,
  plainly,
} from './alter';
import { trueOf } from '../../perturb/words/replace';
import type { Evaluator } from '../../evaluator/evaluator';
import type { WeighedCaption } from './influence';
import type { Source } from './options';
import type { Participant } from './participant';

/** The captions of all images, altered by one method. `draws`: one, or one per seed of random words. */
export interface AlteredSet {
  name: string;
  slice: Slice;
  draws: Map<Participant, Alteration[]>[];
  /** The captions, over all draws, that were dropped because they equal a true caption of their image. */
  dropped: number;
  /** The number of captions for which the policy has no word. */
  missing: number;
}

/** A hash of all altered captions, in the order of the participants. */
export function hashOfSets(participants: readonly Participant[], sets: readonly AlteredSet[]): string {
  const hash = createHash('sha256');
  for (const { name, draws } of sets)
    for (const draw of draws)
      for (const participant of participants) {
        const texts = (draw.get(participant) ?? []).map(({ text }) => text);
        hash.update(JSON.stringify([name, participant.example.id, texts]));
      }
  return hash.digest('hex');
}

export type Weights = ReadonlyMap<Participant, readonly WeighedCaption[]>;

/** What the altered sets of a run have in common. */
export interface Altering {
  participants: readonly Participant[];
  weights: Weights;
  seed: number;
  signal?: AbortSignal;
}

export async function alteredBy(
  source: Source,
  { participants, weights, seed, signal }: Altering,
  agree: boolean,
): Promise<AlteredSet> {
  const pause = pauses(signal);
  const set = emptySet(source, { alteration: source }, 1);
  for (const participant of participants) {
    await pause();
    if (source === 'file')
      set.draws[0].set(
        participant,
        participant.given.map((given) => asGiven(participant, given)),
      );
    else {
      const isTrue = trueOf(participant.truths);
      addTo(set, 0, participant, weights, (caption) => alterByPolicy(caption, source, seed, agree, isTrue));
    }
  }
  return set;
}

/** Table 5 of the paper: captions without the noun of lowest or highest edit influence, or without a random one. */
export async function alteredByDeletion(
  kind: Deletion,
  evaluator: Evaluator,
  { participants, weights, seed, signal }: Altering,
): Promise<AlteredSet> {
  const pause = pauses(signal);
  const set = emptySet(`deletion-${kind}`, { alteration: 'deletion', influence: kind }, 1);
  for (const participant of participants) {
    await pause();
    addTo(set, 0, participant, weights, (caption) =>
      alterByDeletion(caption, caption.influence.get(evaluator) ?? [], kind, seed),
    );
  }
  return set;
}

/** Table 6 of the paper: replaces random words, with one draw per seed. */
export async function alteredByWords(
  words: number,
  { participants, signal }: Pick<Altering, 'participants' | 'signal'>,
  seeds: readonly number[],
): Promise<AlteredSet> {
  const pause = pauses(signal);
  const set = emptySet(`words-${words}`, { alteration: 'words', words }, seeds.length);
  for (const [draw, seed] of seeds.entries())
    for (const participant of participants) {
      await pause();
      const made = participant.captions.flatMap((caption, index) => {
        const key = drawKey(participant.example, caption);
        return alterManyWords({ key, index, text: caption.text }, words, seed) ?? [];
      });
      const kept = made.filter(({ text }) => !participant.own.has(plainly(text)));
      set.dropped += made.length - kept.length;
      set.draws[draw].set(participant, kept);
    }
  return set;
}

function emptySet(name: string, slice: Slice, draws: number): AlteredSet {
  return { name, slice, draws: Array.from({ length: draws }, () => new Map()), dropped: 0, missing: 0 };
}

function addTo(
  set: AlteredSet,
  draw: number,
  participant: Participant,
  weights: Weights,
  alter: (caption: WeighedCaption) => Alteration | undefined,
): void {
  const captions = weights.get(participant) ?? [];
  const made = captions.flatMap((caption) => alter(caption) ?? []);
  set.missing += captions.length - made.length;
  const kept = made.filter(({ text }) => !participant.own.has(plainly(text)));
  set.dropped += made.length - kept.length;
  set.draws[draw].set(participant, kept);
}

function asGiven({ captions }: Participant, { text, caption }: Participant['given'][number]): Alteration {
  if (caption === undefined) return { text };
  return { text, caption, ...changedWord(captions[caption].text, text) };
}
