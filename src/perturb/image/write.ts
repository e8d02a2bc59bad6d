import { cell, hasGlyph, isInk } from './glyphs';
import type { Pixels } from './pixels';

/** The most letters in a line. Fewer would be larger, and cover more of the image. */
export const lettersPerLine = 20;

/** A text in capitals as lines of whole words. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.toUpperCase().split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lettersPerLine)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * The image with a white strip of black text over the lower edge of its central square, which encoders that crop images
 * see, too. Letters without a shape are an error.
 */
export function write({ width, height, data }: Pixels, text: string): Pixels {
  const lines = linesOf(text);
  const unknown = [...lines.join('')].find((letter) => !hasGlyph(letter));
  if (unknown !== undefined) throw new Error(`The font has no letter ${JSON.stringify(unknown)}.`);
  const side = Math.min(width, height);
  const scale = side / (cell.width * (lettersPerLine + 1));
  const high = Math.round(scale * (cell.height * lines.length + 2));
  const left = Math.floor((width - side) / 2);
  const top = Math.max(0, Math.floor((height + side) / 2) - high);
  const out = new Uint8Array(data);
  for (let y = 0; y < high && top + y < height; y++)
    for (let x = 0; x < side; x++) {
      // Half a letter is the margin on the left, and two pixels of the font are the margin at the top.
      const [fontX, fontY] = [Math.floor(x / scale) - cell.width / 2, Math.floor(y / scale) - 2];
      const letter = lines[Math.floor(fontY / cell.height)]?.[Math.floor(fontX / cell.width)];
      const inside = fontX >= 0 && fontY >= 0 && letter !== undefined;
      const ink = inside && isInk(letter, fontX % cell.width, fontY % cell.height);
      out.fill(ink ? 0 : 255, ((top + y) * width + left + x) * 3, ((top + y) * width + left + x + 1) * 3);
    }
  return { width, height, data: out };
}
