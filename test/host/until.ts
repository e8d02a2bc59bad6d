import assert from 'node:assert/strict';

/** Waits for something that happens by itself, and fails where it does not. */
export async function until(holds: () => boolean, ms = 15_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    assert.ok(Date.now() < end, `this did not happen within ${ms} ms: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
