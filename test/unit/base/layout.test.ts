import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The most files that a source folder may contain. */
const most = 20;

it('keeps every source folder at twenty files or fewer', () => {
  const folders = ['src', 'webview'].flatMap((top) => [
    top,
    ...readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name)),
  ]);
  assert.ok(folders.length > 30);
  const full = folders
    .map((folder) => ({
      folder,
      files: readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length,
    }))
    .filter(({ files }) => files > most);
  assert.deepEqual(full, []);
});

/** The files below a folder whose names end so, without that end. */
function below(folder: string, end: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(end))
    .map((path) => path.slice(0, -end.length).replaceAll('\\', '/'));
}

// A test with the name of a source lies where the source does. A test of several sources has a name of its own.
it('has each test with the name of a source of its room at the path of that source', () => {
  const tests = below('test/unit', '.test.ts');
  assert.ok(tests.length > 300);
  const systems = below('test/system', '.test.ts');
  assert.ok(systems.length > 10);
  const sources = [...below('src', '.ts'), ...below('webview', '.ts').map((path) => `webview/${path}`)];
  const paths = new Set(sources);
  const nameOf = (path: string): string => `${path.split('/')[0]} ${path.split('/').at(-1)}`;
  const names = new Set(sources.map(nameOf));
  assert.deepEqual(
    [...tests, ...systems].filter((path) => !paths.has(path) && names.has(nameOf(path))),
    [],
  );
});
