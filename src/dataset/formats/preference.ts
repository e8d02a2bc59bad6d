import { say } from '../../base/say';
import { type Cell, Fields } from '../cell';
import { Draft, type Sink } from '../draft';
import type { Entry } from '../entry';
import { plainName } from '../fields';
import type { Format, Recognised, Sample } from '../format';

/** Flickr8k-CF and Composite, as CLIPScore's scripts write them: candidates with ratings under this key. */
const judgements = 'human_judgement';

/**
 * What people preferred. Either two candidates and which is better (Pascal-50S), or several candidates with ratings
 * (Flickr8k-CF, Composite): then every two of them that were rated differently make a pair.
 */
export const preference: Format = {
  id: 'preference',
  looksLike: 'two candidate captions and which of them people preferred, or candidates with ratings',
  recognise: (sample) => inPairs(sample) ?? nested(sample) ?? inLists(sample) ?? inColumns(sample),
};

/** Two columns of captions and one that says which is better. */
function inPairs({ naming, columns, rows }: Sample): Recognised | undefined {
  const image = naming.column('image');
  let a = naming.column('candidateA');
  let b = naming.column('candidateB');
  if (a === undefined || b === undefined) {
    a = naming.column('caption0');
    b = naming.column('caption1');
  }
  if (image === undefined || a === undefined || b === undefined) return undefined;
  const [first, second] = [a, b];
  const localized = plainName(first) === 'chosen' && plainName(second) === 'rejected';
  const verdict = naming.column('preferred') ?? naming.column('label');
  if (verdict === undefined && !localized) return undefined;
  const numbering = numberingOf(
    verdict === undefined ? [] : rows.map(({ fields }) => fields.get(verdict)?.value),
    first,
  );
  const id = columns.includes('id') ? 'id' : naming.column('id');
  return {
    form: 'preference',
    reader: () => ({
      read(entry, sink) {
        const draft = new Draft(entry, sink);
        draft.addImage(image);
        draft.addCaption(first, 'candidate');
        draft.addCaption(second, 'candidate');
        if (verdict === undefined) draft.preferred = 0;
        else {
          const cell = draft.take(verdict);
          draft.preferred = verdictOf(cell, [first, second], draft, numbering);
          if (draft.preferred === undefined)
            draft.fail(
              'wrong-type',
              say`"${verdict}" does not say which of "${first}" and "${second}" is better.`,
              cell,
            );
        }
        draft.finish('preference', id);
      },
    }),
  };
}

/** What numbers mean in a verdict. */
type Numbering = 'from 0' | 'from 1' | 'by sign';

/** A 2 says that they count from 1, a -1 that the first is +1; else the columns' own numbers decide. */
function numberingOf(values: readonly unknown[], first: string): Numbering {
  const numbers = new Set(values.map(Number));
  if (numbers.has(-1)) return 'by sign';
  if (numbers.has(2)) return 'from 1';
  if (numbers.has(0)) return 'from 0';
  return /1$/.test(first) ? 'from 1' : 'from 0';
}

const undecided = new Set(['', 'tie', 'equal', 'same', 'both', 'neither', 'none', 'undecided', 'null']);

/** 0 or 1; null where people were undecided; undefined where it cannot be told. */
function verdictOf(
  cell: Cell | undefined,
  columns: readonly [string, string],
  { captions }: Draft,
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
  const quoted = captions.findIndex((caption) => caption.text === value);
  return quoted >= 0 ? quoted : undefined;
}

/** A candidate with what people thought of it. */
interface Judged {
  cell: Cell;
  field: string;
  rating: Cell | undefined;
}

/** An object with a list of {caption, rating}. */
function nested({ naming, columns }: Sample): Recognised | undefined {
  const image = naming.column('image');
  if (image === undefined || !columns.includes(judgements)) return undefined;
  return rated(image, naming.column('id'), ({ fields }) => {
    const list = fields.get(judgements)?.value;
    if (!Array.isArray(list)) return undefined;
    return (list as readonly Cell[]).flatMap(({ value }) => {
      if (!(value instanceof Fields)) return [];
      const cell = value.get('caption');
      return cell === undefined ? [] : [{ cell, field: judgements, rating: value.get('rating') }];
    });
  });
}

/** A list of candidates beside a list of ratings. */
function inLists({ naming, columns, rows }: Sample): Recognised | undefined {
  const image = naming.column('image');
  const texts = columns.includes('candidates') ? 'candidates' : naming.column('caption');
  const ratings = naming.column('rating');
  if (image === undefined || texts === undefined || ratings === undefined) return undefined;
  const lists = rows.every(
    ({ fields }) => Array.isArray(fields.get(texts)?.value) && Array.isArray(fields.get(ratings)?.value),
  );
  if (!lists) return undefined;
  return rated(image, naming.column('id'), ({ fields }) => {
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

/** Numbered columns: caption1 … caption4 beside rating1 … rating4. */
function inColumns({ naming, columns }: Sample): Recognised | undefined {
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
  if (image === undefined || pairs.length < 2) return undefined;
  return rated(image, naming.column('id'), ({ fields }) =>
    pairs.flatMap(({ text, rating }) => {
      const cell = fields.get(text);
      return cell === undefined || cell.value === null || cell.value === ''
        ? []
        : [{ cell, field: text, rating: fields.get(rating) }];
    }),
  );
}

/** Every two candidates that were rated differently; two alone also where they were not. */
function rated(
  image: string,
  idColumn: string | undefined,
  judgedOf: (entry: Entry) => readonly Judged[] | undefined,
): Recognised {
  return {
    form: 'preference',
    reader: () => ({
      read(entry, sink) {
        const whole = new Draft(entry, sink);
        whole.addImage(image);
        const judged = judgedOf(entry);
        if (judged === undefined || judged.length < 2)
          whole.fail('missing-field', say`There are no two candidates with ratings here.`);
        if (whole.failed || judged === undefined) return;
        const kept = judged.filter(({ cell, field, rating }) => {
          if (ratingOf(rating) === undefined) {
            whole.warn('wrong-type', say`A candidate has no rating and is left out.`, rating ?? cell);
            return false;
          }
          return whole.addText(cell, field, 'candidate', 0, 'warning');
        });
        const id = idColumn === undefined ? undefined : entry.fields.get(idColumn)?.value;
        const base =
          entry.key ?? (typeof id === 'string' || typeof id === 'number' ? String(id) : String(entry.row));
        for (let i = 0; i < kept.length; i++)
          for (let j = i + 1; j < kept.length; j++) addPair(entry, sink, whole, kept, i, j, base);
      },
    }),
  };
}

function addPair(
  entry: Entry,
  sink: Sink,
  whole: Draft,
  kept: readonly Judged[],
  i: number,
  j: number,
  base: string,
): void {
  const ratings = [ratingOf(kept[i].rating)!, ratingOf(kept[j].rating)!];
  if (ratings[0] === ratings[1] && kept.length > 2) return;
  sink.example({
    id: kept.length === 2 ? base : `${base}/${i}-${j}`,
    form: 'preference',
    row: entry.row,
    ...(entry.place === undefined ? {} : { place: entry.place }),
    images: whole.images,
    captions: [whole.captions[i], whole.captions[j]],
    preferred: ratings[0] === ratings[1] ? null : ratings[0] > ratings[1] ? 0 : 1,
    attributes: { rating_a: ratings[0], rating_b: ratings[1] },
  });
}

function ratingOf(cell: Cell | undefined): number | undefined {
  const value = cell?.value;
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : NaN;
  return Number.isFinite(number) ? number : undefined;
}
