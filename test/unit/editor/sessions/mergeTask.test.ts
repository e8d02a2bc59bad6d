import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as merging from '../../../../src/editor/sessions/mergeTask';
import { CheckSession } from '../../../../src/sessions/check';
import { bundle } from '../bundle';

interface Executed {
  args: string[];
  options: { cwd: string; env: Record<string, string> };
}

describe('the merge of judgments', function () {
  this.timeout(60_000);
  let load: (vscode: object) => typeof merging;
  let folder: string;
  before(async () => {
    load = await bundle(`export * from './src/editor/sessions/mergeTask';`);
  });
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-merge-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const origin = { report: '/r/lgip.x.report.json', rowsSha256: 'rows', dataset: 'd.json', seed: 1 };
  const session = (annotator: string, more: object = {}) =>
    CheckSession.begin([], { ...origin, ...more }, annotator);

  async function merged(own: CheckSession): Promise<Executed> {
    let executed: Executed | undefined;
    const vscode = {
      Task: class {
        constructor(
          _kind: unknown,
          _scope: unknown,
          _name: string,
          _source: string,
          readonly execution: Executed,
        ) {}
      },
      ProcessExecution: class {
        constructor(
          readonly process: string,
          readonly args: string[],
          readonly options: Executed['options'],
        ) {}
      },
      TaskScope: { Workspace: 2 },
      TaskRevealKind: { Always: 1 },
      l10n: { t: (text: string) => text },
      workspace: { getConfiguration: () => ({ get: () => '/home/captious' }) },
      tasks: { executeTask: ({ execution }: { execution: Executed }) => (executed = execution) },
    };
    await load(vscode).mergeInTerminal('/x/dist/cli.js', join(folder, 'lgip.x.ann.check.json'), own);
    return executed!;
  }

  it('is of all files beside it about the same rows, and leaves out damaged ones', async () => {
    const write = (name: string, content: string) => writeFile(join(folder, name), content);
    await write('lgip.x.bo.check.json', session('bo').toString());
    await write('lgip.x.ann.check.json', session('ann').toString());
    await write('lgip.y.cy.check.json', session('cy', { rowsSha256: 'other' }).toString());
    await write('broken.check.json', '{');
    const { args, options } = await merged(session('ann'));
    assert.deepEqual(args, [
      ...['/x/dist/cli.js', 'check', 'merge'],
      ...['ann', 'bo'].map((name) => join(folder, `lgip.x.${name}.check.json`)),
      ...['--out', join(folder, 'lgip.x.merged')],
    ]);
    assert.deepEqual(options, {
      cwd: folder,
      env: { ELECTRON_RUN_AS_NODE: '1', CAPTIOUS_HOME: '/home/captious' },
    });
  });

  it('writes no report for PRSM, whose metrics need new rankings', async () => {
    const own = session('ann', { probe: 'prsm' });
    await writeFile(join(folder, 'lgip.x.ann.check.json'), own.toString());
    assert.ok(!(await merged(own)).args.includes('--out'));
  });
});
