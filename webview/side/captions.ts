import type { LabelledCaption } from '../../src/protocol/rows';
import { el } from '../base/dom';
import { plain, signed } from '../base/format';
import { localized } from '../base/words';
import type { Judging } from '../panel/examples/judging';
import { markedAgainst, verdictMark } from '../panel/examples/marked';
import { type Scored, worstFirst } from './worstFirst';

/** A list of an example's captions with the scores of all evaluators. Reference captions come first, then variants. */
export function captionsList(
  evaluators: readonly string[],
  all: readonly (readonly LabelledCaption[])[],
  judging?: Judging,
): HTMLElement {
  const [own = []] = all;
  return el(
    'ul',
    { class: 'variants' },
    ...worstFirst(all).map((scored) => captionView(scored, own, evaluators, judging)),
  );
}

function captionView(
  { caption, by }: Scored,
  own: readonly LabelledCaption[],
  evaluators: readonly string[],
  judging: Judging | undefined,
): HTMLElement {
  const other = caption.against === undefined ? undefined : own.at(caption.against);
  const words = other === undefined ? [caption.text] : markedAgainst(other.text, caption.text);
  const label = localized(caption.label);
  const isAlone = evaluators.length === 1;
  return el(
    'li',
    { class: [isAlone ? 'alone' : '', other === undefined ? 'reference' : ''].join(' ').trim() },
    el('div', { class: 'caption-text' }, ...words),
    isAlone ? null : el('div', { class: 'quiet kind' }, label),
    ...by.map((each, i) => scoreLine(each, isAlone ? label : evaluators[i])),
    judging?.placeFor(caption) ?? null,
  );
}

function scoreLine(caption: LabelledCaption | undefined, name: string): HTMLElement | null {
  if (caption === undefined) return null;
  const { score, delta, verdict } = caption;
  return el(
    'div',
    { class: 'score-line' },
    verdict === 'none' ? el('span') : verdictMark(verdict),
    el('span', { class: 'quiet by', title: name }, name),
    el('span', { class: 'number' }, score === undefined ? '' : plain(score, 3)),
    el('span', { class: 'number change-of' }, delta === undefined ? '' : signed(delta, 3)),
  );
}
