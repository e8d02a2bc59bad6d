import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage at 1.5 times the live heap instead of 4 times. Long runs then fit a laptop's
 * memory, but are a few percent slower.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}
