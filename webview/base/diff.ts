import { inCommon } from '../../src/base/text/common';
import { withoutEnd } from '../../src/base/text/ends';

export interface Piece {
  text: string;
  changed: boolean;
}

/** Longer texts are not compared by words, as the table of `inCommon` grows with the square of their length. */
const mostWords = 400;

/** Splits two captions into pieces that both captions contain and pieces that only one caption contains. */
export function diffWords(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const [a, b] = [words(before), words(after)];
  if (a.length > mostWords || b.length > mostWords) {
    return { before: [{ text: before, changed: true }], after: [{ text: after, changed: true }] };
  }
  const common = inCommon(a.map(bare), b.map(bare));
  return { before: pieces(a, common.a), after: pieces(b, common.b) };
}

/** Splits a text into words. Each word includes the space before it. */
function words(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\S)(?=\s)/u);
}

function bare(word: string): string {
  return withoutEnd(word.trim().toLowerCase(), /[.,;:!?]/);
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
