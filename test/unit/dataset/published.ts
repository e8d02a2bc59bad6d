import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import type { Example } from '../../../src/dataset/example';
import { openDataset } from '../../../src/dataset/open';
import { readAll, scratchFolder, tryRemedies } from './support';

const count = 6;

export type Row = Record<string, unknown> | unknown[];

/** A benchmark: a published file and the examples that each row must become. */
export interface Case {
  format: string;
  form: string;
  file: 'csv' | 'tsv' | 'semicolons' | 'headless' | 'list' | 'lines' | 'object' | 'coco';
  /** The contents of other files in the folder, by name. */
  beside?: Record<string, string>;
  row: (i: number) => Row;
  /** For each example: its images' names, and each caption with the index of its right image; -1 if none is marked. */
  shape: (i: number) => [images: string[], captions: [text: string, rightOf: number][]][];
  /** The names or positions of the columns that say which captions or images are right. */
  telling: (string | number)[];
  /** A required column: a row without it is invalid. */
  breaks: string | number;
  more?: (examples: readonly Example[]) => void;
}

export const sentence = (i: number, what: string): string => `The ${what} number ${i} is on the table.`;
export const right = (i: number): string => sentence(i, 'red cat');
export const wrong = (i: number): string => sentence(i, 'blue dog');
export const python = (texts: string[]): string =>
  `[${texts.map((text) => (text.includes("'") ? `"${text}"` : `'${text}'`)).join(', ')}]`;
export const box = { bbox_x: 10, bbox_y: 20, bbox_w: 30, bbox_h: 40 };
export const crossed =
  (first: (i: number) => string, second: (i: number) => string): Case['shape'] =>
  (i) => [
    [
      [first(i), second(i)],
      [
        [right(i), 0],
        [wrong(i), 1],
      ],
    ],
  ];
export const pair =
  (image: (i: number) => string): Case['shape'] =>
  (i) => [
    [
      [image(i)],
      [
        [right(i), 0],
        [wrong(i), -1],
      ],
    ],
  ];

/** The text of a file that contains the rows. */
export function write({ file }: Case, rows: readonly Row[]): string {
  const json = rows.map((row) => JSON.stringify(row));
  switch (file) {
    case 'list':
      return `[\n${json.join(',\n')}\n]\n`;
    case 'lines':
      return `${json.join('\n')}\n`;
    case 'object':
      return `{\n${json.map((row, i) => `"key_${i}": ${row}`).join(',\n')}\n}\n`;
    case 'coco': {
      const images = [0, 1, 2].map((id) =>
        JSON.stringify({ id, file_name: `${id}.jpg`, height: 4, width: 4 }),
      );
      return `{"info": {}, "images": [\n${images.join(',\n')}\n],\n"annotations": [\n${json.join(',\n')}\n]}\n`;
    }
    case 'headless':
      return `${rows.map((row) => (row as unknown[]).join('\t')).join('\n')}\n`;
    case 'csv':
    case 'semicolons':
    case 'tsv': {
      const [delimiter, quoted] = (
        { csv: [',', /[",\n]/], semicolons: [';', /[";\n]/], tsv: ['\t', /[\t\n]/] } as const
      )[file];
      const cell = (value: unknown): string => {
        const text = value === undefined ? '' : String(value);
        return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
      };
      const names = Object.keys(rows[0]);
      const lines = rows.map((row) =>
        names.map((name) => cell((row as Record<string, unknown>)[name])).join(delimiter),
      );
      return `${[names.join(delimiter), ...lines].join('\n')}\n`;
    }
  }
}

export function shapesOf(examples: readonly Example[]): unknown {
  return examples.map(({ images, captions }) => [
    images.map(({ name }) => name),
    captions.map(({ text, role, image }) => [text, role === 'caption' ? image : -1]),
  ]);
}

function without(row: Row, column: string | number, instead?: unknown): Row {
  if (Array.isArray(row)) return row.map((value, i) => (i === column ? instead : value) as unknown);
  return { ...row, [column]: instead };
}

function removed(row: Row, column: string | number): Row {
  if (Array.isArray(row)) return renamed(row, column);
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== column));
}

function renamed(row: Row, column: string | number): Row {
  if (Array.isArray(row)) return row.filter((_, i) => i !== column);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name === column ? 'zzz' : name, value as unknown]),
  );
}

/** Whether JSON lists, JSON Lines, CSV and TSV can all store the rows: no value is an object or a nested list. */
function isFlat({ file }: Case, rows: readonly Row[]): boolean {
  const layouts: readonly string[] = ['list', 'lines', 'csv', 'tsv'];
  return (
    layouts.includes(file) &&
    rows.every(
      (row) =>
        !Array.isArray(row) &&
        Object.values(row).every(
          (value) =>
            typeof value !== 'object' ||
            (Array.isArray(value) && value.every((one) => typeof one === 'string')),
        ),
    )
  );
}

/** Replaces lists of texts by their Python notation, as in published tables. */
function asCells(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Array.isArray(value) ? python(value as string[]) : value,
    ]),
  );
}

/**
 * Tests a published file: intact, with a byte order mark, with CRLF, truncated, with an invalid row, and without
 * the columns that say what is right.
 */
export function describePublished(name: string, spec: Case): void {
  describe(name, () => {
    const scratch = scratchFolder();
    const rows = Array.from({ length: count }, (_, i) => spec.row(i));
    const expected = rows.flatMap((_, i) => spec.shape(i));
    const published = write(spec, rows);
    before(() => {
      for (const [file, text] of Object.entries(spec.beside ?? {})) scratch.write(file, text);
    });

    it('is read as its authors do', async () => {
      const { dataset, examples, problems } = await readAll(scratch.write('file.bin', published));
      assert.deepEqual([dataset.format, dataset.form], [spec.format, spec.form]);
      assert.deepEqual(shapesOf(examples), expected);
      assert.deepEqual(
        problems.filter(({ severity }) => severity === 'error'),
        [],
      );
      assert.equal(new Set(examples.map(({ id }) => id)).size, examples.length);
      for (const [column] of dataset.reads)
        assert.ok(dataset.columns.includes(column) || column === 'file_name', column);
      spec.more?.(examples);
    });

    it('reads the same with a byte order mark and with CRLF', async () => {
      for (const text of [`\ufeff${published}`, published.replaceAll('\n', '\r\n')]) {
        const { dataset, examples } = await readAll(scratch.write('file.bin', text));
        assert.deepEqual([dataset.format, shapesOf(examples)], [spec.format, expected]);
        spec.more?.(examples);
      }
    });

    if (isFlat(spec, rows))
      it('reads the same as JSON, JSON Lines, CSV and TSV', async () => {
        for (const file of ['list', 'lines', 'csv', 'tsv'] as const) {
          const isTable = file === 'csv' || file === 'tsv';
          const cells = rows.map((row) => (isTable ? asCells(row as Record<string, unknown>) : row));
          const path = scratch.write('file.bin', write({ ...spec, file }, cells));
          const { dataset, examples } = await readAll(path);
          assert.deepEqual([dataset.format, shapesOf(examples)], [spec.format, expected], file);
        }
      });

    it('keeps whole rows when truncated', async () => {
      const cut = published.slice(0, Math.floor(published.length * 0.8));
      const { dataset, examples } = await readAll(scratch.write('file.bin', cut));
      assert.equal(dataset.format, spec.format);
      assert.ok(examples.length > 0 && examples.length < expected.length, String(examples.length));
      const whole = new Set((expected as unknown[]).map((shape) => JSON.stringify(shape)));
      const known = (shapesOf(examples) as unknown[]).filter((shape) => whole.has(JSON.stringify(shape)));
      // A truncated table may end inside its last row's last cell.
      assert.ok(known.length >= examples.length - 1);
    });

    it('names a bad row and keeps the others', async () => {
      const bad = rows.map((row, i) => (i === 2 ? without(row, spec.breaks, '') : row));
      const { dataset, examples, problems } = await readAll(scratch.write('file.bin', write(spec, bad)));
      assert.equal(dataset.format, spec.format);
      const lost = spec.shape(2).length;
      assert.equal(examples.length, expected.length - lost);
      const errors = problems.filter(({ severity }) => severity === 'error');
      assert.ok(errors.length > 0);
      assert.ok(errors.every(({ place }) => place !== undefined));
    });

    for (const column of spec.telling)
      it(`asks a question if "${column}" has another name, and its remedies work`, async () => {
        const path = scratch.write(
          'file.bin',
          write(
            spec,
            rows.map((row) => renamed(row, column)),
          ),
        );
        let asked: CaptiousError | undefined;
        await assert.rejects(openDataset(path), (error) => {
          assert.ok(error instanceof CaptiousError);
          asked = error;
          return true;
        });
        assert.ok(asked?.remedy);
        assert.ok(asked.message.length < 400, asked.message);
        for (const { examples } of await tryRemedies(path, asked)) assert.ok(examples.length > 0);
      });

    for (const column of spec.telling)
      it(`reads no wrong caption as right if "${column}" is missing`, async () => {
        const text = write(
          spec,
          rows.map((row) => removed(row, column)),
        );
        const path = scratch.write('file.bin', text);
        const isRight = new Set(
          expected.flatMap(([, captions]) => captions.flatMap(([own, image]) => (image >= 0 ? [own] : []))),
        );
        try {
          const { examples } = await readAll(path);
          for (const { captions } of examples)
            for (const caption of captions)
              assert.ok(caption.role !== 'caption' || isRight.has(caption.text), caption.text);
        } catch (error) {
          assert.ok(error instanceof CaptiousError && error.remedy !== undefined, String(error));
        }
      });
  });
}
