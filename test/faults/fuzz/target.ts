import assert from 'node:assert/strict';
import type fc from 'fast-check';
import { CaptiousError } from '../../../src/base/errors';

/** Something that reads what others wrote. */
export interface Target {
  name: string;
  /** Of all inputs, how many are for it. */
  share: number;
  /** `folder`: of its own, to put files in. */
  property: (folder: string) => fc.IRawProperty<unknown>;
}

/** More of the processor than any small input takes, in ms. */
const longest = 5000;

/** Runs it; an error that a person can act on is a good end, any other is a find. */
export async function orToldApart(act: () => Promise<void> | void): Promise<void> {
  const since = process.cpuUsage();
  try {
    await act();
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    assert.ok(error.message.length > 0);
  }
  // Not by the wall's clock: the machine may have other things to do, or sleep.
  const { user, system } = process.cpuUsage(since);
  assert.ok((user + system) / 1000 < longest, 'it took too long');
}
