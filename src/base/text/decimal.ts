/** No program writes a number with more characters. The largest finite number has 309 digits. */
const longest = 400;

/** Reads a decimal number such as "-1.5e-3". Undefined for other texts, because `Number` would read "0x10" and "". */
export function decimalOf(text: string): number | undefined {
  if (text.length > longest) return undefined;
  const said = text.trim();
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(said) ? Number(said) : undefined;
}
