import type { Explained } from '../../src/protocol/explained';
import { el } from '../base/dom';
import { plain, signed } from '../base/format';
import { t } from '../base/words';
import { lineOf, movedBy, shadeOf, strengthOf, type Values } from './shades';

/** Moves the focus among items by arrow keys. Only one of them can be reached with Tab. */
export function roving(items: readonly HTMLElement[], columns?: number): void {
  for (const [i, item] of items.entries()) {
    item.tabIndex = i === 0 ? 0 : -1;
    item.addEventListener('focus', () => {
      for (const other of items) other.tabIndex = other === item ? 0 : -1;
    });
    item.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const to = movedBy(event.key, i, items.length, columns);
      if (to === undefined) return;
      event.preventDefault();
      // The page's own keys, such as the arrows of the list, are not for these items.
      event.stopPropagation();
      items[to].focus();
    });
  }
}

/** The words of a caption. Colour, underline and the direction of a bar say whether a word raises the score. */
export class WordsView {
  readonly root = el('div', { class: 'why-caption' });
  private readonly buttons: HTMLElement[];
  private readonly facts = el('p', { class: 'quiet' });

  constructor(
    private explained: Explained,
    title: string,
    private readonly isLookedAt: (word: number | undefined) => void,
  ) {
    const { words, score } = explained;
    this.buttons = words.map(({ word }, i) => this.wordButton(word, i));
    roving(this.buttons);
    this.root.append(
      el(
        'div',
        { class: 'caption-head' },
        el('span', { class: 'label' }, title),
        el('span', { class: 'push' }),
        el('span', { class: 'number' }, plain(score, 4)),
      ),
      el(
        'div',
        { class: 'why-words', role: 'group', 'aria-label': t('Influence of the words: {0}', title) },
        ...this.buttons,
      ),
      this.facts,
    );
    this.update(explained);
  }

  /** Shows newer values of the same words, for example Shapley values after leave-one-out. Keeps the focus. */
  update(explained: Explained): void {
    this.explained = explained;
    this.facts.textContent = factsOf(explained);
    this.show();
  }

  get values(): Values {
    return this.explained.words.map(({ influence }) => influence);
  }

  /** Shows the words' influences on one scale with those of another caption, or other values of the words. */
  show(values: Values = this.values, strongest = strengthOf(values)): void {
    for (const [i, button] of this.buttons.entries()) {
      const value = values[i];
      const shade = shadeOf(value, strongest);
      const number = value === null ? '–' : signed(value, 4);
      button.className = `why-word ${lineOf(shade)}`;
      button.style.setProperty('--share', shade.share.toFixed(3));
      button.setAttribute('aria-label', `${this.explained.words[i].word}, ${number}`);
      button.querySelector('.number')!.textContent = number;
    }
  }

  private wordButton(word: string, i: number): HTMLElement {
    const button = el(
      'button',
      { type: 'button' },
      el('span', { class: 'why-text' }, word),
      el('span', { class: 'why-bar', 'aria-hidden': 'true' }, el('span', {})),
      el('span', { class: 'number' }),
    );
    for (const start of ['mouseenter', 'focus']) button.addEventListener(start, () => this.isLookedAt(i));
    for (const end of ['mouseleave', 'blur']) button.addEventListener(end, () => this.isLookedAt(undefined));
    return button;
  }
}

/** How the influences were measured. */
function factsOf({ base, against, method, permutations }: Explained): string {
  const how =
    method === 'leave-one-out'
      ? t('score minus the score without the word')
      : permutations === undefined
        ? t('Shapley values, exact')
        : t('Shapley values, {0} sampled orders', permutations);
  return [
    ...(base === null ? [] : [t('without words {0}', plain(base, 4))]),
    how,
    ...(against === undefined ? [] : [t('compared with: {0}', against)]),
  ].join(' · ');
}
