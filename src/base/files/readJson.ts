/** Reads external JSON with limits on bytes, nesting and values. The limits are checked before parsing. */
import { CaptiousError } from '../errors';
import { say } from '../say';
import { jsonOf } from '../text/jsonOf';
import { mostConfiguration, readBounded, readBoundedSync } from './readFile';

export interface JsonLimits {
  bytes?: number;
  depth?: number;
  /** The maximum total of objects, lists and strings. Each can take much more memory than its bytes in the file. */
  parts?: number;
}

const mostDepth = 64;
const mostParts = 1 << 20;

/** Throws a NotJson, which is a SyntaxError, for invalid JSON and a CaptiousError for JSON beyond the limits. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits = {}): unknown {
  const { bytes: most = mostConfiguration, depth = mostDepth, parts = mostParts } = limits;
  if (bytes.length > most) throw new CaptiousError('input', say('base.jsonTooLong', most));
  checkParts(bytes, depth, parts);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return jsonOf(text.startsWith('\ufeff') ? text.slice(1) : text);
}

export function readJsonSync(path: string, limits: JsonLimits = {}): unknown {
  return parseJson(readBoundedSync(path, limits.bytes), limits);
}

export async function readJson(path: string, limits: JsonLimits = {}): Promise<unknown> {
  return parseJson(await readBounded(path, limits.bytes), limits);
}

const quote = 0x22;
const backslash = 0x5c;

/** Throws if the JSON exceeds a limit. The byte of a quote or bracket is never part of another character. */
function checkParts(bytes: Uint8Array, mostDeep: number, most: number): void {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote:
        parts++;
        for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
        break;
      case 0x5b:
      case 0x7b:
        parts++;
        if (++depth > mostDeep) throw new CaptiousError('input', say('base.jsonTooDeep', mostDeep));
        break;
      case 0x5d:
      case 0x7d:
        depth--;
    }
    if (parts > most) throw new CaptiousError('input', say('base.jsonTooManyParts', most));
  }
}
