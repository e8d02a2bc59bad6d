import assert from 'node:assert/strict';
import type { RunRecord } from '../../../../src/editor/runs/runRecord';
import type * as thresholds from '../../../../src/editor/runs/thresholds';
import { saying } from '../../../sentence';
import { until } from '../../../until';
import { bundle } from '../bundle';

class Items {
  all: Item[] = [];
  add(item: Item): void {
    this.all.push(item);
  }
  replace(items: Item[]): void {
    this.all = items;
  }
}

class Item {
  error?: string;
  readonly children = new Items();
  constructor(
    readonly id: string,
    readonly label: string,
  ) {}
}

const nothing = () => ({ dispose: () => undefined });

describe('the tests of thresholds', function () {
  this.timeout(60_000);
  const items = new Items();
  const controller = {
    items,
    createRunProfile: nothing,
    createTestItem: (id: string, label: string) => new Item(id, label),
    resolveHandler: undefined as ((item?: Item) => Promise<void>) | undefined,
    dispose: () => undefined,
  };
  const record = (dataset: string, ...probes: string[]) =>
    ({
      dataset,
      probes,
      evaluators: ['starter'],
      images: [],
      state: 'done',
      titles: [],
    }) as unknown as RunRecord;
  const all = [record('/w/b/captions.json', 'lgip', 'visla'), record('/w/a/captions.json', 'visla')];

  it('name datasets of the same name by their folders, and list the conditions of their probes', async () => {
    const load = await bundle<typeof thresholds>(`export * from './src/editor/runs/thresholds';`);
    const { Thresholds } = load({
      // The module names these classes when it loads, and the tests make none.
      ...{ Disposable: Item, TreeItem: Item, ThemeIcon: Item, ThemeColor: Item, EventEmitter: Item },
      TestRunProfileKind: { Run: 1 },
      tests: { createTestController: () => controller },
      workspace: {
        onDidChangeConfiguration: nothing,
        getConfiguration: () => ({
          get: () => ['visla.t2t >= 0', 'lgip.rate > 0.5', 'visal.t2t > 0', 'lgip.rate >'],
        }),
      },
      env: { language: 'en' },
      Uri: { file: (fsPath: string) => ({ fsPath }) },
      l10n: { t: (text: string) => text },
    });
    const runs = { all, load: () => Promise.resolve(), onDidChange: nothing };
    const view = new Thresholds(runs as unknown as ConstructorParameters<typeof Thresholds>[0]);
    await controller.resolveHandler?.();
    await until(() => items.all.length > 0);
    const labels = ({ label, children }: Item): unknown[] => [
      label.replaceAll('\\', '/'),
      ...children.all.map(labels),
    ];
    // What no run can have as a test comes first, with the reason.
    const mistakes = items.all.filter(({ error }) => error !== undefined);
    assert.deepEqual(mistakes.map(labels), [['visal.t2t > 0'], ['lgip.rate >']]);
    assert.match(mistakes[0].error!, saying('editor.thresholdUnknown', 'visal.t2t'));
    assert.match(mistakes[0].error!, saying('base.nearestName', 'visla'));
    assert.match(mistakes[1].error!, saying('report.conditionInvalid'));
    assert.deepEqual(items.all.filter(({ error }) => error === undefined).map(labels), [
      ['b/captions.json', ['LGIP, VISLA · starter', ['visla.t2t >= 0'], ['lgip.rate > 0.5']]],
      ['a/captions.json', ['VISLA · starter', ['visla.t2t >= 0']]],
    ]);
    view.dispose();
  });
});
