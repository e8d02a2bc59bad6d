/** A hash of 53 bits, which a number can hold: two 32-bit hashes based on FNV-1a. */
export function lineKey(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x01000193);
    high ^= high >>> 13;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
