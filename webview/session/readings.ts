import type { Readings } from '../../src/protocol/session';
import { el } from '../base/dom';
import { localized, localNumber, t } from '../base/words';

/** Shows the similarities of captions and image. A sign and a colour mark wrong comparisons. */
export function readingsView({ t2t, i2t, problem }: Readings): HTMLElement {
  const root = el('div');
  if (problem !== undefined) root.append(el('p', { class: 'problem' }, localized(problem)));
  if (t2t !== undefined)
    root.append(
      numbers(t('Captions with each other'), [
        ['P1–P2', t2t.p1p2, false],
        ['P1–N', t2t.p1n, t2t.p1n >= t2t.p1p2],
        ['P2–N', t2t.p2n, t2t.p2n >= t2t.p1p2],
      ]),
    );
  if (i2t !== undefined)
    root.append(
      numbers(t('Captions with the image'), [
        ['P1', i2t.p1, i2t.p1 <= i2t.n],
        ['P2', i2t.p2, i2t.p2 <= i2t.n],
        ['N', i2t.n, false],
      ]),
    );
  return root;
}

function numbers(
  title: string,
  rows: readonly (readonly [name: string, value: number, wrong: boolean])[],
): HTMLElement {
  return el(
    'table',
    { class: 'readings', 'aria-label': title },
    el('caption', { class: 'quiet' }, title),
    el(
      'tbody',
      {},
      el(
        'tr',
        {},
        ...rows.flatMap(([name, value, wrong]) => [
          el('th', { scope: 'row' }, name),
          el(
            'td',
            {
              class: wrong ? 'wrong' : undefined,
              title: wrong ? t('The evaluator gets this comparison wrong.') : undefined,
            },
            `${localNumber(value.toFixed(4))}${wrong ? ' ✗' : ''}`,
          ),
        ]),
      ),
    ),
  );
}
