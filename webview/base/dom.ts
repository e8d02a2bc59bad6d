import { t } from './words';

type Child = Node | string | null | undefined;

interface Attributes {
  class?: string;
  title?: string;
  role?: string;
  id?: string;
  type?: string;
  tabindex?: number;
  scope?: string;
  lang?: string;
  [aria: `aria-${string}`]: string | undefined;
  [data: `data-${string}`]: string | undefined;
}

/** Creates an element. Strings become text nodes, never markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function svg(
  tag: string,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export function button(
  label: string,
  onClick: () => void,
  attributes: Attributes & { icon?: string } = {},
): HTMLButtonElement {
  const { icon, ...rest } = attributes;
  const element = el('button', { type: 'button', ...rest });
  if (icon !== undefined) element.append(el('span', { class: 'icon', 'aria-hidden': 'true' }, icon), ' ');
  element.append(label);
  element.addEventListener('click', onClick);
  return element;
}

export function table(
  heads: readonly string[],
  rows: readonly (readonly Child[])[],
  caption?: string,
): HTMLElement {
  const head = el('thead', {}, el('tr', {}, ...heads.map((text) => el('th', { scope: 'col' }, text))));
  const body = el(
    'tbody',
    {},
    ...rows.map((cells) => el('tr', {}, ...cells.map((cell) => el('td', {}, cell)))),
  );
  const whole = el('table', { class: 'figures' });
  if (caption !== undefined) whole.append(el('caption', {}, caption));
  whole.append(head, body);
  // A wide table scrolls in its own box, so that the page does not scroll sideways. The box can have the focus,
  // so that the keyboard can scroll it.
  return el(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption ?? t('Table') },
    whole,
  );
}
