import { inARow, say, type Words } from '../../base/say';
import { type Cell, type CellValue, Fields } from '../cell';
import { listOf } from '../draft';
import { columnsLike, type FieldMap, mapFlag, plainName } from './fields';
import type { Question, Recognised, Sample } from '../format';
import { isImageName } from '../images/imageName';
import { truthOf } from './truth';

/** Words in a column name that suggest truth, choice or judgment. */
const telling = new Set(
  `foil foils label labels answer answers correct incorrect true false truth wrong negative negatives neg negs
  distractor distractors option options choice choices candidate candidates vote votes mturk verdict winner preferred
  preference valid validity gold gt entailment relevant relevance judgement judgment human foiled`
    .trim()
    .split(/\s+/),
);
/** Words in a column name that suggest texts other than captions. */
const harmless = new Set(
  `attribution copyright url urls link path file filename license credit credits author source notes note explanation rationale provenance
  method date time question model reference references refs split category classes type`
    .trim()
    .split(/\s+/),
);
/** Columns that describe an image region, such as bbox_x or crop. */
const boxed = /^(bbox|crop)(_|$)/;
/** Column names that call their captions true. They suggest that the dataset also has false captions. */
const calledTrue = /(^|_)(true|positive|pos|correct|right)(_|$)/;
/** Column names such as caption_0. They suggest several captions, some of which may be wrong. */
const fromZero = /^(caption|text|sentence|option|choice|candidate|statement)_?0$/;

export function isTelling(column: string): boolean {
  const plain = plainName(column);
  return fromZero.test(plain) || plain.split('_').some((word) => telling.has(word));
}

/**
 * Returns a question for the user if a general format may misread the file, for example because it ignores a column
 * with labels. Undefined if nothing is unclear, or if a map names the captions.
 */
export function questionAbout(sample: Sample, recognised: Recognised): Question | undefined {
  if (sample.naming.isMapped) return undefined;
  const read = new Set(recognised.reads.map(([column]) => column));
  const unread = sample.columns.filter((column) => !read.has(column));
  const column = unread.find(isTelling) ?? unread.find((other) => holdsCaptions(sample, other));
  if (column !== undefined)
    return {
      ask: isTelling(column)
        ? say('dataset.answerColumnUnreadable', column)
        : say('dataset.furtherCaptionsUnclear', column),
      remedy: ways(sample, recognised, column),
    };
  const verdict =
    recognised.form === 'captions' && sample.layout !== 'object of lists'
      ? unread.find((other) => holdsVerdicts(sample, other))
      : undefined;
  if (verdict !== undefined)
    return {
      ask: say('dataset.truthColumnUnclear', verdict),
      remedy: ways(sample, recognised, verdict),
    };
  const part =
    sample.layout === 'object of lists' ? undefined : unread.find((other) => boxed.test(plainName(other)));
  if (part !== undefined)
    return { ask: say('dataset.imagePartUnreadable', part), remedy: ways(sample, recognised, part) };
  const own = recognised.map?.image;
  const image = unread.find((other) => holdsImages(sample, other) || namesOtherImages(sample, other, own));
  if (image !== undefined)
    return { ask: say('dataset.furtherImagesUnclear', image), remedy: ways(sample, recognised, image) };
  const calledRight =
    recognised.form === 'captions'
      ? recognised.reads.find(
          ([name, as]) =>
            as === 'captions' && (calledTrue.test(plainName(name)) || fromZero.test(plainName(name))),
        )
      : undefined;
  return calledRight
    ? {
        ask: say('dataset.wrongCaptionsMissing', calledRight[0]),
        remedy: ways(sample, recognised, calledRight[0]),
      }
    : undefined;
}

/** Suggests a --map option for each answer to the question. */
function ways(sample: Sample, { map }: Recognised, column: string): Words {
  const flags: Words[] = [say('dataset.mapOnlyTheseColumns', mapFlag(map ?? {}))];
  const truth = mapOfTruth(sample, map, column);
  if (truth !== undefined)
    flags.push(
      say('dataset.mapOneIsRight', mapFlag({ ...truth, label: column })),
      say('dataset.mapOneIsWrong', mapFlag({ ...truth, foil: column })),
    );
  const answer = mapOfAnswer(sample, map, column);
  if (answer !== undefined) flags.push(say('dataset.mapIfAnswer', mapFlag(answer), column));
  const isOneCaption = map?.caption !== undefined && sample.columns.includes(map.caption);
  if (isOneCaption && map.negative === undefined && column !== map.caption && holdsCaptions(sample, column))
    flags.push(say('dataset.mapIfNegatives', mapFlag({ ...map, negative: column }), column));
  return say('dataset.mapChoicesEnd', inARow(flags, ', '));
}

/** The map for rows with a caption and a truth value. Undefined unless all values in `column` are truth values. */
function mapOfTruth(sample: Sample, map: FieldMap | undefined, column: string): FieldMap | undefined {
  if (map?.image === undefined || map.caption === undefined || map.negative !== undefined) return undefined;
  const values = valuesOf(sample, column);
  return values.length > 0 && values.every((value) => truthOf(value) !== undefined) ? map : undefined;
}

/** The map for rows with several captions, one of which is right; undefined if no column says which one. */
export function mapOfAnswer(
  { columns, rows }: Sample,
  map: FieldMap | undefined,
  column: string,
): FieldMap | undefined {
  if (map?.image === undefined || map.caption === undefined) return undefined;
  const options = map.caption;
  if (!options.includes('*') && !rows.some(({ fields }) => isList(fields.get(options)))) return undefined;
  const named = columnsLike(options, columns);
  const others = [column, ...columns].filter(
    (name) => !fromZero.test(plainName(name)) && !named.includes(name),
  );
  const optionsOf = (fields: Fields): readonly unknown[] => {
    const cells = named.flatMap((name) => fields.get(name) ?? []);
    return (named.length > 1 ? cells : cells.flatMap((cell) => listOf(cell) ?? [])).map(({ value }) => value);
  };
  const answer =
    others.find(
      (name) => isTelling(name) && rows.every(({ fields }) => isAnswer(fields.get(name), optionsOf(fields))),
    ) ?? others.find((name) => namesOptions(rows, name, named.length, optionsOf));
  if (answer === undefined) return undefined;
  const values = rows.map(({ fields }) => Number(fields.get(answer)?.value));
  const countsFrom1 =
    !values.includes(0) && rows.some(({ fields }, i) => values[i] === optionsOf(fields).length);
  return { image: map.image, options, ...(countsFrom1 ? { answerFrom1: answer } : { answer }) };
}

/** Whether each value is the number of an option, from 0. If some match none, the column may contain ids. */
function namesOptions(
  rows: Sample['rows'],
  name: string,
  options: number,
  optionsOf: (fields: Fields) => readonly unknown[],
): boolean {
  return (
    options > 1 &&
    rows.length > 1 &&
    rows.every(({ fields }) => {
      const value = fields.get(name)?.value;
      return isAnswer(fields.get(name), optionsOf(fields)) && Number(value) < options;
    })
  );
}

function isList(cell: Cell | undefined): boolean {
  return cell !== undefined && listOf(cell) !== undefined;
}

/** Whether a cell names an option by its text, by a letter, or by a number counted from 0 or 1. */
function isAnswer(cell: Cell | undefined, options: readonly unknown[]): boolean {
  const text = String(cell?.value ?? '').trim();
  if (text !== '' && options.includes(text)) return true;
  if (/^[A-Za-z]$/.test(text)) return text.toUpperCase().charCodeAt(0) - 65 < options.length;
  return options.length > 1 && /^\d+(\.0)?$/.test(text) && Number(text) <= options.length;
}

export function valuesOf({ rows }: Sample, column: string): CellValue[] {
  return rows.flatMap(({ fields }) => {
    const value = fields.get(column)?.value;
    return value === undefined || value === null || value === '' ? [] : [value];
  });
}

/** Whether most texts in a column are sentences. Columns with harmless names do not count. */
export function holdsCaptions(sample: Sample, column: string): boolean {
  if (
    plainName(column)
      .split('_')
      .some((word) => harmless.has(word))
  )
    return false;
  const texts = sample.rows.map(({ fields }) => {
    const cell = fields.get(column);
    const first = cell && (listOf(cell)?.at(0) ?? cell);
    return typeof first?.value === 'string' ? first.value.trim() : '';
  });
  const sentences = texts.filter((text) => text.split(/\s+/).length >= 4 && /\p{L}/u.test(text));
  return sentences.length > 0 && 2 * sentences.length > texts.filter((text) => text !== '').length;
}

/** Whether a column contains both true and false, and no other value. Columns with harmless names do not count. */
function holdsVerdicts(sample: Sample, column: string): boolean {
  const words = plainName(column).split('_');
  if (words.some((word) => harmless.has(word))) return false;
  const truths = valuesOf(sample, column).map(truthOf);
  return truths.includes(true) && truths.includes(false) && !truths.includes(undefined);
}

/** Whether a column has embedded images. File names do not count, because they may name the row's first image. */
export function holdsImages(sample: Sample, column: string): boolean {
  return valuesOf(sample, column).some(
    (value) =>
      value instanceof Uint8Array ||
      (value instanceof Fields && value.get('bytes')?.value instanceof Uint8Array),
  );
}

/** Whether most rows name a second image in this column. URLs and paths to the row's first image do not count. */
function namesOtherImages({ rows }: Sample, column: string, image: string | undefined): boolean {
  if (image === undefined) return false;
  const nameOf = (value: unknown): string => String(value).split(/[\\/]/).at(-1) ?? '';
  const others = rows.filter(({ fields }) => {
    const [name, own] = [fields.get(column)?.value, fields.get(image)?.value];
    return isImageName(name) && !/^[a-z]+:\/\//i.test(String(name)) && nameOf(name) !== nameOf(own);
  });
  return others.length > 0 && 2 * others.length > rows.length;
}
