import type { Verdict } from '../../../src/protocol/rows';
import { diffWords, type Piece } from '../../base/diff';
import { el } from '../../base/dom';
import { t } from '../../base/words';

/** Texts with a smaller common share have no marks, because nearly every word would be marked. */
const leastInCommon = 0.4;

/** Marks a text's words that differ from the other text. */
export function markedAgainst(other: string, text: string): Node[] {
  const pieces = diffWords(other, text);
  return areAkin(pieces.after) ? marked(pieces.after, 'ins') : [document.createTextNode(text)];
}

/** Marks in each text the words that differ from the other text. */
export function markedBoth(before: string, after: string): [Node[], Node[]] {
  const pieces = diffWords(before, after);
  return areAkin(pieces.after) || areAkin(pieces.before)
    ? [marked(pieces.before, 'del'), marked(pieces.after, 'ins')]
    : [[document.createTextNode(before)], [document.createTextNode(after)]];
}

function areAkin(pieces: readonly Piece[]): boolean {
  const length = (of: readonly Piece[]) => of.reduce((sum, { text }) => sum + text.length, 0);
  return length(pieces.filter(({ changed }) => !changed)) >= leastInCommon * length(pieces);
}

function marked(pieces: readonly Piece[], tag: 'ins' | 'del'): Node[] {
  return pieces.flatMap(({ text, changed }) => {
    if (!changed) return [document.createTextNode(text)];
    // The mark starts after the space that precedes the word.
    const bare = text.trimStart();
    return [
      document.createTextNode(text.slice(0, text.length - bare.length)),
      el(tag, { class: 'changed' }, bare),
    ];
  });
}

const glyphs = { right: '✓', wrong: '✗', tie: '=' } as const;
const names = { right: t('right'), wrong: t('wrong'), tie: t('tie') } as const;

/** A verdict's sign, with its name for screen readers. A dot without a name if there is no verdict. */
export function verdictMark(verdict: Verdict): HTMLElement {
  if (verdict === 'none') return el('span', { class: 'verdict', 'aria-hidden': 'true' }, '·');
  return el(
    'span',
    { class: `verdict ${verdict}`, role: 'img', 'aria-label': names[verdict], title: names[verdict] },
    glyphs[verdict],
  );
}
