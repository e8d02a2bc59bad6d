import {
  type Grade,
  grades,
  type Judgement,
  type LastQuestion,
  lastQuestions,
  type Meaning,
  meanings,
  type Side,
  sides,
} from '../../src/protocol/judgement';
import {
  type FromHumanCheck,
  humanCheckRequests,
  type HumanCheckState,
  type ToHumanCheck,
  toHumanCheck,
} from '../../src/protocol/humanCheck';
import type { Jpeg } from '../../src/protocol/sitting';
import { button, el } from '../base/dom';
import { bridgeOf } from '../base/bridge';
import { action, nextOpenOf, photoOr, SittingFrame } from '../sitting/frame';
import { t } from '../base/words';

const bridge = bridgeOf<ToHumanCheck, FromHumanCheck, typeof humanCheckRequests>(
  toHumanCheck,
  humanCheckRequests,
);
const { ask, post } = bridge;

type Better = NonNullable<Judgement['better']>;
type Item = NonNullable<HumanCheckState['item']>;
type Question = Side | LastQuestion;

const gradeWords: Record<Grade, string> = {
  incorrect: t('incorrect'),
  partly: t('partially correct'),
  fully: t('fully correct'),
};
const betterWords: Record<Better, string> = {
  left: t('A is better'),
  equal: t('equally good'),
  right: t('B is better'),
};
const meaningWords: Record<Meaning, string> = {
  same: t('the same meaning'),
  unsure: t('unsure'),
  different: t('a different meaning'),
};
const betterOrder: readonly Better[] = ['left', 'equal', 'right'];
const choicesOf: Record<Question, readonly string[]> = {
  left: grades,
  right: grades,
  better: betterOrder,
  meaning: meanings,
};
const labelsOf: Record<Question, readonly string[]> = {
  left: grades.map((one) => gradeWords[one]),
  right: grades.map((one) => gradeWords[one]),
  better: betterOrder.map((one) => betterWords[one]),
  meaning: meanings.map((one) => meaningWords[one]),
};
const letters: Record<Side, string> = { left: 'A', right: 'B' };

/**
 * The page of a human check. It asks how well each version's caption describes its image. Then it asks which version
 * is better, or whether both captions have the same meaning. The keys 1, 2 and 3 answer the current question.
 */
class HumanCheck {
  private state: HumanCheckState | undefined;
  private shown: number | undefined;
  private asked: Question = 'left';

  private readonly frame = new SittingFrame<ToHumanCheck>(document.getElementById('human-check')!, bridge);
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
    better: this.question('better', t('Which is better, or are they equally good?')),
    meaning: this.question('meaning', t('Do captions A and B have the same meaning?')),
  };

  constructor() {
    const { frame } = this;
    frame.root.append(
      frame.header(),
      frame.bar,
      frame.notice,
      this.shared,
      this.versions,
      ...lastQuestions.map((name) => this.questions[name]),
      el(
        'div',
        { class: 'actions', role: 'group', 'aria-label': t('Actions') },
        frame.undo,
        frame.redo,
        action(t('Previous'), 'p', () => this.step(-1)),
        action(t('Next'), 'n', () => this.step(1)),
        action(t('Next open item'), 'o', () => this.nextOpen()),
      ),
    );
  }

  start(): void {
    this.frame.start(
      (event) => this.key(event),
      (message) => this.receive(message),
    );
  }

  private receive(message: ToHumanCheck): void {
    switch (message.type) {
      case 'show':
        this.show(message.state);
        return;
      case 'saved':
        this.frame.showSaved(message.saved);
        return;
    }
  }

  private show(state: HumanCheckState): void {
    const moved = state.index !== this.shown;
    this.state = state;
    this.shown = state.index;
    const { judged, index, item } = state;
    const done = judged.filter(Boolean).length;
    this.frame.show(
      state,
      [
        t('{0} of {1}', judged.length === 0 ? 0 : index + 1, judged.length),
        t('{0} judged, {1} open', done, judged.length - done),
        state.annotator,
      ].join(' · '),
      { accepted: done },
      judged.length,
    );
    this.versions.hidden = item === null;
    for (const name of lastQuestions) this.questions[name].hidden = item?.lastQuestion !== name;
    if (item === null) return;
    this.frame.remember(index);
    if (moved) this.showItem(item);
    const open = this.open(item);
    // When the annotator returns to a judged item, the first question is the current question again.
    this.asked = open ?? (moved ? 'left' : this.asked);
    this.showAnswers(item.judgement);
  }

  private showItem({ samePhoto, captions }: Item): void {
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
          ? t('How well does the caption describe image {0}?', letters[side])
          : t('How well does caption {0} describe the image?', letters[side]),
      );
    this.versions.replaceChildren(
      ...sides.map((side) => {
        this.captions[side].textContent = captions[side];
        return el(
          'section',
          { 'aria-label': t('Version {0}', letters[side]) },
          el('h2', {}, letters[side]),
          ...(samePhoto ? [] : [this.figures[side]]),
          ...(sameCaption ? [] : [this.captions[side]]),
          this.questions[side],
        );
      }),
    );
    for (const side of samePhoto ? (['left'] as const) : sides) {
      this.figures[side].replaceChildren(el('div', { class: 'none quiet' }, '…'));
      void this.askForPhoto(this.shown!, side);
    }
    this.frame.root.focus();
  }

  private async askForPhoto(index: number, side: Side): Promise<void> {
    // The extension host tells the page about the error in another message.
    const { jpeg } = await ask('photo', { index, side }).catch((): Jpeg => ({}));
    if (index === this.shown) this.showPhoto(side, jpeg);
  }

  private showPhoto(side: Side, jpeg: string | undefined): void {
    const { image = '', samePhoto = false } = this.state?.item ?? {};
    const alt = samePhoto ? image : t('{0}, version {1}', image, letters[side]);
    this.figures[side].replaceChildren(photoOr(jpeg, alt, t('{0} cannot be shown.', image)));
  }

  private open({ judgement, lastQuestion }: Item): Question | undefined {
    return (['left', 'right', lastQuestion] as const).find((name) => (judgement[name] ?? null) === null);
  }

  private showAnswers(judgement: Judgement): void {
    for (const [name, element] of Object.entries(this.questions) as [Question, HTMLElement][]) {
      element.classList.toggle('asked', name === this.asked);
      for (const [i, answer] of [...element.querySelectorAll('button')].entries())
        answer.setAttribute('aria-pressed', String(choicesOf[name][i] === judgement[name]));
    }
  }

  private question(name: Question, words = ''): HTMLElement {
    const answers = labelsOf[name].map((label, i) => {
      const answer = button('', () => this.answer(name, i));
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
    post({ type: 'judge', index, [name]: choicesOf[name][at] });
    // If the item was judged before, an answer leads to the next question, although that question has an answer.
    const after: Record<Question, Question> = {
      left: 'right',
      right: item.lastQuestion,
      better: 'left',
      meaning: 'left',
    };
    if (this.open(item) === undefined) this.asked = after[name];
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
    const index = nextOpenOf(
      state.judged.map((done) => !done),
      state.index,
    );
    if (index !== undefined) post({ type: 'go', index });
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
    u: () => post({ type: 'undo' }),
    y: () => post({ type: 'redo' }),
    n: () => this.step(1),
    ArrowRight: () => this.step(1),
    p: () => this.step(-1),
    ArrowLeft: () => this.step(-1),
    o: () => this.nextOpen(),
  };
}

new HumanCheck().start();
