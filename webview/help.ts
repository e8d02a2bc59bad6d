import { button, el, table } from './dom';

const keys: readonly [string, string][] = [
  ['↑ ↓', 'walk the examples'],
  ['Page ↑ ↓, Home, End', 'walk faster'],
  ['Enter', 'open the line in the file'],
  ['/', 'search'],
  ['f', 'filter'],
  ['s', 'order'],
  ['e', 'next evaluator'],
  ['w', 'what if: type another caption'],
  ['c', 'copy the selected example as Markdown'],
  ['Escape', 'close the example, then remove the filters'],
  ['?', 'this list'],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = el('dialog', { 'aria-label': 'Keys' });
  dialog.append(
    el('h2', {}, 'Keys'),
    table(
      ['key', 'what it does'],
      keys.map(([key, what]) => [el('kbd', {}, key), what]),
    ),
    button('Close', () => {
      dialog.close();
    }),
  );
  return dialog;
}
