import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { scratch } from './command';

interface Locked {
  version: string;
  integrity?: string;
  link?: boolean;
}

/** Links each file, or copies it if that fails. npm would list no packages if the folder itself were a link. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target);
      }
    }
  }
}

describe('what is shipped', function () {
  this.timeout(600_000);
  const place = scratch();

  it('every package of the lockfile is pinned by version and hash', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, Locked>;
    };
    const names = Object.keys(packages).filter((name) => name !== '');
    assert.ok(names.length > 100);
    for (const name of names) assert.match(packages[name].integrity ?? '', /^sha512-[\w+/]{86}==$/, name);
  });

  it('the notices match the installed packages', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/notices.mjs', '--check'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });

  it('the same tree in two folders gives the same VSIX, to the bit', () => {
    const hashes = ['one', 'two elsewhere'].map((name) => {
      const copy = place.in(name);
      mkdirSync(copy);
      const kept = new Set([
        'node_modules',
        '.git',
        '.vscode-test',
        '.venv',
        '.cache',
        'out',
        'dist',
        'test',
      ]);
      for (const entry of readdirSync('.'))
        if (!kept.has(entry)) cpSync(entry, join(copy, entry), { recursive: true });
      linkTree('node_modules', join(copy, 'node_modules'));
      for (const script of ['esbuild.mjs', join('scripts', 'package.mjs')]) {
        const target = script === 'esbuild.mjs' ? [] : ['linux-x64'];
        const { status, stderr } = spawnSync(process.execPath, [script, ...target], {
          cwd: copy,
          encoding: 'utf8',
        });
        assert.equal(status, 0, stderr);
      }
      const packages = join(copy, 'out', 'packages');
      const [vsix] = readdirSync(packages);
      return createHash('sha256')
        .update(readFileSync(join(packages, vsix)))
        .digest('hex');
    });
    assert.equal(hashes[0], hashes[1]);
  });
});
