import { type CallContext, Calls, type Serve } from '../base/calls';

const beatMs = 5000;

/** Extends the deadline of a long request while the process still handles events. */
export function whileAlive<A, T>(
  work: (ask: A, context: CallContext) => Promise<T>,
): (ask: A, context: CallContext) => Promise<T> {
  return async (ask, context) => {
    const beat = setInterval(context.step, beatMs);
    try {
      return await work(ask, context);
    } finally {
      clearInterval(beat);
    }
  };
}

/** Serves the parent process, and exits with it. */
export function serveParent(serve: Serve, close: () => Promise<void>): void {
  const calls = new Calls(
    {},
    {
      send: (message) => {
        if (process.connected) process.send?.(message);
      },
      serve,
    },
  );
  process.on('message', (value: unknown) => {
    if (!calls.hear(value)) throw new Error('Received a malformed message.');
  });
  process.once('disconnect', () => void close().finally(() => process.exit(0)));
}
