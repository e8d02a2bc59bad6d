import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunRecord } from '../../src/editor/runs/runRecord';
import { type RunNode, RunsView, type Shown } from '../../src/editor/runs/runsView';
import { until } from '../until';

describe('the arrangement of the runs view', () => {
  const record = (id: string, dataset: string, ...probes: string[]) =>
    ({
      ...{ id, dataset, probes, evaluators: ['starter'], images: [], seed: 42 },
      ...{ state: 'done', createdAt: 1, reports: [], titles: [] },
    }) as RunRecord;
  const nothing = new vscode.EventEmitter<never>();
  const runs: Shown = {
    all: [record('2', '/w/b/captions.json', 'lgip', 'visla'), record('1', '/w/a/captions.json', 'lgip')],
    load: () => Promise.resolve(),
    progressOf: () => undefined,
    aheadOf: () => undefined,
    onDidChange: nothing.event,
    onDidProgress: nothing.event,
  };
  let kept: unknown;
  const view = new RunsView(runs, { all: [], onDidChange: nothing.event }, () => undefined, {
    get: (_: string, otherwise?: unknown) => kept ?? otherwise,
    update: (_: string, value: unknown) => Promise.resolve(void (kept = value)),
  } as Pick<vscode.Memento, 'get' | 'update'>);
  after(() => {
    view.dispose();
    nothing.dispose();
  });

  /** The labels of the groups, each with those of its runs. */
  async function tree(): Promise<string[][]> {
    const labelOf = (node: RunNode) => String(view.getTreeItem(node).label);
    const groups = await view.getChildren();
    return Promise.all(
      groups.map(async (group) => [labelOf(group), ...(await view.getChildren(group)).map(labelOf)]),
    );
  }

  it('is by dataset, newest first, and tells datasets of the same name apart', async () => {
    assert.deepEqual(
      (await tree()).map(([label, ...own]) => [label.replaceAll('\\', '/'), ...own]),
      [
        ['b/captions.json', 'LGIP, VISLA · starter'],
        ['a/captions.json', 'LGIP · starter'],
      ],
    );
  });

  it('can be by probe and by name, with the items of a run told apart', async () => {
    kept = { group: 'probe', sort: 'name' };
    const found = (await tree()).map((own) => own.map((label) => label.replaceAll('\\', '/')));
    assert.deepEqual(found, [
      ['LGIP', 'a/captions.json · starter', 'b/captions.json · starter'],
      ['VISLA', 'b/captions.json · starter'],
    ]);
    const groups = await view.getChildren();
    const nodes = (await Promise.all(groups.map((group) => view.getChildren(group)))).flat();
    const ids = nodes.map((node) => view.getTreeItem(node).id);
    assert.equal(new Set(ids).size, ids.length);
    // Each opens its probe in the panel of the run.
    assert.deepEqual(view.getTreeItem(nodes[2]).command?.arguments, [
      '2',
      undefined,
      undefined,
      undefined,
      'visla',
    ]);
  });

  it('is the usual one if it cannot be read', async () => {
    kept = { group: 'moon' };
    assert.equal((await tree()).length, 2);
    kept = undefined;
  });

  it('stays if its picker is closed', async () => {
    let isOver = false;
    void vscode.commands.executeCommand('captious.arrangeRuns').then(() => (isOver = true));
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return isOver;
    });
  });
});
