import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { viewFor } from '../../../src/probe/views';
import type { LabelledCaption } from '../../../src/protocol/rows';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { readRows } from '../../../src/report/rows';
import { FakeEvaluator } from '../bench/fakeEvaluator';

const files = {
  lgip: 'captions.json',
  invariance: 'captions.json',
  sugarcrepe: 'sugarcrepe.json',
  visla: 'triplets.tsv',
  rococo: 'rococo.json',
  human: 'preferences.jsonl',
};

describe('a change of a score', function () {
  this.timeout(60_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-changes-'))));
  after(() => rmSync(folder, { recursive: true }));

  for (const [probe, file] of Object.entries(files))
    it(`is the score of the changed item minus that of the original: ${probe}`, async () => {
      const [{ path, report }] = await runAudit({
        ...{ dataset: resolve('samples', file), probes: [probe], evaluators: [new FakeEvaluator()] },
        ...{ images: [resolve('samples/images')], limit: 6, spread: false, home: join(folder, 'home') },
        ...{ out: join(folder, probe), signal: new AbortController().signal },
      });
      const { rows: view } = viewFor(probe);
      const compared: LabelledCaption[] = [];
      for await (const row of readRows(path, report, new LeftOutRows()))
        for (const [sub, { delta, verdict }] of view.facts(row).entries()) {
          const line = view.line(row, sub);
          assert.equal(line.delta, delta);
          const { captions } = view.detail(row, sub);
          for (const caption of [...captions, ...view.mark(row).captions]) {
            const other = captions.at(caption.against ?? -1)?.score;
            if (caption.delta === undefined || caption.score === undefined) continue;
            compared.push(caption);
            if (caption.against !== undefined && captions.includes(caption) && other !== undefined)
              assert.ok(Math.abs(caption.delta - (caption.score - other)) < 1e-9, caption.text);
            // The variant that scores higher than the original is the one that fails.
            if (caption.verdict === 'wrong') assert.ok(caption.delta > 0, caption.text);
            if (caption.verdict === 'right' && probe !== 'rococo') assert.ok(caption.delta < 0, caption.text);
          }
          const isWanted = view.delta.lower ? (delta ?? 0) < 0 : (delta ?? 0) > 0;
          if (probe !== 'rococo' && (verdict === 'right' || verdict === 'wrong'))
            assert.equal(verdict === 'right', isWanted);
          const chosen = captions.find((caption) => caption.chosen && caption.delta !== undefined);
          if (chosen !== undefined && probe !== 'rococo') assert.equal(line.delta, chosen.delta);
        }
      assert.ok(compared.length > 0);
    });

  it('has one column header where a variant is compared with an original', () => {
    const heads = ['lgip', 'invariance', 'sugarcrepe'].map((id) => viewFor(id).rows.delta);
    assert.deepEqual(
      heads.map(({ head, wanted }) => [head, wanted !== undefined]),
      heads.map(() => ['Δ', true]),
    );
  });
});
