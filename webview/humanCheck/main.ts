import { grades, type Grade, type Judgement, type Side, sides } from '../../src/annotation/judgement';
import {
  type FromHumanCheck,
  type HumanCheckState,
  type ToHumanCheck,
  toHumanCheck,
} from '../../src/editor/humanCheck/messages';
import { sittingMemory, type SittingMemory } from '../../src/editor/sittingMemory';
import { button, el } from '../dom';
import { bridgeOf } from '../sittingBridge';

const { post, remember, listen } = bridgeOf<ToHumanCheck, FromHumanCheck>(toHumanCheck);

type Better = NonNullable<Judgement['better']>;
type Question = Side | 'better';

const gradeWords: Record<Grade, string> = {
  incorrect: 'incorrect',
  partly: 'partially correct',
  fully: 'fully correct',
};
const betterWords: Record<Better, string> = {
  left: 'A is better',
  equal: 'equally good',
  right: 'B is better',
};
const betterOrder: readonly Better[] = ['left', 'equal', 'right'];
const letters: Record<Side, string> = { left: 'A', right: 'B' };

/** Three questions about an item, each answered with 1, 2 or 3: how well A is described, how well B, and which is better. */
class HumanCheck {
  private state: HumanCheckState | undefined;
  private shown: number | undefined;
  private asked: Question = 'left';
  private readonly memory: SittingMemory;

  private readonly root = document.getElementById('human-check')!;
  private readonly title = el('h1');
  private readonly facts = el('span', { class: 'quiet', role: 'status' });
  private readonly saved = el('span', { class: 'quiet', role: 'status' });
  private readonly bar = el('div', { class: 'progress', 'aria-hidden': 'true' });
  private readonly notice = el('div', { role: 'alert' });
  private readonly shared = el('div', { class: 'shared' });
  private readonly versions = el('div', { class: 'versions' });
  private readonly figures: Record<Side, HTMLElement> = { left: el('figure'), right: el('figure') };
  private readonly captions: Record<Side, HTMLElement> = {
    left: el('p', { class: 'caption' }),
    right: el('p', { class: 'caption' }),
  };
  private readonly sharedCaption = el('p', { class: 'caption' });
  private readonly questions: Record<Question, HTMLElement> = {
    left: this.question('left'),
    right: this.question('right'),
    better: this.question('better'),
  };
  private readonly undo = this.action('Undo', 'u', () => {
    post({ type: 'undo' });
  });
  private readonly redo = this.action('Redo', 'y', () => {
    post({ type: 'redo' });
  });

  constructor() {
    this.memory = sittingMemory(JSON.parse(document.body.dataset.memory ?? '{}'), '');
    this.root.tabIndex = -1;
    this.root.append(
      el('header', {}, this.title, this.facts, el('span', { class: 'push' }), this.saved),
      this.bar,
      this.notice,
      this.shared,
      this.versions,
      this.questions.better,
      el(
        'div',
        { class: 'actions', role: 'group', 'aria-label': 'What to do' },
        this.undo,
        this.redo,
        this.action('Previous', 'p', () => {
          this.step(-1);
        }),
        this.action('Next', 'n', () => {
          this.step(1);
        }),
        this.action('Next open', 'o', () => {
          this.nextOpen();
        }),
      ),
    );
  }

  start(): void {
    remember(this.memory);
    document.addEventListener('keydown', (event) => {
      this.key(event);
    });
    // Coming back to the view by keyboard, one is where the keys are.
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) this.root.focus();
    });
    listen((message) => {
      this.receive(message);
    });
    post({ type: 'ready' });
  }

  private receive(message: ToHumanCheck): void {
    switch (message.type) {
      case 'show':
        this.show(message.state);
        return;
      case 'saved':
        this.showSaved(message.saved);
        return;
      case 'photo':
        if (message.index === this.shown) this.showPhoto(message.side, message.jpeg);
        return;
    }
  }

  private show(state: HumanCheckState): void {
    const moved = state.index !== this.shown;
    this.state = state;
    this.shown = state.index;
    const { judged, index, item } = state;
    const done = judged.filter(Boolean).length;
    this.title.textContent = state.title;
    this.facts.textContent = `${judged.length === 0 ? 0 : index + 1} of ${judged.length} · ${done} judged, ${judged.length - done} open · ${state.annotator}`;
    this.showSaved(state.saved);
    const part = el('div', { class: 'accepted' });
    part.style.width = `${judged.length === 0 ? 0 : (done / judged.length) * 100}%`;
    this.bar.replaceChildren(part);
    this.notice.replaceChildren(
      ...(state.problem === undefined ? [] : [el('p', { class: 'problem' }, state.problem)]),
    );
    this.undo.disabled = !state.canUndo;
    this.redo.disabled = !state.canRedo;
    this.root.dataset.index = String(index);
    this.versions.hidden = item === null;
    this.questions.better.hidden = item === null;
    if (item === null) return;
    remember({ ...this.memory, index });
    if (moved) this.showItem(item);
    const open = this.open(item.judgement);
    // Somebody who comes back to a judged item starts over with the first question.
    this.asked = open ?? (moved ? 'left' : this.asked);
    this.showAnswers(item.judgement);
  }

  private showItem({ samePhoto, captions }: NonNullable<HumanCheckState['item']>): void {
    const sameCaption = captions.left === captions.right;
    this.sharedCaption.textContent = captions.left;
    this.shared.replaceChildren(
      ...(samePhoto ? [this.figures.left] : []),
      ...(sameCaption ? [this.sharedCaption] : []),
    );
    for (const side of sides)
      this.ask(
        side,
        sameCaption
          ? `How well does the caption describe photo ${letters[side]}?`
          : `How well does caption ${letters[side]} describe the photo?`,
      );
    this.versions.replaceChildren(
      ...sides.map((side) => {
        this.captions[side].textContent = captions[side];
        return el(
          'section',
          { 'aria-label': `Version ${letters[side]}` },
          el('h2', {}, letters[side]),
          ...(samePhoto ? [] : [this.figures[side]]),
          ...(sameCaption ? [] : [this.captions[side]]),
          this.questions[side],
        );
      }),
    );
    for (const side of samePhoto ? (['left'] as const) : sides) {
      this.figures[side].replaceChildren(el('div', { class: 'none quiet' }, '…'));
      post({ type: 'photo', index: this.shown!, side });
    }
    this.root.focus();
  }

  private showPhoto(side: Side, jpeg: string | undefined): void {
    const { image = '', samePhoto = false } = this.state?.item ?? {};
    if (jpeg === undefined) {
      this.figures[side].replaceChildren(el('div', { class: 'none quiet' }, `${image} was not found.`));
      return;
    }
    const picture = el('img');
    picture.alt = samePhoto ? image : `${image}, version ${letters[side]}`;
    picture.src = `data:image/jpeg;base64,${jpeg}`;
    this.figures[side].replaceChildren(picture);
  }

  private showSaved(saved: boolean): void {
    this.saved.textContent = saved ? 'Saved' : 'Saving…';
    this.saved.dataset.saved = String(saved);
  }

  private open({ left, right, better }: Judgement): Question | undefined {
    if (left === null) return 'left';
    if (right === null) return 'right';
    return better === null ? 'better' : undefined;
  }

  private showAnswers(judgement: Judgement): void {
    for (const [name, element] of Object.entries(this.questions) as [Question, HTMLElement][]) {
      element.classList.toggle('asked', name === this.asked);
      const choices: readonly string[] = name === 'better' ? betterOrder : grades;
      for (const [i, answer] of [...element.querySelectorAll('button')].entries())
        answer.setAttribute('aria-pressed', String(choices[i] === judgement[name]));
    }
  }

  private question(name: Question): HTMLElement {
    const words = name === 'better' ? 'Which is better, or are they equally good?' : '';
    const labels =
      name === 'better' ? betterOrder.map((one) => betterWords[one]) : grades.map((one) => gradeWords[one]);
    const answers = labels.map((label, i) => {
      const answer = button('', () => {
        this.answer(name, i);
      });
      answer.append(el('kbd', {}, String(i + 1)), ` ${label}`);
      return answer;
    });
    return el(
      'div',
      { class: 'question', role: 'group', 'aria-label': words },
      el('p', {}, words),
      ...answers,
    );
  }

  private ask(side: Side, words: string): void {
    const question = this.questions[side];
    question.setAttribute('aria-label', words);
    question.querySelector('p')!.textContent = words;
  }

  private answer(name: Question, at: number): void {
    const { state } = this;
    if (!state?.item) return;
    const { index, item } = state;
    if (name === 'better') post({ type: 'judge', index, better: betterOrder[at] });
    else post({ type: 'judge', index, [name]: grades[at] });
    // Going over a judged item again, the next question follows.
    const after: Record<Question, Question> = { left: 'right', right: 'better', better: 'left' };
    if (this.open(item.judgement) === undefined) this.asked = after[name];
  }

  private step(by: number): void {
    const { state } = this;
    if (state === undefined) return;
    const index = state.index + by;
    if (index >= 0 && index < state.judged.length) post({ type: 'go', index });
  }

  private nextOpen(): void {
    const { state } = this;
    if (state === undefined) return;
    const after = state.judged.findIndex((done, i) => !done && i > state.index);
    const index = after >= 0 ? after : state.judged.indexOf(false);
    if (index >= 0) post({ type: 'go', index });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = /^(?:Digit|Numpad)([123])$/.exec(event.code);
    if (digit !== null) {
      this.answer(this.asked, Number(digit[1]) - 1);
      event.preventDefault();
      return;
    }
    const run = this.keys[event.key];
    if (run === undefined) return;
    run();
    event.preventDefault();
  }

  private readonly keys: Readonly<Record<string, (() => void) | undefined>> = {
    u: () => {
      post({ type: 'undo' });
    },
    y: () => {
      post({ type: 'redo' });
    },
    n: () => {
      this.step(1);
    },
    ArrowRight: () => {
      this.step(1);
    },
    p: () => {
      this.step(-1);
    },
    ArrowLeft: () => {
      this.step(-1);
    },
    o: () => {
      this.nextOpen();
    },
  };

  private action(label: string, key: string, run: () => void): HTMLButtonElement {
    const element = button(label, run);
    element.append(' ', el('kbd', {}, key));
    return element;
  }
}

new HumanCheck().start();
