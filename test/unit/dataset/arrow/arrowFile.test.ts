import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { findSaid, type Words } from '../../../../src/base/say';
import { ArrowFile } from '../../../../src/dataset/arrow/arrowFile';
import { type ArrowBytes, arrowIndex, batchAt } from '../../../../src/dataset/arrow/arrowIndex';
import { type CellValue, Fields } from '../../../../src/dataset/cell';
import { ImagesInside } from '../../../../src/dataset/images/embeddedImages';
import { inspectDataset } from '../../../../src/dataset/inspect';
import { countedKind } from '../../../../src/dataset/openCounted';
import { openDataset } from '../../../../src/dataset/open';
import { type FlatValues, FlatWriter } from '../../../../src/report/table/flatWriter';
import { readAll, scratchFolder } from '../support';

const oracle = join(__dirname, '../../../oracle/dataset');
const files = join(oracle, 'arrow');
const scratch = scratchFolder();

type Row = Record<string, unknown>;
const expected = JSON.parse(readFileSync(join(oracle, 'arrow.json'), 'utf8')) as Record<string, Row[]>;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const codeOf = (words: Words): string => (words as { code: string }).code;

function plain(value: CellValue): unknown {
  if (value instanceof Uint8Array) return { sha256: sha256(value) };
  if (value === Infinity) return 'Infinity';
  if (value instanceof Fields)
    return Object.fromEntries(value.names.map((name, i) => [name, plain(value.cells[i].value)]));
  return typeof value === 'object' && value !== null ? value.map((cell) => plain(cell.value)) : value;
}

async function rowsOf(path: string, first?: number, limit?: number): Promise<Row[]> {
  const file = await ArrowFile.open(path);
  const found: Row[] = [];
  for await (const { rows, broken } of file.rows(undefined, first, limit)) {
    assert.equal(broken, undefined);
    found.push(...rows!.map((row) => plain(row) as Row));
  }
  return found;
}

function bytesOf(file: Buffer): ArrowBytes {
  const bytes: ArrowBytes['bytes'] = ({ start, length }) =>
    Promise.resolve(new Uint8Array(file.subarray(start, start + length)));
  return { size: file.length, bytes };
}

async function rejection(path: string): Promise<CaptiousError> {
  const error: unknown = await openDataset(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CaptiousError && error.kind === 'input', String(error));
  return error;
}

describe('an Arrow file', () => {
  for (const [name, rows] of Object.entries(expected)) {
    if (name === 'packed.feather') continue;
    it(`has the values that pyarrow reads: ${name}`, async () => {
      // Captious reads unions and runs as null.
      const known = rows.map(({ union, runs, ...row }) =>
        union === undefined ? row : { ...row, union: null, runs: runs === undefined ? undefined : null },
      );
      assert.deepEqual(await rowsOf(join(files, name)), known);
      assert.deepEqual(await rowsOf(join(files, name), 1, rows.length - 1), known.slice(1, -1));
    });
  }

  it('that `datasets` saved is a dataset of its shards, without the files of its cache', async () => {
    const { examples, problems, dataset } = await readAll(join(files, 'saved'));
    assert.deepEqual(problems, []);
    assert.deepEqual(dataset.parts, ['data-00000-of-00002.arrow', 'data-00001-of-00002.arrow']);
    const rows = dataset.parts!.flatMap((part) => expected[`saved/${part}`]);
    assert.deepEqual(
      examples.map(({ captions, images, attributes }) => ({
        caption: captions.map(({ text }) => text),
        image: { bytes: { sha256: sha256(images[0].bytes!) }, path: images[0].name },
        cocoid: attributes.cocoid,
      })),
      rows,
    );
  });

  it('of a DatasetDict belongs to a split', async () => {
    assert.equal(codeOf((await rejection(join(files, 'dict'))).what), 'dataset.severalSplits');
    const { examples } = await readAll(join(files, 'dict/test'));
    assert.deepEqual(
      examples.map(({ attributes }) => attributes.cocoid),
      [104, 105, 106],
    );
  });

  it('gives single images, and can be read from any row', async () => {
    const inside = await ImagesInside.open(join(files, 'saved'));
    const [image] = expected['saved/data-00001-of-00002.arrow'].map((row) => row.image as Row);
    assert.deepEqual({ sha256: sha256((await inside!.find(image.path as string))!) }, image.bytes);
    const dataset = await openDataset(join(files, 'saved'));
    const after = [];
    for await (const { row } of dataset.after!({ row: 4, nth: 1 })!) after.push(row);
    assert.deepEqual(after, [5, 6]);
  });

  it('is recognised by its bytes, also as one of several parts', async () => {
    for (const name of ['stream.arrow', 'file.arrow', 'plain.feather', 'polars.arrow'])
      assert.equal(countedKind(readFileSync(join(files, name))), 'arrow');
    const found = await inspectDataset(join(files, 'plain.feather'));
    assert.deepEqual([found.format, found.examples, found.images.inside], ['plain', 6, 6]);
  });

  it('with compressed batches is refused with what helps', async () => {
    const { what, details } = await rejection(join(files, 'packed.feather'));
    assert.ok(findSaid(what, 'dataset.arrowCompressed') !== undefined);
    assert.equal(codeOf(details.remedy!), 'dataset.arrowSaveAgain');
  });
});

describe('a damaged Arrow file', () => {
  const whole = readFileSync(join(files, 'saved/data-00000-of-00002.arrow'));
  const many = readFileSync(join(files, 'growing.arrow'));

  it('that ends early keeps its whole batches', async () => {
    const { examples, problems } = await readAll(scratch.write('cut.arrow', many.subarray(0, -200)));
    assert.deepEqual(
      examples.map(({ row }) => row),
      [0, 1, 2, 3],
    );
    assert.deepEqual(
      problems.map(({ code, severity, message }) => [code, severity, codeOf(message)]),
      [['broken-part', 'error', 'dataset.tarRestLeftOut']],
    );
  });

  it('whose offsets point backwards loses those rows only', async () => {
    const { fields, batches } = await arrowIndex(bytesOf(many));
    for (const broken of [0, 1]) {
      const { columns } = await batchAt(bytesOf(many), batches[broken], fields);
      const bytes = Buffer.from(many);
      bytes.writeInt32LE(-5, columns[1].buffers[1].start + 4);
      const { examples, problems } = await readAll(scratch.write('offsets.arrow', bytes));
      assert.deepEqual(
        examples.map(({ row }) => row),
        [0, 1, 2, 3, 4, 5].filter((row) => Math.floor(row / 2) !== broken),
      );
      assert.deepEqual(
        problems.map(({ message, row }) => [codeOf(message), row]),
        [['dataset.arrowRowsBroken', 2 * broken + 1]],
      );
    }
  });

  it('that is not one, or declares 2^31 rows, is refused', async () => {
    const bare = Buffer.concat([Buffer.from([255, 255, 255, 255, 8, 0, 0, 0]), Buffer.alloc(8)]);
    assert.match(JSON.stringify((await rejection(scratch.write('bare.arrow', bare))).what), /dataset\.arrow/);
    const rows = Buffer.alloc(8);
    rows.writeBigInt64LE(4n);
    const huge = Buffer.from(whole);
    let at = huge.indexOf(rows);
    for (; at >= 0; at = huge.indexOf(rows, at + 8)) huge.writeBigInt64LE(1n << 31n, at);
    assert.match(
      JSON.stringify((await rejection(scratch.write('huge.arrow', huge))).what),
      /dataset\.arrowBatchInvalid/,
    );
  });

  it('whose dictionary contains itself ends, with the values of the inner field', async () => {
    const message = (kind: number, header: FlatValues, body: Buffer): Buffer => {
      const meta = FlatWriter.root([{ short: 4 }, { byte: kind }, { table: header }, { long: body.length }]);
      const prefix = Buffer.alloc(8, 0xff);
      prefix.writeUInt32LE(meta.length, 4);
      return Buffer.concat([prefix, meta, body]);
    };
    const self = { table: [{ long: 1 }] };
    const item: FlatValues = [{ text: 'item' }, { byte: 1 }, { byte: 5 }, { table: [] }, self];
    const field = (name: string, list: boolean): FlatValues =>
      list
        ? [{ text: name }, { byte: 1 }, { byte: 12 }, { table: [] }, self, { tables: [item] }]
        : [{ text: name }, { byte: 1 }, { byte: 5 }, { table: [] }];
    // Two texts of six bytes: 0, 6, 12, and the places 0 and 1 in the dictionary.
    const texts = Buffer.from(
      '000000000600000' + '00c00000000000000' + Buffer.from('1.jpg 2.jpg ').toString('hex') + '00000000',
      'hex',
    );
    const places = Buffer.from('0000000001000000', 'hex');
    const batch = (columns: number, buffers: number[]): FlatValues => [
      { long: 2 },
      { longs: Array.from({ length: 2 * columns }, (_, i) => (i % 2 === 0 ? 2 : 0)), width: 2 },
      { longs: buffers, width: 2 },
    ];
    const file = Buffer.concat([
      message(1, [undefined, { tables: [field('image', false), field('caption', true)] }], Buffer.alloc(0)),
      message(2, [{ long: 1 }, { table: batch(1, [0, 0, 0, 12, 16, 12]) }], texts),
      message(3, batch(2, [0, 0, 0, 12, 16, 12, 32, 0, 32, 8]), Buffer.concat([texts, places])),
    ]);
    assert.deepEqual(await rowsOf(scratch.write('cyclic.arrow', file)), [
      { image: '1.jpg ', caption: '1.jpg ' },
      { image: '2.jpg ', caption: '2.jpg ' },
    ]);
  });
});
