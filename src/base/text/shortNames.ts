/** A remark in parentheses at the end of a name, such as " (ImageNet + MiniLM, not CLIP)". */
const remark = /(?<=.) \([^()]*\)$/;

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
