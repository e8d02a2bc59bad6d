import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listFiles } from '@vscode/vsce';

const editorRooms = /^src\/(editor\/|extension\.ts|web\.ts)/;

/** The files that the source reads at run time by their paths. The path of a folder ends with "/". */
function readAtRunTime(): { path: string; inEditor: boolean }[] {
  const found: { path: string; inEditor: boolean }[] = [];
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const file = `src/${name.replaceAll('\\', '/')}`;
    const text = readFileSync(file, 'utf8');
    const add = (folder: string, parts: string): void => {
      const names = parts.split(',').map((part) => /^\s*'([^']*)'\s*$/.exec(part)?.[1]);
      const open = names.indexOf(undefined);
      const path = [folder, ...names.slice(0, open < 0 ? undefined : open)]
        .filter((one) => one !== '')
        .join('/');
      const isFolder = open >= 0 || !/\.\w+$/.test(path);
      if (path !== '') found.push({ path: isFolder ? `${path}/` : path, inEditor: editorRooms.test(file) });
    };
    for (const [, parts] of text.matchAll(/join\(installFolder\(\), ([^()]*)\)/g)) add('', parts);
    for (const [, parts] of text.matchAll(/join\((?:__dirname|folder), ('[\w.-]+\.(?:js|wasm)')\)/g))
      add('dist', parts);
    for (const [, parts] of text.matchAll(/joinPath\((?:\w+\.)?extension(?:Uri)?, ([^()]*)\)/g))
      add('', parts);
    for (const [, path] of text.matchAll(/script\('([\w.-]+\.js)'\)/g)) add('dist', `'${path}'`);
  }
  return found;
}

/** What the build writes into dist, by the file that decides it. */
function builtFiles(): string[] {
  const build = readFileSync('esbuild.mjs', 'utf8');
  const written = [...build.matchAll(/writeChanged\('(dist\/[\w.-]+)'/g)].map(([, path]) => path);
  const bundles = [...build.matchAll(/entryPoints: \{([^}]*)\}/g)].flatMap(([, own]) =>
    [...own.matchAll(/([\w-]+)'?: '/g)].map(([, name]) => `dist/${name}.js`),
  );
  const pages = [...build.matchAll(/in: '[^']+\.(ts|css)', out: '([\w-]+)'/g)].map(
    ([, kind, name]) => `dist/${name}.${kind === 'ts' ? 'js' : kind}`,
  );
  const [, packages] = /const packages = \{([^}]*)\}/.exec(build)!;
  const shared = [...packages.matchAll(/([\w-]+)'?: '/g)].map(([, name]) => `dist/${name}.js`);
  const others = ['words/nouns.json', 'ranking.wasm', 'pixels.wasm', 'part-A2.js'];
  return [...written, ...bundles, ...shared, ...pages, ...others.map((name) => `dist/${name}`)];
}

describe('the lists of the packages', function () {
  this.timeout(120_000);
  let folder: string;
  let read: ReturnType<typeof readAtRunTime>;
  let [npm, vsix]: Set<string>[] = [];

  /** A folder is in a package if a file in it is. */
  const sampleOf = (path: string): string => (path.endsWith('/') ? `${path}any.txt` : path);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'captious-shipped-'));
    read = readAtRunTime();
    const extra = ['dist/cli.js.map', 'src/cli/main.ts', 'models/build/any.txt', 'python/captious/any.pyc'];
    for (const path of [...read.map(({ path }) => sampleOf(path)), ...builtFiles(), ...extra]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    for (const name of ['README.md', '.npmignore', '.vscodeignore']) cpSync(name, join(folder, name));
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as object;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies: {} }));
    const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
    const isWindows = process.platform === 'win32';
    const packed = execFileSync(isWindows ? 'npm.cmd' : 'npm', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: isWindows,
    });
    const [{ files }] = JSON.parse(packed) as { files: { path: string }[] }[];
    npm = new Set(files.map(({ path }) => path));
    vsix = new Set(await listFiles({ cwd: folder }));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are those of scripts/shipped.mjs', async () => {
    const list = (await import(pathToFileURL(resolve('scripts/shipped.mjs')).href)) as Record<
      'npmIgnore' | 'vscodeIgnore',
      () => string
    >;
    assert.equal(readFileSync('.npmignore', 'utf8'), list.npmIgnore());
    assert.equal(readFileSync('.vscodeignore', 'utf8'), list.vscodeIgnore());
  });

  it('have every file that the source reads by its path', () => {
    const paths = new Set(read.map(({ path }) => path));
    for (const known of [
      'models/known.json',
      'models/starter/',
      'dist/wordnet.json',
      'dist/session.js',
      'media/',
    ])
      assert.ok(paths.has(known), known);
    assert.deepEqual(
      [...paths].filter((path) => !vsix.has(sampleOf(path))),
      [],
    );
    const ofCli = read.filter(({ inEditor }) => !inEditor).map(({ path }) => path);
    assert.deepEqual(
      ofCli.filter((path) => !npm.has(sampleOf(path))),
      [],
    );
  });

  it('have what the build writes: the extension all, the command line what is not only for the editor', () => {
    const built = builtFiles();
    assert.ok(
      ['dist/messages.en.json', 'dist/cli.js', 'dist/runner.js', 'dist/board-view.css'].every((one) =>
        built.includes(one),
      ),
    );
    assert.deepEqual(
      built.filter((path) => !vsix.has(path)),
      [],
    );
    const editors =
      /^dist\/(extension|part-\w+|runner|reader|web|webview|messages\.en|[\w-]+-view)\.(js|css)$/;
    assert.deepEqual(
      built.filter((path) => npm.has(path) === editors.test(path)),
      [],
    );
  });

  it('have nothing else', () => {
    for (const files of [npm, vsix])
      assert.deepEqual(
        [...files].filter((path) => /^(src|models\/build)\/|\.(map|pyc)$/.test(path)),
        [],
      );
  });
});
