import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import type { Report } from '../../src/report/report';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');

function inWorkspace(name: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
}

async function audit(name: string, options: object): Promise<AuditOutcome> {
  const outcome = await vscode.commands.executeCommand<AuditOutcome | undefined>(
    'captious.audit',
    inWorkspace(name),
    options,
  );
  assert.ok(outcome, 'the command answered nothing');
  return outcome;
}

describe('captious.audit', () => {
  it('audits a dataset through the command and writes a correct report', async () => {
    const outcome = await audit('triplets.tsv', { probes: ['visla'], evaluators: [evaluator] });
    assert.equal(outcome.state, 'done', outcome.problem);
    assert.equal(outcome.reports.length, 1);
    const report = JSON.parse(await readFile(outcome.reports[0], 'utf8')) as Report;
    assert.equal(report.probe, 'visla');
    assert.equal(report.dataset.examples, 12);
    assert.equal(report.seed, 42);
    const rows = (await readFile(join(outcome.reports[0], '..', report.rows), 'utf8')).trimEnd().split('\n');
    assert.equal(rows.length, 12);
    const right = rows
      .map((row) => JSON.parse(row) as { t2t: { p1p2: number; p1n: number; p2n: number } })
      .filter(({ t2t }) => t2t.p1p2 > t2t.p1n && t2t.p1p2 > t2t.p2n).length;
    assert.equal(report.metrics.find(({ id, slice }) => id === 'visla.t2t' && !slice)?.value, right / 12);
  });

  it('gives byte-identical rows when repeated', async () => {
    const hashes: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { reports } = await audit('triplets.tsv', { probes: ['visla'], evaluators: [evaluator] });
      hashes.push((JSON.parse(await readFile(reports[0], 'utf8')) as Report).rowsSha256);
    }
    assert.equal(hashes[0], hashes[1]);
  });

  it('reports what is wrong, where, and the remedy', async () => {
    const outcome = await audit('triplets.tsv', { probes: ['visla'], evaluators: ['missing'] });
    assert.equal(outcome.state, 'failed');
    assert.match(outcome.problem ?? '', /no evaluator "missing".*Choose from/s);
  });

  it('rejects a file without a dataset and keeps the editor usable', async () => {
    await writeFile(inWorkspace('broken.json').fsPath, '{"nothing": "here"}');
    const outcome = await audit('broken.json', { probes: ['visla'], evaluators: [evaluator] });
    assert.equal(outcome.state, 'failed');
    assert.match(outcome.problem ?? '', /broken\.json/);
  });
});
