import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Target } from './target';

/** The number of inputs that a target gets even after the time limit. */
const first = 20;

export interface Fuzzed {
  name: string;
  inputs: number;
  seconds: number;
  /** The defect and its input. Undefined if no defect was found. */
  find?: string;
}

/** Tries up to this many inputs on one target within a time limit. Equal seeds give equal inputs. */
export async function fuzz(target: Target, inputs: number, seed: number, limitMs?: number): Promise<Fuzzed> {
  // A folder in memory if possible, because each input may be written to a file.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'captious-fuzz-'));
  const since = performance.now();
  try {
    const property = target.property(folder);
    const check = (numRuns: number, more: fc.Parameters<unknown> = {}) =>
      fc.check(property, { numRuns, seed, endOnFailure: false, ...more });
    // A reader that starts slowly, such as a thread, gets its first inputs even after the time limit.
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
      // On a slow machine, the time limit may pass before the first input. This is no defect.
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
