import assert from 'node:assert/strict';
import type fc from 'fast-check';
import { CaptiousError } from '../../../src/base/errors';

/** A reader of untrusted input. */
export interface Target {
  name: string;
  /** Its share of all inputs. */
  share: number;
  /** `folder`: for its own files. */
  property: (folder: string) => fc.IRawProperty<unknown>;
}

/** Processor milliseconds that no small input should take. */
const longest = 5000;

/** Runs it; a CaptiousError is expected, any other error is a defect. */
export async function orToldApart(act: () => Promise<void> | void): Promise<void> {
  const since = process.cpuUsage();
  try {
    await act();
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    assert.ok(error.message.length > 0);
  }
  // Not wall time: the machine may be busy or sleep.
  const { user, system } = process.cpuUsage(since);
  assert.ok((user + system) / 1000 < longest, 'it took too long');
}
