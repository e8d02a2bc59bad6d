import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { mergeShards } from '../../../src/audit/shard/merge';
import { runShard } from '../../../src/audit/shard/runShard';
import type { Part } from '../../../src/audit/shard/manifest';
import type { Report } from '../../../src/report/report';
import { unscored } from '../../../src/report/gate';
import { viewFor } from '../../../src/probe/views';
import { FakeEvaluator } from '../../unit/bench/fakeEvaluator';
import { say } from '../../../src/base/say';

const imageFolder = resolve('test/fixtures/models/pictures');
const things = ['a red bus', 'two dogs', 'a man with a white hat', 'three cats on a table', 'a brown horse'];
const images = 60;
/** Enough for tests that count what is lost, and need no interval. */
const few = 24;

const share = (text: string): number => createHash('sha256').update(text).digest().readUInt32LE(0) / 2 ** 32;

/** Scores pairs, and refuses those for which `refuses` is true. */
function judge(refuses: (image: string, text: string) => boolean): FakeEvaluator {
  const made = new FakeEvaluator({ info: { kind: 'pair-scorer', scores: ['image-text'] } });
  made.scorePairs = (pairs) =>
    Promise.resolve(
      pairs.map(({ image, text }) =>
        refuses(basename(image.source.name), text)
          ? { ok: false, problem: 'the model refused to answer: no' }
          : { ok: true, value: share(`${image.source.name} ${text}`) },
      ),
    );
  return made;
}

describe('an evaluator that refuses answers', function () {
  this.timeout(240_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-refused-'));
    const imageFiles = (await readdir(imageFolder)).filter((name) => /\.(png|jpg)$/.test(name));
    for (let i = 0; i < images; i++)
      // Other bytes for each image, because the store knows images by their bytes.
      await writeFile(
        join(folder, nameOf(i)),
        Buffer.concat([
          await readFile(join(imageFolder, imageFiles[i % imageFiles.length])),
          Buffer.from(`${i}`),
        ]),
      );
    const lines = (of: (i: number) => object): string =>
      Array.from({ length: images }, (_, i) => JSON.stringify(of(i))).join('\n');
    const group = (i: number): string => (i % 2 === 0 ? 'indoor' : 'outdoor');
    const said = (i: number, j = 0): string =>
      `${things[(i + j) % things.length]} by house ${i} of street ${j}`;
    await writeFile(
      join(folder, 'captions.jsonl'),
      lines((i) => ({ image: nameOf(i), captions: things.map((_, j) => said(i, j)), place: group(i) })),
    );
    await writeFile(
      join(folder, 'triplets.jsonl'),
      lines((i) => ({
        image: nameOf(i),
        ...{ caption: said(i), caption2: `there is ${said(i)}`, negative: said(i, 1), place: group(i) },
      })),
    );
  });
  after(() => rm(folder, { recursive: true }));

  const nameOf = (i: number): string => `photo${i}.png`;
  const request = (file: string, probes: string[], out: string, limit?: number) => ({
    ...{ dataset: join(folder, file), probes, images: [folder], spread: false, limit },
    ...{ home: join(folder, `home of ${out}`), out: join(folder, out), signal: new AbortController().signal },
  });

  async function audit(
    file: string,
    probe: string,
    evaluator: FakeEvaluator,
    out: string,
    limit?: number,
  ): Promise<Report> {
    const [{ report }] = await runAudit({ ...request(file, [probe], out, limit), evaluators: [evaluator] });
    return report;
  }

  const metric = (report: Report, id: string, slice?: object) =>
    report.metrics.find(
      (one) => one.id === id && JSON.stringify(one.slice ?? {}) === JSON.stringify(slice ?? {}),
    );

  it('loses the variants and captions that it refuses, not the images', async () => {
    const whole = await audit(
      'captions.jsonl',
      'lgip',
      judge(() => false),
      'whole',
    );
    const some = await audit(
      'captions.jsonl',
      'lgip',
      judge((image, text) => share(text + image) < 0.02),
      'some',
    );
    assert.equal(some.dataset.examples, images);
    assert.equal(some.dataset.skipped, 0);
    for (const id of ['lgip.inv', 'lgip.sens', 'lgip.inv.pooled', 'lgip.sens.pooled']) {
      const [before, after] = [whole, some].map((report) => metric(report, id)!.n);
      assert.ok(after < before && after > 0.94 * before, `${id}: ${after} of ${before}`);
    }
    const refused = metric(some, 'refused')!;
    assert.ok(refused.value! > 0.01 && refused.value! < 0.03, `${refused.value}`);
    assert.equal(metric(whole, 'refused')!.value, 0);
    for (const variant of ['caption', 'paraphrase', 'flip'])
      assert.ok(metric(some, 'refused', { variant })!.n > 0, variant);
    const { lost } = some.dataset;
    assert.ok(lost !== undefined && lost.variants > 0 && lost.captions > 0 && lost.partly > 0);
    assert.equal(lost.images, 0);
    assert.equal(whole.dataset.lost, undefined);
  });

  it('loses an image only if none of its captions has a score', async () => {
    const report = await audit(
      'captions.jsonl',
      'lgip',
      judge((image) => image === nameOf(3)),
      'image',
      few,
    );
    assert.equal(report.dataset.examples, few - 1);
    assert.deepEqual(report.dataset.lost, { variants: 0, captions: 0, images: 1, partly: 0 });
    assert.deepEqual(
      report.dataset.leftOut[0].reason,
      say('audit.notScored', 'the model refused to answer: no'),
    );
  });

  it('is found to refuse one group of images more often', async () => {
    const refuses = (image: string, text: string): boolean =>
      share(text + image) < (Number(/\d+/.exec(image)![0]) % 2 === 0 ? 0.08 : 0.005);
    const report = await audit('captions.jsonl', 'lgip', judge(refuses), 'group');
    assert.ok(metric(report, 'refused.difference', { place: 'indoor' })!.value! > 0.03);
    assert.ok(metric(report, 'refused.difference.p', { place: 'indoor' })!.value! < 1e-4);
    assert.equal(report.claims.filter(({ text }) => english(text).includes('place: indoor')).length, 1);
  });

  it('gets no verdict for images that cannot be read, which are no refusals', async () => {
    await writeFile(join(folder, nameOf(0)), 'no image');
    const clip = new FakeEvaluator({ refuseImage: (name) => name === nameOf(0) });
    const report = await audit('captions.jsonl', 'lgip', clip, 'torn', few);
    assert.equal(report.dataset.examples, few - 1);
    assert.ok(metric(report, 'refused')!.value! >= 0);
  });

  it('is told from an image that cannot be read by what failed, whatever the problem says', async () => {
    const refuses = (image: string): boolean => image === nameOf(1) || image === nameOf(2);
    const named = judge(refuses);
    const { scorePairs } = named;
    named.scorePairs = async (pairs, signal) =>
      (await scorePairs!(pairs, signal)).map((outcome, i) =>
        outcome.ok ? outcome : { ok: false, problem: `${pairs[i].image.source.name}: I cannot describe it` },
      );
    const report = await audit('captions.jsonl', 'lgip', named, 'named', few);
    assert.ok(metric(report, 'refused')!.value! > 0);
    assert.equal(report.dataset.lost?.images, 2);
    const unread = judge(refuses);
    const { scorePairs: score } = unread;
    unread.scorePairs = async (pairs, signal) =>
      (await score!(pairs, signal)).map((outcome) =>
        outcome.ok ? outcome : { ok: false, problem: 'it is damaged', unreadable: true },
      );
    const torn = await audit('captions.jsonl', 'lgip', unread, 'torn images', few);
    assert.equal(metric(torn, 'refused')!.value, 0);
    assert.equal(torn.dataset.lost?.images, 2);
  });

  for (const probe of ['lgip', 'rococo', 'prsm'])
    it(`counts for the gates of ${probe}, like images that are not found`, async () => {
      const lines = (await readFile(join(folder, 'captions.jsonl'), 'utf8')).split('\n').slice(0, 20);
      const more = [{ image: 'gone.png', captions: things }, { captions: things }];
      await writeFile(
        join(folder, 'some.jsonl'),
        [...lines, ...more.map((row) => JSON.stringify(row))].join('\n'),
      );
      const some = [4, 5, 6].map(nameOf);
      const clip = new FakeEvaluator({ refuseImage: (name) => some.includes(name) });
      const report = await audit('some.jsonl', probe, clip, `gates of ${probe}`);
      const { leftOut } = report.dataset;
      // Three images without an embedding, and one that is not found. A caption without an image is no failure.
      const counted = leftOut.filter((entry) => entry.unscored === true);
      assert.equal(
        counted.reduce((sum, { count }) => sum + count, 0),
        4,
      );
      assert.equal(unscored(report), 4);
    });

  for (const probe of ['prsm', 'rococo'])
    it(`is counted in the ranking of ${probe}, by kind and by group`, async () => {
      const options = { prsm: { k: '10', sets: 'P1' }, rococo: { images: 'none' } };
      const run = async (rate: (image: number) => number, out: string): Promise<Report> => {
        const refuses = (image: string, text: string): boolean =>
          share(text + image) < rate(Number(/\d+/.exec(image)![0]));
        const evaluator = Object.assign(judge(refuses), { rerank: images });
        const asked = { ...request('triplets.jsonl', [probe], out), options };
        const [{ report }] = await runAudit({ ...asked, evaluators: [evaluator] });
        return report;
      };
      const random = await run(() => 0.02, `${probe} random`);
      const { value } = metric(random, 'refused')!;
      assert.ok(value! > 0.01 && value! < 0.03, `${value}`);
      assert.equal(random.dataset.examples, images);
      assert.deepEqual(refusedWords(random), []);
      for (const variant of ['caption', probe === 'prsm' ? 'paraphrase' : 'altered'])
        assert.ok(metric(random, 'refused', { variant })!.n > images, variant);
      const biased = await run((image) => (image % 2 === 0 ? 0.08 : 0.005), `${probe} biased`);
      assert.ok(metric(biased, 'refused.difference', { place: 'indoor' })!.value! > 0.03);
      assert.equal(refusedWords(biased).length, 1);
    });

  const refusedWords = ({ claims }: Report): string[] =>
    claims.map(({ text }) => english(text)).filter((text) => text.includes('place: '));

  for (const [probe, file] of [
    ['lgip', 'captions.jsonl'],
    ['invariance', 'captions.jsonl'],
    ['visla', 'triplets.jsonl'],
    ['choice', 'triplets.jsonl'],
  ])
    it(`leaves no gap in the rows of ${probe}, in one run and in shards`, async () => {
      const evaluator = () => {
        const made = new FakeEvaluator({
          refuse: (text) => share(text) < 0.15,
          refuseImage: (name) => share(name) < 0.1,
        });
        return made;
      };
      const report = await audit(file, probe, evaluator(), `single ${probe}`, few);
      const rows = await readFile(join(folder, `single ${probe}`, report.rows), 'utf8');
      const { row: check } = viewFor(probe).rows;
      for (const line of rows.trim().split('\n')) {
        const row: unknown = JSON.parse(line);
        assert.ok(check.fits(row), english(check.fault(row)));
      }
      for (const { id, value } of report.metrics) assert.ok(value === null || Number.isFinite(value), id);
      const folders: string[] = [];
      for (const index of [2, 1, 3])
        folders.push(
          (
            await runShard({
              ...request(file, [probe], `shards ${probe}`, few),
              evaluators: [evaluator()],
              shard: { index, count: 3 },
            })
          ).folder,
        );
      for (const at of folders) {
        const text = await readFile(join(at, 'shard.json'), 'utf8');
        const { manifest } = JSON.parse(text) as { manifest: { probes: { parts: Part[] }[] } };
        const [{ answers }] = manifest.probes[0].parts;
        const lines = (await readFile(join(at, answers.file), 'utf8')).trim().split('\n');
        const numbers = lines.map((line) => (JSON.parse(line) as [number, object])[0]);
        assert.ok(numbers.length > 5);
        assert.deepEqual(
          numbers,
          [...numbers].sort((a, b) => a - b),
        );
        // The manifest is read as one text, so it must not grow with the examples.
        assert.ok(!text.includes('"kinds"'));
      }
      const { home, signal } = request(file, [], '');
      const [merged] = await mergeShards({ folders, out: join(folder, `merged ${probe}`), home, signal });
      assert.equal(merged.report.rowsSha256, report.rowsSha256);
      assert.deepEqual(merged.report.metrics, report.metrics);
      assert.deepEqual(merged.report.dataset, report.dataset);
      const damaged = join(
        folders[1],
        (await readdir(folders[1])).find((name) => name.includes('.answers.'))!,
      );
      await writeFile(damaged, (await readFile(damaged, 'utf8')).replace('"cluster"', '"Cluster"'));
      await assert.rejects(
        mergeShards({ folders, out: join(folder, `damaged ${probe}`), home, signal }),
        (error: Error) => error.message.includes(basename(damaged)),
      );
    });
});
