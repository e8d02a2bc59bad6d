import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditRequest } from '../../../src/audit/request';
import { runAudit } from '../../../src/audit/run';
import { mergeShards } from '../../../src/audit/shard/merge';
import { runShard } from '../../../src/audit/shard/runShard';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import { metricOf } from '../../../src/probe/metric';
import type { Report } from '../../../src/report/report';
import { FakeEvaluator } from '../../unit/bench/fakeEvaluator';
import { needsPython } from '../../unit/evaluator/pythonFixtures';

const imageFolder = resolve('test/fixtures/models/pictures');
const things = ['bus', 'dog', 'cat', 'horse', 'boat', 'chair'];
const images = 16;
const share = (text: string): number => createHash('sha256').update(text).digest().readUInt32LE(0) / 2 ** 32;
const said = (i: number, j = 0): string =>
  `a red ${things[(i + j) % things.length]} stands by house ${i} of street ${j}`;
const nameOf = (i: number): string => `photo${i}.png`;

/** Scores pairs, and gives no score to those for which `refuses` is true. */
function judge(refuses: (image: string, text: string) => boolean): Evaluator {
  const made = new FakeEvaluator({ info: { kind: 'pair-scorer', scores: ['image-text'] } });
  made.scorePairs = (pairs) =>
    Promise.resolve(
      pairs.map(({ image, text }) =>
        refuses(image.source.name, text)
          ? { ok: false, problem: 'the model refused to answer' }
          : { ok: true, value: share(`${image.source.name} ${JSON.stringify(image.transforms)} ${text}`) },
      ),
    );
  // Only the scores rank.
  return Object.assign(made, { embedTexts: undefined, embedImages: undefined });
}

/** The same in Python, which a merge can open. */
const script = `
import hashlib
class Scorer:
    images = "path"

    def info(self):
        return {"weights": []}

    def score(self, images, texts):
        return [self.one(str(image).split("/")[-1], text) for image, text in zip(images, texts)]

    def one(self, image, text):
        number = int(hashlib.sha256((image + text).encode()).hexdigest()[:8], 16) / 2 ** 32
        refused = number < 0.05 or "photo3.png" in image or "house 5 of street 0" in text
        return float("nan") if refused else number
`;

describe('what a gallery probe has no score of', function () {
  this.timeout(240_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-lost-'));
    const imageFiles = (await readdir(imageFolder)).filter((name) => /\.(png|jpg)$/.test(name));
    for (let i = 0; i < images; i++)
      await writeFile(
        join(folder, nameOf(i)),
        Buffer.concat([
          await readFile(join(imageFolder, imageFiles[i % imageFiles.length])),
          Buffer.from(`${i}`),
        ]),
      );
    const lines = Array.from({ length: images }, (_, i) =>
      JSON.stringify({
        ...{ image: nameOf(i), captions: [said(i), said(i, 1)], patient: `p${Math.floor(i / 2)}` },
      }),
    );
    await writeFile(join(folder, 'captions.jsonl'), lines.join('\n'));
    await writeFile(join(folder, 'scorer.py'), script);
  });
  after(() => rm(folder, { recursive: true }));

  const request = (probe: string, out: string, cluster?: string): Omit<AuditRequest, 'evaluators'> => ({
    ...{ dataset: join(folder, 'captions.jsonl'), probes: [probe], images: [folder] },
    ...(cluster === undefined ? {} : { map: { cluster } }),
    options: { prsm: { k: '5', sets: 'P2' }, rococo: { images: 'none' } },
    ...{ home: join(folder, `home of ${out}`), out: join(folder, out), signal: new AbortController().signal },
    consent: () => Promise.resolve(true),
  });

  async function audit(probe: string, evaluator: string | Evaluator, cluster?: string): Promise<Report> {
    const out = `${probe} ${cluster} ${share(String(Math.random()))}`;
    const asked = request(probe, out, cluster);
    const [{ report }] = await runAudit({ ...asked, evaluators: [evaluator] });
    return report;
  }

  const encoder = (): FakeEvaluator =>
    new FakeEvaluator({
      refuse: (text) => /house [5-7] of street 0/.test(text),
      refuseImage: (name) => name === nameOf(3) || name === nameOf(4),
    });

  for (const probe of ['prsm', 'rococo']) {
    it(`is counted by ${probe} for an evaluator that scores pairs`, async () => {
      const whole = await audit(
        probe,
        judge(() => false),
      );
      assert.equal(whole.dataset.lost, undefined);
      const some = await audit(
        probe,
        judge((image, text) => image === nameOf(3) || text.includes('house 5 of street 0')),
      );
      assert.equal(some.dataset.lost?.images, 1);
      assert.equal(some.dataset.lost.captions, 1);
      assert.equal(some.dataset.examples, images - 1);
      const variant = await audit(
        probe,
        judge(
          (_, text) => probe === 'prsm' && text.includes('a photo') && text.includes('house 5 of street 0'),
        ),
      );
      assert.equal(variant.dataset.lost?.variants ?? 0, probe === 'prsm' ? 1 : 0);
    });

    it(`is counted by ${probe} for an encoder`, async () => {
      const { dataset } = await audit(probe, encoder());
      assert.equal(dataset.lost?.images, 2);
      assert.equal(dataset.lost.captions, 3);
      assert.equal(dataset.examples, images - 2);
    });

    it(`is counted by ${probe} in images, although patients are the clusters`, async () => {
      const { dataset } = await audit(probe, encoder(), 'patient');
      // Photo 3 is of another patient than photo 4, and each patient has another image with scores.
      assert.equal(dataset.lost?.images, 2);
    });
  }

  it('biases searches, of which RoCOCO warns above 5 %', async () => {
    const warningsOf = async (refused: number) =>
      (
        await audit(
          'rococo',
          judge((image, text) => share(text + image) < refused),
        )
      ).warnings.length;
    const [none, some, many] = [await warningsOf(0), await warningsOf(0.03), await warningsOf(0.2)];
    // Any failed pair is counted in a warning of its own.
    assert.deepEqual([some - none, many - none], [1, 2]);
  });

  async function equalsItsShards(probe: string, evaluator: () => string | Evaluator, cluster?: string) {
    const name = `${probe} ${cluster} ${typeof evaluator()}`;
    const [whole] = await runAudit({
      ...request(probe, `${name} whole`, cluster),
      evaluators: [evaluator()],
    });
    const folders: string[] = [];
    for (const index of [2, 1]) {
      const asked = { ...request(probe, `${name} shards`, cluster), evaluators: [evaluator()] };
      folders.push((await runShard({ ...asked, shard: { index, count: 2 } })).folder);
    }
    const { home, signal, consent } = request(probe, `${name} merge`, cluster);
    const out = join(folder, `${name} merged`);
    const [merged] = await mergeShards({ folders, out, home, signal, consent });
    assert.deepEqual(merged.report, whole.report);
    return whole.report;
  }

  for (const probe of ['prsm', 'rococo'])
    for (const cluster of [undefined, 'patient']) {
      const clusters = cluster === undefined ? '' : ', with named clusters';
      it(`is the same in merged shards of ${probe} for an encoder${clusters}`, async () => {
        const { dataset, metrics } = await equalsItsShards(probe, encoder, cluster);
        assert.equal(dataset.cluster, cluster);
        assert.equal(dataset.lost?.images, 2);
        assert.ok(metrics.some(({ ci }) => ci !== undefined));
      });

      describe('in Python', function () {
        needsPython(this);
        it(`is the same in merged shards of ${probe} for pairs${clusters}`, async () => {
          const report = await equalsItsShards(
            probe,
            () => `python:${join(folder, 'scorer.py')}:Scorer`,
            cluster,
          );
          assert.ok(metricOf(report.metrics, 'refused')!.value! > 0.03);
          assert.equal(report.dataset.lost?.images, 1);
        });
      });
    }
});
