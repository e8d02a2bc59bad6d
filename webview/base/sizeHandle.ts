import { el } from './dom';

const step = 16;

export interface Sized {
  label: string;
  /** The edge of the element at which the handle is. */
  edge: 'bottom' | 'left';
  least: number;
  most: number;
  size: () => number;
  set: (size: number) => void;
}

/** A handle that changes the size of an element, by dragging or with the arrow keys. */
export function sizeHandle({ label, edge, least, most, size, set }: Sized): HTMLElement {
  const isUpright = edge === 'left';
  const [smaller, larger] = isUpright ? ['ArrowRight', 'ArrowLeft'] : ['ArrowUp', 'ArrowDown'];
  const handle = el('div', {
    ...{ class: `handle ${edge}`, role: 'separator', tabindex: 0 },
    'aria-orientation': isUpright ? 'vertical' : 'horizontal',
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
  handle.addEventListener('pointerdown', ({ pointerId, clientX, clientY }) => {
    const from = size();
    handle.setPointerCapture(pointerId);
    handle.onpointermove = (moved) =>
      change(from + (isUpright ? clientX - moved.clientX : moved.clientY - clientY));
    handle.onpointerup = () => (handle.onpointermove = null);
  });
  handle.addEventListener('keydown', (event) => {
    if (event.key !== smaller && event.key !== larger) return;
    change(size() + (event.key === smaller ? -step : step));
    event.preventDefault();
    event.stopPropagation();
  });
  handle.addEventListener('focus', () => handle.setAttribute('aria-valuenow', String(Math.round(size()))));
  return handle;
}
