/** Compares numbers in names by value. Equal for every language of the machine. */
export function inNaturalOrder(a: string, b: string): number {
  const [left, right] = [piecesOf(a), piecesOf(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [one, other] = [left[i], right[i]];
    if (one === other) continue;
    if (/^\d/.test(one) && /^\d/.test(other)) {
      const difference = BigInt(one) - BigInt(other);
      if (difference !== 0n) return difference < 0n ? -1 : 1;
    }
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

function piecesOf(name: string): readonly string[] {
  return name.match(/\d+|\D+/g) ?? [];
}

/** A key for many names: keys in the order of their characters are names in natural order. */
export function naturalKey(name: string): string {
  return name.replace(/\d+/g, (digits) => {
    const value = digits.replace(/^0+(?=\d)/, '');
    return `0${String.fromCharCode(value.length)}${value}`;
  });
}
