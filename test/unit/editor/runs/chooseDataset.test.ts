import assert from 'node:assert/strict';
import type * as choosing from '../../../../src/editor/runs/chooseDataset';
import { bundle } from '../bundle';

class Uri {
  readonly scheme = 'file';
  constructor(readonly fsPath: string) {}
  toString(): string {
    return this.fsPath;
  }
  static file(path: string): Uri {
    return new Uri(path);
  }
}

interface Item {
  label: string;
  description?: string;
  found?: Uri;
}

interface Asked {
  items: Item[];
  options: { matchOnDescription?: boolean };
}

describe('the dataset of a command', () => {
  let load: (vscode: object) => typeof choosing;
  let asked: Asked[];
  let dialogs: number;

  before(async () => {
    load = await bundle(`export * from './src/editor/runs/chooseDataset';`);
  });
  beforeEach(() => {
    asked = [];
    dialogs = 0;
  });

  const listed = ['/w/coco/captions.json', '/w/flickr/captions.json'].map(Uri.file);

  /** Chooses with this active file, in a workspace with these datasets. */
  function choose(
    active: string | undefined,
    { uri, datasets = listed }: { uri?: unknown; datasets?: Uri[] },
  ) {
    const { chooseDataset } = load({
      Uri,
      TabInputCustom: Map,
      TabInputText: Set,
      l10n: { t: (text: string) => text, bundle: {} },
      env: { language: 'en' },
      workspace: { asRelativePath: ({ fsPath }: Uri) => fsPath.replace('/w/', ''), workspaceFolders: [] },
      window: {
        activeTextEditor:
          active === undefined ? undefined : { viewColumn: 1, document: { uri: Uri.file(active) } },
        tabGroups: { activeTabGroup: {} },
        showQuickPick: (items: Item[], options: Asked['options']) => {
          asked.push({ items, options });
          return Promise.resolve(items.at(-2));
        },
        showOpenDialog: () => {
          dialogs++;
          return Promise.resolve([Uri.file('/elsewhere.json')]);
        },
      },
    });
    const known = {
      check: ({ fsPath }: Uri) => Promise.resolve(datasets.some((one) => one.fsPath === fsPath)),
      isCandidate: ({ fsPath }: Uri) => fsPath.endsWith('.csv'),
      inWorkspace: () => Promise.resolve(datasets),
      readsAs: () => 'COCO captions',
    };
    return chooseDataset(uri, known as unknown as Parameters<typeof chooseDataset>[1]) as Promise<
      Uri | undefined
    >;
  }

  for (const active of ['/w/README.md', '/w/judge.evaluator.json', undefined])
    it(`is asked for if the active file is none: ${active}`, async () => {
      const chosen = await choose(active, {});
      assert.equal(chosen?.fsPath, '/w/flickr/captions.json');
      const [{ items, options }] = asked;
      // Files of the same name have the folder beside it, by which typing finds them.
      assert.deepEqual(
        items.map(({ label, description }) => [label, description]),
        [
          ['captions.json', 'coco/captions.json'],
          ['captions.json', 'flickr/captions.json'],
          ['Browse…', undefined],
        ],
      );
      assert.equal(options.matchOnDescription, true);
    });

  it('is the active file if that is a dataset, and the file of a menu before that', async () => {
    assert.equal((await choose('/w/coco/captions.json', {}))?.fsPath, '/w/coco/captions.json');
    const uri = Uri.file('/w/other.json');
    assert.equal((await choose('/w/coco/captions.json', { uri }))?.fsPath, '/w/other.json');
    assert.deepEqual([asked.length, dialogs], [0, 0]);
  });

  it('can be an active file that is none, so that an error says why', async () => {
    await choose('/w/wrong.csv', {});
    const [{ items }] = asked;
    const [{ label, description, found }] = items;
    assert.deepEqual([label, description, found?.fsPath], ['wrong.csv', undefined, '/w/wrong.csv']);
    assert.equal(items.length, 4);
  });

  it('is looked for on disk if the workspace has none', async () => {
    assert.equal((await choose('/w/README.md', { datasets: [] }))?.fsPath, '/elsewhere.json');
    assert.deepEqual([asked.length, dialogs], [0, 1]);
  });
});
