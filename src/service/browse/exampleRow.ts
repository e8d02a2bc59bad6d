import { quickTest } from '../../base/quickTest';
import { inARow, say, type Words } from '../../base/say';
import { nameOfRole } from '../../dataset/draft';
import { type Attribute, type CaptionRole, type Example, rowImage } from '../../dataset/example';
import type { Row } from '../../probe/metric';
import { rowSchema } from '../../probe/rowSchema';
import type { RowView } from '../../probe/view';
import type { BrowsedExample } from '../../protocol/parts/browsed';
import type { ReportResult } from './results';

/** An example as a row of a list. It has no bytes of images. */
export interface ExampleRow extends Row {
  images: string[];
  /** Whether the dataset contains the images. */
  inside: boolean;
  captions: { text: string; role: CaptionRole }[];
  attributes: Record<string, Attribute>;
  result?: BrowsedExample['result'];
}

export function rowOf(example: Example, result: ReportResult | undefined): ExampleRow {
  const { id, row, place, images, captions, attributes, references = [] } = example;
  const texts = new Set([
    ...captions.flatMap(({ text, variants = [] }) => [text, ...variants.map((one) => one.text)]),
    ...references,
  ]);
  return {
    ...{ example: id, row, place, image: images.at(0)?.name, images: images.map(({ name }) => name) },
    inside: images.some(({ bytes }) => bytes !== undefined),
    captions: captions.map(({ text, role }) => ({ text, role })),
    attributes,
    ...(result && {
      result: {
        ...{ words: result.words, verdict: result.verdict, index: result.index },
        isOld: !result.texts.every((text) => texts.has(text)),
      },
    }),
  };
}

export const isWrong = ({ role }: { role: CaptionRole }): boolean =>
  role === 'negative' || role === 'altered';

const joined = (captions: ExampleRow['captions']): string => captions.map(({ text }) => text).join(' · ');

/** Only this process writes these rows, so that their own fields need no check. */
const isRow = quickTest(rowSchema);

const edited = say('editor.editedNotRescored');
/** A result for an earlier text says nothing about the example. */
const verdictOf = ({ result }: ExampleRow) => (result?.isOld === false ? result.verdict : 'none');
const labelOf = ({ result }: ExampleRow): Words => (result?.isOld ? edited : (result?.words ?? ''));

/** How the examples of a dataset are listed: captions, and wrong or altered captions. */
export const exampleRows: RowView<ExampleRow> = {
  row: { schema: rowSchema, fits: isRow, fault: () => 'The row fits.' },
  facets: [{ id: 'result', title: say('panel.result'), share: false }],
  delta: { title: '', head: '' },
  fileLine: ({ place }) => place?.line,
  facts: (row) => [
    { delta: undefined, harm: 0, verdict: verdictOf(row), facets: [row.result ? verdictOf(row) : 'absent'] },
  ],
  words: ({ captions, images, example }) =>
    [...captions.map(({ text }) => text), ...images, example].join('\n'),
  line: (row) => ({
    ...{ line: row.place?.line, image: row.image, verdict: verdictOf(row), label: labelOf(row) },
    // The page asks for an image with the number of its row.
    cropped: true,
    before: joined(row.captions.filter((caption) => !isWrong(caption))),
    after: joined(row.captions.filter(isWrong)),
  }),
  detail: (row) => ({ example: row.example, captions: [], notes: [] }),
  mark: () => ({ texts: [], words: '', captions: [] }),
};

export function exampleOf({
  example,
  row,
  place,
  images,
  captions,
  attributes,
  result,
}: ExampleRow): BrowsedExample {
  return {
    id: example,
    place: placeOf(row, place),
    ...(place && { line: place.line }),
    ...(place?.part !== undefined && { part: place.part }),
    images,
    isNamed: !images.every((name) => name.startsWith(rowImage(''))),
    captions: captions.map(({ text, role }) => ({ text, role: nameOfRole[role] })),
    attributes: Object.entries(attributes).map(([key, value]) => [key, String(value)]),
    ...(result && { result: result.isOld ? { ...result, words: edited } : result }),
  };
}

/** The line with its file, or else the row, from 1. */
export function placeOf(row: number | undefined, place: Row['place']): Words {
  if (place === undefined) return row === undefined ? '' : say('editor.rowPlace', row + 1);
  const line = say('editor.linePlace', place.line);
  return place.part === undefined ? line : inARow([place.part, line], ', ');
}
