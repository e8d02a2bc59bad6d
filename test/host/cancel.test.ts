import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import { until } from '../until';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');
const rows = 20_000;

/** Writes triplets that differ only in a number. */
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

/** Resolves after the run has stored its first embeddings. */
async function somethingKept(before: number): Promise<void> {
  await until(() => keptBytes() > before);
}

function keptBytes(): number {
  const store = join(process.env.CAPTIOUS_HOME!, 'store');
  if (!existsSync(store)) return 0;
  return readdirSync(store).reduce(
    (sum, name) => sum + (statSync(join(store, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** The states of all runs, from their records. */
function states(runs: string): string[] {
  return readdirSync(runs).flatMap((id) => {
    const record = join(runs, id, 'run.json');
    return existsSync(record) ? [(JSON.parse(readFileSync(record, 'utf8')) as { state: string }).state] : [];
  });
}

describe('a long run', () => {
  let uri: vscode.Uri;

  before(async () => {
    uri = await writeRows('long.tsv', 0, rows);
  });

  it('is cancelled and resumes to its end', async function () {
    this.timeout(180_000);
    const before = keptBytes();
    const active = audit(uri);
    await somethingKept(before);
    await vscode.commands.executeCommand('captious.cancel');
    const { id, state } = await active;
    assert.equal(state, 'interrupted');
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.resume', id);
    assert.equal(outcome.state, 'done', outcome.problem);
    assert.equal(outcome.id, id);
    assert.equal(outcome.reports.length, 1);
  });

  it('waits in the queue and can be removed from it', async function () {
    this.timeout(120_000);
    const { reports } = await audit(await writeRows('short.tsv', 0, 2));
    const runs = dirname(dirname(reports[0]));
    const before = keptBytes();
    // No row is in the cache, so the run takes some time.
    const first = audit(await writeRows('longer.tsv', rows, rows));
    await somethingKept(before);
    const second = audit(uri);
    await until(() => states(runs).includes('queued'));
    // Cancels the second run, which is the newest and is still waiting.
    await vscode.commands.executeCommand('captious.cancel');
    assert.equal((await second).state, 'interrupted');
    assert.equal((await first).state, 'done');
  });
});
