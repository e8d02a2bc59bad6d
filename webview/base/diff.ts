import { withoutEnd } from '../../src/base/text/ends';

export interface Piece {
  text: string;
  changed: boolean;
}

/** Longer texts are not compared by words, as the table of `commonWords` grows with the square of their length. */
const mostWords = 400;

/** Splits two captions into pieces that both captions contain and pieces that only one caption contains. */
export function diffWords(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const [a, b] = [words(before), words(after)];
  if (a.length > mostWords || b.length > mostWords) {
    return { before: [{ text: before, changed: true }], after: [{ text: after, changed: true }] };
  }
  const common = commonWords(a, b);
  return { before: pieces(a, common.a), after: pieces(b, common.b) };
}

/** Splits a text into words. Each word includes the space before it. */
function words(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\S)(?=\s)/u);
}

function bare(word: string): string {
  return withoutEnd(word.trim().toLowerCase(), /[.,;:!?]/);
}

/** For each word of both texts, whether the word is part of the longest common subsequence. */
function commonWords(a: readonly string[], b: readonly string[]): { a: boolean[]; b: boolean[] } {
  const [bareA, bareB] = [a.map(bare), b.map(bare)];
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        bareA[i] === bareB[j]
          ? longest[(i + 1) * width + j + 1] + 1
          : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const inA = a.map(() => false);
  const inB = b.map(() => false);
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (bareA[i] === bareB[j]) {
      inA[i++] = true;
      inB[j++] = true;
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++;
    else j++;
  }
  return { a: inA, b: inB };
}

function pieces(all: readonly string[], common: readonly boolean[]): Piece[] {
  const out: Piece[] = [];
  for (const [i, word] of all.entries()) {
    const changed = !common[i];
    const last = out.at(-1);
    if (last?.changed === changed) last.text += word;
    else out.push({ text: word, changed });
  }
  return out;
}
