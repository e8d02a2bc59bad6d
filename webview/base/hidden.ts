import { visible } from '../../src/base/text/visible';

/** The attributes that a page shows or reads aloud. */
const attributes = ['title', 'aria-label', 'placeholder', 'alt'];

/** What people edit and what is no text stays as it is. */
const untouched = /^(?:textarea|script|style)$/i;

/** Escapes hidden characters in the texts and attributes of a node and the nodes inside. */
export function escapeHidden(node: Node): void {
  if (node instanceof Text) {
    if (untouched.test(node.parentElement?.tagName ?? '')) return;
    const text = visible(node.data);
    if (text !== node.data) node.data = text;
    return;
  }
  if (node instanceof Element)
    for (const name of attributes) {
      const value = node.getAttribute(name);
      if (value !== null && visible(value) !== value) node.setAttribute(name, visible(value));
    }
  for (const child of node.childNodes) escapeHidden(child);
}

/**
 * Shows direction overrides and other hidden characters as escapes, in every text that the page shows from now on: a
 * name in a report must not look like another name.
 */
export function showHidden(page: Document): void {
  escapeHidden(page);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'childList') addedNodes.forEach(escapeHidden);
      else escapeHidden(target);
  }).observe(page, {
    ...{ subtree: true, childList: true, characterData: true, attributes: true },
    attributeFilter: attributes,
  });
}
