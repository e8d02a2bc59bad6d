/** Python's usual escapes, by the character after the backslash. */
const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', "'": "'", '"': '"', '\\': '\\' };
const begins = /^\s*[[(]\s*(?:[\])]\s*$|u?['"])/;
const item = /\s*u?(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*(,|$)/gsy;

/** Whether a cell looks like a Python list of texts. */
export function isPythonList(text: string): boolean {
  return begins.test(text) && /[\])]\s*$/.test(text);
}

/** The texts of a Python list or tuple in `str()`'s notation; undefined for any other text. */
export function pythonList(text: string): string[] | undefined {
  if (!isPythonList(text)) return undefined;
  const inner = text.trim().slice(1, -1).trim();
  if (inner === '') return [];
  const out: string[] = [];
  let at = 0;
  // A comma may follow the last item. A tuple of one item needs the comma.
  while (at < inner.length) {
    item.lastIndex = at;
    const found = item.exec(inner);
    if (found === null) return undefined;
    out.push(unescaped(found.at(1) ?? found.at(2) ?? ''));
    at = item.lastIndex;
  }
  return out;
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/gis,
    (whole, x, u, long, one) => {
      const code = [x, u, long].find((digits) => typeof digits === 'string') as string | undefined;
      if (code === undefined) return escapes[one as string] ?? whole;
      const number = parseInt(code, 16);
      return number <= 0x10ffff ? String.fromCodePoint(number) : whole;
    },
  );
}
