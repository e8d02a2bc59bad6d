import type { open } from 'node:fs/promises';
import { actionable, throwIfCancelled } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import { type DetectedEncoding, Utf16ToUtf8, detectEncoding } from './encoding';

const chunkSize = 256 * 1024;

export async function readHead(path: string, size: number): Promise<Buffer> {
  const file = await openFile(path);
  try {
    const buffer = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await file.read(buffer, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } catch (error) {
    throw actionable(error, path);
  } finally {
    await file.close();
  }
}

/**
 * Reads the text of a file as UTF-8. By default, starts after the byte order mark. A chunk is valid until the
 * caller requests the next chunk.
 */
export async function* textChunks(
  path: string,
  encoding: DetectedEncoding,
  signal?: AbortSignal,
  from = encoding.bom,
): AsyncGenerator<Uint8Array, void, undefined> {
  const transcoder =
    encoding.encoding === 'utf-8' ? undefined : new Utf16ToUtf8(encoding.encoding === 'utf-16be');
  const file = await openFile(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkSize);
    let position = from;
    for (;;) {
      throwIfCancelled(signal);
      const { bytesRead } = await file.read(buffer, 0, chunkSize, position);
      throwIfCancelled(signal);
      if (bytesRead === 0) break;
      position += bytesRead;
      const chunk = buffer.subarray(0, bytesRead);
      yield transcoder === undefined ? chunk : transcoder.feed(chunk);
    }
    if (transcoder !== undefined) yield transcoder.end();
  } catch (error) {
    throw actionable(error, path);
  } finally {
    await file.close();
  }
}

/** The first bytes of a file as UTF-8, identical to the output of `textChunks`. */
export function textOfHead(head: Uint8Array): { encoding: DetectedEncoding; text: Uint8Array } {
  const encoding = detectEncoding(head);
  const body = head.subarray(encoding.bom);
  if (encoding.encoding === 'utf-8') return { encoding, text: body };
  return { encoding, text: new Utf16ToUtf8(encoding.encoding === 'utf-16be').feed(body) };
}

async function openFile(path: string): ReturnType<typeof open> {
  try {
    return await openRegular(path);
  } catch (error) {
    throw actionable(error, path);
  }
}
