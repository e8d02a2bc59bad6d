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
