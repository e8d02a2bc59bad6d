import assert from 'node:assert/strict';
import type * as selection from '../../../../src/editor/runs/selectRun';
import type * as speed from '../../../../src/editor/runs/throughput';
import { bundle } from '../bundle';
import { sentence } from '../../../sentence';

interface Item {
  label: string;
  description?: string;
  detail?: string;
  picked?: boolean;
}

interface Button {
  tooltip: string;
}

/** Chooses items of a list, or a button by its tooltip, or enters a text. Undefined cancels. */
type Answer = (items: Item[], title: string) => Item[] | Item | string | undefined;

/** A fake list of items to pick from. It selects the items that `answer` returns and accepts them. */
class Picker {
  items: Item[] = [];
  selectedItems: Item[] = [];
  title = '';
  buttons: Button[] = [];
  private changed: (selected: Item[]) => void = () => undefined;
  private accepted: () => void = () => undefined;
  private hidden: () => void = () => undefined;
  private triggered: (button: Button) => void = () => undefined;

  constructor(private readonly answer: Answer) {}

  onDidTriggerButton(listener: (button: Button) => void): void {
    this.triggered = listener;
  }

  onDidChangeSelection(listener: (selected: Item[]) => void): void {
    this.changed = listener;
  }
  onDidAccept(listener: () => void): void {
    this.accepted = listener;
  }
  onDidHide(listener: () => void): void {
    this.hidden = listener;
  }
  show(): void {
    const answer = this.answer(this.items, this.title);
    if (!Array.isArray(answer)) {
      this.triggered(this.buttons.find(({ tooltip }) => tooltip === answer)!);
      return;
    }
    this.selectedItems = answer;
    this.changed(this.selectedItems);
    this.accepted();
    if (this.selectedItems.length === 0) assert.match(this.title, /select at least one$/);
    this.hidden();
  }
  dispose(): void {
    // Unused in these tests.
  }
}

/** A `vscode` module in which `answer` selects list items. */
function fake(answer: Answer): object {
  return {
    ProgressLocation: { Window: 1 },
    ThemeIcon: class {
      readonly id = '';
    },
    QuickPickItemKind: { Separator: -1 },
    l10n: {
      bundle: { 'How many.': 'Wie viele.' },
      t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, i: number) => values[i]),
    },
    env: { language: 'en' },
    Uri: { file: (path: string) => ({ path }) },
    extensions: { getExtension: () => undefined },
    lm: undefined,
    window: {
      withProgress: (_: unknown, task: (progress: unknown, token: unknown) => unknown) => task({}, {}),
      showInputBox: ({ title }: { title: string }) => Promise.resolve(answer([], title)),
      showQuickPick: (items: Item[], { title }: { title: string }) => Promise.resolve(answer(items, title)),
      createQuickPick: () => new Picker(answer),
    },
    workspace: {
      isTrusted: true,
      getWorkspaceFolder: () => undefined,
      findFiles: () => Promise.resolve([]),
      getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
    },
  };
}

const probes = ['LGIP', 'VISLA', 'PRSM'].map((title) => ({
  id: title.toLowerCase(),
  title,
  question: '',
  natural: title === 'VISLA',
  ready: true,
  ...(title === 'LGIP' ? { draws: 5 } : {}),
  needs: title === 'PRSM' ? ['image-text'] : ['text-text', 'image-text'],
  options:
    title === 'VISLA' ? [{ key: 'mostOfIt', title: 'Most of it', describe: 'How many.', default: 6 }] : [],
}));
const evaluators = [
  { id: 'starter', name: 'Starter', kind: 'encoder', readsImages: false, abilities: ['text-text'] },
  { id: '/models/clip', name: 'clip', kind: 'encoder', readsImages: false, abilities: ['text-text'] },
  {
    id: '/w/judge.evaluator.json',
    name: 'judge',
    kind: '',
    readsImages: false,
    abilities: [],
    problem: 'It names no "url".',
  },
];
const reader = {
  ask: (type: string) =>
    Promise.resolve(
      type === 'look'
        ? {
            format: 'visla',
            readsAs: 'VISLA',
            probes,
            others: [{ id: 'winoground', title: 'Winoground', why: 'it has one image' }],
            readsImages: 0,
            imagesFound: 0,
            examples: 8,
            columns: ['image', 'patient'],
          }
        : evaluators,
    ),
};

describe('the selection before an audit', function () {
  this.timeout(60_000);
  let load: (vscode: object) => typeof selection & typeof speed;
  let remembered: unknown;
  /** What earlier runs stored: the evaluators' speeds and the probes' requests per example. */
  let rates: Record<string, unknown>;
  let prepared: number;

  before(async () => {
    load = await bundle(`export * from './src/editor/runs/selectRun';
      export * from './src/editor/runs/throughput';`);
  });

  beforeEach(() => {
    rates = {};
    prepared = 0;
    remembered = { probes: ['lgip'], evaluators: ['/w/judge.evaluator.json'] };
  });

  function choose(answer: Answer, added?: string) {
    const { chooseOrder, Throughput } = load(fake(answer));
    const memory = {
      get: (key: string, otherwise: unknown) =>
        key === 'captious.choice' ? remembered : (rates[key] ?? otherwise),
      update: () => Promise.resolve(),
    };
    const parts = {
      reader,
      throughput: new Throughput(memory as unknown as ConstructorParameters<typeof Throughput>[0]),
      memory,
      addEvaluator: () => Promise.resolve(added),
      prepare: () => prepared++,
    };
    const uri = { scheme: 'file', fsPath: '/w/triplets.tsv', toString: () => '/w/triplets.tsv' };
    return (chooseOrder as (uri: object, parts: object) => ReturnType<typeof chooseOrder>)(uri, parts);
  }

  it('starts the process of the run after the choice of probes, before that of evaluators', async () => {
    const before: number[] = [];
    await choose((items) => {
      before.push(prepared);
      return items.slice(0, 1);
    });
    assert.deepEqual(before, [0, 1]);
  });

  it("preselects the file's own probe and an evaluator that can be used", async () => {
    const order = await choose((items) => items.filter(({ picked }) => picked));
    assert.deepEqual([order?.probes, order?.evaluators], [['visla'], ['starter']]);
  });

  it('preselects the last probe if the file suggests no probe', async () => {
    for (const probe of probes) probe.natural = false;
    const order = await choose((items) => items.filter(({ picked }) => picked));
    assert.deepEqual(order?.probes, ['lgip']);
  });

  it('neither preselects nor selects a probe whose images are missing, and says of each what is missing', async () => {
    for (const probe of probes) probe.ready = probe.id !== 'lgip';
    try {
      let shown: Item[] = [];
      const order = await choose((items, title) => {
        if (title !== 'Select probes') return items.filter(({ picked }) => picked);
        shown = items;
        return items.filter(({ picked, label }) => picked === true || label === 'LGIP');
      });
      // LGIP was the last probe, and its row was selected.
      assert.deepEqual(order?.probes, ['visla']);
      assert.deepEqual(
        shown.map(({ label, description }) => [label, description]),
        [
          ['VISLA', undefined],
          ['PRSM', undefined],
          ['Not possible with this dataset', undefined],
          ['LGIP', 'needs images, which were not found'],
          ['Winoground', 'it has one image'],
        ],
      );
    } finally {
      for (const probe of probes) probe.ready = true;
    }
  });

  it('lists a broken evaluator with its error, and ignores its selection', async () => {
    const seen: Item[] = [];
    const order = await choose((items) => {
      seen.push(...items);
      return [items[0], items[items.length - 1]];
    });
    assert.deepEqual(order?.evaluators, ['starter']);
    const { description, detail, picked } = seen.find(({ label }) => label === 'judge')!;
    assert.deepEqual([description, detail, picked], ['cannot be used', 'It names no "url".', undefined]);
  });

  it('says how long an evaluator takes once a run has told its speed, and nothing before', async () => {
    const detail = async () => {
      const seen: Item[] = [];
      await choose((items) => {
        seen.push(...items);
        return items.filter(({ picked }) => picked);
      });
      return seen.find(({ label }) => label === 'Starter')?.detail;
    };
    assert.equal(await detail(), undefined);
    rates = { 'captious.pace': { starter: 10 }, 'captious.asked': { visla: 3, 'lgip 5': 3 } };
    assert.equal(await detail(), 'less than a minute');
  });

  it('estimates a run of several draws by runs of as many draws', async () => {
    remembered = { probes: ['lgip'], evaluators: ['starter'] };
    const detail = async (): Promise<string | undefined> => {
      const seen: Item[] = [];
      await choose((items, title) => {
        seen.push(...items);
        return title === 'Select probes' ? items.filter(({ label }) => label === 'LGIP') : undefined;
      }).catch(() => undefined);
      return seen.find(({ label }) => label === 'Starter')?.detail;
    };
    rates = { 'captious.pace': { starter: 0.1 }, 'captious.asked': { lgip: 3 } };
    assert.equal(await detail(), undefined);
    // 8 examples of 15 requests, of which the evaluator makes 6 a minute.
    rates = { 'captious.pace': { starter: 0.1 }, 'captious.asked': { lgip: 3, 'lgip 5': 15 } };
    assert.equal(await detail(), 'about 20 min');
  });

  it('adds an evaluator with a button, and keeps what was chosen before', async () => {
    const labels = new Set<string>();
    let opened = 0;
    const order = await choose((items, title) => {
      if (title !== 'Select evaluators') return items.filter(({ picked }) => picked);
      for (const { label } of items) labels.add(label);
      if (opened++ > 0) return items.filter(({ picked }) => picked);
      return 'Add evaluator…';
    }, '/models/clip');
    assert.equal(opened, 2);
    // "Add evaluator…" is a button: as an item of the list, it would look like an evaluator.
    assert.deepEqual([...labels], ['Starter', 'clip', 'cannot be used', 'judge']);
    assert.deepEqual(order?.evaluators, ['starter', '/models/clip']);
  });

  it('goes back one step at a time from "Advanced…", and names options in words', async () => {
    const steps: string[] = [];
    let row: Item | undefined;
    // The input box is cancelled the first time and filled in the second time. Then the list of options is cancelled.
    const answers: ((items: Item[]) => ReturnType<Answer>)[] = [
      (items) => items.filter(({ label }) => label === 'VISLA'),
      () => 'Advanced…',
      (items) => (row = items.find(({ label }) => label === 'Most of it')),
      () => undefined,
      () => row,
      () => '3',
      () => undefined,
      (items) => items.filter(({ picked }) => picked),
    ];
    const order = await choose((items, title) => {
      steps.push(title);
      return answers[steps.length - 1](items);
    });
    assert.deepEqual([row?.label, row?.description], ['Most of it', '6 · mostOfIt']);
    assert.equal(row?.detail, 'Wie viele.');
    assert.deepEqual(steps, [
      ...['Select probes', 'Select evaluators', 'Advanced', 'VISLA: Most of it', 'Advanced'],
      ...['VISLA: Most of it', 'Advanced', 'Select evaluators · Most of it: 3'],
    ]);
    assert.deepEqual(order?.options, { visla: { mostOfIt: '3' } });
  });

  it('lets the user name the column of the clusters, and take it back', async () => {
    for (const last of ['patient', 'image']) {
      const steps: string[] = [];
      const answers: ((items: Item[]) => ReturnType<Answer>)[] = [
        (items) => items.filter(({ label }) => label === 'VISLA'),
        () => 'Advanced…',
        (items) => items.find(({ label }) => label === 'Cluster'),
        (items) => items.find(({ label }) => label === 'patient'),
        (items) => items.find(({ label, description }) => label === 'Cluster' && description === 'patient'),
        // The first item stands for images, although a column has the same name.
        (items) => items.find(({ label }) => label === last),
        () => undefined,
        (items) => items.filter(({ picked }) => picked),
      ];
      const order = await choose((items, title) => {
        steps.push(title);
        return answers[steps.length - 1](items);
      });
      assert.equal(order?.cluster, last === 'patient' ? 'patient' : undefined);
      assert.equal(
        steps.at(-1),
        last === 'patient' ? 'Select evaluators · Cluster: patient' : 'Select evaluators',
      );
    }
  });

  it('does not offer an evaluator that cannot answer the probe, and says why', async () => {
    let row: Item | undefined;
    const order = await choose((items) => {
      const starter = items.find(({ label }) => label === 'Starter');
      row = starter ?? row;
      return starter === undefined ? items.filter(({ label }) => label === 'PRSM') : [starter];
    });
    assert.equal(order, undefined);
    for (const part of ['PRSM', sentence('probe.imageWithCaption'), sentence('probe.pairsOfCaptions')])
      assert.ok(row?.detail?.includes(part), row?.detail);
  });
});
