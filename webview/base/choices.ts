import { el } from './dom';

/** A list to choose from: values with their words. */
export function choiceOf<T extends string>(
  label: string,
  options: readonly (readonly [value: T, words: string])[],
  chosen: T | undefined,
  onChange: (value: T) => void,
): HTMLElement {
  const choice = el('select', { 'aria-label': label });
  for (const [value, words] of options) {
    const option = el('option', {}, words);
    option.value = value;
    choice.append(option);
  }
  if (chosen !== undefined) choice.value = chosen;
  choice.addEventListener('change', () => {
    const found = options.find(([value]) => value === choice.value);
    if (found !== undefined) onChange(found[0]);
  });
  return choice;
}
