import { append } from '../../base/lists';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type FileHandle, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beat, keepAlive } from '../../base/files/lease';
import { isLeft, isOfOtherHost, isPart, renamedPart } from '../../base/files/owner';
import { openRegular, readBounded } from '../../base/files/readFile';
import { createFile, temporaryFor } from '../../base/files/writeFile';
import { type Mark, markShape } from './mark';
import { choice, count, list, object, optional, type Shape, ShapeError, text } from '../../base/shape';
import { sizeOf } from '../../base/files/isFile';

/*
 * Records a run's progress next to its unfinished rows. Each line is a checksum and JSON; the first line
 * identifies the run, and later lines mark rows and examples as done.
 */

const headShape = object({
  schema: choice('captious/journal@1'),
  identity: text,
  /** For people who read the file. Captious ignores this field. */
  host: text,
  /** Absent without a scheduler that numbers attempts. */
  task: optional(object({ id: text, attempt: count })),
  /** Names of the unfinished rows files, one per evaluator. */
  parts: list(text),
});

type Head = ReturnType<typeof headShape>;

export interface Left {
  /** The paths of all files of the unfinished runs. */
  files: string[];
  /** Releases the unfinished runs, so that other processes can claim them. */
  release: () => Promise<void>;
  /** The paths of the rows files, in the order of the evaluators. */
  parts: string[];
  marks: Mark[];
}

/** A run that was not resumed for two weeks is abandoned. */
const keptFor = 14 * 24 * 3600_000;

export class Checkpoint {
  private readonly stopHeartbeat: () => void;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {
    this.stopHeartbeat = keepAlive(path);
  }

  static async begin(folder: string, identity: string, parts: readonly string[]): Promise<Checkpoint> {
    const path = temporaryFor(join(folder, nameOf(identity)));
    const checkpoint = new Checkpoint(path, await createFile(path));
    const [host, task] = [hostname(), taskOf(process.env)];
    const names = parts.map((part) => basename(part));
    await checkpoint.write([{ schema: 'captious/journal@1', identity, host, task, parts: names }]);
    return checkpoint;
  }

  /** Marks rows as done. The caller must write the rows to disk first. */
  mark(marks: readonly Mark[]): Promise<void> {
    return this.write(marks);
  }

  private async write(values: readonly object[]): Promise<void> {
    const lines = values.map((value) => JSON.stringify(value)).map((json) => `${sumOf(json)} ${json}\n`);
    await this.file.appendFile(lines.join(''));
  }

  /** Closes the file without deleting it, and returns its path. The caller deletes it after taking over the rows. */
  async setAside(): Promise<string> {
    await this.close();
    return this.path;
  }

  /** Keeps the checkpoint, so that the next run can resume from it on any host. */
  async leave(): Promise<void> {
    await this.close();
    await setFree(this.path);
  }

  async remove(): Promise<void> {
    await this.close().catch(() => undefined);
    await rm(this.path, { force: true });
  }

  private async close(): Promise<void> {
    this.stopHeartbeat();
    await this.file.close();
  }
}

/** A hash of everything that affects a run's rows: `parts` and the build of Captious. */
export function identityOf(parts: readonly unknown[]): string {
  const { mtimeMs, size } = statSync(__filename);
  return createHash('sha256')
    .update(JSON.stringify([...parts, mtimeMs, size]))
    .digest('hex');
}

/** Claims the unfinished runs with this identity. Returns the run with the most progress; undefined if none. */
export async function findLeft(folder: string, identity: string): Promise<Left | undefined> {
  let best: Left | undefined;
  const files: string[] = [];
  const claims: Claim[] = [];
  const release = async (): Promise<void> => {
    for (const claim of claims) await claim.release();
  };
  const own = `.${nameOf(identity)}.`;
  for (const { name, hasEnded } of await checkpointsIn(folder, (one) => one.startsWith(own))) {
    if (!name.startsWith(own)) continue;
    // The files of another host are only read, because its process may continue.
    const claim = hasEnded ? await claimed(join(folder, name)) : undefined;
    if (claim !== undefined) claims.push(claim);
    else if (hasEnded) continue;
    const found = await readCheckpoint(claim?.path ?? join(folder, name));
    if (found?.head.identity !== identity) continue;
    const { head, marks } = found;
    const parts = head.parts.map((part) => join(folder, part));
    if (claim !== undefined) append(files, [claim.path, ...parts]);
    if (marks.some(({ evaluatorRuns }) => evaluatorRuns.length !== parts.length)) continue;
    const sizes = await Promise.all(parts.map(sizeOf));
    const beyond = marks.findIndex(({ evaluatorRuns }) =>
      evaluatorRuns.some(({ bytes }, i) => bytes > sizes[i]),
    );
    const stand = beyond < 0 ? marks : marks.slice(0, beyond);
    if (best === undefined || stand.length > best.marks.length)
      best = { files, release, parts, marks: stand };
  }
  if (best === undefined) await release();
  return best;
}

/** Names of resumable checkpoints and their rows files. */
export async function leftIn(folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { name } of await checkpointsIn(folder)) {
    const path = join(folder, name);
    // Another process may have deleted the checkpoint.
    const [head, state] = await Promise.all([headIn(path), stat(path)]).catch(() => []);
    if (head === undefined || state === undefined || Date.now() - state.mtimeMs > keptFor) continue;
    for (const part of [name, ...head.parts]) names.add(part);
  }
  return names;
}

/**
 * The checkpoints that no running process seems to use. Includes the checkpoints of the current task's earlier
 * attempts, if `mayReplace` accepts their names. `hasEnded` is false if only the silence of another host suggests it.
 */
async function checkpointsIn(
  folder: string,
  mayReplace: (name: string) => boolean = () => false,
): Promise<{ name: string; hasEnded: boolean }[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('.journal-'));
  const own = taskOf(process.env);
  const found = await Promise.all(
    names.map(async (name) => {
      if (own !== undefined && mayReplace(name)) {
        const head = await headIn(join(folder, name)).catch(() => undefined);
        if (replaces(own, head?.task)) return [{ name, hasEnded: true }];
      }
      return (await isLeft(folder, name)) ? [{ name, hasEnded: !isOfOtherHost(name) }] : [];
    }),
  );
  return found.flat();
}

interface Claim {
  path: string;
  release: () => Promise<void>;
}

/** Claims a checkpoint by renaming it, which only one process can do. Undefined if another process claimed it. */
async function claimed(path: string): Promise<Claim | undefined> {
  const mine = join(dirname(path), renamedPart(basename(path), 'own'));
  try {
    await rename(path, mine);
  } catch {
    return undefined;
  }
  await beat(mine);
  const stopHeartbeat = keepAlive(mine);
  return {
    path: mine,
    release: async () => {
      stopHeartbeat();
      await setFree(mine);
    },
  };
}

async function setFree(path: string): Promise<void> {
  // If the rename fails, the claim lasts until the process ends or its heartbeat is overdue.
  await rename(path, join(dirname(path), renamedPart(basename(path), 'free'))).catch(() => undefined);
}

/** Reads a checkpoint up to its first invalid line. Undefined if the first line is invalid. */
async function readCheckpoint(path: string): Promise<{ head: Head; marks: Mark[] } | undefined> {
  const [first, ...lines] = String(await readBounded(path, 500 << 20).catch(() => ''))
    .split('\n')
    .slice(0, -1);
  const head = headOf(first ?? '');
  if (head === undefined) return undefined;
  const marks: Mark[] = [];
  for (const line of lines) {
    const mark = valueIn(line, markShape);
    if (mark === undefined) break;
    marks.push(mark);
  }
  return { head, marks };
}

/** The head of a checkpoint; undefined if the head is invalid or nothing follows it. */
async function headIn(path: string): Promise<Head | undefined> {
  const file = await openRegular(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1 << 16));
    const [first, next = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return next === '' ? undefined : headOf(first);
  } finally {
    await file.close();
  }
}

function headOf(line: string): Head | undefined {
  const head = valueIn(line, headShape);
  return head?.parts.every((part) => isPart(part) && part === basename(part)) ? head : undefined;
}

/** The value in a line of a checkpoint; undefined if the line is incomplete or malformed. */
function valueIn<T>(line: string, shape: Shape<T>): T | undefined {
  const json = line.slice(9);
  if (line.slice(0, 9) !== `${sumOf(json)} `) return undefined;
  try {
    return shape(JSON.parse(json), '');
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

function nameOf(identity: string): string {
  return `journal-${identity.slice(0, 16)}`;
}

function sumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}

/** A scheduler's task. A new attempt, on the same or another host, starts only after the previous one has ended. */
interface Task {
  id: string;
  attempt: number;
}

/** The scheduler's task that this process runs. Undefined without a scheduler that numbers attempts. */
function taskOf(env: NodeJS.ProcessEnv): Task | undefined {
  const { SLURM_JOB_ID, SLURM_ARRAY_JOB_ID, SLURM_ARRAY_TASK_ID, SLURM_CLUSTER_NAME, SLURM_RESTART_COUNT } =
    env;
  if (SLURM_JOB_ID !== undefined) {
    const id = [SLURM_CLUSTER_NAME ?? '', SLURM_ARRAY_JOB_ID ?? SLURM_JOB_ID, SLURM_ARRAY_TASK_ID ?? ''];
    return { id: `slurm ${id.join(' ')}`, attempt: Number(SLURM_RESTART_COUNT ?? 0) };
  }
  const { AWS_BATCH_JOB_ID, AWS_BATCH_JOB_ATTEMPT } = env;
  if (AWS_BATCH_JOB_ID === undefined) return undefined;
  return { id: `aws ${AWS_BATCH_JOB_ID}`, attempt: Number(AWS_BATCH_JOB_ATTEMPT ?? 1) };
}

/** Whether `other` is an earlier attempt of the task `own`, and has therefore ended. */
function replaces(own: Task | undefined, other: Task | undefined): boolean {
  return own !== undefined && other !== undefined && own.id === other.id && own.attempt > other.attempt;
}
