import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { english } from '../../../src/base/english';
import type { Words } from '../../../src/base/say';
import type { Example } from '../../../src/dataset/example';
import { openDataset } from '../../../src/dataset/open';
import { readsAsFirst } from '../../../src/dataset/readsAs';
import { bundle } from './bundle';
import { sentence } from '../../sentence';

const reading = sentence('dataset.readAsOptions', 'NegBench MCQ', 4, 1);

interface Disposable {
  dispose(): void;
}

interface Loaded {
  datasets: {
    Datasets: new (
      reader: object,
      log: object,
    ) => Disposable & {
      check(uri: object): Promise<boolean>;
      readsAs(path: string): Words | undefined;
    };
  };
  selection: { chooseOrder(uri: object, parts: object): Promise<object | undefined> };
  lenses: {
    TextHelp: new (
      marks: object,
      known: Disposable,
      problems: object,
    ) => Disposable & { provideCodeLenses(document: object, token: object): Promise<Lens[]> };
  };
}

class Emitter {
  readonly event = () => ({ dispose: () => undefined });
  fire(): void {
    // Unused in these tests.
  }
  dispose(): void {
    // Unused in these tests.
  }
}

class Lens {
  constructor(
    readonly range: unknown,
    readonly command: { title: string; tooltip?: string },
  ) {}
}

class Range {
  constructor(readonly start: unknown) {}
}

/** An object whose unknown members, except `then`, are functions that return such an object. It is no promise. */
const anything = (known: object = {}): object =>
  new Proxy(known, {
    get: (target, name) =>
      name in target
        ? (Reflect.get(target, name) as unknown)
        : name === 'then'
          ? undefined
          : () => anything(),
  });

/** Fires the event of a changed file. */
let changed: (uri: object) => void;

/** A `vscode` module that records pickers without answering them. */
function fake(picked: { placeHolder?: string }[]): object {
  return {
    EventEmitter: Emitter,
    CodeLens: Lens,
    Range,
    ThemeColor: Emitter,
    ThemeIcon: Emitter,
    QuickPickItemKind: { Separator: -1 },
    ProgressLocation: { Window: 1 },
    Uri: { file: (path: string) => ({ path }) },
    l10n: {
      t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, i: number) => values[i]),
    },
    languages: anything(),
    commands: anything(),
    window: anything({
      visibleTextEditors: [],
      withProgress: (_: unknown, task: (progress: unknown, token: unknown) => unknown) => task({}, {}),
      createQuickPick: () => {
        let close: () => void;
        const list = {
          placeholder: '',
          selectedItems: [],
          ...{ onDidChangeSelection: anything, onDidTriggerButton: anything, onDidAccept: anything },
          onDidHide: (listener: () => void) => (close = listener),
          show: () => {
            picked.push({ placeHolder: list.placeholder });
            close();
          },
          dispose: anything,
        };
        return list;
      },
    }),
    workspace: anything({
      isTrusted: true,
      textDocuments: [],
      getWorkspaceFolder: () => undefined,
      getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
      findFiles: () => Promise.resolve([]),
      createFileSystemWatcher: () => ({
        ...{ onDidCreate: anything, onDidDelete: anything, dispose: anything },
        onDidChange: (listener: (uri: object) => void) => {
          changed = listener;
          return anything();
        },
      }),
    }),
  };
}

describe('how a file is read', function () {
  this.timeout(60_000);
  let folder: string;
  let path: string;
  let loaded: Loaded;
  const picked: { placeHolder?: string }[] = [];

  /** Answers like the reading process. */
  const reader = {
    async ask(type: string, { path: asked }: { path: string }) {
      assert.equal(type, 'look');
      const dataset = await openDataset(asked);
      const seen: Example[] = [];
      for await (const example of dataset.read()) seen.push(example);
      return {
        format: dataset.format,
        readsAs: readsAsFirst(dataset, seen),
        probes: [{ id: 'choice', title: 'Choice', question: '', natural: true, ready: true }],
        others: [],
        images: 0,
        imagesFound: 0,
        examples: seen.length,
      };
    },
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'captious-reads-'));
    path = join(folder, 'negbench.csv');
    const header = 'image_path,correct_answer,caption_0,caption_1,caption_2,caption_3';
    writeFileSync(path, `${header}\na.jpg,1,a,b,c,d\nb.jpg,1,e,f,g,h\n`);
    const load = await bundle<Loaded>(`export * as datasets from './src/editor/datasets';
      export * as selection from './src/editor/runs/selectRun';
      export * as lenses from './src/editor/text/codeLenses';`);
    loaded = load(fake(picked));
  });

  after(() => rmSync(folder, { recursive: true }));

  const uri = () => ({ scheme: 'file', fsPath: path, toString: () => path });

  it('is shown on hovering over the lens of the file', async () => {
    const known = new loaded.datasets.Datasets(reader, { warn: assert.fail });
    assert.equal(await known.check(uri()), true);
    const marks = anything({ latest: () => [], between: () => Promise.resolve([]) });
    const help = new loaded.lenses.TextHelp(marks, known, anything({ problemCount: () => [0, 0] }));
    const [lens, ...others] = await help.provideCodeLenses(
      { uri: uri(), lineCount: 3 },
      { isCancellationRequested: false },
    );
    assert.deepEqual([lens.command.tooltip, others], [`Format: ${reading}`, []]);
    assert.match(lens.command.title, /Audit$/);
    help.dispose();
    known.dispose();
  });

  it('is read again after the file was changed to another form', async () => {
    const known = new loaded.datasets.Datasets(reader, { warn: () => undefined });
    const own = { ...uri(), fsPath: join(folder, 'changing.csv') };
    copyFileSync(path, own.fsPath);
    const words = () => english(known.readsAs(own.fsPath) ?? '');
    await known.check(own);
    assert.equal(words(), reading);
    writeFileSync(own.fsPath, 'image,caption\na.jpg,a cat on a mat\n');
    changed(own);
    await known.check(own);
    assert.doesNotMatch(words(), /NegBench/);
    assert.notEqual(words(), '');
    known.dispose();
  });

  it('is shown before an audit, above the probes to select', async () => {
    const memory = { get: (_: string, otherwise: unknown) => otherwise };
    const prepare = () => assert.fail('A process started before the choice of probes.');
    const order = await loaded.selection.chooseOrder(uri(), { reader, throughput: {}, memory, prepare });
    assert.equal(order, undefined);
    assert.deepEqual(
      picked.map(({ placeHolder }) => placeHolder),
      [`Format: ${reading}, ${sentence('base.aboutExamples', 2)}`],
    );
  });
});
