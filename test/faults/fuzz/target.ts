import assert from 'node:assert/strict';
import type fc from 'fast-check';
import { CaptiousError } from '../../../src/base/errors';

/** A reader of untrusted input. */
export interface Target {
  name: string;
  /** The reader's share of all inputs. */
  share: number;
  /** Makes the property to test, which may write files into `folder`. */
  property: (folder: string) => fc.IRawProperty<unknown>;
}

/** The largest allowed processor time for a small input, in milliseconds. */
const longest = 5000;

/** Runs `act`, which may throw a CaptiousError. Any other error is a defect, and so is taking too long. */
export async function orToldApart(act: () => Promise<void> | void): Promise<void> {
  const since = process.cpuUsage();
  try {
    await act();
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    assert.ok(error.message.length > 0);
  }
  // Processor time, because the machine may be busy or asleep.
  const { user, system } = process.cpuUsage(since);
  assert.ok((user + system) / 1000 < longest, 'it took too long');
}
