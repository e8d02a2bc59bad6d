import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAudit } from '../../../../src/audit/run';
import { CaptiousError } from '../../../../src/base/errors';
import { lineUpReports } from '../../../../src/report/lineUp';
import { pairedDifferences } from '../../../../src/report/paired';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { readRows } from '../../../../src/report/rows';
import { saying } from '../../../sentence';
import type { WrittenReport } from '../../../../src/audit/output/writtenReport';

/** A text encoder whose least influential nouns differ from the starter's. */
const other = 'test/fixtures/models/bert-cls';

describe('the encoders that choose the altered words', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-voters-'))));
  after(() => rmSync(folder, { recursive: true }));

  const audit = (out: string, evaluators: string[], voters?: string): Promise<WrittenReport[]> =>
    runAudit({
      dataset: 'samples/captions.json',
      probes: ['rococo'],
      evaluators,
      images: ['samples/images'],
      limit: 8,
      options: { rococo: { textOnly: 'true', ...(voters === undefined ? {} : { voters }) } },
      home: join(folder, 'home'),
      out: join(folder, out),
      signal: new AbortController().signal,
    });

  it('do not depend on the evaluators of the run', async () => {
    const [alone] = await audit('alone', ['starter']);
    const [together, second] = await audit('together', ['starter', other]);
    const [foreign] = await audit('foreign', [other]);
    assert.equal(alone.report.altered?.sha256, together.report.altered?.sha256);
    assert.equal(second.report.altered?.sha256, foreign.report.altered?.sha256);
    assert.deepEqual(foreign.report.altered?.voters, [
      { id: 'starter', sha256: alone.report.evaluator.sha256 },
    ]);
    assert.deepEqual(alone.report.metrics, together.report.metrics);
    assert.deepEqual(second.report.metrics, foreign.report.metrics);
    const rowsOf = ({ path, report }: WrittenReport) => readRows(path, report, new LeftOutRows());
    const differences = await pairedDifferences('rococo', rowsOf(alone), rowsOf(together));
    assert.ok(differences.length > 0);
    for (const { difference, verdict } of differences)
      assert.deepEqual([difference, verdict], [0, 'undecided']);
    lineUpReports([alone.report, foreign.report]);
  });

  it('are named where reports with other altered captions are compared', async () => {
    const [alone] = await audit('alone', ['starter']);
    const [drawn] = await audit('drawn', ['starter'], 'none');
    const [voted] = await audit('voted', ['starter'], other);
    assert.equal(new Set([alone, drawn, voted].map(({ report }) => report.altered?.sha256)).size, 3);
    assert.throws(
      () => lineUpReports([alone.report, voted.report]),
      (error) =>
        error instanceof CaptiousError &&
        saying('report.useSameAlterations', 'starter', 'bert-cls').test(error.describe()),
    );
    await assert.rejects(
      audit('pairs', ['starter'], 'cider'),
      saying('evaluators.voterWithoutTexts', 'CIDEr-D'),
    );
  });
});
