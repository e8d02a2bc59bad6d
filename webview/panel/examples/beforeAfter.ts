import type { Change } from '../../../src/protocol/rows';
import { button, el, svg } from '../../base/dom';
import { t, localized } from '../../base/words';

/** Shows an image before and after a change. Left of the slider is the original, right of it the changed image. */
export function beforeAfterView(
  { words: said, outline }: Change,
  name: string,
  [before, after]: readonly [string, string],
): HTMLElement {
  const words = localized(said);
  const image = (url: string, side: string, alt: string) => {
    const image = el('img', { class: side });
    image.src = url;
    image.alt = alt;
    return image;
  };
  const stage = el(
    'div',
    { class: 'stage' },
    image(before, 'before', t('{0}, original', name)),
    image(after, 'after', `${name}, ${words}`),
  );
  const slider = el('input', {
    type: 'range',
    'aria-label': t('Original on the left, {0} on the right', words),
  });
  slider.min = '0';
  slider.max = '100';
  const place = () => stage.style.setProperty('--cut', `${slider.value}%`);
  slider.value = '50';
  slider.addEventListener('input', place);
  place();
  const view = el(
    'figure',
    { class: 'change' },
    stage,
    slider,
    el(
      'figcaption',
      { class: 'ends quiet' },
      el('span', {}, t('original')),
      outline === undefined ? null : outlineButton(outline, stage),
      el('span', {}, words),
    ),
  );
  return view;
}

/** A button that shows or hides the outline of the object at its old and new place. */
function outlineButton(
  { path, width, height, moved }: NonNullable<Change['outline']>,
  stage: HTMLElement,
): HTMLButtonElement {
  const drawn = (side: string, transform: string) =>
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, class: `outline ${side}`, 'aria-hidden': 'true' },
      svg('path', { d: path, class: 'under', transform }),
      svg('path', { d: path, class: 'over', transform }),
    );
  const shapes = [
    drawn('before', ''),
    ...(moved === undefined ? [] : [drawn('after', `translate(${moved[0]} ${moved[1]})`)]),
  ];
  const toggle = button(
    t('Outline of the object'),
    () => {
      const isOn = toggle.getAttribute('aria-pressed') === 'true';
      toggle.setAttribute('aria-pressed', String(!isOn));
      if (isOn) for (const shape of shapes) shape.remove();
      else stage.append(...shapes);
    },
    { class: 'link', 'aria-pressed': 'false' },
  );
  return toggle;
}
