import assert from 'node:assert/strict';
import { versions } from '../../../src/base/files/versions';

/** Runs as a Captious does whose draws have another version. */
export async function withOtherDraws<T>(run: () => Promise<T>): Promise<T> {
  const installed = versions() as Record<string, string>;
  const { draws } = installed;
  assert.ok(draws);
  installed.draws = `${draws} of another Captious`;
  try {
    return await run();
  } finally {
    installed.draws = draws;
  }
}
