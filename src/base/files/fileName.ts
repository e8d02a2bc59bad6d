import { createHash } from 'node:crypto';
import { within } from '../text/ends';

/** The longest name in bytes. Two names and an ending fit into the 255 bytes of a file's name. */
const longest = 96;
const digits = 12;

/** Names of devices on Windows, also with an extension. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;
const marked = new RegExp(`-[0-9a-f]{${digits}}$`);

/**
 * Makes a part of a file's name from any text. Different texts have different names, also where a file system ignores
 * case or normalises Unicode: a name gets a hash unless the text is a safe name in lower case.
 */
export function fileName(text: string): string {
  return isSafe(text) ? text : hashed(text);
}

/** Like `fileName`, but keeps safe names with capitals. Only for callers that check which names are taken. */
export function fileNameWithCase(text: string): string {
  return isSafe(text.toLowerCase()) && /^[ -~]*$/.test(text) ? text : hashed(text);
}

/** The file names of all `texts`. A text with capitals keeps them if no other text differs from it only in case. */
export function fileNames(texts: Iterable<string>): Map<string, string> {
  const all = [...new Set(texts)];
  const folded = all.map((text) => text.toLowerCase());
  const times = new Map<string, number>();
  for (const text of folded) times.set(text, (times.get(text) ?? 0) + 1);
  return new Map(
    all.map((text, i) => [text, times.get(folded[i]) === 1 ? fileNameWithCase(text) : fileName(text)]),
  );
}

/** A readable name to propose in a dialog, which asks before it replaces a file. Different texts may share a name. */
export function proposedName(text: string): string {
  const readable = readablePart(text, '-');
  return readable === '' || devices.test(readable) ? hashed(text) : readable;
}

function readablePart(text: string, gap: string): string {
  const safe = text
    .slice(0, longest)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}@._-]+/gu, gap);
  return within(withinBytes(safe, longest - digits - 2), /[._-]/);
}

function hashed(text: string): string {
  const hash = createHash('sha256').update(text, 'utf16le').digest('hex').slice(0, digits);
  const readable = readablePart(text, '_');
  return readable === '' || devices.test(readable) ? `_${readable}-${hash}` : `${readable}-${hash}`;
}

function isSafe(text: string): boolean {
  return (
    text.length <= longest &&
    /^[a-z0-9_](?:[a-z0-9@._-]*[a-z0-9_-])?$/.test(text) &&
    !text.includes('__') &&
    !devices.test(text) &&
    !marked.test(text)
  );
}

function withinBytes(text: string, most: number): string {
  let bytes = 0;
  let out = '';
  for (const sign of text) {
    bytes += Buffer.byteLength(sign);
    if (bytes > most) break;
    out += sign;
  }
  return out;
}
