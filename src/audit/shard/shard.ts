import { createHash } from 'node:crypto';
import { type CaptiousError, usageError } from '../../base/errors';
import { say } from '../../base/say';
import type { Dataset, ReadOptions } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';

/** One of a dataset's `count` parts, which are of about equal size. `index` counts from 1. */
export interface Shard {
  index: number;
  count: number;
}

/** More than any run needs. Most schedulers allow fewer tasks per array. */
export const mostShards = 100_000;

export function shardName({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** Parses `I/N`, `auto` or `auto/N`. With `auto`, the scheduler sets the index; without N, also the count. */
export function parseShard(text: string, env: NodeJS.ProcessEnv = process.env): Shard {
  const [, own, given] = /^(\d+|auto)(?:\/(\d+))?$/.exec(text) ?? [];
  const count = given === undefined ? undefined : Number(given);
  if (own === undefined || (own !== 'auto' && count === undefined))
    throw wrong(text, say('shard.formExpected'));
  const shard = own === 'auto' ? fromScheduler(text, count, env) : { index: Number(own), count: count ?? 0 };
  if (shard.count < 1 || shard.count > mostShards || shard.index < 1 || shard.index > shard.count)
    throw wrong(text, say('shard.numberOutOfRange', mostShards));
  return shard;
}

function fromScheduler(text: string, asked: number | undefined, env: NodeJS.ProcessEnv): Shard {
  const { index, count = asked } = slurm(text, env) ?? fromZero(env) ?? {};
  if (index === undefined) throw wrong(text, say('shard.schedulerMissing'));
  if (count === undefined) throw wrong(text, say('shard.shardCountUnset'));
  if (asked !== undefined && asked !== count) throw wrong(text, say('shard.taskCountDiffers', count, asked));
  return { index, count };
}

/** The shard in Slurm's array, which may start at any number and have a step; undefined outside of an array. */
function slurm(text: string, env: NodeJS.ProcessEnv): Partial<Shard> | undefined {
  const id = wholeNumberIn(env.SLURM_ARRAY_TASK_ID);
  if (id === undefined) return undefined;
  const first = wholeNumberIn(env.SLURM_ARRAY_TASK_MIN) ?? 0;
  const step = wholeNumberIn(env.SLURM_ARRAY_TASK_STEP) || 1;
  const index = (id - first) / step;
  const count = wholeNumberIn(env.SLURM_ARRAY_TASK_COUNT);
  if (!Number.isInteger(index) || (count !== undefined && index >= count))
    throw wrong(text, say('shard.taskNumbersUneven'));
  return { index: index + 1, count };
}

function fromZero(env: NodeJS.ProcessEnv): Partial<Shard> | undefined {
  const kubernetes = wholeNumberIn(env.JOB_COMPLETION_INDEX);
  if (kubernetes !== undefined) return { index: kubernetes + 1 };
  const batch = wholeNumberIn(env.AWS_BATCH_JOB_ARRAY_INDEX);
  return batch === undefined
    ? undefined
    : { index: batch + 1, count: wholeNumberIn(env.AWS_BATCH_JOB_ARRAY_SIZE) };
}

function wholeNumberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function wrong(text: string, remedy: ReturnType<typeof say>): CaptiousError {
  return usageError(say('shard.notPossible', text), remedy);
}

/** The examples of one shard. The first image of an example decides which; without images, its id. */
export class ShardDataset implements Dataset {
  private readonly numbers = new WeakMap<Example, number>();
  private last: { key: string; index: number } | undefined;

  constructor(
    private readonly whole: Dataset,
    private readonly shard: Shard,
    /** How many examples of the whole dataset to read. */
    private readonly limit: number,
  ) {}

  get path(): string {
    return this.whole.path;
  }
  get format(): string {
    return this.whole.format;
  }
  get title(): Dataset['title'] {
    return this.whole.title;
  }
  get reads(): Dataset['reads'] {
    return this.whole.reads;
  }
  get form(): Dataset['form'] {
    return this.whole.form;
  }
  get cluster(): Dataset['cluster'] {
    return this.whole.cluster;
  }
  get beside(): Dataset['beside'] {
    return this.whole.beside;
  }
  get columns(): Dataset['columns'] {
    return this.whole.columns;
  }

  /** Only the first shard reports problems, because every shard reads the whole file. */
  async *read({ onProblem, signal }: ReadOptions = {}): AsyncGenerator<Example> {
    let number = 0;
    const problems = this.shard.index === 1 ? onProblem : undefined;
    for await (const example of this.whole.read({ onProblem: problems, signal })) {
      if (number === this.limit) break;
      this.numbers.set(example, number++);
      if (this.has(example)) yield example;
    }
  }

  /** The example's number in the whole dataset. */
  numberOf(example: Example): number {
    return this.numbers.get(example)!;
  }

  private has(example: Example): boolean {
    const key = keyOf(example);
    // An image's examples are usually adjacent, so the last index is often the right one.
    if (this.last?.key !== key) this.last = { key, index: shardOf(example, this.shard.count) };
    return this.last.index === this.shard.index;
  }
}

/** The index of the shard that measures an example. */
export function shardOf(example: Example, count: number): number {
  return 1 + (hashOf(keyOf(example)).readUIntBE(0, 6) % count);
}

/** Whether a shard lists the hash of an image, whoever uses it. Two shards list each image, one of them its own. */
export function listsImage(name: string, { index, count }: Shard): boolean {
  const hash = hashOf(keyOfImage(name));
  const own = hash.readUIntBE(0, 6) % count;
  const other = count === 1 ? own : (own + 1 + (hash.readUIntBE(6, 6) % (count - 1))) % count;
  return index === own + 1 || index === other + 1;
}

function keyOf({ images, id }: Example): string {
  return images.length > 0 ? keyOfImage(images[0].name) : `example ${id}`;
}

function keyOfImage(name: string): string {
  return `image ${name}`;
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
