import type { SessionState, ThreeTexts } from '../../src/protocol/session';
import type { Item, Status } from '../../src/protocol/triplets';
import { button, el } from '../base/dom';
import { localized, t } from '../base/words';
import { Field, type FieldName } from './field';
import { action, ask, type Keys, post, SessionPage } from './page';
import { readingsView } from './readings';

/** Milliseconds without typing after which scores and hints are updated. */
const pauseMs = 200;

const statusWords: Record<Status, string> = {
  open: t('open'),
  accepted: t('✓ accepted'),
  rejected: t('✗ rejected'),
};

/** The page on which an annotator makes triplets, one item at a time. Every action has a key. */
export class Triplets extends SessionPage {
  private reading = new AbortController();
  private readTimer: number | undefined;

  private readonly evaluator = button('', () => post({ type: 'chooseEvaluator' }));
  private readonly figure = el('figure');
  private readonly readings = el('div', { role: 'status' });
  private readonly fields: Record<FieldName, Field> = {
    caption: this.field('caption', t('P1: the caption'), 'c', ''),
    second: this.field('second', t('P2: same meaning, other words'), 'e', ''),
    negative: this.field('negative', t('N: similar words, other meaning'), 'd', '⇧'),
  };
  private readonly work = el('div', { class: 'work' });

  protected readonly body = [this.work];

  constructor(root: HTMLElement) {
    super(root);
    const fields = Object.values(this.fields).map((field) => field.root);
    this.work.append(el('div', {}, this.figure, this.readings), el('div', { class: 'fields' }, ...fields));
    this.start({
      header: [this.evaluator],
      before: [
        action(t('Accept'), t('Enter'), () => this.decide('accepted'), 'primary'),
        action(t('Reject'), 'r', () => this.decide('rejected')),
      ],
      after: [
        action(t('Ask a chat model'), 'g', () => this.askChat()),
        action(t('Export'), 's', () => post({ type: 'export' })),
      ],
    });
  }

  private get item(): Item | undefined {
    return this.state?.item?.type === 'triplet' ? this.state.item.item : undefined;
  }

  protected override factsOf(_state: SessionState, of: (status: Status) => number): string[] {
    const { item } = this;
    return [
      item === undefined ? '' : statusWords[item.decision.status],
      t('{0} accepted, {1} rejected, {2} open', of('accepted'), of('rejected'), of('open')),
    ];
  }

  protected override showItem({ evaluator = '' }: SessionState, moved: boolean): void {
    const { item } = this;
    this.evaluator.textContent = t('Evaluator of the scores: {0} (v)', evaluator);
    this.work.hidden = item === undefined;
    if (item === undefined) return;
    this.root.dataset.status = item.decision.status;
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
      if (item.image !== undefined) void this.showImage(this.figure, item.image, item.image);
      else this.figure.replaceChildren(el('div', { class: 'none quiet' }, t('This item has no image.')));
      this.root.focus();
    }
    void this.read();
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
      this.item?.decision.status === 'open'
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

  private decide(status: Status): void {
    this.change({ ...this.texts(), status });
  }

  private change(change: Partial<ThreeTexts> & { status?: Status }): void {
    if (this.item !== undefined) post({ type: 'change', index: this.state!.index, change });
  }

  protected override step(by: number): void {
    for (const field of Object.values(this.fields)) field.commit();
    super.step(by);
  }

  private askChat(): void {
    if (this.item !== undefined) post({ type: 'askChat', index: this.state!.index });
  }

  protected override ownKey(event: KeyboardEvent): boolean {
    const field = Object.values(this.fields).find((own) => own.isBeingEdited);
    if (field !== undefined) {
      this.keyInField(event, field);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    // A focused button handles Enter and Space itself.
    if (event.target instanceof HTMLButtonElement && /^(Enter| )$/.test(event.key)) return true;
    const digit = /^Digit([1-9])$/.exec(event.code);
    if (digit === null) return false;
    const side = event.shiftKey ? 'negative' : 'second';
    const { positives = [], negatives = [] } = this.item ?? {};
    const chosen = (side === 'second' ? positives : negatives).at(Number(digit[1]) - 1);
    if (chosen !== undefined) this.fields[side].choose(chosen.text);
    event.preventDefault();
    return true;
  }

  protected override readonly keys: Keys = {
    ...this.commonKeys,
    Enter: () => this.decide('accepted'),
    a: () => this.decide('accepted'),
    r: () => this.decide('rejected'),
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
      this.root.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      field.abandon();
      this.root.focus();
    }
  }

  private field(name: FieldName, title: string, editKey: string, digitPrefix: string): Field {
    return new Field(name, title, editKey, digitPrefix, {
      commit: (text) => this.change({ [name]: text }),
      input: () => this.readSoon(),
    });
  }
}
