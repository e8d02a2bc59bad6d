/** The real timers, because a test may replace the global ones. */
const { setTimeout: later, clearTimeout: forget } = globalThis;
/** Slightly less than mocha's timeout, whose message does not name the condition. */
const patience = 50_000;
const pauseMs = 5;

/** Waits for a condition. A timeout's error names the condition. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  otherwise: () => string = () => `This did not happen: ${holds.toString()}`,
): Promise<void> {
  let isLate = false;
  const bound = later(() => (isLate = true), patience);
  try {
    while (!(await holds())) {
      if (isLate) throw new Error(otherwise());
      await new Promise<void>((resolve) => later(resolve, pauseMs));
    }
  } finally {
    forget(bound);
  }
}

/** Waits this many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
