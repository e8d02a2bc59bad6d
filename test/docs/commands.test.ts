import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inputs, unrun } from './inputs';

const root = join(__dirname, '../..');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'samples/README.md',
  ...documents('docs'),
  'models/build/README.md',
];

/** All Markdown pages below a folder, sorted by path. */
function documents(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
}

/** The commands in a page's code blocks, without comments. A block that begins with #! is one script. */
function commandsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^( *)```(?:sh|bash|console)\n([\s\S]*?)^ *```$/gm)].map(
    ([, , block]) => block,
  );
  return blocks.flatMap((block) =>
    block.startsWith('#!')
      ? [block]
      : block
          .split('\n')
          .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
          .filter((line) => line !== ''),
  );
}

describe('commands in the docs', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'captious-docs-'));
  const unused = new Set(Object.keys(unrun));
  const env = {
    ...process.env,
    CAPTIOUS_HOME: join(folder, 'home'),
    TMPDIR: folder,
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
  };

  before(() => {
    cpSync(join(root, 'samples'), join(folder, 'samples'), { recursive: true });
    mkdirSync(join(folder, 'bin'));
    const shim = join(folder, 'bin/captious');
    writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/cli.js')}" "$@"\n`);
    chmodSync(shim, 0o755);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function run(command: string): void {
    const options = { cwd: folder, env, encoding: 'utf8', timeout: 300_000 } as const;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
    assert.equal(status, 0, `${command}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  }

  for (const page of pages)
    for (const command of commandsIn(page)) {
      // `unrun` names a script by its first line.
      const name = command.split('\n')[0];
      if (name in unrun) unused.delete(name);
      else
        it(`${page}: ${command}`, function () {
          if (process.platform === 'win32') return this.skip();
          inputs(command, folder);
          run(command);
        });
    }

  it('that are listed as not run exist in the docs', () => {
    assert.deepEqual([...unused], []);
  });
});
