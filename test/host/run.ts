// Runs the tests of this folder inside the extension host of a real VS Code.
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

import { repository, VSCode } from '../e2e/vscode';

const deadline = 10 * 60_000;
/** As index.ts writes it. */
const mark = '[captious test] ';

async function main(): Promise<number> {
  const out = join(repository, 'out/host');
  await rm(out, { recursive: true, force: true });
  const here = join(repository, 'test/host');
  const tests = (await readdir(here)).filter((name) => name.endsWith('.test.ts'));
  await build({
    entryPoints: [...tests, 'index.ts'].map((name) => join(here, name)),
    outdir: out,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  const scratch = await mkdtemp(join(tmpdir(), 'captious-host-'));
  const workspace = join(scratch, 'workspace');
  await mkdir(workspace);
  await cp(join(here, 'workspace'), workspace, { recursive: true });
  const code = await VSCode.open({
    folder: workspace,
    tests: join(out, 'index.js'),
    env: { CAPTIOUS_HOME: join(scratch, 'home'), CAPTIOUS_TEST_ONLY: process.argv[2] ?? '' },
  });
  const others: string[] = [];
  const show = (line: string) => {
    if (line.startsWith(mark)) process.stdout.write(`${line.slice(mark.length)}\n`);
    else others.push(line);
  };
  try {
    const result = await code.runTests(show, deadline);
    // What the window said is noise until something goes wrong.
    if (result !== 0) process.stderr.write(`${others.join('\n')}\n`);
    return result;
  } finally {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
