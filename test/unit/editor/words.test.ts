import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const words = (path: string) => JSON.parse(read(path)) as Record<string, string>;

/** Every text that the editor's part hands to `l10n.t`. */
function texts(): Set<string> {
  const found = new Set<string>();
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    for (const [, single, double] of read(join('src', file)).matchAll(
      /l10n\.t\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g,
    ))
      found.add((single ?? double).replace(/\\(['"])/g, '$1'));
  }
  return found;
}

const holes = (text: string) =>
  [...text.matchAll(/\{\d\}|`[^`]*`|\(command:[^)]*\)/g)].map(([hole]) => hole).sort();

describe('the second language', () => {
  it('has every text of the code, and none besides', () => {
    assert.deepEqual(Object.keys(words('l10n/bundle.l10n.de.json')).sort(), [...texts()].sort());
  });

  it('has every text of package.json', () => {
    const english = words('package.nls.json');
    assert.deepEqual(Object.keys(words('package.nls.de.json')), Object.keys(english));
    const asked = [...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
    assert.deepEqual(
      asked.filter((key) => !(key in english)),
      [],
    );
  });

  it('leaves what is filled in, code and commands where they are', () => {
    for (const [text, translated] of Object.entries(words('l10n/bundle.l10n.de.json')))
      assert.deepEqual(holes(translated), holes(text), text);
    const german = words('package.nls.de.json');
    for (const [key, text] of Object.entries(words('package.nls.json')))
      assert.deepEqual(holes(german[key]), holes(text), key);
  });
});
