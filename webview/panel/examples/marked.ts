import type { Verdict } from '../../../src/protocol/rows';
import { diffWords, type Piece } from '../../base/diff';
import { el } from '../../base/dom';
import { t } from '../../base/words';

/** Two texts with less in common than this are two texts: marks would only say that everything is another. */
const leastInCommon = 0.4;

/** A text with the words marked in which it differs from another. */
export function markedAgainst(other: string, text: string): Node[] {
  const pieces = diffWords(other, text);
  return areAkin(pieces.after) ? marked(pieces.after, 'ins') : [document.createTextNode(text)];
}

/** Both texts with the words marked in which they differ. */
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
    // A mark under the space before a word looks like a slip.
    const bare = text.trimStart();
    return [
      document.createTextNode(text.slice(0, text.length - bare.length)),
      el(tag, { class: 'changed' }, bare),
    ];
  });
}

const glyphs = { right: '✓', wrong: '✗', tie: '=' } as const;
const names = { right: t('right'), wrong: t('wrong'), tie: t('tie') } as const;

/** A verdict as a sign that is read out as its word; where there is none, nothing is read. */
export function verdictMark(verdict: Verdict): HTMLElement {
  if (verdict === 'none') return el('span', { class: 'verdict', 'aria-hidden': 'true' }, '·');
  return el(
    'span',
    { class: `verdict ${verdict}`, role: 'img', 'aria-label': names[verdict], title: names[verdict] },
    glyphs[verdict],
  );
}
