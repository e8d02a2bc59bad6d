import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../../src/editor/runs/following';
import { until } from '../../until';

const evaluator = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/bert-cls');
const cycles = Number(process.env.CAPTIOUS_CYCLES);
const results = process.env.CAPTIOUS_RESULTS!;
/** The benchmark's process. Its descendants are counted: they include VS Code's server and browser. */
const top = Number(process.env.CAPTIOUS_TOP);

interface Look {
  cycle: number;
  hostMb: number;
  hostHeapMb: number;
  hostHandles: number;
  /** The extension host and its descendants. */
  ownProcesses: number;
  allMb: number;
  allHandles: number;
  allProcesses: number;
}

function descendants(from: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      parents.set(
        Number(name),
        Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1]),
      );
    } catch {
      // The process has ended.
    }
  }
  const found = [from];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

function sum(pids: readonly number[], of: (pid: number) => number): number {
  let total = 0;
  for (const pid of pids) {
    try {
      total += of(pid);
    } catch {
      // The process has ended.
    }
  }
  return total;
}

const handlesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const megabytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function look(cycle: number): Look {
  // Collects garbage, because unused memory must not count.
  collectGarbage();
  const all = descendants(top);
  const { rss, heapUsed } = process.memoryUsage();
  return {
    cycle,
    hostMb: rss / 2 ** 20,
    hostHeapMb: heapUsed / 2 ** 20,
    hostHandles: handlesOf(process.pid),
    ownProcesses: descendants(process.pid).length,
    allMb: sum(all, megabytesOf),
    allHandles: sum(all, handlesOf),
    allProcesses: all.length,
  };
}

describe('open, audit, close', () => {
  it(`${cycles} times`, async function () {
    this.timeout(0);
    const data = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'triplets.tsv');
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    for (let cycle = 1; cycle <= cycles; cycle++) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(data));
      const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', data, {
        probes: ['visla'],
        evaluators: [evaluator],
      });
      assert.equal(outcome.state, 'done', outcome.problem);
      await vscode.commands.executeCommand('captious.openPanel', outcome.id);
      await until(() => tabs().some(({ input }) => input instanceof vscode.TabInputWebview));
      await new Promise((resolve) => setTimeout(resolve, 300));
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await until(() => tabs().length === 0);
      appendFileSync(results, `${JSON.stringify(look(cycle))}\n`);
    }
  });
});
