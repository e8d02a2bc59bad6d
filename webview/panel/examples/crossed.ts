import { largest } from '../../../src/base/extent';
import type { Crossed } from '../../../src/protocol/rows';
import { el } from '../../base/dom';
import { plain } from '../../base/format';
import { markedAgainst } from './marked';
import { type ImageUrls, showIn } from './imageUrls';
import { t } from '../../base/words';

const side = 256;
const imageWords = [t('first image'), t('second image')];

/** A table with the scores of two captions for two images. Each row and each column is marked right or wrong. */
export function crossedView(
  { images, captions, scores, captionFinds, imageFinds }: Crossed,
  report: string,
  imageUrls: ImageUrls,
): HTMLElement {
  const most = Math.max(largest(scores.flat()), 0.0001);
  const head = images.map((name, i) => {
    const cell = el('th', { scope: 'col', title: name });
    void showIn(cell, imageUrls.url(report, name, side), imageWords[i]);
    return cell;
  });
  const cell = (caption: number, image: number) => {
    const value = scores[caption][image];
    const bar = el('span', { class: `cell-bar${caption === image ? ' own' : ''}`, 'aria-hidden': 'true' });
    bar.style.width = `${Math.max(0, value / most) * 100}%`;
    const number = el(caption === image ? 'b' : 'span', { class: 'number' }, plain(value, 4));
    return el('td', {}, number, bar);
  };
  const rows = captions.map((text, c) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, ...(c === 0 ? [text] : markedAgainst(captions[0], text))),
      ...images.map((_, p) => cell(c, p)),
      el(
        'td',
        {},
        mark(
          captionFinds[c],
          t('this caption scores higher with its own image'),
          t('this caption does not score higher with its own image'),
        ),
      ),
    ),
  );
  const foot = el(
    'tr',
    {},
    el('th', { scope: 'row', class: 'quiet' }, t('own caption scores higher')),
    ...imageFinds.map((finds) =>
      el(
        'td',
        { class: 'finds' },
        mark(
          finds,
          t('this image scores higher with its own caption'),
          t('this image does not score higher with its own caption'),
        ),
      ),
    ),
    el('td', {}),
  );
  return el(
    'table',
    { class: 'crossed' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('td', {}),
        ...head,
        el('th', { class: 'quiet', scope: 'col' }, t('own image scores higher')),
      ),
    ),
    el('tbody', {}, ...rows, foot),
  );
}

function mark(isRight: boolean, yes: string, no: string): HTMLElement {
  const words = isRight ? yes : no;
  return el(
    'span',
    { class: `verdict ${isRight ? 'right' : 'wrong'}`, role: 'img', 'aria-label': words, title: words },
    isRight ? '✓' : '✗',
  );
}
