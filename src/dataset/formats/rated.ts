import { say } from '../../base/say';
import { named } from './named';
import { type Cell, Fields } from '../cell';
import { type Draft, listOf, type Sink } from '../draft';
import type { Entry } from '../entry';
import type { Caption } from '../example';
import { plainName } from '../fields/fields';
import { eachRow, type Reads, readsOfId, type Recognised, type Sample } from '../format';

/** The key of rated candidates in the CLIPScore repository's files of Flickr8k and Composite. */
const judgements = 'human_judgement';
/** The usual keys of reference captions. */
export const referenceNames = ['ground_truth', 'references', 'refs', 'reference', 'ref'];

/** A candidate and its rating, which may be missing. */
interface Judged {
  cell: Cell;
  field: string;
  rating: Cell | undefined;
}

/** Recognises objects that contain a list of {caption, rating}. */
export function nested(sample: Sample): Recognised | undefined {
  const { naming, columns } = sample;
  const image = naming.column('image');
  if (image === undefined || naming.isMapped || !columns.includes(judgements)) return undefined;
  const found = rated(sample, image, [[judgements, 'candidates with ratings']], ({ fields }) => {
    const list = fields.get(judgements)?.value;
    if (!Array.isArray(list)) return undefined;
    return (list as readonly Cell[]).flatMap(({ value }) => {
      if (!(value instanceof Fields)) return [];
      const cell = value.get('caption');
      return cell === undefined ? [] : [{ cell, field: judgements, rating: value.get('rating') }];
    });
  });
  return { ...found, title: named('Flickr8k or Composite', say('dataset.readsRatedByPeople')) };
}

/** Recognises a list of candidates and a list of ratings. */
export function inLists(sample: Sample): Recognised | undefined {
  const { naming, columns, rows } = sample;
  const image = naming.column('image');
  const texts = columns.includes('candidates') ? 'candidates' : naming.column('caption');
  const ratings = naming.column('rating');
  if (image === undefined || texts === undefined || ratings === undefined) return undefined;
  const lists = rows.every(
    ({ fields }) => Array.isArray(fields.get(texts)?.value) && Array.isArray(fields.get(ratings)?.value),
  );
  if (!lists) return undefined;
  const reads: Reads = [
    [texts, 'candidates'],
    [ratings, 'ratings'],
  ];
  return rated(sample, image, reads, ({ fields }) => {
    const cells = fields.get(texts)?.value;
    const given = fields.get(ratings)?.value;
    if (!Array.isArray(cells) || !Array.isArray(given)) return undefined;
    return (cells as readonly Cell[]).map((cell, i) => ({
      cell,
      field: texts,
      rating: (given as readonly Cell[]).at(i),
    }));
  });
}

/** Recognises numbered columns, such as caption1 … caption4 and rating1 … rating4. */
export function inColumns(sample: Sample): Recognised | undefined {
  const { naming, columns } = sample;
  const image = naming.column('image');
  const numbered = (form: RegExp): Map<string, string> =>
    new Map(
      columns.flatMap((column) => {
        const match = form.exec(plainName(column));
        return match === null ? [] : [[match[1], column] as const];
      }),
    );
  const texts = numbered(/^(?:input_)?(?:caption|candidate|text|sentence)_?(\d+)$/);
  const ratings = numbered(
    /^(?:answer_)?(?:human_)?(?:rating|score|judgement|judgment|relevance|correctness)_?(\d+)$/,
  );
  const pairs = [...texts].flatMap(([number, text]) => {
    const rating = ratings.get(number);
    return rating === undefined ? [] : [{ text, rating }];
  });
  if (image === undefined || naming.isMapped || pairs.length < 2) return undefined;
  const reads = pairs.flatMap(({ text, rating }): Reads => [
    [text, 'candidate'],
    [rating, "the candidate's rating"],
  ]);
  return rated(sample, image, reads, ({ fields }) =>
    pairs.flatMap(({ text, rating }) => {
      const cell = fields.get(text);
      return cell === undefined || cell.value === null || cell.value === ''
        ? []
        : [{ cell, field: text, rating: fields.get(rating) }];
    }),
  );
}

/**
 * Reads entries with rated candidates. Any two candidates with different ratings form a pair. If an entry has only
 * two candidates, they always form a pair.
 */
export function rated(
  { naming, columns }: Sample,
  image: string,
  reads: Reads,
  judgedOf: (entry: Entry) => readonly Judged[] | undefined,
): Recognised {
  const id = naming.column('id');
  const references = referenceNames.find((name) => columns.includes(name));
  return {
    form: 'preference',
    title: say('dataset.readsRated'),
    reads: [
      [image, 'image'],
      ...reads,
      ...(references === undefined ? [] : [[references, 'references'] as const]),
      ...readsOfId(id),
    ],
    reader: eachRow((whole, entry, sink) => {
      whole.addImage(image);
      if (references !== undefined) addReferences(whole, references);
      const judged = judgedOf(entry);
      if (judged === undefined || judged.length < 2)
        whole.fail('missing-field', say('dataset.tooFewRatedCandidates'));
      if (whole.failed || judged === undefined) return;
      addCandidates(whole, judged);
      const given = id === undefined ? undefined : entry.fields.get(id)?.value;
      const base =
        entry.key ??
        (typeof given === 'string' || typeof given === 'number' ? String(given) : String(entry.row));
      const inPairs = new Set<number>();
      for (let i = 0; i < whole.captions.length; i++)
        for (let j = i + 1; j < whole.captions.length; j++)
          if (addPair(entry, sink, whole, i, j, base)) for (const at of [i, j]) inPairs.add(at);
      whole.captions.forEach((caption, i) => {
        if (!inPairs.has(i)) addAlone(entry, sink, whole, caption, `${base}/${i}`);
      });
    }),
  };
}

/** Adds a caption for each rated candidate. Equal captions join their ratings, which are several experts'. */
function addCandidates(whole: Draft, judged: readonly Judged[]): void {
  for (const { cell, field, rating } of judged) {
    const number = numberOf(rating);
    if (number === undefined) {
      whole.warn('wrong-type', say('dataset.candidateUnrated'), rating ?? cell);
      continue;
    }
    const known = whole.captions.find(({ text }) => text === cell.value);
    if (known !== undefined) known.ratings?.push(number);
    else if (whole.addText(cell, field, 'candidate', 0, 'warning'))
      whole.captions[whole.captions.length - 1].ratings = [number];
  }
}

/**
 * Adds an example for the pair and returns true. If the entry has more than two candidates, skips a pair with
 * equal mean ratings and returns false.
 */
function addPair(entry: Entry, sink: Sink, whole: Draft, i: number, j: number, base: string): boolean {
  const pair = [whole.captions[i], whole.captions[j]];
  const [a, b] = pair.map(
    ({ ratings = [] }) => ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length,
  );
  if (a === b && whole.captions.length > 2) return false;
  sink.example({
    id: whole.captions.length === 2 ? base : `${base}/${i}-${j}`,
    form: 'preference',
    row: entry.row,
    ...(entry.place === undefined ? {} : { place: entry.place }),
    images: whole.images,
    captions: pair,
    preferred: a === b ? null : a > b ? 0 : 1,
    rated: true,
    ...whole.extra,
    attributes: { rating_a: a, rating_b: b },
  });
  return true;
}

/** Adds a candidate that is in no pair, because no other candidate has a different mean rating. */
function addAlone(entry: Entry, sink: Sink, whole: Draft, caption: Caption, id: string): void {
  sink.example({
    id,
    form: 'rating',
    row: entry.row,
    ...(entry.place === undefined ? {} : { place: entry.place }),
    images: whole.images,
    captions: [caption],
    ...whole.extra,
    attributes: {},
  });
}

/** Adds reference captions of the image, from a text or a list. */
export function addReferences(draft: Draft, column: string): void {
  const cell = draft.take(column);
  if (cell === undefined || cell.value === null) return;
  const texts = (listOf(cell) ?? [cell]).flatMap(({ value }) =>
    typeof value === 'string' && value.trim() !== '' ? [value] : [],
  );
  draft.extra.references = texts;
}

export function numberOf(cell: Cell | undefined): number | undefined {
  const value = cell?.value;
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : NaN;
  return Number.isFinite(number) ? number : undefined;
}
