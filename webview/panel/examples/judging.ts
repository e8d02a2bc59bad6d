import { messageOf } from '../../../src/base/errors';
import type { Picked } from '../../../src/protocol/judgement';
import type { JudgedLine } from '../../../src/protocol/parts/judged';
import type { Detail, LabelledCaption, RowAsk } from '../../../src/protocol/rows';
import { button, el } from '../../base/dom';
import { ask } from '../../base/rows';
import { t } from '../../base/words';

/** The keys that judge a variant, in the panel and in the side panel. */
export const judgeKeys: Readonly<Record<string, Picked>> = { x: 'rejected', v: 'valid' };

/** Fires on a page, with bubbling, after a judgment was saved. */
export const judgedEvent = 'captious-judged';

interface Place {
  root: HTMLElement;
  caption: LabelledCaption;
  buttons?: Record<Picked, HTMLButtonElement>;
  said: HTMLElement;
}

/** Buttons at an example's captions, with which people say that a variant is not an error, or that it is valid. */
export class Judging {
  private readonly places = new Map<number, Place>();

  /** Each detail is of the same example in another report. A judgment applies to all of them. */
  constructor(private readonly details: readonly { report: string; detail: Detail }[]) {}

  /** Where a caption's buttons will be; null for a caption that nobody can judge. */
  placeFor(caption: LabelledCaption): HTMLElement | null {
    if (caption.sub === undefined) return null;
    const said = el('div', { class: 'quiet', role: 'status', 'aria-live': 'polite' });
    const root = el('div', { class: 'judge' });
    this.places.set(caption.sub, { root, caption, said });
    return root;
  }

  /** Reads what people judged. Without an answer, there are no buttons. */
  async load(): Promise<void> {
    const [own] = this.details;
    const [first] = this.places.values();
    if (first === undefined) return;
    try {
      this.show(await ask('judge', { report: own.report, index: firstOf(own.detail) }));
    } catch (error) {
      // Such as a damaged file of judgments beside the report.
      first.said.textContent = messageOf(error);
      first.root.append(first.said);
    }
  }

  private show(lines: readonly JudgedLine[] | null): void {
    const first = firstOf(this.details[0].detail);
    for (const line of lines ?? []) {
      const place = this.places.get(line.index - first);
      if (place !== undefined) this.showLine(place, line);
    }
  }

  private showLine(place: Place, { votes, own, perhaps, fixed }: JudgedLine): void {
    const { root, caption, said } = place;
    const { chosen, verdict } = caption;
    const isFailure = verdict === 'wrong' || verdict === 'tie';
    if (!chosen && !isFailure && votes.length === 0) return;
    if (place.buttons === undefined) {
      place.buttons = {
        rejected: this.buttonFor(place, 'rejected', t('Not an error'), 'x'),
        valid: this.buttonFor(place, 'valid', t('Valid'), 'v'),
      };
      if (perhaps !== undefined)
        root.append(
          el(
            'p',
            { class: 'perhaps quiet' },
            t('Perhaps true: another caption of the image says "{0}": {1}', perhaps.word, perhaps.caption),
          ),
        );
      if (fixed !== true) root.append(place.buttons.rejected, ' ', place.buttons.valid);
      root.append(said);
    }
    for (const picked of ['rejected', 'valid'] as const)
      place.buttons[picked].setAttribute('aria-pressed', String(own === picked));
    said.textContent = votesText(votes);
  }

  private buttonFor(place: Place, picked: Picked, label: string, key: string): HTMLButtonElement {
    return button(label, () => void this.press(place, picked), {
      ...{ class: `link pick-${picked}`, 'aria-pressed': 'false' },
      'aria-label': `${label}: ${place.caption.text}`,
      'aria-keyshortcuts': key,
      title:
        picked === 'rejected'
          ? t('The evaluator makes no error here, such as on a flip that is true of the image (x)')
          : t('The variant is what it should be, so this is an error (v)'),
    });
  }

  /** A second press of the same button takes the judgment back. */
  private async press({ buttons, caption, root, said }: Place, picked: Picked): Promise<void> {
    const isPressed = buttons?.[picked].getAttribute('aria-pressed') === 'true';
    const pick = isPressed ? 'open' : picked;
    try {
      const asks = this.details.flatMap(({ report, detail }): RowAsk<'judge'>[] => {
        const sub = detail.captions.find(({ text, label }) => isSame({ text, label }, caption))?.sub;
        return sub === undefined ? [] : [{ report, index: firstOf(detail) + sub, pick }];
      });
      // One after another, because the first judgment of all asks for the person's name.
      const [first, ...others] = asks;
      const lines = await ask('judge', first);
      for (const other of others) await ask('judge', other);
      this.show(lines);
      root.dispatchEvent(new CustomEvent(judgedEvent, { bubbles: true }));
    } catch (error) {
      said.textContent = messageOf(error);
    }
  }
}

function isSame(
  { text, label }: Pick<LabelledCaption, 'text' | 'label'>,
  other: Pick<LabelledCaption, 'text' | 'label'>,
): boolean {
  return text === other.text && JSON.stringify(label) === JSON.stringify(other.label);
}

/** The first table line of the example's row. */
function firstOf({ index, captions }: Detail): number {
  return index - (captions.find(({ chosen }) => chosen)?.sub ?? 0);
}

function votesText(votes: JudgedLine['votes']): string {
  const by = (picked: Picked): string =>
    votes.flatMap((vote) => (vote.picked === picked ? [vote.judge] : [])).join(', ');
  return [
    ...(by('rejected') === '' ? [] : [t('Not an error: {0}', by('rejected'))]),
    ...(by('valid') === '' ? [] : [t('Valid: {0}', by('valid'))]),
  ].join(' · ');
}

/** Presses the button of `picked` at the caption with the focus, or else at the first one that has buttons. */
export function pressJudge(within: ParentNode, picked: Picked): void {
  const name = `.pick-${picked}`;
  const own = document.activeElement?.closest('li')?.querySelector<HTMLElement>(name);
  (own ?? within.querySelector<HTMLElement>(name))?.click();
}
