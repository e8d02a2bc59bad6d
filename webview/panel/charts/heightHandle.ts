import { el } from '../../base/dom';

const [least, most, step] = [80, 600, 16];

/** A handle that changes the height of the element above it, by dragging or with the arrow keys. */
export function heightHandle(
  label: string,
  height: () => number,
  set: (height: number) => void,
): HTMLElement {
  const handle = el('div', {
    ...{ class: 'handle', role: 'separator', tabindex: 0, 'aria-orientation': 'horizontal' },
    ...{
      'aria-label': label,
      'aria-valuemin': String(least),
      'aria-valuemax': String(most),
      'aria-valuenow': String(least),
    },
  });
  const change = (to: number): void => {
    const bounded = Math.round(Math.min(most, Math.max(least, to)));
    handle.setAttribute('aria-valuenow', String(bounded));
    set(bounded);
  };
  handle.addEventListener('pointerdown', ({ pointerId, clientY }) => {
    const from = height();
    handle.setPointerCapture(pointerId);
    handle.onpointermove = (moved) => change(from + moved.clientY - clientY);
    handle.onpointerup = () => (handle.onpointermove = null);
  });
  handle.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    change(height() + (event.key === 'ArrowUp' ? -step : step));
    event.preventDefault();
    event.stopPropagation();
  });
  handle.addEventListener('focus', () => handle.setAttribute('aria-valuenow', String(Math.round(height()))));
  return handle;
}
