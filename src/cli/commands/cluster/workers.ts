import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { AuditRequest } from '../../../audit/request';
import { runFolder } from '../../../audit/run';
import { mergeShards } from '../../../audit/shard/merge';
import { interruptedError, throwIfCancelled } from '../../../base/errors';
import { homeFolder } from '../../../base/files/home';
import type { Call } from '../../arguments';
import { report, reportOptions } from '../../reports';
import { log } from '../../terminal';
import { commandLine } from './commandLine';

/** The name of the folder with the shards of an unfinished run. The folder is deleted after the merge. */
const folderName = 'shards';

/** Runs every shard in a separate process, as on a cluster, and merges the shards. */
export async function auditWithWorkers(call: Call, request: AuditRequest, count: number): Promise<number> {
  const out = request.out ?? runFolder(request.home ?? homeFolder(), resolve(request.dataset));
  const shards = join(out, folderName);
  const threads = request.threads ?? Math.max(1, Math.floor(availableParallelism() / count));
  const own = { out: shards, threads: String(threads), workers: undefined, json: true };
  const without = Object.fromEntries(Object.keys(reportOptions).map((name) => [name, undefined]));
  const argsOf = (shard: string): string[] =>
    commandLine('audit', call.positionals, { ...call.values, ...without, ...own, shard });
  const write = async (onEvent: AuditRequest['onEvent']) => {
    const folders = await runAll(count, argsOf, request.signal);
    const written = await mergeShards({ ...request, folders, out, onEvent });
    await rm(shards, { recursive: true, force: true });
    return written;
  };
  return report(call.values, write, request.signal);
}

/** Runs all shards and returns their folders. */
async function runAll(
  count: number,
  argsOf: (shard: string) => string[],
  signal: AbortSignal,
): Promise<string[]> {
  const devices = (process.env.CUDA_VISIBLE_DEVICES ?? '').split(',').filter((device) => device !== '');
  const halt = new AbortController();
  const either = AbortSignal.any([signal, halt.signal]);
  const ended = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const shard = `${i + 1}/${count}`;
      const one = await runOne(shard, argsOf(shard), devices.at(i % devices.length), either);
      if (one.code !== 0) halt.abort();
      return one;
    }),
  );
  throwIfCancelled(signal);
  const stopped = ended.findIndex(({ code }) => code !== 0);
  if (stopped < 0) return ended.map(({ said }) => (JSON.parse(said) as { folder: string }).folder);
  // Exit code 3 means interrupted. The shards that run when another shard fails are interrupted, too.
  const failed = ended.findIndex(({ code }) => code !== 0 && code !== 3);
  throw interruptedError(
    `Shard ${(failed < 0 ? stopped : failed) + 1}/${count} failed.`,
    'Its messages are above. Run the same command again to resume.',
  );
}

/** Runs one shard and returns its exit code and JSON. Messages start with the shard's number. */
function runOne(
  shard: string,
  args: readonly string[],
  device: string | undefined,
  signal: AbortSignal,
): Promise<{ code: number | null; said: string }> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1], ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: device === undefined ? process.env : { ...process.env, CUDA_VISIBLE_DEVICES: device },
    });
    const stop = (): void => void child.kill('SIGTERM');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    createInterface({ input: child.stderr }).on('line', (line) => log(`[${shard}] ${line}`));
    child.on('error', fail);
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      done({ code, said });
    });
  });
}
