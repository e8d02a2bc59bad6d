import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

import { repository, VSCode, type Settings } from './vscode';

const usualDeadline = 10 * 60_000;
/** The prefix that test/host/index.ts writes. */
const mark = '[captious test] ';

export interface Inside extends Pick<Settings, 'extension' | 'beside' | 'vsix' | 'settings' | 'env'> {
  tests: string;
  /** Folders of this repository to open, copied because tests may write to them. */
  workspace: readonly string[];
  /** Runs only tests whose full title matches this pattern. */
  only?: string;
  /** Captious's home folder. By default, each window has its own. */
  home?: string;
  /** A suffix of the bundle's folder, distinct for windows that run the same tests at once. */
  name?: string;
  deadlineMs?: number;
}

/** Bundles a folder's tests for an extension host. Returns the bundle's folder, whose name ends with `name`. */
export async function bundleTests(tests: string, name = ''): Promise<string> {
  const out = join(repository, 'out/inside', `${tests}${name}`);
  await rm(out, { recursive: true, force: true });
  const here = join(repository, tests);
  const files = (await readdir(here)).filter((file) => file.endsWith('.test.ts'));
  await build({
    entryPoints: [...files.map((file) => join(here, file)), join(repository, 'test/host/index.ts')],
    outdir: out,
    entryNames: '[name]',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    define: { 'process.env.CAPTIOUS_REPOSITORY': JSON.stringify(repository) },
    logLevel: 'warning',
  });
  return out;
}

/** Runs a folder's tests inside a real VS Code's extension host. Returns 0 if all pass, otherwise another exit code. */
export async function runInside(wanted: Inside): Promise<number> {
  const { tests, workspace, only, env, home, name = '', deadlineMs, ...settings } = wanted;
  const out = await bundleTests(tests, name);
  const scratch = await mkdtemp(join(tmpdir(), 'captious-inside-'));
  const folder = join(scratch, 'workspace');
  await mkdir(folder);
  for (const part of workspace) await cp(resolve(repository, part), folder, { recursive: true });
  const code = await VSCode.open({
    ...settings,
    folder,
    tests: join(out, 'index.js'),
    env: { ...env, CAPTIOUS_HOME: home ?? join(scratch, 'home'), CAPTIOUS_TEST_ONLY: only ?? '' },
  });
  const others: string[] = [];
  const show = (line: string) => {
    if (line.startsWith(mark)) process.stdout.write(`${line.slice(mark.length)}\n`);
    else others.push(line);
  };
  try {
    const result = await code.runTests(show, deadlineMs ?? usualDeadline);
    // The window's other output helps only after a failure.
    if (result !== 0) process.stderr.write(`${others.join('\n')}\n`);
    return result;
  } finally {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Exits with the result of `work`, or after a signal with its usual code. Exit handlers run in both cases. */
export function main(work: () => Promise<number>): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  work().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}
