import { runBenchmark } from '../../../src/audit/benchmark/run';

/**
 * 30 items that the shorter caption solves, 8 with the same words in another order, and 2 whose captions are equal.
 * So the shorter caption is right in (30 + 8 / 2 + 2 / 2) / 40 = 87.5 %. Pairs of words also solve the 8, in which a dog
 * bites: (38 + 2 / 2) / 40 = 97.5 %, the highest accuracy without the image.
 */
export function plantedBenchmark(): string {
  const line = (i: number, caption: string, negative: string, kind: string): string =>
    JSON.stringify({ image: `${i}.jpg`, caption, negative, kind });
  return [
    ...Array.from({ length: 30 }, (_, i) =>
      line(i, `bus ${i} stands`, `bus ${i} stands beside ${i + 7} trees`, 'add'),
    ),
    ...Array.from({ length: 8 }, (_, i) =>
      line(30 + i, `dog ${i} bites cat ${i}`, `cat ${i} bites dog ${i}`, 'swap'),
    ),
    ...Array.from({ length: 2 }, (_, i) => line(38 + i, `boat ${i} sinks`, `boat ${i} sinks`, 'add')),
  ].join('\n');
}

/** Items whose wrong caption differs in one word, in both directions equally often. No model without the image helps. */
export function balancedBenchmark(): string {
  return Array.from({ length: 40 }, (_, i) => {
    const [right, wrong] = i % 2 === 0 ? ['left', 'right'] : ['right', 'left'];
    return JSON.stringify({
      image: `${i}.jpg`,
      caption: `a dog on the ${right}`,
      negative: `a dog on the ${wrong}`,
    });
  }).join('\n');
}

export async function benchmarkReport(dataset: string, out: string, home: string): Promise<string> {
  const { signal } = new AbortController();
  return (await runBenchmark({ dataset, out, home, seed: 42, signal })).path;
}
