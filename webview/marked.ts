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
