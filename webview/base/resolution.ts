/* Writes into a PNG how many dots an inch has, which a canvas leaves out. Knows no page. */

/** The signature and the header, after which the resolution may stand. */
const headEnd = 33;
const millimetresPerInch = 25.4;

export function withResolution(png: Uint8Array, dotsPerInch: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  const perMetre = Math.round((1000 * dotsPerInch) / millimetresPerInch);
  view.setUint32(0, 9);
  chunk.set(new TextEncoder().encode('pHYs'), 4);
  view.setUint32(8, perMetre);
  view.setUint32(12, perMetre);
  // The unit is the metre.
  view.setUint8(16, 1);
  view.setUint32(17, checksum(chunk.subarray(4, 17)));
  const written = new Uint8Array(png.length + chunk.length);
  written.set(png.subarray(0, headEnd));
  written.set(chunk, headEnd);
  written.set(png.subarray(headEnd), headEnd + chunk.length);
  return written;
}

/** CRC-32, as PNG uses it. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
