import fc from 'fast-check';

/** Texts that are difficult for some format. */
const words = [
  '"',
  "'",
  '\\',
  '\\u',
  '\\ud83d',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '/*',
  '//',
  '\0',
  '\ufeff',
  '\u2028',
  'null',
  'true',
  '-0',
  '1e999',
  '9007199254740993',
  '"__proto__":',
  '"constructor":',
  '"image":',
  '"caption":',
  '../',
  '%00',
  '=1+1',
  '"a":'.repeat(50),
  '['.repeat(300),
  '{"a":'.repeat(300),
].map((word) => Buffer.from(word));

interface Edit {
  how: number;
  at: number;
  length: number;
  to: number;
}

const edits = fc.array(
  fc.record({
    how: fc.nat(7),
    at: fc.nat(0xffffff),
    length: fc.nat(64),
    to: fc.nat(0xffffff),
  }),
  { minLength: 1, maxLength: 6 },
);

export function mutated(seeds: readonly Buffer[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.nat(seeds.length - 1), edits)
    .map(([which, list]) => list.reduce((bytes, edit) => apply(bytes, edit, seeds), seeds[which]));
}

function apply(bytes: Buffer, { how, at, length, to }: Edit, seeds: readonly Buffer[]): Buffer {
  const from = at % (bytes.length + 1);
  const end = Math.min(bytes.length, from + length);
  const [head, middle, tail] = [bytes.subarray(0, from), bytes.subarray(from, end), bytes.subarray(end)];
  switch (how) {
    case 0: {
      const out = Buffer.from(bytes);
      if (out.length > 0) out[from % out.length] ^= 1 << (to % 8);
      return out;
    }
    case 1: {
      const out = Buffer.from(bytes);
      if (out.length > 0) out[from % out.length] = to & 255;
      return out;
    }
    case 2:
      return Buffer.concat([head, words[to % words.length], bytes.subarray(from)]);
    case 3:
      return Buffer.concat([head, words[to % words.length], tail]);
    case 4:
      return Buffer.concat([head, tail]);
    case 5:
      return Buffer.concat([head, middle, middle, tail]);
    case 6:
      return Buffer.from(head);
    default: {
      const other = seeds[to % seeds.length];
      return Buffer.concat([head, other.subarray(at % (other.length + 1))]);
    }
  }
}

/** A seed's value with parts removed, added or changed. */
export function altered(seeds: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.array(fc.nat(), { maxLength: 6 }), odd), { maxLength: 3 }),
    )
    .map(([seed, changes]) => changes.reduce((value, [path, what]) => change(value, path, what), seed));
}

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    0,
    -1,
    0.5,
    NaN,
    Infinity,
    2 ** 53,
    true,
    [],
    {},
    'x',
    '../x',
    '\0',
  ),
  fc.anything({ maxDepth: 2, maxKeys: 3 }),
);

function change(value: unknown, path: readonly number[], what: unknown): unknown {
  if (path.length === 0 || typeof value !== 'object' || value === null) return what;
  const [step, ...rest] = path;
  if (Array.isArray(value)) {
    const out = value.slice() as unknown[];
    const at = step % (out.length + 1);
    if (rest.length === 0 && step % 3 === 0) out.splice(at, 1);
    else out[at] = change(out[at], rest, what);
    return out;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return what;
  const [key, inner] = entries[step % entries.length];
  const out = { ...value } as Record<string, unknown>;
  if (rest.length === 0 && step % 3 === 0) Reflect.deleteProperty(out, key);
  else out[key] = change(inner, rest, what);
  return out;
}
