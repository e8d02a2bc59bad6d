import type { Picked } from '../../../src/protocol/judgement';
import type { Verdict } from '../../../src/protocol/rows';
import { diffWords, type Piece } from '../../base/diff';
import { el } from '../../base/dom';
import { t } from '../../base/words';

/** If two texts have a smaller share in common, no words are marked, because most words differ. */
const leastInCommon = 0.4;

/** Marks the words of `text` that differ from `other`. */
export function markedAgainst(other: string, text: string): Node[] {
  const pieces = diffWords(other, text);
  return areAkin(pieces.after) ? marked(pieces.after, 'ins') : [document.createTextNode(text)];
}

/** Marks the words in which two texts differ, in both texts. */
export function markedBoth(before: string, after: string): [Node[], Node[]] {
  const pieces = diffWords(before, after);
  return areAkin(pieces.after) || areAkin(pieces.before)
    ? [marked(pieces.before, 'del'), marked(pieces.after, 'ins')]
    : [[document.createTextNode(before)], [document.createTextNode(after)]];
}

function areAkin(pieces: readonly Piece[]): boolean {
  const length = (of: readonly Piece[]) => of.reduce((sum, { text }) => sum + text.length, 0);
  const all = length(pieces);
  return all > 0 && length(pieces.filter(({ changed }) => !changed)) >= leastInCommon * all;
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

/** The sign of a verdict, with the verdict's name for screen readers. If there is no verdict, a dot without a name. */
export function verdictMark(verdict: Verdict): HTMLElement {
  if (verdict === 'none') return el('span', { class: 'verdict', 'aria-hidden': 'true' }, '·');
  return el(
    'span',
    { class: `verdict ${verdict}`, role: 'img', 'aria-label': names[verdict], title: names[verdict] },
    glyphs[verdict],
  );
}

const judgedGlyphs = { rejected: '⊘', valid: '☑' } as const;
const judgedNames = { rejected: t('Not an error'), valid: t('Valid') } as const;

/** The sign of what people judged of a variant. */
export function judgedMark(picked: Picked): HTMLElement {
  const name = judgedNames[picked];
  return el(
    'span',
    { class: 'judged-mark', role: 'img', 'aria-label': name, title: name },
    judgedGlyphs[picked],
  );
}
