import { messageOf } from '../../../src/base/errors';
import type { ReportView } from '../../../src/protocol/panel';
import type { Detail, LabelledCaption } from '../../../src/protocol/rows';
import { ask } from '../../base/rows';
import { el, table } from '../../base/dom';
import { plain, signed } from '../../base/format';
import { verdictMark } from './marked';
import { t, localized } from '../../base/words';

/** How many examples of a line are searched. */
const mostOnLine = 50;

/** A table of the example's scores from all evaluators. Null without other reports, or if the example has no line. */
export function besideView(
  own: ReportView,
  others: readonly ReportView[],
  detail: Detail,
): HTMLElement | null {
  const { line } = detail;
  if (others.length === 0 || line === undefined) return null;
  const box = el('div', { class: 'beside' });
  Promise.all(others.map(({ key }) => sameIn(key, line, detail))).then(
    (found) => {
      const columns = [{ evaluator: own.evaluator, detail }].concat(
        found.flatMap((each, i) =>
          each === undefined ? [] : [{ evaluator: others[i].evaluator, detail: each }],
        ),
      );
      if (columns.length < 2) return;
      const rows = detail.captions
        .filter(({ score }) => score !== undefined)
        .map(({ text, label }) => [
          el('span', { title: text }, localized(label)),
          ...columns.map(({ detail: { captions } }) =>
            scoreOf(
              captions.find(
                (each) => each.text === text && JSON.stringify(each.label) === JSON.stringify(label),
              ),
            ),
          ),
        ]);
      box.append(
        table(['', ...columns.map(({ evaluator }) => evaluator)], rows, t('Scores of all evaluators')),
      );
    },
    (error: unknown) => box.append(el('p', { class: 'problem' }, messageOf(error))),
  );
  return box;
}

/** Finds the example in another report. Returns undefined if that report does not contain the example. */
async function sameIn(
  report: string,
  line: number,
  { example, captions }: Detail,
): Promise<Detail | undefined> {
  const text = captions.at(0)?.text;
  // A line may have several examples, such as the captions of one image.
  const marks = await ask('marks', { report, from: line, to: line });
  for (const { index } of marks.slice(0, mostOnLine)) {
    if (index === undefined) continue;
    const detail = await ask('detail', { report, index });
    if (detail.example === example && detail.captions.at(0)?.text === text) return detail;
  }
  return undefined;
}

function scoreOf(caption: LabelledCaption | undefined): HTMLElement | string {
  if (caption?.score === undefined) return '–';
  const { score, delta, verdict } = caption;
  return el(
    'span',
    { class: 'number' },
    plain(score),
    delta === undefined ? null : el('span', { class: 'quiet' }, ` ${signed(delta)}`),
    ...(verdict === 'none' ? [] : [' ', verdictMark(verdict)]),
  );
}
