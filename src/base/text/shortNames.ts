/** A remark in parentheses at the end of a name, such as " (ImageNet + MiniLM, not CLIP)". It may name an evaluator with one. */
const remark = /(?<=.) \((?:[^()]|\([^()]*\))*\)$/;

/**
 * Shortens each name to `most` letters: drops the part in parentheses at the end, then cuts the end. If two names
 * would become equal, cuts the middle of the whole name instead, or keeps the name if that does not help.
 */
export function shortNames(names: readonly string[], most = Infinity): string[] {
  const forms = [
    (name: string) => cut(name.replace(remark, ''), most),
    (name: string) => cutInMiddle(name, most),
  ];
  return names.map((name) => {
    const others = names.filter((other) => other !== name);
    const form = forms.find((shorten) => !others.some((other) => shorten(other) === shorten(name)));
    return form === undefined ? name : form(name);
  });
}

export function cut(name: string, most: number): string {
  const letters = Array.from(name);
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : name;
}

export function cutInMiddle(name: string, most: number): string {
  const letters = Array.from(name);
  if (letters.length <= most) return name;
  const behind = Math.floor((most - 1) / 2);
  return `${letters.slice(0, most - 1 - behind).join('')}…${letters.slice(-behind).join('')}`;
}

/** Where the shared start of several names can end, such as behind "open_clip:" or a folder. */
const borders = /[/\\:\s]/;

/** The parts in which names differ: without a start that all share, up to a border. Short names, if they have none. */
export function distinctParts(names: readonly string[]): string[] {
  const [first, ...others] = names;
  if (others.length === 0 || names.every((name) => name === first)) return shortNames(names);
  let at = 0;
  while (at < first.length && others.every((name) => name[at] === first[at])) at++;
  while (at > 0 && !borders.test(first[at - 1])) at--;
  return shortNames(
    names.map((name) => name.slice(at).trim()).map((part, i) => (part === '' ? names[i] : part)),
  );
}
