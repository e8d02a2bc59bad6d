import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/commands';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');
const rows = 20_000;

/** A file of triplets, all alike but for their numbers. */
async function writeRows(name: string, from: number, count: number): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
  const lines = Array.from({ length: count }, (_, i) => {
    const number = from + i;
    return `${number}.jpg\ta cat number ${number}\tnumber ${number} is a cat\tnumber ${number} is no cat`;
  });
  await writeFile(
    uri.fsPath,
    ['filename\tcaption\tsecond positive\tnegative_caption', ...lines, ''].join('\n'),
  );
  return uri;
}

const audit = (uri: vscode.Uri) =>
  vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, {
    probes: ['visla'],
    evaluators: [evaluator],
  });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a long run', () => {
  let uri: vscode.Uri;

  before(async () => {
    uri = await writeRows('long.tsv', 0, rows);
  });

  it('leaves the extension host free, is cancelled within a second, and resumes to its end', async function () {
    this.timeout(180_000);
    const active = audit(uri);
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
    await pause(2500);
    clearInterval(ticker);
    const asked = performance.now();
    await vscode.commands.executeCommand('captious.cancel');
    const { id, state } = await active;
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
    // Nothing of it is in the store yet, so that it goes on for a while.
    const first = audit(await writeRows('longer.tsv', rows, rows));
    await pause(1000);
    const second = audit(uri);
    await pause(1000);
    // The newest is the second, which waits.
    await vscode.commands.executeCommand('captious.cancel');
    assert.equal((await second).state, 'interrupted');
    assert.equal((await first).state, 'done');
  });
});
