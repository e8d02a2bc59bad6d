import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');

/** The files of the project that a file imports: values and types, also on demand. */
function importsOf(path: string): string[] {
  return ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles.flatMap(({ fileName }) => {
    const file = `${join(dirname(path), fileName)}.ts`;
    return fileName.startsWith('.') && existsSync(file) ? [file] : [];
  });
}

/** The first circle of imports, as the files from one to itself. Undefined if there is none. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of imports.get(path) ?? []) {
      const circle = visit(next, [...way, path]);
      if (circle !== undefined) return circle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of imports.keys()) {
    const circle = visit(path, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

describe('the imports of the source', () => {
  it('form no circle, types included', () => {
    const files = ['src', 'webview'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(root, folder, name)),
    );
    const circle = circleIn(new Map(files.map((path) => [path, importsOf(path)])));
    assert.deepEqual(circle?.map((path) => relative(root, path)) ?? [], []);
  });

  it('are followed around a planted circle', () => {
    const planted = new Map([
      ['a', ['b', 'c']],
      ['b', []],
      ['c', ['d']],
      ['d', ['a']],
    ]);
    assert.deepEqual(circleIn(planted), ['a', 'c', 'd', 'a']);
  });
});
