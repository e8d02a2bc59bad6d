import assert from 'node:assert/strict';
import { appendFile, cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../../src/editor/runs/following';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');

/** Runs in two windows at once. test/faults/windows.test.ts compares the results of both windows. */
describe('one of two windows', () => {
  it('audits repeatedly while the other does', async function () {
    this.timeout(300_000);
    const data = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'many.tsv');
    const results = process.env.CAPTIOUS_RESULTS!;
    for (let run = 0; run < 3; run++) {
      const from = Date.now();
      const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', data, {
        probes: ['visla'],
        evaluators: [evaluator],
      });
      assert.equal(outcome.state, 'done', outcome.problem);
      const folder = join(results, `run${run}`);
      await mkdir(folder, { recursive: true });
      await cp(dirname(outcome.reports[0]), folder, { recursive: true });
      await appendFile(join(results, 'times'), `${from} ${Date.now()}\n`);
    }
  });
});
