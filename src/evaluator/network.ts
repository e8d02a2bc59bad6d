import { messageOf } from '../base/errors';

/** Node wraps what happened to a connection into "fetch failed". */
export function reasonOf(error: unknown): string {
  const inner = (error as { cause?: unknown }).cause;
  return inner instanceof Error && inner.message !== '' ? inner.message : messageOf(error);
}
