import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '@vscode/vsce';
import { filesInZip } from './zip';

interface Manifest {
  version: string;
  vsce: { ignoreFile: string };
}
interface Component {
  name: string;
  version: string;
  hashes?: { alg: string; content: string }[];
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const target = `${process.platform}-${process.arch}`;
const vsix = join('out/packages', `captious-${target}-${version}.vsix`);
/** ONNX Runtime's native code for any platform. */
const native = /^node_modules\/onnxruntime-node\/bin\/[^/]+\/(\w+)\/(\w+)\//;

describe('the packed files', function () {
  this.timeout(120_000);
  let files: Map<string, Buffer>;
  before(() => {
    if (!existsSync(vsix)) throw new Error(`There is no ${vsix}: run "npm run package" first.`);
    files = new Map(
      [...filesInZip(readFileSync(vsix))].flatMap(([name, content]) =>
        name.startsWith('extension/') ? [[name.slice('extension/'.length), content] as const] : [],
      ),
    );
  });

  const json = (name: string): unknown => JSON.parse(files.get(name)!.toString());

  it('are those that "npx vsce package" packs', async () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/vscodeignore.mjs'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const ignored = (JSON.parse(readFileSync('package.json', 'utf8')) as Manifest).vsce.ignoreFile;
    const listed = await listFiles({ cwd: process.cwd(), ignoreFile: ignored });
    assert.equal(new Set(listed.flatMap((name) => native.exec(name)?.slice(1).join('-') ?? [])).size, 1);
    // vsce renames these files.
    const renamed: Record<string, string> = {
      LICENSE: 'LICENSE.txt',
      'README.md': 'readme.md',
      'CHANGELOG.md': 'changelog.md',
    };
    assert.deepEqual([...files.keys()].sort(), listed.map((name) => renamed[name] ?? name).sort());
    assert.ok(listed.length > 200 && !listed.some((name) => /\.(map|ts)$|^(src|test|docs)\//.test(name)));
  });

  it('have at most 300 kB of code that loads when the extension starts, and more that loads on demand', () => {
    const parts = [...files.keys()].filter((name) => /^dist\/part-\w+\.js$/.test(name));
    const first = new Set<string>();
    const load = (name: string): void => {
      if (first.has(name)) return;
      first.add(name);
      const code = files.get(name)!.toString();
      for (const [, part] of code.matchAll(/import_part_\w+=require\("\.\/(part-\w+\.js)"\)/g))
        load(`dist/${part}`);
    };
    load('dist/extension.js');
    assert.ok(first.size > 1 && first.size <= parts.length, [...first].join(', '));
    const bytes = [...first].reduce((sum, name) => sum + files.get(name)!.length, 0);
    assert.ok(bytes <= 300_000, `${bytes} bytes`);
  });

  it('include a README that shows no image whose file the Details page cannot load', () => {
    const readme = files.get('readme.md')!.toString();
    const links = [...readme.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, link]) => link);
    assert.deepEqual(
      links.filter((link) => !link.startsWith('https://')),
      [],
    );
    assert.ok(readme.includes('npm run demo'));
  });

  it('include the licence texts of libvips, of every library in it, and of ONNX Runtime', () => {
    for (const [name, words] of [
      ['LGPL-3.0.txt', 'GNU LESSER GENERAL PUBLIC LICENSE'],
      ['GPL-3.0.txt', 'GNU GENERAL PUBLIC LICENSE'],
      ['MPL-1.1.txt', 'MOZILLA PUBLIC LICENSE'],
      ['onnxruntime.txt', 'Microsoft Corporation'],
      ['onnxruntime-third-party.txt', 'THIRD PARTY SOFTWARE NOTICES'],
    ])
      assert.ok(files.get(`licenses/${name}`)?.toString().toUpperCase().includes(words.toUpperCase()), name);
    const told = files.get('licenses/libvips.md')!.toString();
    for (const [, text] of told.matchAll(/\]\(([\w.-]+\.txt)\)/g))
      assert.ok(files.has(`licenses/${text}`), text);
    const [versions] = [...files.keys()].filter((name) =>
      /^node_modules\/@img\/sharp-.*\/versions\.json$/.test(name),
    );
    for (const library of Object.keys(json(versions) as object)) {
      const names: Record<string, string> = { uhdr: 'ultrahdr' };
      assert.match(told, new RegExp(`^\\| (lib)?${names[library] ?? library} `, 'm'), library);
    }
  });

  it('include an SBOM that names every package among them, with its hash', () => {
    const sbom = json('sbom.cdx.json') as { bomFormat: string; components: Component[] };
    assert.equal(sbom.bomFormat, 'CycloneDX');
    const packages = [...files.keys()].flatMap(
      (name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(name)?.[1] ?? [],
    );
    assert.ok(packages.length >= 10);
    for (const name of packages) {
      const { version: own } = json(`node_modules/${name}/package.json`) as Manifest;
      const component = sbom.components.find((one) => one.name === name && one.version === own);
      assert.match(component?.hashes?.[0].content ?? '', /^[0-9a-f]{128}$/, `${name}@${own}`);
    }
  });

  it('are byte-identical when packed again, at another time, in another zone, with other file dates', () => {
    const before = readFileSync(vsix);
    const later = new Date(Date.now() + 86_400_000);
    for (const name of [
      'LICENSE',
      'README.md',
      'dist/cli.js',
      'samples',
      ...readdirSync('l10n').map((one) => join('l10n', one)),
    ])
      utimesSync(name, later, later);
    const again = spawnSync(process.execPath, ['scripts/package.mjs', target], {
      env: { ...process.env, TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8' },
      encoding: 'utf8',
    });
    assert.equal(again.status, 0, again.stderr);
    assert.ok(before.equals(readFileSync(vsix)));
  });
});
