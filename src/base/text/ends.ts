/** Trims runs of characters in linear time. A pattern such as /a+$/ takes quadratic time for a run in the middle. */

/** The position at which the run of characters at the end begins. `one` matches a single character. */
export function endOf(text: string, one: RegExp): number {
  let at = text.length;
  while (at > 0) {
    const from = at - (isPair(text, at - 2) ? 2 : 1);
    if (!one.test(text.slice(from, at))) break;
    at = from;
  }
  return at;
}

export function withoutEnd(text: string, one: RegExp): string {
  return text.slice(0, endOf(text, one));
}

/** Trims both ends. */
export function within(text: string, one: RegExp): string {
  const end = endOf(text, one);
  let at = 0;
  while (at < end) {
    const to = at + (isPair(text, at) ? 2 : 1);
    if (!one.test(text.slice(at, to))) break;
    at = to;
  }
  return text.slice(at, end);
}

function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff;
}
