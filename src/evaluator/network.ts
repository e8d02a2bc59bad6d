import { messageOf } from '../base/errors';

/** Returns why a request failed. Node.js reports only "fetch failed"; the error's `cause` contains the reason. */
export function reasonOf(error: unknown): string {
  const inner = (error as { cause?: unknown }).cause;
  return inner instanceof Error && inner.message !== '' ? inner.message : messageOf(error);
}

/** Reads the whole body. Throws `tooLong()` after more than `most` bytes. */
export async function bodyOf(response: Response, most: number, tooLong: () => Error): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > most) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}
