import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
  seconds: number;
  /** The peak resident memory of all processes together, in MB. */
  peakMb: number;
}

export interface Run {
  home: string;
  env?: NodeJS.ProcessEnv;
  /** The part of the command line before `node`, such as a shell that sets a limit. */
  through?: readonly string[];
  node?: readonly string[];
  limitMs?: number;
  cwd?: string;
  /** Called as soon as the child process runs. */
  meanwhile?: (child: ChildProcess) => Promise<void>;
}

const cli = resolve('dist/cli.js');
export const fixtures = resolve('test/fixtures');
export const model = (name: string): string => join(fixtures, 'models', name);

/** Runs `captious …` to its end. Checks that there is no internal error and no remaining process. */
export async function captious(args: readonly string[], run: Run): Promise<Ended> {
  const { through = [], node = [], limitMs = 60_000 } = run;
  const [file, ...rest] = [...through, process.execPath, ...node, cli, ...args];
  const since = performance.now();
  const child = spawn(file, rest, {
    detached: true,
    cwd: run.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...run.env, CAPTIOUS_HOME: run.home },
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (out += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (err += piece));
  const closed = new Promise<number | null>((done, failed) => {
    child.on('close', done);
    child.on('error', failed);
  });
  let peakKb = 0;
  const sampler = setInterval(() => (peakKb = Math.max(peakKb, memoryOf(child.pid!))), 50);
  const killer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limitMs);
  try {
    await run.meanwhile?.(child);
    const code = await closed;
    const seconds = (performance.now() - since) / 1000;
    assert.ok(seconds * 1000 < limitMs, `it hung: ${args.join(' ')}\n${err}`);
    assert.doesNotMatch(err, /internal error/, err);
    assert.ok(await groupGone(child.pid!, 3000), 'a process was left behind');
    return { code, out, err, seconds, peakMb: peakKb / 1024 };
  } finally {
    clearInterval(sampler);
    clearTimeout(killer);
  }
}

/** Whether the process group (all processes of a command) has ended in time. */
async function groupGone(leader: number, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await wait(50)) {
    try {
      process.kill(-leader, 0);
    } catch {
      return true;
    }
  }
  return false;
}

/** The ids of a process and its descendants, beginning with the process itself. */
export function family(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...children.trim().split(/\s+/).filter(Boolean).map(Number).flatMap(family)];
  } catch {
    return [];
  }
}

/** Resident memory of a process and its descendants in kB; 0 if the system does not report it. */
export function memoryOf(pid: number): number {
  let sum = 0;
  for (const one of family(pid)) {
    try {
      sum += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process has ended.
    }
  }
  return sum;
}

/** A temporary folder for the tests of one file. `home` is the path of Captious's home folder in it. */
export function scratch(): { path: string; home: string; in: (name: string) => string } {
  const place = {
    path: '',
    get home() {
      return join(place.path, 'home');
    },
    in: (name: string) => join(place.path, name),
  };
  before(async () => {
    place.path = await mkdtemp(join(tmpdir(), 'captious-faults-'));
  });
  after(() => rm(place.path, { recursive: true, force: true }));
  return place;
}

/** The contents of a report folder's files, by name. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const out: Record<string, string> = {};
  for (const name of (await readdir(folder)).sort()) out[name] = await readFile(join(folder, name), 'utf8');
  return out;
}

/** Whether tests can mount file systems here. Prints a message if not. */
export function canMount(): boolean {
  const able = spawnSync('unshare', ['-rm', 'true']).status === 0;
  if (!able) console.log('      (skipped: this machine does not let tests mount a disk)');
  return able;
}

/** Arguments to put before a command: mount a disk at `at` only for it, and list the disk's files when it ends. */
export function withDisk(at: string, options: string, first = ''): string[] {
  const script = `mount -t tmpfs -o ${options} tmpfs '${at}' && ${first} "$@"; code=$?; ls -A '${at}' >&2; exit $code`;
  return ['unshare', '-rm', 'sh', '-c', script, 'sh'];
}
