import { say } from '../../base/say';
import { named } from './named';
import type { Cell } from '../cell';
import type { Draft } from '../draft';
import { type Naming, plainName } from '../fields/fields';
import {
  eachRow,
  type Format,
  holdsTexts,
  type Question,
  readsOfId,
  type Recognised,
  type Sample,
} from '../format';
import { table } from './benchmarks/table';
import { addReferences, inColumns, inLists, nested, numberOf, referenceNames } from './rated';

/**
 * Human preferences: two candidates and the better one (Pascal-50S), or several rated candidates (Flickr8k,
 * Composite). In the second case, any two candidates with different ratings form a pair.
 */
export const preference: Format = {
  id: 'preference',
  title: say('dataset.readsPreferences'),
  isGeneral: true,
  looksLike: 'two candidate captions and which of them people preferred, or candidates with ratings',
  recognise: (sample) => inPairs(sample) ?? nested(sample) ?? inLists(sample) ?? inColumns(sample),
};

/** Recognises two caption columns with a verdict column, or with the names `chosen` and `rejected`. */
function inPairs({ naming, columns, rows }: Sample): Recognised | Question | undefined {
  const image = naming.column('image');
  let a = naming.column('candidateA');
  let b = naming.column('candidateB');
  if (a === undefined || b === undefined) {
    a = naming.column('caption0');
    b = naming.column('caption1');
  }
  if (image === undefined || a === undefined || b === undefined || !holdsTexts(rows, a)) return undefined;
  const [first, second] = [a, b];
  const firstIsBetter = plainName(first) === 'chosen' && plainName(second) === 'rejected';
  const verdict = naming.column('preferred') ?? naming.column('label');
  if (verdict === undefined && !firstIsBetter) return undefined;
  const numbering = numberingOf(
    verdict === undefined ? [] : rows.map(({ fields }) => fields.get(verdict)?.value),
    first,
  );
  const ratings = ratingsOf(naming, [first, second]);
  const unclear = verdict === undefined ? [] : rows.filter(leavesOpen([first, second], verdict, numbering));
  if (verdict !== undefined && 2 * unclear.length > rows.length)
    return {
      ask: say('dataset.preferenceUnclear', verdict, first, second),
      remedy: say('dataset.writePreference', first, second, verdict),
    };
  const id = columns.includes('id') ? 'id' : naming.column('id');
  // Pascal-50S asked people whether caption B or C is closer to A, so A is a reference.
  const references =
    referenceNames.find((name) => columns.includes(name)) ??
    ([first, second].map(plainName).join() === 'b,c' ? naming.named('a') : undefined);
  return {
    form: 'preference',
    reads: [
      [image, 'image'],
      [first, 'first candidate'],
      [second, 'second candidate'],
      ...(verdict === undefined ? [] : [[verdict, 'which one people preferred'] as const]),
      ...(references === undefined ? [] : [[references, 'references'] as const]),
      ...ratings.map((column) => [column, "the candidate's rating"] as const),
      ...readsOfId(id),
    ],
    map: {
      image,
      candidateA: first,
      candidateB: second,
      ...(verdict === undefined ? {} : { preferred: verdict }),
    },
    reader: eachRow((draft) => {
      draft.addImage(image);
      draft.addCaption(first, 'candidate');
      draft.addCaption(second, 'candidate');
      if (references !== undefined) addReferences(draft, references);
      ratings.forEach((column, i) => {
        const rating = numberOf(draft.take(column));
        if (rating !== undefined && draft.captions.length === 2) draft.captions[i].ratings = [rating];
      });
      if (plainName(ratings[0] ?? '').startsWith('votes')) addVotes(draft);
      if (verdict === undefined) draft.extra.preferred = 0;
      else {
        const cell = draft.take(verdict);
        draft.extra.preferred = verdictOf(
          cell,
          [first, second],
          draft.captions.map(({ text }) => text),
          numbering,
        );
        if (draft.extra.preferred === undefined)
          draft.fail('wrong-type', say('dataset.preferenceUnclear', verdict, first, second), cell);
      }
      draft.finish('preference', id);
    }),
  };
}

function addVotes(draft: Draft): void {
  const [a, b] = draft.captions.map((caption) => caption.ratings?.[0]);
  if (a !== undefined && b !== undefined) draft.extra.votesFor = [a, b];
}

/** The columns with both candidates' votes or ratings. The result is empty unless both columns exist. */
function ratingsOf(naming: Naming, candidates: readonly [string, string]): string[] {
  for (const kind of ['votes', 'rating', 'score']) {
    const found = candidates.flatMap((column) => naming.named(`${kind}_${plainName(column)}`) ?? []);
    if (found.length === 2) return found;
  }
  return [];
}

/** How a number names the preferred candidate: 0 or 1, 1 or 2, or a sign (1 for the first, -1 for the second). */
type Numbering = 'from 0' | 'from 1' | 'by sign';

/** By -1 (`by sign`), 2 (`from 1`), 0 (`from 0`), in this order; else by the name of the first's column. */
function numberingOf(values: readonly unknown[], first: string): Numbering {
  const numbers = new Set(values.map(Number));
  if (numbers.has(-1)) return 'by sign';
  if (numbers.has(2)) return 'from 1';
  if (numbers.has(0)) return 'from 0';
  return /1$/.test(first) ? 'from 1' : 'from 0';
}

const undecided = new Set(['', 'tie', 'equal', 'same', 'both', 'neither', 'none', 'undecided', 'null']);

/** Returns a predicate for rows with an unclear verdict. */
function leavesOpen(columns: readonly [string, string], verdict: string, numbering: Numbering) {
  return ({ fields }: Sample['rows'][number]): boolean =>
    verdictOf(
      fields.get(verdict),
      columns,
      columns.map((column) => fields.get(column)?.value),
      numbering,
    ) === undefined;
}

/** The index of the preferred caption; null for a tie or a missing verdict; undefined if it is unclear. */
function verdictOf(
  cell: Cell | undefined,
  columns: readonly [string, string],
  texts: readonly unknown[],
  numbering: Numbering,
): number | null | undefined {
  const value = cell?.value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 0 : 1;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = plainName(String(value));
  const names = columns.map(plainName);
  const named = names.indexOf(text);
  if (named >= 0) return named;
  const number = String(value).trim() === '' ? NaN : Number(value);
  if (!Number.isNaN(number)) {
    const index =
      numbering === 'by sign' ? [0, undefined, 1][1 - number] : number - (numbering === 'from 1' ? 1 : 0);
    if (index === 0 || index === 1) return index;
    return (numbering === 'by sign' && number === 0) || (numbering === 'from 1' && number === 0)
      ? null
      : undefined;
  }
  if (undecided.has(text)) return null;
  if (['a', 'first', 'left'].includes(text)) return 0;
  if (['b', 'second', 'right'].includes(text)) return 1;
  const ending = names.findIndex(
    (name) => name.endsWith(`_${text}`) || text.endsWith(`_${name.split('_').at(-1)}`),
  );
  if (ending >= 0) return ending;
  const quoted = texts.indexOf(value);
  return quoted >= 0 ? quoted : undefined;
}

/** CapArena: two detailed captions from two sources. The verdict names the winning source or a tie. */
export const capArena: Format = table({
  id: 'caparena',
  title: named('CapArena', say('dataset.readsDetailedPreferences')),
  form: 'preference',
  columns: {
    img: 'image',
    caption1: { as: 'first candidate' },
    caption2: { as: 'second candidate' },
    source1: { as: 'source of the first' },
    source2: { as: 'source of the second' },
    winner: { as: 'which one people preferred' },
  },
  also: { ref: 'references' },
  finish(draft, column) {
    draft.addCaption(column('caption1')!, 'candidate');
    draft.addCaption(column('caption2')!, 'candidate');
    const { fields } = draft.entry;
    const sources = ['source1', 'source2'].map((name) => fields.get(column(name)!)?.value);
    const winner = sources.indexOf(draft.need(column('winner')!)?.value);
    draft.extra.preferred = winner < 0 ? null : winner;
    const reference = column('ref');
    if (reference !== undefined) addReferences(draft, reference);
  },
});
