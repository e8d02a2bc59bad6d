/** Reads from an image file's header what decides whether two programs can read the image differently. */
import { openRegular } from '../base/files/readFile';
import type { ImageSpec } from '../protocol/imageSpec';
import type { ImageSource } from '../protocol/item';

/** `alpha`: has an alpha channel or a transparent colour. `turned`: has an EXIF orientation other than upright. */
type HeaderTrait = 'alpha' | 'turned';
/** `halves`: half a pixel is to be rounded where the crop of A starts. */
export type ImageTrait = HeaderTrait | 'halves';

interface Header {
  width: number;
  height: number;
  orientation: number;
  isTransparent: boolean;
}

/** Headers are within these bytes, except after an unusually large embedded preview. */
const headBytes = 1 << 17;

export async function imageTraits(
  source: ImageSource,
  spec: Pick<ImageSpec, 'resize' | 'crop'>,
): Promise<ImageTrait[]> {
  const header = await headerOf(source);
  if (header === undefined) return [];
  const traits: ImageTrait[] = header.isTransparent ? ['alpha'] : [];
  if (header.orientation > 1 && header.orientation <= 8) traits.push('turned');
  return roundsHalf(header, spec) ? [...traits, 'halves'] : traits;
}

/** Whether programs that round half a pixel down, or to even, crop the image differently. */
function roundsHalf(
  { width, height }: Header,
  { resize, crop }: Pick<ImageSpec, 'resize' | 'crop'>,
): boolean {
  if (resize?.rule !== 'shortest' || crop?.width !== crop?.height || crop === undefined) return false;
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const margins = [resize.side, Math.floor((resize.side * longer) / shorter)].map(
    (side) => side - crop.width,
  );
  return margins.some((margin) => margin % 4 === 3);
}

async function headerOf(source: ImageSource): Promise<Header | undefined> {
  const head = 'path' in source ? await headOf(source.path) : Buffer.from(source.bytes);
  const header: Header = { width: 0, height: 0, orientation: 1, isTransparent: false };
  try {
    if (head.readUInt16BE(0) === 0xffd8) readJpeg(head, header);
    else if (head.toString('latin1', 1, 4) === 'PNG') readPng(head, header);
    else if (head.toString('latin1', 8, 15) === 'WEBPVP8') readWebp(head, header);
    return header;
  } catch (error) {
    // A truncated header shows nothing. Whoever decodes the image reports the damage.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function readJpeg(head: Buffer, header: Header): void {
  for (let at = 2; at + 4 <= head.length; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head.readUInt16BE(at);
    if (marker === 0xffe1 && head.toString('latin1', at + 4, at + 8) === 'Exif')
      header.orientation = orientationIn(head.subarray(at + 10));
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (!isFrame) continue;
    header.height = head.readUInt16BE(at + 5);
    header.width = head.readUInt16BE(at + 7);
    return;
  }
}

function readPng(head: Buffer, header: Header): void {
  header.width = head.readUInt32BE(16);
  header.height = head.readUInt32BE(20);
  header.isTransparent = head[25] === 4 || head[25] === 6;
  for (let at = 8; at + 8 <= head.length; at += 12 + head.readUInt32BE(at)) {
    const type = head.toString('latin1', at + 4, at + 8);
    if (type === 'tRNS') header.isTransparent = true;
    else if (type === 'eXIf') header.orientation = orientationIn(head.subarray(at + 8));
    else if (type === 'IDAT') return;
  }
}

function readWebp(head: Buffer, header: Header): void {
  const form = head.toString('latin1', 12, 16);
  if (form === 'VP8 ') {
    header.width = head.readUInt16LE(26) & 0x3fff;
    header.height = head.readUInt16LE(28) & 0x3fff;
  } else if (form === 'VP8L') {
    const sizes = head.readUInt32LE(21);
    header.width = (sizes & 0x3fff) + 1;
    header.height = ((sizes >> 14) & 0x3fff) + 1;
    header.isTransparent = (sizes & (1 << 28)) !== 0;
  } else if (form === 'VP8X') {
    header.width = head.readUIntLE(24, 3) + 1;
    header.height = head.readUIntLE(27, 3) + 1;
    header.isTransparent = (head[20] & 0x10) !== 0;
    for (let at = 12; at + 8 <= head.length;) {
      const size = head.readUInt32LE(at + 4);
      const exif = head.subarray(at + 8);
      if (head.toString('latin1', at, at + 4) === 'EXIF')
        header.orientation = orientationIn(
          exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif,
        );
      at += 8 + size + (size % 2);
    }
  }
}

/** The orientation in a TIFF structure; 1 without one. */
function orientationIn(tiff: Buffer): number {
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let i = 0, count = short(start); i < count; i++) {
    const entry = start + 2 + 12 * i;
    if (short(entry) === 0x112) return short(entry + 8);
  }
  return 1;
}
