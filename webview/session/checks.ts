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
import type { CheckShown, SessionState } from '../../src/protocol/session';
import type { Status } from '../../src/protocol/triplets';
import { button, el } from '../base/dom';
import { localized, t } from '../base/words';
import { action, post, SessionPage } from './page';

type Better = NonNullable<Judgement['better']>;
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
const gradesInWords = grades.map((one) => [one, gradeWords[one]] as const);
/** The answers of each question, in the order of their keys. */
const answersOf: Record<Question, readonly (readonly [value: string, label: string])[]> = {
  left: gradesInWords,
  right: gradesInWords,
  better: (['left', 'equal', 'right'] as const).map((one) => [one, betterWords[one]]),
  meaning: meanings.map((one) => [one, meaningWords[one]]),
};
const letters: Record<Side, string> = { left: 'A', right: 'B' };

/**
 * The page of a human check. It asks how well each version's caption describes its image. Then it asks which version
 * is better, or whether both captions have the same meaning. The keys 1, 2 and 3 answer the current question.
 */
export class Check extends SessionPage {
  private asked: Question = 'left';
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
  private readonly resultText = el('p');
  private readonly result = el('div', { class: 'result', role: 'status' }, this.resultText);
  protected readonly body = [
    this.result,
    this.shared,
    this.versions,
    ...lastQuestions.map((name) => this.questions[name]),
  ];

  constructor(root: HTMLElement) {
    super(root);
    this.result.append(button(t('Merge judgments'), () => post({ type: 'export' })));
    this.result.hidden = true;
    this.start({ after: [action(t('Next open item'), 'o', () => this.nextOpen())] });
  }

  private get item(): CheckShown | undefined {
    return this.state?.item?.type === 'check' ? this.state.item : undefined;
  }

  protected override factsOf(_state: SessionState, of: (status: Status) => number): string[] {
    return [t('{0} judged, {1} open', of('accepted'), of('open'))];
  }

  protected override showItem({ result }: SessionState, moved: boolean): void {
    const { item } = this;
    this.result.hidden = result === undefined;
    this.resultText.textContent = result === undefined ? '' : localized(result);
    this.versions.hidden = item === undefined;
    for (const name of lastQuestions) this.questions[name].hidden = item?.lastQuestion !== name;
    if (item === undefined) return;
    if (moved) this.showVersions(item);
    const open = this.open(item);
    // When the annotator returns to a judged item, the first question is the current question again.
    this.asked = open ?? (moved ? 'left' : this.asked);
    this.showAnswers(item.judgement);
  }

  private showVersions({ image, sameImage, captions }: CheckShown): void {
    const sameCaption = captions.left === captions.right;
    this.sharedCaption.textContent = captions.left;
    this.shared.replaceChildren(
      ...(sameImage ? [this.figures.left] : []),
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
          ...(sameImage ? [] : [this.figures[side]]),
          ...(sameCaption ? [] : [this.captions[side]]),
          this.questions[side],
        );
      }),
    );
    for (const side of sameImage ? (['left'] as const) : sides) {
      const alt = sameImage ? image : t('{0}, version {1}', image, letters[side]);
      void this.showImage(this.figures[side], image, alt, side);
    }
    this.root.focus();
  }

  private open({ judgement, lastQuestion }: CheckShown): Question | undefined {
    return (['left', 'right', lastQuestion] as const).find((name) => (judgement[name] ?? null) === null);
  }

  private showAnswers(judgement: Judgement): void {
    for (const [name, element] of Object.entries(this.questions) as [Question, HTMLElement][]) {
      element.classList.toggle('asked', name === this.asked);
      for (const [i, answer] of [...element.querySelectorAll('button')].entries())
        answer.setAttribute('aria-pressed', String(answersOf[name][i][0] === judgement[name]));
    }
  }

  private question(name: Question, words = ''): HTMLElement {
    const answers = answersOf[name].map(([, label], i) => {
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
    const { state, item } = this;
    if (state === undefined || item === undefined) return;
    post({ type: 'judge', index: state.index, change: { [name]: answersOf[name][at][0] } });
    // If the item was judged before, an answer leads to the next question, although that question has an answer.
    const after: Record<Question, Question> = {
      left: 'right',
      right: item.lastQuestion,
      better: 'left',
      meaning: 'left',
    };
    if (this.open(item) === undefined) this.asked = after[name];
  }

  protected override ownKey(event: KeyboardEvent): boolean {
    const digit = /^(?:Digit|Numpad)([123])$/.exec(event.code);
    if (digit === null || event.ctrlKey || event.metaKey || event.altKey) return false;
    this.answer(this.asked, Number(digit[1]) - 1);
    event.preventDefault();
    return true;
  }
}
