import type { Candidate } from '../../src/protocol/triplets';
import { button, el } from '../base/dom';

export type FieldName = 'caption' | 'second' | 'negative';

interface Actions {
  /** Called when the user has finished the text. */
  commit: (text: string) => void;
  /** Called while the user types. */
  input: () => void;
}

/** A field for one caption of the triplet, with candidates and with hints about the guidelines. */
export class Field {
  readonly root = el('section', { class: 'field' });
  private readonly area = el('textarea', { 'aria-label': '' });
  private readonly candidates = el('ol', { class: 'candidates' });
  private readonly findings = el('div', { role: 'status' });
  private committed = '';

  constructor(
    readonly name: FieldName,
    title: string,
    editKey: string,
    private readonly digitPrefix: string,
    private readonly actions: Actions,
  ) {
    this.area.setAttribute('aria-label', title);
    this.area.rows = 2;
    this.area.spellcheck = true;
    this.area.dataset.field = name;
    this.root.append(
      el('label', {}, title, el('kbd', {}, editKey)),
      this.area,
      this.findings,
      this.candidates,
    );
    this.area.addEventListener('input', () => this.actions.input());
    this.area.addEventListener('blur', () => this.commit());
  }

  get text(): string {
    return this.area.value;
  }

  get isBeingEdited(): boolean {
    return document.activeElement === this.area;
  }

  get isChanged(): boolean {
    return this.area.value !== this.committed;
  }

  show(text: string, candidates: readonly Candidate[]): void {
    this.committed = text;
    this.area.value = text;
    this.candidates.replaceChildren(
      ...candidates.map((candidate, i) => {
        const row = button('', () => this.choose(candidate.text));
        row.setAttribute('aria-pressed', String(candidate.text === text));
        row.append(
          ...(i < 9 ? [el('kbd', {}, `${this.digitPrefix}${i + 1}`), ' '] : []),
          candidate.text,
          ' ',
          el('span', { class: 'quiet' }, candidate.from),
        );
        return el('li', {}, row);
      }),
    );
  }

  showFindings(messages: readonly string[]): void {
    this.findings.replaceChildren(...messages.map((message) => el('p', { class: 'finding' }, message)));
  }

  edit(): void {
    this.area.focus();
    this.area.setSelectionRange(this.area.value.length, this.area.value.length);
  }

  choose(text: string): void {
    this.area.value = text;
    this.commit();
  }

  commit(): void {
    if (!this.isChanged) return;
    this.committed = this.area.value;
    this.actions.commit(this.area.value);
  }

  abandon(): void {
    this.area.value = this.committed;
    this.actions.input();
  }
}
