import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Place } from '../../../src/dataset/example';
import { openDataset } from '../../../src/dataset/open';
import { exportReport } from '../../../src/report/export/export';
import { parseReport } from '../../../src/report/reportShape';
import { reportOf } from '../report/reportOf';

/** What the fuzzer found, or a person beside it, each once. */
describe('finds', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-finds-'));
  });
  after(() => rm(folder, { recursive: true }));

  const distances = { p1p2: 3, p1n: 1, p2n: 4 };
  const visla = {
    example: '1',
    row: 1,
    place: { line: 2, column: 1, offset: 10, length: 9 },
    p1: 'a [link](command:x) \\ cat',
    p2: 'one cat',
    n: 'a dog',
    swapped: false,
    characters: distances,
    words: distances,
    t2t: { p1p2: 0.5, p1n: 0.6, p2n: 0.1, right: false, tie: false },
  };

  async function exported(form: string, row: unknown, probe = 'visla'): Promise<string> {
    const report = reportOf({ probe });
    await writeFile(join(folder, 'x.report.json'), JSON.stringify(report));
    await writeFile(join(folder, report.rows), `${JSON.stringify(row)}\n`);
    let out = '';
    for await (const piece of exportReport(join(folder, 'x.report.json'), form)) out += piece.toString();
    return out;
  }

  it('UTF-16 that breaks off in half a character: no place goes beyond the file', async () => {
    const path = join(folder, 'odd.tsv');
    for (const half of [[0x4e], [0xd8, 0x3d, 0x4e]]) {
      const text = Buffer.from('image\tcaption\na.jpg\ta cat and a d', 'utf16le').swap16();
      const bytes = Buffer.concat([Buffer.from([0xfe, 0xff]), text, Buffer.from(half)]);
      await writeFile(path, bytes);
      const places: Place[] = [];
      for await (const { captions } of (await openDataset(path)).read())
        for (const { text: caption, place } of captions) {
          assert.match(caption, /^a cat and a d\ufffd+$/);
          places.push(place!);
        }
      assert.deepEqual(
        places.map(({ offset, length }) => offset + length),
        [bytes.length],
      );
    }
  });

  it('a number too large for a number is none in a report either', () => {
    const text = JSON.stringify(reportOf({ options: { a: 1 } })).replace('"a":1', '"a":1e999');
    assert.throws(() => parseReport(JSON.parse(text)), /options\.a is not a text, a number/);
  });

  it('rows that another probe wrote: said so, with the example', async () => {
    for (const form of ['junit', 'sarif', 'html'] as const) {
      await assert.rejects(exported(form, visla, 'lgip'), (error: unknown) => {
        assert.ok(error instanceof CaptiousError);
        assert.match(error.describe(), /row of example 1 is not one that lgip writes.*captious audit/);
        return true;
      });
    }
  });

  it('a picture drawn from rows that another probe wrote: said so, too', async () => {
    const lgip = {
      example: '2',
      row: 2,
      caption: 0,
      text: 'a cat',
      words: 2,
      score: 0.3,
      paraphrases: [],
      flips: [],
    };
    for (const probe of ['visla', 'rococo', 'prsm'])
      await assert.rejects(exported('html', lgip, probe), (error: unknown) => {
        assert.ok(error instanceof CaptiousError);
        assert.match(error.describe(), new RegExp(`row of example 2 is not one that ${probe} writes`));
        return true;
      });
  });

  it('a line of the file that is markup: refused with the line of the rows', async () => {
    const place = { ...visla.place, line: '1"><script>' };
    await assert.rejects(exported('junit', { ...visla, place }), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.match(error.describe(), /rows\.jsonl:1: .*place\.line is not a count/);
      return true;
    });
  });

  it('a caption with a link in it makes none in SARIF', async () => {
    const { runs } = JSON.parse(await exported('sarif', visla)) as {
      runs: { results: { message: { text: string } }[] }[];
    };
    const { text } = runs[0].results[0].message;
    assert.ok(text.includes('\\[link\\](command:x) \\\\ cat'), text);
  });
});
