import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { RunsView, type RunNode, type Shown } from '../../src/editor/runs/runsView';
import { Submissions } from '../../src/editor/runs/submissions';
import { Reader } from '../../src/process/readerClient';
import { until } from '../until';

const submission = {
  schema: 'captious/submission@1',
  engine: 'slurm',
  dataset: '/data/captions.json',
  shards: 8,
  probes: ['visla'],
  groups: [['clip']],
  jobs: ['7', '8'],
};

describe('a run that was submitted to a cluster', () => {
  const workspace = vscode.workspace.workspaceFolders![0].uri.fsPath;
  const folder = join(workspace, 'cluster');
  const file = join(folder, 'submission.json');
  const extension = vscode.extensions.getExtension('captious.captious')!;
  const nothing = new vscode.EventEmitter<never>();
  const shown = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  const runs: Shown = {
    all: [],
    load: () => Promise.resolve(),
    progressOf: () => undefined,
    aheadOf: () => undefined,
    onDidChange: nothing.event,
    onDidProgress: nothing.event,
  };
  const reader = new Reader(vscode.Uri.joinPath(extension.extensionUri, 'dist', 'reader.js').fsPath, {
    home: () => folder,
    isTrusted: () => false,
    needTrust: () => assert.fail('Reading progress needs no trust.'),
    allowed: () => Promise.resolve({ evaluators: [], own: [], workspace: [] }),
  });
  const warnings: string[] = [];
  const view = { visible: false, onDidChangeVisibility: shown.event };
  let submissions: Submissions;
  let tree: RunsView;

  /** Creates the same objects as the extension does when a window loads. */
  function load(): void {
    submissions = new Submissions(reader, { warn: (message) => warnings.push(String(message)) }, 20);
    tree = new RunsView(runs, submissions, () => undefined);
    submissions.followWhileVisible(view);
  }
  function close(): void {
    tree.dispose();
    submissions.dispose();
  }
  function setVisible(visible: boolean): void {
    view.visible = visible;
    shown.fire({ visible });
  }
  function complete(shards: number): void {
    for (let i = 1; i <= shards; i++) {
      const at = join(folder, `shard-0123abcd-${i}-of-8`);
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'shard.json'), '{}');
    }
  }
  /** The items of all nodes below `parent`, or of the whole tree. */
  async function items(parent?: RunNode): Promise<vscode.TreeItem[]> {
    const nodes = await tree.getChildren(parent);
    const below = await Promise.all(nodes.map((node) => items(node)));
    return nodes.flatMap((node, i) => [tree.getTreeItem(node), ...below[i]]);
  }
  async function shows(description: RegExp): Promise<vscode.TreeItem> {
    let found: vscode.TreeItem | undefined;
    const see = async (): Promise<boolean> => {
      found = (await items()).find((item) => description.test(String(item.description)));
      return found !== undefined;
    };
    await until(see, () => `No item shows ${description}: ${warnings.join('; ')}`);
    return found!;
  }

  before(() => {
    mkdirSync(folder);
    writeFileSync(file, JSON.stringify(submission));
    complete(3);
    load();
  });
  after(() => {
    close();
    reader.dispose();
    rmSync(folder, { recursive: true });
    for (const emitter of [nothing, shown]) emitter.dispose();
  });

  it('is listed below its dataset with its shards once the view is visible', async () => {
    assert.deepEqual(await items(), []);
    setVisible(true);
    const item = await shows(/^3 of 8 shards/);
    assert.equal(item.label, 'VISLA · clip');
    const [dataset] = await items();
    assert.equal(dataset.label, 'captions.json');
    // The file may come from anyone, so the editor does not access the path in it.
    assert.equal(dataset.resourceUri, undefined);
  });

  it('says what its time means', async () => {
    await until(async () => {
      const { tooltip } = await shows(/^3 of 8 shards/);
      return /submitted.*scheduler/.test((tooltip as vscode.MarkdownString).value);
    });
  });

  it('follows its shards, also after the window was loaded again', async () => {
    complete(5);
    await shows(/^5 of 8 shards/);
    close();
    load();
    await shows(/^5 of 8 shards/);
    complete(8);
    await shows(/^8 of 8 shards {2}not merged yet/);
  });

  it('opens its report once it is merged', async () => {
    const report = join(folder, 'visla.clip.report.json');
    writeFileSync(report, '{}');
    const { command } = await shows(/^merged/);
    assert.equal(command?.command, 'captious.openReport');
    assert.equal((command.arguments as [vscode.Uri])[0].fsPath, report);
  });

  it('lists its reports if there are several', async () => {
    const second = join(folder, 'visla.siglip.report.json');
    writeFileSync(second, '{}');
    writeFileSync(file, JSON.stringify({ ...submission, groups: [['clip', 'siglip']] }));
    for (const name of ['visla.clip', 'visla.siglip'])
      writeFileSync(join(folder, `${name}.report.json`), '{ }');
    await until(async () => (await items()).some(({ label }) => label === 'visla.siglip'));
  });

  it('shows why its file cannot be read, and disappears with the file', async () => {
    writeFileSync(file, JSON.stringify({ ...submission, shards: 'many' }));
    const item = await shows(/^failed/);
    assert.match((item.tooltip as vscode.MarkdownString).value, /shards/);
    rmSync(file);
    await until(async () => (await items()).length === 0);
  });
});
