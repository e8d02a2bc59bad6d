import { median } from './report';

export interface Contestant {
  name: string;
  /** `seconds` is the time for all items. It excludes `start`, the time to start a process. */
  round(): Promise<{ seconds: number; start?: number }>;
  /** Returns the embeddings of all items in order. Absent if the contestant cannot return them. */
  vectors?(): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface Rates {
  /** Each contestant's items per second in each round. */
  rates: number[][];
  starts: number[];
}

/** Runs all contestants in each round, in rotating order. */
export async function contest(
  contestants: readonly Contestant[],
  items: number,
  rounds: number,
): Promise<Rates> {
  const rates = contestants.map((): number[] => []);
  const starts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another contestant, so a machine that becomes slower favours none.
    for (let turn = 0; turn < contestants.length; turn++) {
      const at = (round + turn) % contestants.length;
      const result = await contestants[at].round();
      rates[at].push(items / result.seconds);
      if (result.start !== undefined) starts.push(result.start);
    }
  }
  return { rates, starts };
}

/** One table row per contestant: its name, its median, lowest and highest rate, and its rate relative to the first one. */
export function rateRows(
  contestants: readonly Contestant[],
  rates: readonly number[][],
  digits = 0,
): (string | number)[][] {
  return contestants.map(({ name }, i) => [
    name,
    median(rates[i]).toFixed(digits),
    Math.min(...rates[i]).toFixed(digits),
    Math.max(...rates[i]).toFixed(digits),
    relative(rates[i], [rates[0]]).toFixed(2),
  ]);
}

/**
 * The speed relative to the fastest of the others: the median of the rounds' ratios, because measurements in one
 * round are close in time.
 */
export function relative(own: readonly number[], others: readonly (readonly number[])[]): number {
  return median(own.map((rate, i) => rate / Math.max(...others.map((list) => list[i]))));
}
