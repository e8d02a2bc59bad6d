import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as sources from '../../../src/editor/panel/runSource';
import type * as records from '../../../src/editor/runs/runRecord';
import type * as queues from '../../../src/editor/runs/runs';
import type * as views from '../../../src/editor/runs/runsView';
import { Runners } from '../../../src/process/runnerClient';
import { until } from '../../until';
import { bundle } from './bundle';

type Loaded = typeof queues & typeof views & typeof sources & typeof records;

class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => void>();
  event = (listener: (value: T) => void) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

class Disposable {
  static from = () => new Disposable();
  dispose(): void {
    // Unused in these tests.
  }
}

class TreeItem {
  constructor(readonly label: string) {}
}

class MarkdownString {
  value = '';
  appendText(text: string): this {
    this.value += text;
    return this;
  }
}

class Icon {
  static File: Icon;
  readonly id: string | undefined;
}

const translated = (text: string, ...values: unknown[]) =>
  text.replace(/\{(\d)\}/g, (_, i: string) => String(values[Number(i)]));

const vscode = {
  ...{ EventEmitter, Disposable, TreeItem, MarkdownString, ThemeIcon: Icon, ThemeColor: Icon },
  TreeItemCollapsibleState: { Expanded: 2 },
  workspace: { isTrusted: true },
  env: { language: 'en' },
  Uri: { file: (fsPath: string) => ({ fsPath }) },
  l10n: { t: translated },
};

const none = () => Promise.reject(new Error('No request was expected.'));

describe('a queued run', function () {
  this.timeout(60_000);
  let loaded: Loaded;
  let folder: string;
  let runs: queues.Runs;
  let runners: Runners;
  let ends: Promise<unknown>[];

  before(async () => {
    const load = await bundle<Loaded>(`export * from './src/editor/runs/runs';
      export * from './src/editor/runs/runsView';
      export * from './src/editor/panel/runSource';
      export * from './src/editor/runs/runRecord';`);
    loaded = load(vscode);
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-queue-'));
    ends = [];
    // A process that answers nothing, so that the first run never ends by itself.
    const script = join(folder, 'idle.js');
    writeFileSync(script, `process.on('message', () => undefined);`);
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      debug: () => undefined,
    };
    runners = new Runners({ script, home: () => folder, serve: none, lost: () => new Error('lost') });
    runs = new loaded.Runs({
      ...{ store: new loaded.RecordStore(join(folder, 'runs')), home: () => folder },
      runners,
      ...{ resumesRuns: () => false, throughput: {}, hostAnswers: {}, log },
    } as unknown as queues.RunsParts);
  });

  afterEach(async () => {
    for (const record of runs.all) runs.cancel(record);
    await Promise.all(ends);
    runs.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const order = (probe: string, dataset = 'a.json') => ({
    ...{ dataset, probes: [probe], evaluators: ['starter'], images: [] },
  });

  it('says which run it waits for, in the tree of runs, its tooltip and its panel', async () => {
    const started = async (...given: Parameters<typeof order>) => {
      const { record, ended } = await runs.start(order(...given));
      ends.push(ended);
      return record;
    };
    const first = await started('lgip');
    const second = await started('visla');
    const third = await started('prsm', 'b.json');
    const view = new loaded.RunsView(
      runs,
      { all: [], onDidChange: new EventEmitter<void>().event } as unknown as ConstructorParameters<
        typeof views.RunsView
      >[1],
      () => undefined,
    );
    const shown = (record: records.RunRecord) => {
      const { description, tooltip, accessibilityInformation } = view.getTreeItem({ kind: 'run', record });
      return {
        description,
        tooltip: (tooltip as unknown as MarkdownString).value,
        spoken: accessibilityInformation?.label,
      };
    };
    const panel = (record: records.RunRecord) =>
      new loaded.RunSource(runs, {} as ConstructorParameters<typeof sources.RunSource>[1], {
        run: record.id,
        compare: [],
      });
    const waits = 'Waiting for LGIP · starter to end';
    assert.equal(shown(second).description, waits);
    assert.ok(shown(second).tooltip.includes(waits), shown(second).tooltip);
    assert.equal(shown(second).spoken, `VISLA · starter, ${waits}`);
    assert.equal((await panel(second).state()).running?.label, waits);
    // The run ahead has another dataset, so the text includes the name of that dataset.
    assert.equal(shown(third).description, 'Waiting for VISLA · starter · a.json to end');

    let changes = 0;
    panel(third).onDidChange(
      () => changes++,
      () => undefined,
    );
    runs.cancel(second);
    assert.equal(runs.aheadOf(third), first);
    assert.equal(shown(third).description, 'Waiting for LGIP · starter · a.json to end');
    await ends[1];
    assert.ok(changes > 0);
    assert.equal(runs.aheadOf(first), undefined);
    const elsewhere = { ...third, id: 'of another window', state: 'queued' } as records.RunRecord;
    assert.equal(shown(elsewhere).description, 'waiting in another window');
    view.dispose();
  });

  it('prepares a process only in a trusted workspace, and only if no run has one', async () => {
    vscode.workspace.isTrusted = false;
    runs.prepare();
    vscode.workspace.isTrusted = true;
    assert.equal(runners.pid, undefined);
    runs.prepare();
    assert.notEqual(runners.pid, undefined);
    const { record, ended } = await runs.start(order('lgip'));
    ends.push(ended);
    await until(() => record.state === 'running');
    assert.equal(runners.pid, undefined);
    runs.prepare();
    assert.equal(runners.pid, undefined);
  });

  it('has the folder beside the name of its dataset, if another dataset has this name', async () => {
    const paths = ['/w/coco/captions.json', '/w/flickr/captions.json', '/w/coco/other.json'];
    for (const path of paths) ends.push((await runs.start(order('lgip', path))).ended);
    const view = new loaded.RunsView(
      runs,
      { all: [], onDidChange: new EventEmitter<void>().event } as unknown as ConstructorParameters<
        typeof views.RunsView
      >[1],
      () => undefined,
    );
    assert.deepEqual(
      paths.map((path) => view.getTreeItem({ kind: 'dataset', path }).label),
      ['coco/captions.json', 'flickr/captions.json', 'other.json'],
    );
  });

  it('shows all its reports, even if the last ones arrive while the others are read', async () => {
    const record = { ...order('lgip'), id: '1', state: 'running', createdAt: 1, titles: [], reports: ['a'] };
    const shown = {
      ...{ all: [], byId: () => record, progressOf: () => undefined },
      reportPaths: () => record.reports.map((name) => join(folder, name)),
    };
    const source = new loaded.RunSource(
      shown as unknown as queues.Runs,
      {} as ConstructorParameters<typeof sources.RunSource>[1],
      { run: '1', compare: [] },
    );
    const state = source.state();
    record.reports.push('b');
    record.state = 'done';
    // The files do not exist, so reading a report always adds a problem.
    const { problem, running } = await state;
    assert.equal(running, undefined);
    for (const name of ['a', 'b'])
      assert.ok(english(problem ?? '').includes(join(folder, name)), english(problem ?? ''));
  });
});
