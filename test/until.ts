/** The real ones, also where a test has put others in their place. */
const { setTimeout: later, clearTimeout: forget } = globalThis;
/** A little less than mocha gives a test, whose message would not say what was waited for. */
const patience = 50_000;
const pauseMs = 5;

/** Waits for something that happens by itself, and says what did not happen where it fails. */
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

/** Lets the event loop go round so many times. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
