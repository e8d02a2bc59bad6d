import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const root = resolve(__dirname, '..', '..');
const environments = join(root, '.cache', 'servers');

/** The Python in the environment that test/servers/run.mjs makes for a server; undefined if it is incomplete. */
export function pythonOf(server: string): string | undefined {
  return existsSync(join(environments, server, 'complete'))
    ? join(environments, server, 'bin', 'python')
    : undefined;
}

/** Runs a program until it ends. Returns its output. */
export function run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${args[0]} failed: ${stderr.slice(-2000)}`);
  return stdout;
}

/** The packages' versions, for the log. */
export function versionsOf(python: string, ...packages: string[]): string {
  const code =
    'import sys\nfrom importlib.metadata import version\nprint(", ".join(p + " " + version(p) for p in sys.argv[1:]))';
  return spawnSync(python, ['-c', code, ...packages], { encoding: 'utf8' }).stdout.trim();
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

export interface Running {
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a server and waits until the address `ready` answers with 200. */
export async function start(
  python: string,
  args: readonly string[],
  ready: string,
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Running> {
  const child = spawn(python, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (said = (said + piece.toString()).slice(-4000)));
  const exit = once(child, 'exit');
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // Kills the process group, because some servers have worker processes.
    process.kill(-child.pid!, 'SIGKILL');
    await exit;
  };
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${said}`);
    const status = await fetch(ready).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return { child, stop };
    await wait(500);
  }
  await stop();
  throw new Error(`The server is not ready: ${said}`);
}

export interface Audit {
  code: number | null;
  signal: NodeJS.Signals | null;
  err: string;
  ms: number;
}

/** The arguments of `captious audit` or `captious requests` for 60 captions. */
export function questions(evaluator: string): string[] {
  const samples = join(root, 'samples');
  return [
    ...[join(samples, 'captions.jsonl'), '--images', join(samples, 'images')],
    ...['--probe', 'lgip', '--evaluator', evaluator, '--limit', '60'],
  ];
}

/** Runs an audit. Kills it with its child processes after `killAfterMs`. */
export async function audit(
  { home, out, evaluator }: { home: string; out: string; evaluator: string },
  killAfterMs?: number,
): Promise<Audit> {
  const begun = Date.now();
  const child = spawn(
    process.execPath,
    ['dist/cli.js', 'audit', ...questions(evaluator), '--out', out, '--yes'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
      env: { ...process.env, CAPTIOUS_HOME: home },
    },
  );
  let err = '';
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  const kill = (): boolean => child.exitCode === null && process.kill(-child.pid!, 'SIGKILL');
  const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { code, signal, err, ms: Date.now() - begun };
}

export interface Scored {
  text: string;
  score: number;
}

export function rowsOf(out: string, name: string): (Scored & { variants: Scored[] })[] {
  return readFileSync(join(out, `lgip.${name}.rows.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Scored & { variants: Scored[] });
}
