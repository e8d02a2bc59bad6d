import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { throwIfCancelled } from '../../base/errors';
import { chunksOf } from '../../base/files/readFile';

/**
 * Whether a file matches the hub's tag: the SHA-256 of a large file, or the git blob hash of a small file.
 * Returns undefined if the tag is missing or neither of them.
 */
export function matchesTag(tag: string | undefined, sha256: string, gitBlob: string): boolean | undefined {
  if (tag === undefined) return undefined;
  if (/^[0-9a-f]{64}$/.test(tag)) return tag === sha256;
  if (/^[0-9a-f]{40}$/.test(tag)) return tag === gitBlob;
  return undefined;
}

export async function digestsOf(
  path: string,
  signal?: AbortSignal,
): Promise<{ sha256: string; gitBlob: string; size: number }> {
  const { size } = await stat(path);
  const sha256 = createHash('sha256');
  const gitBlob = createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of chunksOf(path)) {
    throwIfCancelled(signal);
    sha256.update(chunk);
    gitBlob.update(chunk);
  }
  return { sha256: sha256.digest('hex'), gitBlob: gitBlob.digest('hex'), size };
}
