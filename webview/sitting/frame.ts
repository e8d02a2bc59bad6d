import type { Requests } from '../../src/base/calls';
import { sittingMemory, type SittingMemory } from '../../src/protocol/sitting';
import type { Bridge } from '../base/bridge';
import { button, el } from '../base/dom';
import { t } from '../base/words';

/** The state that all pages for annotators have. */
interface Standing {
  title: string;
  index: number;
  saved: boolean;
  canUndo: boolean;
  canRedo: boolean;
  problem?: string;
}

type Plain = { type: 'ready' } | { type: 'undo' } | { type: 'redo' };

/** What all pages for annotators have in common, such as the header, the progress bar, and undo and redo. */
export class SittingFrame<In> {
  readonly bar = el('div', { class: 'progress', 'aria-hidden': 'true' });
  readonly notice = el('div', { role: 'alert' });
  readonly undo = action(t('Undo'), 'u', () => this.bridge.post({ type: 'undo' }));
  readonly redo = action(t('Redo'), 'y', () => this.bridge.post({ type: 'redo' }));
  private readonly memory: SittingMemory;
  private readonly title = el('h1');
  private readonly facts = el('span', { class: 'quiet', role: 'status' });
  private readonly saved = el('span', { class: 'quiet', role: 'status' });

  constructor(
    readonly root: HTMLElement,
    private readonly bridge: Pick<Bridge<In, Plain, Requests>, 'post' | 'remember' | 'listen'>,
  ) {
    this.memory = sittingMemory(JSON.parse(document.body.dataset.memory ?? '{}'), '');
    root.tabIndex = -1;
  }

  header(...more: HTMLElement[]): HTMLElement {
    return el('header', {}, this.title, this.facts, el('span', { class: 'push' }), this.saved, ...more);
  }

  start(onKey: (event: KeyboardEvent) => void, onMessage: (message: In) => void): void {
    this.bridge.remember(this.memory);
    document.addEventListener('keydown', onKey);
    // If the page gets the focus, but none of its elements has it, the main element gets the focus.
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) this.root.focus();
    });
    this.bridge.listen(onMessage);
    this.bridge.post({ type: 'ready' });
  }

  /** `done` maps a state, such as `accepted`, to its number of items, for the progress bar. */
  show(standing: Standing, facts: string, done: Readonly<Record<string, number>>, all: number): void {
    this.title.textContent = standing.title;
    this.facts.textContent = facts;
    this.showSaved(standing.saved);
    this.bar.replaceChildren(
      ...Object.entries(done).map(([name, size]) => {
        const part = el('div', { class: name });
        part.style.width = `${all === 0 ? 0 : (size / all) * 100}%`;
        return part;
      }),
    );
    this.notice.replaceChildren(
      ...(standing.problem === undefined ? [] : [el('p', { class: 'problem' }, standing.problem)]),
    );
    this.undo.disabled = !standing.canUndo;
    this.redo.disabled = !standing.canRedo;
    this.root.dataset.index = String(standing.index);
  }

  showSaved(saved: boolean): void {
    this.saved.textContent = saved ? t('Saved') : t('Saving…');
    this.saved.dataset.saved = String(saved);
  }

  remember(index: number): void {
    this.bridge.remember({ ...this.memory, index });
  }
}

/** Shows the image. If `jpeg` is undefined, shows the text `words` instead. */
export function photoOr(jpeg: string | undefined, alt: string, words: string): HTMLElement {
  if (jpeg === undefined) return el('div', { class: 'none quiet' }, words);
  const picture = el('img');
  picture.alt = alt;
  picture.src = `data:image/jpeg;base64,${jpeg}`;
  return picture;
}

/** The index of the next open item. After the last item, continues with the first. Undefined if no item is open. */
export function nextOpenOf(isOpen: readonly boolean[], index: number): number | undefined {
  const after = isOpen.findIndex((open, i) => open && i > index);
  const next = after >= 0 ? after : isOpen.indexOf(true);
  return next < 0 ? undefined : next;
}

/** A button whose label includes its keyboard shortcut. */
export function action(label: string, key: string, run: () => void, className?: string): HTMLButtonElement {
  const element = button(label, run, className === undefined ? {} : { class: className });
  element.append(' ', el('kbd', {}, key));
  return element;
}
