import type { Verdict } from '../src/protocol/rows';
import type { Piece } from './diff';
import { el } from './dom';

/** A text with its changed words marked. */
export function marked(pieces: readonly Piece[], tag: 'ins' | 'del'): Node[] {
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

/** A verdict as a sign that is read out as its word; where there is none, nothing is read. */
export function verdictMark(verdict: Verdict): HTMLElement {
  if (verdict === 'none') return el('span', { class: 'verdict', 'aria-hidden': 'true' }, '·');
  return el(
    'span',
    { class: `verdict ${verdict}`, role: 'img', 'aria-label': verdict, title: verdict },
    glyphs[verdict],
  );
}
