import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../../src/audit/run';
import { runShard } from '../../../../src/audit/shard/runShard';
import { parseShard } from '../../../../src/audit/shard/shard';
import { CaptiousError } from '../../../../src/base/errors';
import type { Evaluator, EvaluatorKind } from '../../../../src/evaluator/evaluator';
import { previewEvaluator } from '../../../../src/evaluator/open';
import { probeIds } from '../../../../src/probe/list';
import { isEnough } from '../../../../src/probe/needs/abilities';
import { abilitiesOf, likelyAbilities } from '../../../../src/probe/needs/needs';
import { datasetPreview } from '../../../../src/service/datasetPreview';
import { FakeEvaluator } from '../../bench/fakeEvaluator';
import type { Matrix, AuditCell } from '../../../../src/audit/matrix/cell';

type ProbeId = (typeof probeIds)[number];
type Kind = EvaluatorKind | 'metric of references';

const sample = (name: string) => resolve('samples', name);
const images = [sample('images')];
const [first, second] = ['000000012280.jpg', '000000030213.jpg'];

/** Which probes can use an evaluator of a kind on a dataset made for the probe. */
const works: Readonly<Record<Kind, readonly ProbeId[]>> = {
  'text-encoder': ['visla', 'sugarcrepe', 'rococo'],
  'dual-encoder': probeIds,
  'pair-scorer': probeIds,
  judge: [
    'lgip',
    'exploit',
    'visla',
    'choice',
    'sugarcrepe',
    'winoground',
    'invariance',
    'human',
    'long',
    'explain',
  ],
  scores: [
    'lgip',
    'exploit',
    'visla',
    'choice',
    'sugarcrepe',
    'winoground',
    'invariance',
    'human',
    'long',
    'explain',
  ],
  'metric of references': [
    'lgip',
    'exploit',
    'visla',
    'choice',
    'sugarcrepe',
    'winoground',
    'invariance',
    'human',
    'long',
    'explain',
  ],
};
const kinds = Object.keys(works) as Kind[];

function evaluatorOf(kind: Kind): Evaluator {
  const info = { kind: kind === 'metric of references' ? 'pair-scorer' : kind } as const;
  if (kind === 'dual-encoder') return new FakeEvaluator({ info });
  if (kind === 'text-encoder')
    return Object.assign(new FakeEvaluator({ info: { ...info, scores: ['text-text'] } }), {
      embedImages: undefined,
    });
  const fake = new FakeEvaluator({ info: { ...info, scores: ['image-text'] } });
  Object.assign(fake, { embedTexts: undefined, embedImages: undefined, measureTexts: undefined });
  if (kind === 'judge')
    Object.assign(fake, {
      consent: { endpoint: 'http://x', given: true, terms: () => '', give: () => null },
    });
  if (kind === 'metric of references') Object.assign(fake, { references: {} });
  return fake;
}

describe('evaluators that a probe cannot use', function () {
  this.timeout(60_000);
  let folder: string;
  let files: Record<ProbeId, string>;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-usable-'));
    const file = (name: string, entry: object) => {
      writeFileSync(join(folder, name), `${JSON.stringify(entry)}\n`.repeat(2));
      return join(folder, name);
    };
    const crossed = { image_0: first, image_1: second, caption_0: 'a man', caption_1: 'a rose' };
    files = {
      lgip: sample('captions.json'),
      exploit: sample('captions.json'),
      explain: sample('captions.json'),
      visla: sample('triplets.tsv'),
      choice: file('choice.jsonl', { image_path: first, true_caption: 'a man', false_caption: 'a rose' }),
      sugarcrepe: sample('sugarcrepe.json'),
      winoground: file('crossed.jsonl', crossed),
      rococo: sample('rococo.json'),
      prsm: sample('captions.json'),
      invariance: sample('captions.json'),
      human: sample('preferences.jsonl'),
      long: file('long.jsonl', { image: first, caption: 'A man stands. He wears a red tie. Two dogs sit.' }),
    };
  });
  after(() => rmSync(folder, { recursive: true }));

  const request = (probe: ProbeId, evaluators: readonly Evaluator[], out: string) => ({
    ...{ dataset: files[probe], probes: [probe], evaluators, images, limit: 3, spread: false },
    ...{ home: join(folder, 'home'), out: join(folder, out), signal: new AbortController().signal },
  });

  for (const kind of kinds)
    for (const probe of probeIds)
      it(`${kind} with ${probe}: ${works[kind].includes(probe) ? 'measures' : 'is rejected before the first score'}`, async () => {
        const evaluator = evaluatorOf(kind) as FakeEvaluator;
        const out = `${kind} ${probe}`;
        const started: string[] = [];
        const audit = runAudit({
          ...request(probe, [evaluator], out),
          onEvent: ({ type }) => started.push(type),
        });
        if (works[kind].includes(probe)) {
          // References come from the dataset, and this test has none.
          if (kind === 'metric of references') return void (await audit.catch(() => undefined));
          const [{ report }] = await audit;
          assert.ok(report.dataset.examples > 0, JSON.stringify(report.dataset.leftOut));
          return;
        }
        await assert.rejects(audit, (error: unknown) => {
          assert.ok(error instanceof CaptiousError);
          assert.equal(error.kind, 'evaluator');
          assert.equal((error.what as { code: string }).code, 'probe.evaluatorUnusable');
          assert.ok(error.details.remedy !== undefined);
          return true;
        });
        assert.deepEqual(evaluator.batches, []);
        assert.ok(
          !started.includes('started') && !existsSync(join(folder, out, `${probe}.fake.report.json`)),
        );
      });

  it('are the same in the editor', async () => {
    for (const probe of probeIds) {
      const preview = await datasetPreview(
        { path: files[probe], images, trusted: true },
        { signal: new AbortController().signal, step: () => undefined },
      );
      const { needs } = preview!.probes.find(({ id }) => id === probe)!;
      for (const kind of kinds)
        assert.equal(
          isEnough(needs, abilitiesOf(evaluatorOf(kind))),
          works[kind].includes(probe),
          `${probe} ${kind}`,
        );
    }
  });

  it('are known before they open', async () => {
    const abilities = async (reference: string) =>
      likelyAbilities(await previewEvaluator(reference, { home: folder })).sort();
    assert.deepEqual(await abilities('bleu-4'), ['image-text']);
    assert.deepEqual(await abilities('refclipscore:starter'), ['image-text']);
    assert.deepEqual(await abilities(resolve('test/fixtures/models/bert-cls')), ['text-text', 'texts']);
    assert.ok((await abilities('starter')).includes('ranking'));
  });

  it('do not keep the other evaluators of a run from their reports', async () => {
    const other = new FakeEvaluator({ info: { id: 'other', name: 'Other' } });
    const audit = runAudit(request('lgip', [evaluatorOf('text-encoder'), other], 'mixed'));
    await assert.rejects(audit, { kind: 'evaluator' });
    assert.deepEqual(
      readdirSync(join(folder, 'mixed')).filter((name) => name.endsWith('.report.json')),
      ['lgip.other.report.json'],
    );
  });

  it('fail as cells of an experiment, and in a shard', async () => {
    const failed: AuditCell[] = [];
    const matrix: Matrix = {
      isDone: () => Promise.resolve(false),
      done: () => Promise.resolve(),
      failed: (cell) => void failed.push(cell),
    };
    const asked = request('lgip', [evaluatorOf('text-encoder')], 'cells');
    assert.deepEqual(await runAudit({ ...asked, matrix }), []);
    assert.deepEqual(failed, [{ probe: 'lgip', ref: 'fake' }]);
    await assert.rejects(runShard({ ...asked, shard: parseShard('1/2') }), { kind: 'evaluator' });
  });
});
