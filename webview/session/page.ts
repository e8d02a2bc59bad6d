import {
  type FromSession,
  pageRequests,
  sessionMemory,
  type SessionState,
  type ToSession,
  toSession,
} from '../../src/protocol/session';
import type { Side } from '../../src/protocol/judgement';
import type { Status } from '../../src/protocol/triplets';
import { bridgeOf } from '../base/bridge';
import { button, el } from '../base/dom';
import { localized, t } from '../base/words';

const bridge = bridgeOf<ToSession, FromSession, typeof pageRequests>(toSession, pageRequests);
export const { ask, post } = bridge;

/** What each key does. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** The page of a session: the header, the progress bar, the actions and their keys. Shows one item at a time. */
export abstract class SessionPage {
  protected state: SessionState | undefined;
  protected abstract readonly body: readonly HTMLElement[];
  private readonly memory = sessionMemory(JSON.parse(document.body.dataset.memory ?? '{}'), '');
  private readonly bar = el('div', { class: 'progress', 'aria-hidden': 'true' });
  private readonly notice = el('div', { role: 'alert' });
  private readonly undo = action(t('Undo'), 'u', () => post({ type: 'undo' }));
  private readonly redo = action(t('Redo'), 'y', () => post({ type: 'redo' }));
  private readonly title = el('h1');
  private readonly facts = el('span', { class: 'quiet', role: 'status' });
  private readonly saved = el('span', { class: 'quiet', role: 'status' });

  constructor(protected readonly root: HTMLElement) {
    root.tabIndex = -1;
  }

  /** Shows the item of the state. `moved`: whether another item was shown before. */
  protected abstract showItem(state: SessionState, moved: boolean): void;
  /** A summary of the session, from the number of items with each status. */
  protected abstract factsOf(state: SessionState, of: (status: Status) => number): string[];
  /** Handles a key before the keys of `keys`. Returns whether it was handled. */
  protected abstract ownKey(event: KeyboardEvent): boolean;

  protected readonly commonKeys: Keys = {
    u: () => post({ type: 'undo' }),
    y: () => post({ type: 'redo' }),
    n: () => this.step(1),
    ArrowRight: () => this.step(1),
    p: () => this.step(-1),
    ArrowLeft: () => this.step(-1),
    o: () => this.nextOpen(),
  };
  protected readonly keys: Keys = this.commonKeys;

  /** Builds the page. `header` is added to the header; the actions `before` and `after` surround the common ones. */
  protected start(parts: Partial<Record<'header' | 'before' | 'after', readonly HTMLElement[]>>): void {
    const { header = [], before = [], after = [] } = parts;
    const common = [
      action(t('Previous'), 'p', () => this.step(-1)),
      action(t('Next'), 'n', () => this.step(1)),
    ];
    const actions = { class: 'actions', role: 'group', 'aria-label': t('Actions') };
    this.root.append(
      el('header', {}, this.title, this.facts, el('span', { class: 'push' }), this.saved, ...header),
      ...[this.bar, this.notice, ...this.body],
      el('div', actions, ...before, this.undo, this.redo, ...common, ...after),
    );
    bridge.remember(this.memory);
    document.addEventListener('keydown', (event) => this.key(event));
    // If the page gets the focus, but none of its elements has it, the main element gets the focus.
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) this.root.focus();
    });
    bridge.listen((message) => {
      if (message.type === 'show') this.show(message.state);
      else this.showSaved(message.saved);
    });
    post({ type: 'ready' });
  }

  protected step(by: number): void {
    const { state } = this;
    if (state === undefined) return;
    const index = state.index + by;
    if (index >= 0 && index < state.statuses.length) post({ type: 'go', index });
  }

  /** Moves to the next open item. After the last item, continues with the first. */
  protected nextOpen(): void {
    const { statuses = [], index: own = 0 } = this.state ?? {};
    const after = statuses.indexOf('open', own + 1);
    const index = after >= 0 ? after : statuses.indexOf('open');
    if (index >= 0) post({ type: 'go', index });
  }

  /** Requests an image, and shows the words `…` or that it cannot be shown meanwhile. */
  protected async showImage(figure: HTMLElement, name: string, alt: string, side?: Side): Promise<void> {
    const index = this.state?.index ?? 0;
    figure.replaceChildren(el('div', { class: 'none quiet' }, '…'));
    // The extension host tells the page about an error in another message.
    const { jpeg } = await ask('image', { index, side }).catch((): { jpeg?: string } => ({}));
    if (index !== this.state?.index) return;
    if (jpeg === undefined) {
      figure.replaceChildren(el('div', { class: 'none quiet' }, t('{0} cannot be shown.', name)));
      return;
    }
    const image = el('img');
    image.alt = alt;
    image.src = `data:image/jpeg;base64,${jpeg}`;
    figure.replaceChildren(image);
  }

  private show(state: SessionState): void {
    const moved = state.index !== this.state?.index;
    this.state = state;
    const { statuses, index } = state;
    const of = (status: Status): number => statuses.filter((own) => own === status).length;
    const place = t('{0} of {1}', statuses.length === 0 ? 0 : index + 1, statuses.length);
    this.title.textContent = state.title;
    this.facts.textContent = [place, ...this.factsOf(state, of), state.annotator].join(' · ');
    this.showSaved(state.saved);
    this.bar.replaceChildren(
      ...(['accepted', 'rejected'] as const).map((name) => {
        const part = el('div', { class: name });
        part.style.width = `${statuses.length === 0 ? 0 : (of(name) / statuses.length) * 100}%`;
        return part;
      }),
    );
    const { problem } = state;
    this.notice.replaceChildren(
      ...(problem === undefined ? [] : [el('p', { class: 'problem' }, localized(problem))]),
    );
    this.undo.disabled = !state.canUndo;
    this.redo.disabled = !state.canRedo;
    this.root.dataset.index = String(index);
    if (state.item !== null) bridge.remember({ ...this.memory, index });
    this.showItem(state, moved);
  }

  private showSaved(saved: boolean): void {
    this.saved.textContent = saved ? t('Saved') : t('Saving…');
    this.saved.dataset.saved = String(saved);
  }

  private key(event: KeyboardEvent): void {
    if (this.ownKey(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const run = this.keys[event.key];
    if (run === undefined) return;
    run();
    event.preventDefault();
  }
}

/** A button whose label includes its keyboard shortcut. */
export function action(label: string, key: string, run: () => void, className?: string): HTMLButtonElement {
  const element = button(label, run, className === undefined ? {} : { class: className });
  element.append(' ', el('kbd', {}, key));
  return element;
}
