import type { Random } from '../../base/random';
import type { Candidate } from '../../protocol/triplets';

/** What a negative changes; `denial` if it only adds "not", "no" or "without". */
export const changes = ['place', 'activity', 'number', 'thing', 'color', 'denial'] as const;
export type Change = (typeof changes)[number];
/** `given` by the dataset; `written` by a person or a model. */
export type NegativeKind = Change | 'given' | 'written';

export function kindOf(caption: string, { text, from }: Candidate): NegativeKind {
  if (from === 'beyond: negation' || onlyDenies(caption, text)) return 'denial';
  if (/^(place|beyond: relation)$|^(true|false) of |^fitted: /.test(from)) return 'place';
  if (from.includes(' → ')) return 'thing';
  return ([...changes, 'given'] as const).find((kind) => kind === from) ?? 'written';
}

const denying = new Set(['not', 'no', 'never', 'without', "isn't", "aren't", "doesn't", "don't"]);
const denied = new Set(['a', 'an', 'some', 'with', 'is', 'are']);

/** Whether the words that only one of the texts has are words of a negation. */
function onlyDenies(caption: string, text: string): boolean {
  const [before, after] = [caption, text].map(
    (one): string[] => one.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [],
  );
  const added = after.filter((word) => !before.includes(word));
  return (
    added.length > 0 &&
    added.every((word) => denying.has(word)) &&
    before.every((word) => after.includes(word) || denied.has(word))
  );
}

/**
 * How many of ten triplets prefer each kind. In VISLA's published file, most negatives change a place or an activity,
 * and 44 of 973 only deny. Encoders notice another thing or colour more easily.
 */
const tenths: readonly (readonly [Change, number])[] = [
  ['place', 4],
  ['activity', 2],
  ['number', 2],
  ['thing', 1],
  ['color', 1],
];

/** The kinds in a random order by these shares, then `denial`. */
export function kindsInTurn(random: Random): Change[] {
  const urn = random.shuffle(tenths.flatMap(([kind, share]) => Array<Change>(share).fill(kind)));
  return [...new Set(urn), 'denial'];
}
