import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage at 1.5 times the live heap instead of four times, so that long runs fit a laptop's
 * memory; it costs a few percent of time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
