import type { Triangle } from '../../../src/protocol/rows';
import { el, svg } from '../../base/dom';
import { plain } from '../../base/format';
import { t, localized } from '../../base/words';

const places = [
  { x: 60, y: 44, label: 26 },
  { x: 240, y: 44, label: 26 },
  { x: 150, y: 150, label: 174 },
] as const;
/** The place of each side's value. A key names the side's two corners. */
const values: Readonly<Record<string, readonly [number, number]>> = {
  '0-1': [150, 36],
  '0-2': [74, 104],
  '1-2': [226, 104],
};

/** A triangle of similarities: the thicker a side, the more similar. The probe says which are wrong. */
export function triangleView({ corners: names, sides }: Triangle): HTMLElement {
  const corners = names.map(localized);
  const words = sides.map(({ from, to, value, wrong }) =>
    wrong
      ? t('{0} and {1}: {2}, at least as similar as the right pair', corners[from], corners[to], plain(value))
      : t('{0} and {1}: {2}', corners[from], corners[to], plain(value)),
  );
  const lines = sides.flatMap(({ from, to, value, wrong }) => {
    const [x, y] = values[`${from}-${to}`];
    return [
      svg('line', {
        x1: places[from].x,
        y1: places[from].y,
        x2: places[to].x,
        y2: places[to].y,
        class: wrong ? 'edge wrong' : 'edge',
        'stroke-width': 1 + 5 * Math.max(0, value),
      }),
      svg(
        'text',
        { x, y, class: wrong ? 'edge-label wrong' : 'edge-label' },
        `${wrong ? '✗ ' : ''}${plain(value)}`,
      ),
    ];
  });
  const ends = corners.slice(0, places.length).flatMap((name, i) => {
    const { x, y, label } = places[i];
    return [
      svg('circle', { cx: x, cy: y, r: 6, class: 'corner' }),
      svg('text', { x, y: label, class: 'corner-label' }, name),
    ];
  });
  const label = t('Similarities: {0}', words.join('; '));
  return el(
    'div',
    { class: 'triangle-box' },
    svg(
      'svg',
      { viewBox: '0 0 300 180', class: 'triangle', role: 'img', 'aria-label': label },
      ...lines,
      ...ends,
    ),
  );
}
