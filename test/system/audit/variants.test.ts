import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { readManifest, requireAll, writeVariants } from '../../../src/audit/variants';
import { Random } from '../../../src/base/random';
import { decode } from '../../../src/evaluator/native/images/decode';
import { aids } from '../../../src/evaluator/native/images/imageTools';
import { readScores, scoresEvaluator } from '../../../src/evaluator/scoresTable';
import { wantKey } from '../../../src/evaluator/wantKey';
import { applyTransforms, type Transform } from '../../../src/perturb/transform';
import type { VislaRow } from '../../../src/probe/visla/row';
import { FakeEvaluator } from '../../unit/bench/fakeEvaluator';
import { findSaid, say } from '../../../src/base/say';
import { saying } from '../../sentence';

const model = resolve('test/fixtures/models/bert-cls');
const words = [
  'a red bus',
  'the bus is red',
  'a blue bus on the road',
  'two dogs and a cat',
  'one dog',
  'a man',
];

describe('scores from another program', function () {
  this.timeout(60_000);
  const { signal } = new AbortController();
  let folder: string;
  let file: string;
  let manifest: string;
  let pairs: string;
  /** Score lines as an external scorer writes them. The scores are those of the audit `direct`. */
  let lines: { key: string; score: number }[];
  let direct: Awaited<ReturnType<typeof runAudit>>[number];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-elsewhere-'));
    file = join(folder, 'triplets.tsv');
    const rows = Array.from({ length: 30 }, (_, i) => {
      const word = (shift: number) => `${words[(i + shift) % words.length]} ${i % 7}`;
      return `${i}.jpg\t${word(0)}\t${word(1)}\t${word(2)}\n`;
    });
    await writeFile(file, `filename\tcaption\tsecond positive\tnegative_caption\n${rows.join('')}`);
    const request = { dataset: file, probes: ['visla'], home: join(folder, 'home'), signal };
    [direct] = await runAudit({ ...request, evaluators: [model], out: join(folder, 'direct') });
    const written = await writeVariants({
      dataset: file,
      probe: 'visla',
      kinds: ['text-text'],
      out: join(folder, 'elsewhere'),
      signal,
    });
    manifest = written.path;
    pairs = join(folder, 'elsewhere', written.manifest.pairs);
    const key = (left: string, right: string) =>
      wantKey({ left: { kind: 'text', text: left }, right: { kind: 'text', text: right } });
    const scores = new Map<string, number>();
    for (const line of (await readFile(join(folder, 'direct', direct.report.rows), 'utf8'))
      .trim()
      .split('\n')) {
      const { p1, p2, n, t2t } = JSON.parse(line) as VislaRow;
      scores.set(key(p1, p2), t2t!.p1p2).set(key(p1, n), t2t!.p1n).set(key(p2, n), t2t!.p2n);
    }
    lines = new Random('order').shuffle([...scores]).map(([name, score]) => ({ key: name, score }));
  });
  after(() => rm(folder, { recursive: true }));

  async function scoresFile(name: string, content: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  }

  const jsonl = (of: readonly object[]) => of.map((line) => `${JSON.stringify(line)}\n`).join('');

  async function measure(path: string): Promise<(typeof direct)['report']> {
    const table = await readScores(path);
    const read = await readManifest(manifest);
    await requireAll(manifest, read, table.scores);
    const [{ report }] = await runAudit({
      dataset: file,
      probes: ['visla'],
      evaluators: [scoresEvaluator(table, read.kinds, 'elsewhere')],
      out: join(folder, 'measured'),
      home: join(folder, 'home'),
      signal,
    });
    return report;
  }

  it('name every distinct pair once, with its content', async () => {
    const written = (await readFile(pairs, 'utf8'))
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { key: string; kind: string; left: { text: string }; right: { text: string } },
      );
    assert.equal(new Set(written.map(({ key }) => key)).size, written.length);
    assert.equal(written.length, (await readManifest(manifest)).pairCount);
    for (const { key, kind, left, right } of written) {
      assert.equal(kind, 'text-text');
      assert.equal(key, wantKey({ left: { kind: 'text', ...left }, right: { kind: 'text', ...right } }));
    }
    assert.deepEqual(new Set(lines.map(({ key }) => key)), new Set(written.map(({ key }) => key)));
  });

  it('give the metrics of their encoder, in any order, from JSON lines, CSV and TSV', async () => {
    const forms = {
      'scores.jsonl': jsonl(lines),
      'scores.csv': `\uFEFFscore,"key",note\r\n${lines.map(({ key, score }) => `${score},${key},x\r\n`).join('')}`,
      'scores.tsv': `key\tscore\n${lines.map(({ key, score }) => `${key}\t${score}\n`).join('')}`,
    };
    for (const [name, content] of Object.entries(forms)) {
      const report = await measure(await scoresFile(name, content));
      assert.deepEqual(report.metrics, direct.report.metrics, name);
      assert.equal(report.evaluator.kind, 'scores');
      assert.equal(report.rowsSha256, direct.report.rowsSha256);
    }
  });

  it('are not measured while one is missing', async () => {
    await assert.rejects(
      measure(await scoresFile('few.jsonl', jsonl(lines.slice(2)))),
      new RegExp(`^CaptiousError: ${saying('audit.pairsWithoutScore', 2, lines.length).source}`),
    );
  });

  it('may be null for a pair that could not be scored: skips and counts its examples', async () => {
    const [first, ...rest] = lines;
    const report = await measure(await scoresFile('null.jsonl', jsonl([{ ...first, score: null }, ...rest])));
    assert.ok(report.dataset.skipped > 0);
    assert.equal(report.dataset.examples + report.dataset.skipped, 30);
    assert.deepEqual(
      report.dataset.leftOut[0].reason,
      say('audit.notScored', say('evaluator.scoreInFileIs', 'NaN')),
    );
  });

  it('may be NaN or Infinity as Python writes them, which leaves their examples out', async () => {
    const written = lines.map(({ key, score }, i) => {
      const name = i === 0 ? 'NaN' : i === 1 ? '-Infinity' : String(score);
      return `{"key": "${key}", "note": "NaN, \\"Infinity\\"", "score": ${name}}\n`;
    });
    const { dataset } = await measure(await scoresFile('python.jsonl', written.join('')));
    assert.ok(dataset.skipped > 0);
    assert.equal(dataset.examples + dataset.skipped, 30);
    assert.deepEqual(
      new Set(dataset.leftOut.map(({ reason }) => findSaid(reason, 'evaluator.scoreInFileIs')?.values[0])),
      new Set(['NaN', '-Infinity']),
    );
  });

  it('may come with captions that contain commas, quotes and line ends', async () => {
    const rows = lines.map(({ key, score }) => `"a ""dog"", or\na cat",${key},${score}\n`);
    const report = await measure(await scoresFile('quoted.csv', `caption,key,score\n${rows.join('')}`));
    assert.equal(report.rowsSha256, direct.report.rowsSha256);
  });

  it('must lie in the declared range, or the error names the line', async () => {
    const path = await scoresFile('range.jsonl', '{"key":"a","score":0.5}\n{"key":"b","score":7}\n');
    await assert.rejects(
      readScores(path, signal, { low: 0, high: 1 }),
      saying('evaluator.scoreOutsideRange', 7, 0, 1),
    );
    const table = await readScores(path, signal, { low: 0, high: 10 });
    assert.deepEqual(scoresEvaluator(table, ['text-text']).info.scale, { name: 'own', low: 0, high: 10 });
  });

  it('report keys that match no pair', async () => {
    const scores = new Map([...lines, { key: 'stray', score: 1 }].map(({ key, score }) => [key, score]));
    assert.deepEqual(await requireAll(manifest, await readManifest(manifest), scores), ['stray']);
  });

  it('are rejected with their line if they are not numbers', async () => {
    const wrong: [string, RegExp][] = [
      ['{"key":"a","score":"high"}\n', saying('evaluator.scoreInvalid', '"high"')],
      ['{"key":"a","score":"0x10"}\n', saying('evaluator.scoreInvalid', '"0x10"')],
      ['key,score\na,0b11\n', saying('evaluator.scoreInvalid', '"0b11"')],
      ['{"key":"a","score":1}\n{"key":"a","score":2}\n', saying('evaluator.scoreConflict', 'a', 1, 2)],
      ['{"key":"a","score":1}\n{"score":2}\n', saying('evaluator.scoresKeyMissing')],
      ['{"key":"a","score":1}\n{"key":\n', saying('evaluator.scoresLineUnreadable')],
      ['a,b\n1,2\n', saying('evaluator.scoresHeaderMissing')],
    ];
    for (const [content, message] of wrong) {
      const path = await scoresFile('wrong', content);
      await assert.rejects(readScores(path), (error: Error & { at?: string }) => {
        assert.match(error.message, message);
        assert.match(error.at!, new RegExp(`${path}:\\d$`));
        return true;
      });
    }
  });

  it('are rejected if the variants are incomplete or another kind of file', async () => {
    await assert.rejects(readManifest(file), saying('audit.notVariantsFile'));
    await assert.rejects(readManifest(join(folder, 'none')), saying('audit.notVariantsFile'));
    const read = await readManifest(manifest);
    await assert.rejects(
      requireAll(join(folder, 'x.variants.json'), read, new Map()),
      saying('audit.variantPairsMissing'),
    );
  });
});

describe('images of variants', function () {
  this.timeout(240_000);
  const { signal } = new AbortController();
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-images-'))));
  after(() => rm(folder, { recursive: true }));

  async function write(dataset: string, out: string, limit = 5): ReturnType<typeof writeVariants> {
    const request = { dataset, probe: 'invariance', kinds: ['image-text'] as const, limit, signal };
    return writeVariants({ ...request, out: join(folder, out), writeImages: true });
  }

  it('are written as PNG if altered, pixel for pixel as an evaluator receives them', async () => {
    const { manifest, imagesWritten, problems } = await write(resolve('samples/captions.json'), 'altered');
    assert.deepEqual(problems, []);
    const written = await readFile(join(folder, 'altered', manifest.pairs), 'utf8');
    const sides = written
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { left: Altered }).left);
    const altered = sides.filter(({ transforms }) => transforms.length > 0);
    assert.equal(new Set(altered.map(({ file }) => file)).size, imagesWritten);
    assert.ok(imagesWritten! > 0);
    for (const { image, path, transforms, file } of altered) {
      const expected = await applyTransforms(await decode({ name: image, path }), transforms, aids);
      const made = await decode({ name: file!, path: join(folder, 'altered', file!) });
      assert.ok(Buffer.from(made.data).equals(expected.data), file);
    }
    assert.ok(sides.every(({ transforms, file }) => transforms.length > 0 || file === undefined));
  });

  it('are those that an audit measures: moves that it leaves out are not written', async () => {
    const dataset = resolve('samples/captions.json');
    const { manifest } = await write(dataset, 'moves', 60);
    const lines = (await readFile(join(folder, 'moves', manifest.pairs), 'utf8')).trim().split('\n');
    const isMove = ({ op }: { op: string }): boolean => op === 'move';
    const written = lines
      .map((line) => (JSON.parse(line) as { left: Altered }).left)
      .filter(({ transforms }) => transforms.some(isMove));
    const [{ report, path }] = await runAudit({
      ...{ dataset, probes: ['invariance'], evaluators: [new FakeEvaluator()], limit: 60, signal },
      ...{ home: join(folder, 'home'), out: join(folder, 'audited'), spread: false },
    });
    const rows = (await readFile(join(dirname(path), report.rows), 'utf8')).trim().split('\n');
    const measured = rows.flatMap((line) =>
      (JSON.parse(line) as { variants: { transform?: { op: string } }[] }).variants.filter(
        ({ transform }) => transform !== undefined && isMove(transform),
      ),
    );
    assert.ok(
      report.warnings.some((text) => findSaid(text, 'invariance.surroundingsNotPlain') !== undefined),
      report.warnings.map(english).join('\n'),
    );
    assert.equal(new Set(written.map(({ file }) => file)).size, measured.length);
  });

  it('are written if they are embedded in the dataset', async () => {
    const { manifest, imagesWritten } = await write(resolve('samples/captions.parquet'), 'carried');
    const [line] = (await readFile(join(folder, 'carried', manifest.pairs), 'utf8')).split('\n');
    assert.match((JSON.parse(line) as { left: Altered }).left.file!, /^images\/[\da-f]{20}\.png$/);
    assert.equal((await readdir(join(folder, 'carried', 'images'))).length, imagesWritten);
  });

  it('stay with their pairs if another dataset of the same name uses the folder', async () => {
    const copy = join(folder, 'captions.json');
    await cp(resolve('samples/captions.json'), copy);
    const names = [];
    for (const dataset of [resolve('samples/captions.json'), copy, resolve('samples/captions.json')])
      names.push(
        (
          await writeVariants({
            dataset,
            probe: 'lgip',
            kinds: ['image-text'],
            limit: 1,
            images: [resolve('samples/images')],
            out: join(folder, 'both'),
            signal,
          })
        ).path,
      );
    assert.notEqual(names[0], names[1]);
    assert.equal(names[2], names[0]);
  });
});

interface Altered {
  image: string;
  path: string;
  transforms: Transform[];
  file?: string;
}
