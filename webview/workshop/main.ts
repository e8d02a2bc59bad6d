import {
  type FromWorkshop,
  type ThreeTexts,
  type ToWorkshop,
  toWorkshop,
  workshopRequests,
  type WorkshopState,
} from '../../src/protocol/workshop';
import type { Jpeg } from '../../src/protocol/sitting';
import type { Decision } from '../../src/protocol/triplets';
import { button, el } from '../base/dom';
import { bridgeOf } from '../base/bridge';
import { action, nextOpenOf, photoOr, SittingFrame } from '../sitting/frame';
import { Field, type FieldName } from './field';
import { readingsView } from './readings';
import { t, localized } from '../base/words';

const bridge = bridgeOf<ToWorkshop, FromWorkshop, typeof workshopRequests>(toWorkshop, workshopRequests);
const { ask, post } = bridge;

/** Milliseconds without typing after which scores and hints are updated. */
const pauseMs = 200;

const statusWords: Record<Decision['status'], string> = {
  open: t('open'),
  accepted: t('✓ accepted'),
  rejected: t('✗ rejected'),
};

/** The page on which an annotator makes triplets, one item at a time. Every action has a key. */
class Workshop {
  private state: WorkshopState | undefined;
  private photoIndex: number | undefined;
  private reading = new AbortController();
  private readTimer: number | undefined;

  private readonly frame = new SittingFrame<ToWorkshop>(document.getElementById('workshop')!, bridge);
  private readonly evaluator = button('', () => post({ type: 'chooseEvaluator' }));
  private readonly figure = el('figure');
  private readonly readings = el('div', { role: 'status' });
  private readonly fields: Record<FieldName, Field> = {
    caption: this.field('caption', t('P1: the caption'), 'c', ''),
    second: this.field('second', t('P2: same meaning, other words'), 'e', ''),
    negative: this.field('negative', t('N: similar words, other meaning'), 'd', '⇧'),
  };
  private readonly work = el('div', { class: 'work' });

  constructor() {
    const { frame } = this;
    this.work.append(
      el('div', {}, this.figure, this.readings),
      el(
        'div',
        { class: 'fields' },
        this.fields.caption.root,
        this.fields.second.root,
        this.fields.negative.root,
      ),
    );
    frame.root.append(
      frame.header(this.evaluator),
      frame.bar,
      frame.notice,
      this.work,
      el(
        'div',
        { class: 'actions', role: 'group', 'aria-label': t('Actions') },
        action(t('Accept'), t('Enter'), () => this.decide('accepted'), 'primary'),
        action(t('Reject'), 'r', () => this.decide('rejected')),
        frame.undo,
        frame.redo,
        action(t('Previous'), 'p', () => this.step(-1)),
        action(t('Next'), 'n', () => this.step(1)),
        action(t('Ask a chat model'), 'g', () => this.askChat()),
        action(t('Export'), 's', () => post({ type: 'export' })),
      ),
    );
  }

  start(): void {
    this.frame.start(
      (event) => this.key(event),
      (message) => this.receive(message),
    );
  }

  private receive(message: ToWorkshop): void {
    switch (message.type) {
      case 'show':
        this.show(message.state);
        return;
      case 'saved':
        this.frame.showSaved(message.saved);
        return;
    }
  }

  private show(state: WorkshopState): void {
    const moved = state.index !== this.state?.index;
    this.state = state;
    const { item, statuses, index } = state;
    const of = (status: Decision['status']) => statuses.filter((own) => own === status).length;
    const facts = [
      t('{0} of {1}', statuses.length === 0 ? 0 : index + 1, statuses.length),
      item === null ? '' : statusWords[item.decision.status],
      t('{0} accepted, {1} rejected, {2} open', of('accepted'), of('rejected'), of('open')),
      state.annotator,
    ].join(' · ');
    this.evaluator.textContent = t('Evaluator of the scores: {0} (v)', state.evaluator);
    const done = { accepted: of('accepted'), rejected: of('rejected') };
    this.frame.show(state, facts, done, statuses.length);
    this.work.hidden = item === null;
    if (item === null) return;
    this.frame.root.dataset.status = item.decision.status;
    this.frame.remember(index);
    const { caption, second, negative } = item.decision;
    const shown = [
      [this.fields.caption, caption, []],
      [this.fields.second, second, item.positives],
      [this.fields.negative, negative, item.negatives],
    ] as const;
    // The text that the user is editing must not be overwritten.
    for (const [field, text, candidates] of shown)
      if (moved || !field.isBeingEdited) field.show(text, candidates);
    if (moved) {
      for (const field of Object.values(this.fields)) field.showFindings([]);
      this.readings.replaceChildren();
      void this.askForPhoto(index, item.image);
      this.frame.root.focus();
    }
    void this.read();
  }

  private async askForPhoto(index: number, image: string | undefined): Promise<void> {
    this.photoIndex = index;
    this.showPhoto(undefined, image === undefined ? t('This item has no image.') : '…');
    if (image === undefined) return;
    // The extension host tells the page about the error in another message.
    const { jpeg } = await ask('photo', { index }).catch((): Jpeg => ({}));
    if (index === this.photoIndex) this.showPhoto(jpeg);
  }

  private showPhoto(jpeg: string | undefined, words?: string): void {
    const image = this.state?.item?.image ?? '';
    this.figure.replaceChildren(photoOr(jpeg, image, words ?? t('{0} cannot be shown.', image)));
  }

  private texts(): ThreeTexts {
    const { caption, second, negative } = this.fields;
    return { caption: caption.text, second: second.text, negative: negative.text };
  }

  /** Requests scores and hints for the texts in the fields. Shows the scores only after a decision. */
  private async read(): Promise<void> {
    const { state } = this;
    if (state === undefined) return;
    this.reading.abort();
    const { signal } = (this.reading = new AbortController());
    // If the request fails, the extension host tells the page about the error in another message.
    const question = { index: state.index, texts: this.texts() };
    const readings = await ask('read', question, { signal }).catch(() => undefined);
    if (readings === undefined || signal.aborted) return;
    this.readings.replaceChildren(
      state.item?.decision.status === 'open'
        ? el(
            'p',
            { class: 'quiet' },
            t('Scores are hidden until you decide, because they could influence you.'),
          )
        : readingsView(readings),
    );
    for (const field of Object.values(this.fields))
      field.showFindings(
        readings.findings
          .filter((finding) => finding.in === field.name)
          .map((finding) => localized(finding.message)),
      );
  }

  private readSoon(): void {
    window.clearTimeout(this.readTimer);
    this.readTimer = window.setTimeout(() => void this.read(), pauseMs);
  }

  private decide(status: Decision['status']): void {
    if (this.state?.item) post({ type: 'change', index: this.state.index, ...this.texts(), status });
  }

  private step(by: number): void {
    const { state } = this;
    if (state === undefined) return;
    for (const field of Object.values(this.fields)) field.commit();
    const index = state.index + by;
    if (index >= 0 && index < state.statuses.length) post({ type: 'go', index });
  }

  private askChat(): void {
    if (this.state?.item) post({ type: 'askChat', index: this.state.index });
  }

  private nextOpen(): void {
    const { state } = this;
    if (state === undefined) return;
    const index = nextOpenOf(
      state.statuses.map((status) => status === 'open'),
      state.index,
    );
    if (index !== undefined) post({ type: 'go', index });
  }

  private key(event: KeyboardEvent): void {
    const field = Object.values(this.fields).find((own) => own.isBeingEdited);
    if (field !== undefined) {
      this.keyInField(event, field);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // A focused button handles Enter and Space itself.
    if (event.target instanceof HTMLButtonElement && /^(Enter| )$/.test(event.key)) return;
    const digit = /^Digit([1-9])$/.exec(event.code);
    if (digit !== null) {
      const side = event.shiftKey ? 'negative' : 'second';
      const { positives = [], negatives = [] } = this.state?.item ?? {};
      const chosen = (side === 'second' ? positives : negatives).at(Number(digit[1]) - 1);
      if (chosen !== undefined) this.fields[side].choose(chosen.text);
      event.preventDefault();
      return;
    }
    const run = this.keys[event.key];
    if (run === undefined) return;
    run();
    event.preventDefault();
  }

  private readonly keys: Readonly<Record<string, (() => void) | undefined>> = {
    Enter: () => this.decide('accepted'),
    a: () => this.decide('accepted'),
    r: () => this.decide('rejected'),
    u: () => post({ type: 'undo' }),
    y: () => post({ type: 'redo' }),
    n: () => this.step(1),
    ArrowRight: () => this.step(1),
    p: () => this.step(-1),
    ArrowLeft: () => this.step(-1),
    o: () => this.nextOpen(),
    c: () => this.fields.caption.edit(),
    e: () => this.fields.second.edit(),
    d: () => this.fields.negative.edit(),
    s: () => post({ type: 'export' }),
    g: () => this.askChat(),
    v: () => post({ type: 'chooseEvaluator' }),
  };

  /** Enter keeps the text, Ctrl+Enter also accepts the item, and Escape restores the old text. */
  private keyInField(event: KeyboardEvent, field: Field): void {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        // Commits the text before the decision, because a later change would reopen the item.
        field.commit();
        this.decide('accepted');
      }
      this.frame.root.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      field.abandon();
      this.frame.root.focus();
    }
  }

  private field(name: FieldName, title: string, editKey: string, digitPrefix: string): Field {
    return new Field(name, title, editKey, digitPrefix, {
      commit: (text) => {
        if (this.state?.item) post({ type: 'change', index: this.state.index, [name]: text });
      },
      input: () => this.readSoon(),
    });
  }
}

new Workshop().start();
