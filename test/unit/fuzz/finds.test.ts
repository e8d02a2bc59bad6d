import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { findLeft } from '../../../src/audit/resume/checkpoint';
import { requireAll, type VariantsManifest, variantsSchema } from '../../../src/audit/variants';
import { CaptiousError } from '../../../src/base/errors';
import { ModelFolder } from '../../../src/evaluator/model/modelFolder';
import { readIds } from '../../../src/evaluator/embeddings/ids';
import { Tokens } from '../../../src/evaluator/native/tokens';
import type { Place } from '../../../src/dataset/example';
import { openDataset } from '../../../src/dataset/open';
import { english } from '../../../src/base/english';
import { exportReport } from '../../../src/report/export/export';
import { markdown } from '../../../src/report/export/markdown';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { parseReport } from '../../../src/report/reportShape';
import { reportOf, writeReport } from '../report/reportOf';
import { findSaid, say } from '../../../src/base/say';
import { saying } from '../../sentence';

/** Defects that the fuzzer or a review found, each with a test. */
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

  const leftOut = new LeftOutRows();

  async function exported(form: string, row: unknown, probe = 'visla'): Promise<string> {
    const path = await writeReport(folder, reportOf({ probe }), `${JSON.stringify(row)}\n`);
    let out = '';
    for await (const piece of exportReport(path, form, leftOut)) out += piece.toString();
    return out;
  }

  it('UTF-16 truncated inside a character: no place is beyond the file', async () => {
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

  it('variants whose pairs file is a folder: reported as missing', async () => {
    const manifest: VariantsManifest = {
      schema: variantsSchema,
      probe: 'visla',
      dataset: { path: 'd.tsv', sha256: 'aa' },
      images: [],
      kinds: ['text-text'],
      options: {},
      seed: 42,
      pairs: '',
      pairCount: 1,
    };
    await assert.rejects(
      requireAll(join(folder, 'x.variants.json'), manifest, new Map()),
      (error: unknown) => {
        assert.ok(error instanceof CaptiousError);
        assert.deepEqual(error.what, say('audit.variantPairsMissing'));
        return true;
      },
    );
  });

  it('a tokenizer with an empty normalizer: read, or rejected with its place', async () => {
    const model = join(folder, 'bert');
    await cp('test/fixtures/models/bert-cls', model, { recursive: true });
    const path = join(model, 'tokenizer.json');
    const json = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    for (const inner of [null, 7, 'x', []]) {
      await writeFile(
        path,
        JSON.stringify({ ...json, normalizer: { type: 'Sequence', normalizers: [inner] } }),
      );
      try {
        const rules = { max: 20, fixed: undefined, attendPadding: false, prompt: '' };
        assert.ok(new Tokens(new ModelFolder(model), rules).row('a cat').ids.length > 0);
      } catch (error) {
        assert.ok(error instanceof CaptiousError, String(error));
        assert.match(error.at!, /tokenizer\.json$/);
      }
    }
  });

  it('ids of embeddings that are lists: refused with their row', async () => {
    const path = join(folder, 'ids.json');
    await writeFile(path, '["a.jpg", []]');
    await assert.rejects(readIds(path, 'image'), {
      what: say('embeddings.idsUnreadable', 'ids.json', say('embeddings.idInvalid', 2, '[]')),
    });
  });

  it('a tokenizer with ids that are not numbers: rejected with its place', async () => {
    const model = join(folder, 'ids');
    await cp('test/fixtures/models/bert-cls', model, { recursive: true });
    const path = join(model, 'tokenizer.json');
    interface Vocabulary {
      model: { vocab: Record<string, unknown> };
    }
    const json = JSON.parse(await readFile(path, 'utf8')) as Vocabulary;
    const rules = { max: 20, fixed: 20, attendPadding: false, prompt: '' };
    const words = Object.keys(json.model.vocab);
    for (const id of [{}, null, [], [7], 'x', '7', true, 1e99, -1, 0.5, { valueOf: 1, toString: 1 }]) {
      const vocab = Object.fromEntries(words.map((word) => [word, id]));
      await writeFile(path, JSON.stringify({ ...json, model: { ...json.model, vocab } }));
      assert.throws(
        () => new Tokens(new ModelFolder(model), rules).row('a cat'),
        (error) => error instanceof CaptiousError && /tokenizer\.json$/.test(error.at!),
        JSON.stringify(id),
      );
      const padding = { ...json.model.vocab, '[PAD]': id };
      await writeFile(path, JSON.stringify({ ...json, model: { ...json.model, vocab: padding } }));
      try {
        assert.equal(new Tokens(new ModelFolder(model), rules).row('a cat').ids.at(-1), 0);
      } catch (error) {
        assert.ok(error instanceof CaptiousError && /tokenizer\.json$/.test(error.at!), String(error));
      }
    }
  });

  it('a number beyond the range of doubles is rejected in a report', () => {
    const text = JSON.stringify(reportOf({ options: { a: 1 } })).replace('"a":1', '"a":1e999');
    assert.throws(() => parseReport(JSON.parse(text)), /options\.a is not a text, a number or true or false/);
  });

  it('skips rows of another probe with their line', async () => {
    for (const form of ['junit', 'sarif', 'html', 'csv', 'parquet'] as const)
      for (const probe of ['lgip', 'rococo', 'prsm', 'winoground', 'invariance', 'sugarcrepe']) {
        await exported(form, visla, probe);
        const words = leftOut.words('x.rows.jsonl')!;
        const [, , why] = findSaid(words, 'report.rowProblem')!.values;
        assert.deepEqual(words, say('report.rowLeftOut', say('report.rowProblem', 'x.rows.jsonl', 1, why)));
        assert.match(english(why), / is not /);
      }
    assert.match(await exported('html', visla, 'lgip'), saying('report.rowLeftOut'));
  });

  it('markup in place of a line number is rejected', async () => {
    const place = { ...visla.place, line: '1"><script>' };
    const text = await exported('junit', { ...visla, place });
    assert.doesNotMatch(text, /script/);
    assert.match(english(leftOut.first[0].why), /place\.line is not a number/);
  });

  it('an image change that would take very long is rejected', async () => {
    const variant = {
      axis: 'spatial',
      family: 'blur',
      variant: '2000',
      against: 1,
      score: 1,
      delta: 0,
      change: 0,
    };
    const row = {
      ...{ example: '1', row: 0, objects: 'none', source: 'dataset', text: 'a', score: 1, rejected: [] },
      variants: [{ ...variant, transform: { op: 'blur', sigma: 2000 } }],
    };
    await exported('junit', row, 'invariance');
    assert.deepEqual(
      leftOut.first[0].why,
      say('base.shapeWrong', 'variants[0].transform.sigma', say('base.shapeNumberTo', '64')),
    );
    const mask = { width: 1e6, height: 1e6, runs: [1] };
    const object = {
      label: 'a',
      category: 'animal',
      tied: false,
      box: [0, 0, 1, 1],
      coverage: 1,
      bin: '',
      mask,
    };
    await exported('junit', { ...row, variants: [], object }, 'invariance');
    assert.match(english(leftOut.first[0].why), /^object\.mask is not a mask whose runs fit/);
  });

  it('a caption with a link does not become a link in SARIF', async () => {
    const { runs } = JSON.parse(await exported('sarif', visla)) as {
      runs: { results: { message: { text: string } }[] }[];
    };
    const { text } = runs[0].results[0].message;
    assert.ok(text.includes('\\[link\\](command:x) \\\\ cat'), text);
  });

  it('a checkpoint line with a valid checksum that is not an object: ends the checkpoint', async () => {
    const identity = 'ab'.repeat(32);
    const part = '.rows.jsonl.0123456789abcdef.free.part';
    const head = { schema: 'captious/journal@1', identity, host: 'h', parts: [part] };
    const line = (json: string): string => `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
    const write = async (lines: readonly string[]): Promise<string> => {
      const out = await mkdtemp(join(folder, 'out-'));
      await writeFile(join(out, part), '');
      await writeFile(
        join(out, `.journal-${identity.slice(0, 16)}.0123456789abcdef.free.part`),
        lines.join(''),
      );
      return out;
    };
    const broken = await findLeft(await write([line(JSON.stringify(head)), line('0')]), identity);
    assert.deepEqual(broken?.marks, []);
    for (const first of ['0', '{', '{"schema": "x"}'])
      assert.equal(await findLeft(await write([line(first)]), identity), undefined);
  });

  it('300,000 notes of metrics, warnings and reasons: all are exported', () => {
    const many = Array.from({ length: 300_000 }, (_, i) => String(i));
    const { dataset } = reportOf();
    const report = reportOf({
      warnings: many,
      metrics: many.map((id) => ({ id, value: null, n: 0, note: 'none' })),
      dataset: { ...dataset, leftOut: many.map((reason) => ({ reason, count: 1, lines: [] })) },
    });
    assert.equal(markdown(report).match(/299999/g)?.length, 4);
  });
});
