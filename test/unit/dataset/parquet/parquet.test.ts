import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { CaptiousError } from '../../../../src/base/errors';
import { findSaid, say } from '../../../../src/base/say';
import { inspectDataset } from '../../../../src/dataset/inspect';
import { openDataset } from '../../../../src/dataset/open';
import { nextAsk } from '../../callEvents';
import { readAll, scratchFolder } from '../support';

const fixtures = join(__dirname, '../../../fixtures/dataset');
const scratch = scratchFolder();

describe('Parquet', () => {
  it('reads embedded images, lists of captions, several row groups', async () => {
    const { dataset, examples, problems } = await readAll(join(fixtures, 'captions.parquet'));
    assert.equal(dataset.form, 'captions');
    assert.deepEqual(dataset.columns, ['image', 'caption', 'cocoid', 'split']);
    assert.deepEqual(problems, []);
    assert.equal(examples.length, 7);
    examples.forEach(({ images, captions, attributes, row, place }, i) => {
      assert.deepEqual(Buffer.from(images[0].bytes!.subarray(1, 4)).toString(), 'PNG');
      assert.equal(images[0].name, i === 3 ? 'row 3' : `${String(i).padStart(12, '0')}.png`);
      assert.deepEqual(
        captions.map(({ text }) => text),
        [`Caption ${i}.`, `Another of ${i}, caf\u00e9 \u{1f600}.`],
      );
      assert.deepEqual(attributes, { cocoid: 100 + i, split: 'val' });
      assert.deepEqual([row, place], [i, undefined]);
    });
    assert.notDeepEqual(examples[0].images[0].bytes, examples[1].images[0].bytes);
  });

  it('reads two images per row, zstd compression, and a page index', async () => {
    const { dataset, examples } = await readAll(join(fixtures, 'winoground.parquet'));
    assert.deepEqual([dataset.format, dataset.form], ['winoground', 'crossed']);
    assert.deepEqual(
      examples.map(({ id, images, captions }) => [id, images.length, captions.map(({ text }) => text)]),
      [
        ['0', 2, ['a b', 'b a']],
        ['1', 2, ['c d', 'd c']],
      ],
    );
  });

  it('reads image paths; names a null caption and leaves its row out', async () => {
    const { examples, problems } = await readAll(join(fixtures, 'paths.parquet'));
    assert.deepEqual(
      examples.map(({ row }) => row),
      [0, 1, 3, 4, 5, 6],
    );
    assert.deepEqual([problems[0].code, problems[0].row], ['missing-field', 2]);
    assert.equal(examples[1].attributes.score, 0.5);
  });

  it('rejects more declared values than its bytes can encode, before reading', async () => {
    const rows = 1_500_000;
    const bytes = parquetWriteBuffer({
      columnData: [{ name: 'caption', data: new Array<string>(rows).fill('a'), type: 'STRING' }],
      rowGroupSize: rows,
    });
    const path = scratch.write('many.parquet', Buffer.from(bytes));
    assert.ok(bytes.byteLength < 2000);
    await assert.rejects(readAll(path), (error: unknown) => {
      assert.ok(error instanceof CaptiousError && error.kind === 'input');
      const reason = findSaid(error.what, 'dataset.parquetTooManyValues');
      assert.deepEqual(reason?.values, [String(bytes.byteLength), String(rows)]);
      return true;
    });
  });

  it('inspects and recognises it like other files', async () => {
    const path = join(fixtures, 'captions.parquet');
    const { examples, captions, images } = await inspectDataset(path);
    assert.deepEqual([examples, captions, images.distinct, images.inside], [7, 14, 7, 7]);
  });

  describe('a page that makes the decoder loop', () => {
    // The offsets at which each row group's first page stores the block size of its delta-encoded values. The test
    // writes 2^32 - 1 there.
    const endless = [
      { at: 49, group: 1, rows: [1, 8], before: 0 },
      { at: 1507, group: 2, rows: [51, 80], before: 50 },
    ];

    function damaged(at: number): string {
      const bytes = readFileSync(join(fixtures, 'encodings.parquet'));
      bytes.set([0xff, 0xff, 0xff, 0xff, 0x0f], at);
      return scratch.write(`endless${at}.parquet`, bytes);
    }

    for (const { at, group, rows, before } of endless) {
      it(`stops at a deadline, and the error names row group ${group}`, async () => {
        const path = damaged(at);
        let read = 0;
        await assert.rejects(
          async () => {
            const dataset = await openDataset(path, { stallMs: 500 });
            for await (const { captions } of dataset.read()) read += captions.length;
          },
          (error: unknown) => {
            assert.ok(error instanceof CaptiousError);
            assert.deepEqual([error.kind, error.at], ['input', path]);
            const part = say('dataset.parquetRowGroup', group, ...rows);
            assert.deepEqual(
              error.what,
              say(
                'dataset.parquetPartProblem',
                say('dataset.parquetPartUnreadable', part),
                say('dataset.nothingDecoded', 0.5),
              ),
            );
            return true;
          },
        );
        assert.equal(read, before);
        // The thread was terminated, so the next file gets a new thread.
        assert.equal((await readAll(join(fixtures, 'encodings.parquet'))).examples.length, 80);
      });
    }

    it('stops when cancelled', async () => {
      const stop = new AbortController();
      const decoding = nextAsk('rows');
      const reading = assert.rejects(openDataset(damaged(49), { signal: stop.signal }), {
        kind: 'interrupted',
      });
      await decoding;
      stop.abort();
      await reading;
    });
  });

  it('serves several readers, one of which stops in the middle', async () => {
    const path = join(fixtures, 'encodings.parquet');
    const dataset = await openDataset(path);
    const texts = async (): Promise<string[]> => {
      const read: string[] = [];
      for await (const { captions } of dataset.read()) read.push(...captions.map(({ text }) => text));
      return read;
    };
    const leaving = async (): Promise<void> => {
      for await (const { row } of dataset.read()) if (row === 3) break;
    };
    const [one, , two] = await Promise.all([texts(), leaving(), texts()]);
    assert.deepEqual(
      one,
      Array.from({ length: 80 }, (_, i) => `Caption ${i}.`),
    );
    assert.deepEqual(two, one);
  });

  it('gives an error with the file name, wherever the damage is', async () => {
    const whole = readFileSync(join(fixtures, 'captions.parquet'));
    const cut = scratch.write('cut.parquet', whole.subarray(0, whole.length - 20));
    await assert.rejects(readAll(cut), { name: 'CaptiousError', at: cut });
    for (let at = 4; at < whole.length; at += 97) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xff, at, at + 16);
      try {
        await readAll(scratch.write('damaged.parquet', damaged));
      } catch (error) {
        assert.equal((error as Error).name, 'CaptiousError', String((error as Error).stack));
      }
    }
  });
});
