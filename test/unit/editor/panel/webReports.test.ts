import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { type Said, say } from '../../../../src/base/say';
import type * as sources from '../../../../src/editor/panel/reportSource';
import type * as web from '../../../../src/editor/panel/webReports';
import { reportOf, sealOfText } from '../../report/reportOf';
import { bundle } from '../bundle';
import { sentence } from '../../../sentence';

interface File {
  bytes: Uint8Array;
  /** The reported size, which may be wrong. */
  size?: number;
}

interface FakeUri {
  path: string;
  scheme: string;
  fsPath: string;
  toString: () => string;
}

const uriOf = (path: string): FakeUri => ({ path, scheme: 'file', fsPath: path, toString: () => path });

/** The editor's file system in memory. `looked` collects the paths of `stat`, `read` those of `readFile`. */
function fake(files: Map<string, File>, looked: string[], read: string[]) {
  const workspace = {
    isTrusted: true,
    fs: {
      stat: ({ path }: FakeUri) => {
        looked.push(path);
        const file = files.get(path);
        return file === undefined
          ? Promise.reject(new Error(sentence('native.noSuchFile')))
          : Promise.resolve({ type: 1, size: file.size ?? file.bytes.length, mtime: 0 });
      },
      readFile: ({ path }: FakeUri) => {
        read.push(path);
        return Promise.resolve(files.get(path)!.bytes);
      },
    },
    findFiles: () => Promise.resolve([]),
    getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
  };
  const Uri = {
    file: uriOf,
    parse: uriOf,
    joinPath: ({ path }: FakeUri, ...parts: string[]) => uriOf(join(path, ...parts)),
  };
  return { workspace, Uri, l10n: { t: (text: string) => text }, window: {}, commands: {} };
}

type Loaded = typeof web & typeof sources;

describe('reports in a browser', function () {
  this.timeout(60_000);
  let load: (vscode: object) => Loaded;
  let loaded: Loaded;
  let vscode: ReturnType<typeof fake>;
  const files = new Map<string, File>();
  const looked: string[] = [];
  const read: string[] = [];

  before(async () => {
    load = await bundle(`export * from './src/editor/panel/webReports';
      export * from './src/editor/panel/reportSource';`);
  });

  beforeEach(() => {
    files.clear();
    for (const list of [looked, read]) list.length = 0;
    vscode = fake(files, looked, read);
    loaded = load(vscode);
  });

  const uri = uriOf('/w/x.report.json') as unknown as Parameters<Loaded['datasetOf']>[0];
  const rows = '{"example":"1","row":0}\n';

  function put(more: Partial<ReturnType<typeof reportOf>> = {}): void {
    const report = reportOf({ probe: 'new', rows: 'x.rows.jsonl', ...sealOfText(rows), ...more });
    files.set('/w/x.report.json', { bytes: Buffer.from(JSON.stringify(report)) });
    files.set('/w/x.rows.jsonl', { bytes: Buffer.from(rows) });
  }

  it('are read up to 64 MB, and rows up to 200 MB; larger ones are rejected before reading', async () => {
    put();
    const reports = new loaded.WebReports();
    assert.equal((await reports.read(uri)).probe, 'new');
    read.length = 0;
    files.get('/w/x.report.json')!.size = 64_000_001;
    await assert.rejects(reports.read(uri), { what: say('base.fileTooLargeMb', 61) });
    assert.equal(read.length, 0);
    put();
    files.get('/w/x.rows.jsonl')!.size = 200_000_001;
    await assert.rejects(reports.answer(uri, 'facets', { report: '' }), /too large for a browser/);
    assert.ok(!read.includes('/w/x.rows.jsonl'));
  });

  it('are rejected if the file is larger than its file system says', async () => {
    put();
    files.set('/w/x.report.json', { bytes: new Uint8Array(64_000_001), size: 100 });
    await assert.rejects(new loaded.WebReports().read(uri), { what: say('base.fileTooLargeMb', 61) });
  });

  it('access no dataset on another host, and in Restricted Mode none outside the open folders', async () => {
    const find = (path: string) => assert.rejects(loaded.datasetOf(uri, path), /was not found/);
    await find('//evil/share/data.json');
    await find('\\\\evil\\share\\data.json');
    assert.deepEqual(looked, ['/w/data.json', '/w/data.json']);
    looked.length = 0;
    files.set('/private/data.json', { bytes: new Uint8Array() });
    assert.equal((await loaded.datasetOf(uri, '/private/data.json')).path, '/private/data.json');
    vscode.workspace.isTrusted = false;
    looked.length = 0;
    await find('/private/data.json');
    assert.deepEqual(looked, ['/w/data.json']);
  });

  it('show no image above 30 MB, and give the limit instead', async () => {
    put();
    files.set('/w/triplets.tsv', { bytes: new Uint8Array() });
    files.set('/w/a.jpg', { bytes: new Uint8Array(), size: 30_000_001 });
    const reports = new loaded.WebReports();
    const ask = { report: '', name: 'a.jpg', side: 9 };
    await assert.rejects(reports.answer(uri, 'image', ask), { what: say('base.fileTooLargeMb', 28) });
    assert.ok(!read.includes('/w/a.jpg'));
  });

  it('say so if they are not reports', async () => {
    for (const text of ['', '{', '[]', `${'['.repeat(100_000)}`, '{"schema":"captious/report@2"}']) {
      files.set('/w/x.report.json', { bytes: Buffer.from(text) });
      await assert.rejects(
        new loaded.WebReports().read(uri),
        (error: Error) =>
          error.constructor.name === CaptiousError.name &&
          ['editor.reportInvalid', 'editor.reportNotJson'].includes(
            ((error as CaptiousError).what as Said).code,
          ),
      );
    }
  });
});
