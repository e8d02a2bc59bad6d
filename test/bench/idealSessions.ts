import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** A run of a session, as `sessionLog.mjs` writes it. */
interface Run {
  path: string;
  inputs: { name: string; type: string; dims: number[] }[];
}

export interface Ideal {
  /** Seconds of `session.run` alone. */
  seconds: number;
  items: number;
}

const batch = 32;

/**
 * Runs the items of a log again, in bare sessions: prepared tensors in batches of 32, sorted by length, on all
 * threads. The values of the items do not affect the time.
 */
export async function runIdeally(log: string, threads: number): Promise<Record<string, Ideal>> {
  const towers = new Map<string, { shape: Run['inputs']; sizes: number[] }>();
  for (const line of readFileSync(log, 'utf8').trimEnd().split('\n')) {
    const { path, inputs } = JSON.parse(line) as Run;
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
    let ms = 0;
    for (const start of starts) {
      const prepared = feedsAt(start);
      const began = performance.now();
      await session.run(prepared);
      ms += performance.now() - began;
    }
    await session.release();
    ideals[path] = { seconds: ms / 1000, items: sizes.length };
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
