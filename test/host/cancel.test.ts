import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/commands';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');
const rows = 20_000;

describe('a long run', () => {
  let uri: vscode.Uri;

  before(async () => {
    uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'long.tsv');
    const lines = Array.from(
      { length: rows },
      (_, i) => `${i}.jpg\ta cat number ${i}\tnumber ${i} is a cat\tnumber ${i} is no cat`,
    );
    await writeFile(
      uri.fsPath,
      ['filename\tcaption\tsecond positive\tnegative_caption', ...lines, ''].join('\n'),
    );
  });

  const audit = () =>
    vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, {
      probes: ['visla'],
      evaluators: [evaluator],
    });

  it('leaves the extension host free, is cancelled within a second, and resumes to its end', async function () {
    this.timeout(180_000);
    const going = audit();
    // What the host's own thread worked between two ticks: on a busy machine the gap itself says nothing.
    let longest = 0;
    let last = performance.now();
    let worked = process.cpuUsage();
    const ticker = setInterval(() => {
      const now = performance.now();
      const { user, system } = process.cpuUsage(worked);
      longest = Math.max(longest, Math.min(now - last, (user + system) / 1000));
      last = now;
      worked = process.cpuUsage();
    }, 5);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    clearInterval(ticker);
    const asked = performance.now();
    await vscode.commands.executeCommand('captious.cancel');
    const { id, state } = await going;
    const took = performance.now() - asked;
    assert.equal(state, 'interrupted');
    assert.ok(took < 1500, `cancelling took ${took.toFixed(0)} ms`);
    console.log(`[captious test]       the extension host was busy for ${longest.toFixed(0)} ms at most`);
    assert.ok(longest < 50, `the extension host was busy for ${longest.toFixed(0)} ms`);
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.resume', id);
    assert.equal(outcome.state, 'done', outcome.problem);
    assert.equal(outcome.id, id);
    assert.equal(outcome.reports.length, 1);
  });

  it('waits for its turn behind another, and can be taken out of the queue', async function () {
    this.timeout(120_000);
    const first = audit();
    const second = audit();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // The newest is the second, which waits.
    await vscode.commands.executeCommand('captious.cancel');
    assert.equal((await second).state, 'interrupted');
    assert.equal((await first).state, 'done');
  });
});
