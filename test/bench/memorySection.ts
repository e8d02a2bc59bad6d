import { spawnSync } from 'node:child_process';
import type { MemoryRun } from './memory';
import type { Section } from './report';

/** Enough for a million captions, because an example of VISLA has three. */
const examples = 333_334;

/** Audits a million captions with a fake evaluator in a separate process, and measures the memory of that process. */
export function benchMemory(): Section {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import=tsx', 'test/bench/memory.ts', `--examples=${examples}`, '--json'],
    { encoding: 'utf8', maxBuffer: 1 << 24 },
  );
  if (status !== 0) throw new Error(stderr);
  const { marks, seconds, processor, peak, growth } = JSON.parse(stdout) as MemoryRun;
  return {
    id: 'memory',
    title: 'Memory',
    notes: [
      `VISLA over ${examples} generated examples with three captions each, and a fake evaluator with embeddings of four numbers. The audit took ${seconds.toFixed(0)} s and ${processor.toFixed(0)} s of processor time, intervals included. Growth: the slope of a line through the memory after the first quarter, for each caption.`,
      'Ten million captions take half an hour: `npm run bench:memory -- --examples 3333334`.',
    ],
    columns: ['examples', 'memory, MB'],
    rows: marks.filter((_, i) => i % 8 === 7).map((mark) => [mark.examples, mark.megabytes.toFixed(0)]),
    data: { marks, seconds, processor, peak, growth },
    targets: [
      { what: 'bytes more for each caption', value: growth / 3, atMost: 200 },
      { what: 'peak memory, MB', value: peak, atMost: 1500 },
    ],
  };
}
