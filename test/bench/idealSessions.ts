import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** One run of a session in `sessionLog.mjs`'s form, with times in milliseconds. */
interface Run {
  event: 'run';
  pid: number;
  /** The processor time that the process has used, in seconds. */
  cpu: number;
  from: number;
  to: number;
  path: string;
  inputs: { name: string; type: string; dims: number[] }[];
}

/** The start or the end of a process. */
interface Life {
  event: 'start' | 'exit';
  pid: number;
  cpu: number;
  at: number;
}

/** The processor time of a thread so far. */
interface Used {
  event: 'thread';
  pid: number;
  cpu: number;
  thread: number;
}

type Line = Run | Life | Used;

/** The parts of an audit's time. The first four are in seconds and add up to the total. */
export interface Parts {
  /** From the start of the audit to the model's first process. */
  start: number;
  /** From the model's first process to the first batch. */
  open: number;
  /** From the first batch to the end of the last one. */
  encode: number;
  /** From the end of the last batch to the end of the audit. */
  end: number;
  /** The mean share of `encode` in which a model's process runs its graph. */
  busy: number;
}

/** Seconds of processor time: of the first process, of those with a model, and of the latter's further threads. */
export interface Processor {
  main: number;
  models: number;
  threads: number;
}

function linesOf(log: string): Line[] {
  return readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const isRun = (line: Line): line is Run => line.event === 'run';
const isLife = (line: Line): line is Life => line.event === 'start' || line.event === 'exit';

/** Divides the processor time of the audit that wrote `log`. That of `models` contains `threads`. */
export function processorOf(log: string): Processor {
  const lines = linesOf(log);
  const models = new Set(lines.filter(isRun).map(({ pid }) => pid));
  const most = new Map<string, { line: Line; cpu: number }>();
  for (const line of lines) {
    const key = `${line.pid} ${line.event === 'thread' ? line.thread : ''}`;
    most.set(key, { line, cpu: Math.max(line.cpu, most.get(key)?.cpu ?? 0) });
  }
  const sum = (of: (line: Line) => boolean): number =>
    [...most.values()].reduce((all, { line, cpu }) => (of(line) ? all + cpu : all), 0);
  const isThread = ({ event }: Line): boolean => event === 'thread';
  return {
    main: sum((line) => !isThread(line) && line.pid === lines[0].pid),
    models: sum((line) => !isThread(line) && models.has(line.pid)),
    threads: sum((line) => isThread(line) && models.has(line.pid)),
  };
}

/** Divides the time of the audit that wrote `log` into parts. */
export function partsOf(log: string): Parts {
  const lines = linesOf(log);
  const lives = lines.filter(isLife);
  const runs = lines.filter(isRun);
  const [first] = lives;
  const children = new Set(runs.map(({ pid }) => pid));
  const least = (times: number[]): number => times.reduce((a, b) => Math.min(a, b));
  const forked = least(lives.filter(({ pid }) => children.has(pid)).map(({ at }) => at));
  const [from, to] = [least(runs.map((run) => run.from)), -least(runs.map((run) => -run.to))];
  const over = lives.find(({ event, pid }) => event === 'exit' && pid === first.pid)!.at;
  const inGraphs = runs.reduce((sum, run) => sum + run.to - run.from, 0);
  return {
    start: (forked - first.at) / 1000,
    open: (from - forked) / 1000,
    encode: (to - from) / 1000,
    end: (over - to) / 1000,
    busy: inGraphs / ((to - from) * children.size),
  };
}

export interface Ideal {
  /** Seconds of `session.run` alone, and of processor time during it. */
  seconds: number;
  processor: number;
  items: number;
}

const batch = 32;

/**
 * Encodes a log's items in ONNX sessions without Captious, in batches of 32 sorted by length. The tensors have
 * made-up values, which do not affect the time.
 */
export async function runIdeally(log: string, threads: number): Promise<Record<string, Ideal>> {
  const towers = new Map<string, { shape: Run['inputs']; sizes: number[] }>();
  for (const { path, inputs } of linesOf(log).filter(isRun)) {
    const tower = towers.get(path) ?? { shape: inputs, sizes: [] };
    towers.set(path, tower);
    const [rows, length] = inputs[0].dims;
    for (let row = 0; row < rows; row++) tower.sizes.push(length);
  }
  const ideals: Record<string, Ideal> = {};
  for (const [path, { shape, sizes }] of towers) {
    const session = await InferenceSession.create(path, {
      intraOpNumThreads: threads,
      graphOptimizationLevel: 'all',
      enableMemPattern: false,
    });
    sizes.sort((a, b) => a - b);
    const starts = Array.from({ length: Math.ceil(sizes.length / batch) }, (_, i) => i * batch);
    const feedsAt = (start: number): Record<string, Tensor> => {
      const rows = sizes.slice(start, start + batch);
      return feeds(shape, rows.length, rows[rows.length - 1]);
    };
    await session.run(feedsAt(0));
    let [ms, microseconds] = [0, 0];
    for (const start of starts) {
      const prepared = feedsAt(start);
      const [began, used] = [performance.now(), process.cpuUsage()];
      await session.run(prepared);
      ms += performance.now() - began;
      const { user, system } = process.cpuUsage(used);
      microseconds += user + system;
    }
    await session.release();
    ideals[path] = { seconds: ms / 1000, processor: microseconds / 1e6, items: sizes.length };
  }
  return ideals;
}

function feeds(shape: Run['inputs'], rows: number, length: number): Record<string, Tensor> {
  return Object.fromEntries(
    shape.map(({ name, type, dims }) => {
      const own = dims.length === 2 ? [rows, length] : [rows, ...dims.slice(1)];
      const size = own.reduce((product, dim) => product * dim, 1);
      const fill = name.includes('type') ? 0 : 1;
      switch (type) {
        case 'int64':
          return [name, new Tensor(type, new BigInt64Array(size).fill(BigInt(fill)), own)];
        case 'int32':
          return [name, new Tensor(type, new Int32Array(size).fill(fill), own)];
        case 'float32':
          return [
            name,
            new Tensor(
              type,
              Float32Array.from({ length: size }, (_, i) => Math.sin(i)),
              own,
            ),
          ];
        default:
          throw new Error(`The input ${name} has the type ${type}.`);
      }
    }),
  );
}
