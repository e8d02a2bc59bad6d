import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Target } from './target';

/** Inputs for every reader, even in a short run. */
const first = 20;

export interface Fuzzed {
  name: string;
  inputs: number;
  seconds: number;
  /** The defect, with its input. */
  find?: string;
}

/** Up to this many inputs for one target, reproducible by seed, within a time limit. */
export async function fuzz(target: Target, inputs: number, seed: number, limitMs?: number): Promise<Fuzzed> {
  // Memory instead of a disk if available: each input may be a file.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'captious-fuzz-'));
  const since = performance.now();
  try {
    const property = target.property(folder);
    const check = (numRuns: number, more: fc.Parameters<unknown> = {}) =>
      fc.check(property, { numRuns, seed, endOnFailure: false, ...more });
    // A reader that starts slowly, such as a thread, still gets its first inputs.
    let found = await check(limitMs === undefined ? inputs : Math.min(first, inputs));
    if (limitMs !== undefined && !found.failed && inputs > first) {
      const spent = performance.now() - since;
      const more = await check(inputs, { interruptAfterTimeLimit: Math.max(1, limitMs - spent) });
      if (more.numRuns > first) found = more;
    }
    return {
      name: target.name,
      inputs: found.numRuns,
      seconds: (performance.now() - since) / 1000,
      // Interrupted before its first input: a slow machine, not a defect.
      ...(found.failed && found.numRuns > 0
        ? {
            find: `${await fc.asyncDefaultReportMessage(found as unknown as fc.RunDetails<unknown>)}\n${wordsOf(found.errorInstance)}`,
          }
        : {}),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
