import { messageOf } from '../../../src/base/errors';
import type { Detail, RowAnswer } from '../../../src/protocol/rows';
import { ask } from '../../base/rows';
import { el, table } from '../../base/dom';
import { plain, signed } from '../../base/format';
import { localized, t } from '../../base/words';

/** Milliseconds without typing after which the caption is scored. */
const pauseMs = 120;

/** The caption that is in the field at first, and a callback for changes. */
export interface Typed {
  text: string;
  changed(text: string): void;
}

/**
 * A field for another caption of the example. For each report's evaluator, it shows the caption's score with the image
 * and the caption's similarity to the captions of the example.
 */
export function whatIfView(
  reports: readonly { key: string; evaluator: string }[],
  detail: Detail,
  typed: Typed = { text: '', changed: () => undefined },
): HTMLElement {
  const others = [...new Set(detail.captions.map(({ text }) => text))];
  const field = el('input', {
    type: 'text',
    id: 'what-if',
    title: t('Type a caption (w)'),
    'aria-describedby': 'what-if-scores',
  });
  field.placeholder = detail.captions.at(0)?.text ?? '';
  const scores = el('div', { id: 'what-if-scores', class: 'what-if-scores', 'aria-live': 'polite' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = new AbortController();
  const scoresBy = async (
    { key, evaluator }: (typeof reports)[number],
    text: string,
    signal: AbortSignal,
  ) => {
    const head = reports.length > 1 ? [el('h3', {}, evaluator)] : [];
    try {
      const answer = await ask('whatIf', { report: key, text, image: detail.image, others }, { signal });
      return [...head, ...scoresView(answer, others)];
    } catch (error) {
      return [...head, el('p', { class: 'problem' }, messageOf(error))];
    }
  };
  const score = async (text: string) => {
    const { signal } = (stop = new AbortController());
    const started = performance.now();
    const views: (HTMLElement | string)[][] = [];
    // Asks about one report at a time, because a new request cancels the previous request.
    for (const report of reports) {
      if (!signal.aborted) views.push(await scoresBy(report, text, signal));
    }
    if (signal.aborted) return;
    scores.replaceChildren(...views.flat());
    scores.dataset.ms = (performance.now() - started).toFixed(0);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    stop.abort();
    const text = field.value.trim();
    typed.changed(text);
    if (text === '') {
      scores.replaceChildren();
      return;
    }
    timer = setTimeout(() => void score(text), pauseMs);
  });
  if (typed.text !== '') {
    field.value = typed.text;
    void score(typed.text);
  }
  const label = el('label', {}, t('Try another caption'));
  label.htmlFor = field.id;
  return el('div', { class: 'what-if' }, label, field, scores);
}

function scoresView(
  { image, others, problem }: RowAnswer<'whatIf'>,
  texts: readonly string[],
): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  if (problem !== undefined) parts.push(el('p', { class: 'problem' }, localized(problem)));
  if (image !== null)
    parts.push(
      el('div', { class: 'caption-head' }, t('With the image'), el('span', { class: 'push' }), number(image)),
    );
  const hasText = others.some(({ text }) => text !== null);
  if (image === null && !hasText) return parts;
  const known = others
    .map((scores, i) => ({ ...scores, caption: texts[i] }))
    .sort((a, b) => (b.text ?? b.image ?? 0) - (a.text ?? a.image ?? 0));
  parts.push(
    table(
      [
        t('caption'),
        ...(hasText ? [t('similarity to your caption')] : []),
        ...(image === null ? [] : [t('score with the image'), t('your score minus this score')]),
      ],
      known.map((other) => [
        other.caption,
        ...(hasText ? [number(other.text)] : []),
        ...(image === null
          ? []
          : [number(other.image), other.image === null ? '–' : signed(image - other.image, 4)]),
      ]),
      t('Your caption compared with the captions of the example'),
    ),
  );
  return parts;
}

function number(value: number | null): HTMLElement {
  return el('span', { class: 'number' }, value === null ? '–' : plain(value, 4));
}
