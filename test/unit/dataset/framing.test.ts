import assert from 'node:assert/strict';
import fc from 'fast-check';
import { english } from '../../../src/base/english';
import { findSaid, say } from '../../../src/base/say';
import type { Cell, CellValue } from '../../../src/dataset/cell';
import { Fields } from '../../../src/dataset/cell';
import type { Problem } from '../../../src/dataset/dataset';
import type { Place } from '../../../src/dataset/example';
import { type TextLayout, entryFramer } from '../../../src/dataset/layout';
import { Utf16ToUtf8 } from '../../../src/dataset/text/encoding';
import { saying } from '../../sentence';

interface Cut {
  rows: {
    row: number;
    key?: string;
    section?: string;
    place?: Place;
    value: unknown;
    places: (Place | undefined)[];
  }[];
  problems: Problem[];
}

function plainOf(value: CellValue): unknown {
  if (value instanceof Fields)
    return Object.fromEntries(value.names.map((name, i) => [name, plainOf(value.cells[i].value)]));
  if (Array.isArray(value)) return (value as readonly Cell[]).map((cell) => plainOf(cell.value));
  return value;
}

/** Reads a text that arrives in chunks. Returns its rows and problems. */
function cut(
  layout: TextLayout,
  text: string | Uint8Array,
  pieces: (bytes: Buffer) => Iterable<Uint8Array>,
  longest?: number,
): Cut {
  const out: Cut = { rows: [], problems: [] };
  const framer = entryFramer(
    layout,
    { encoding: 'utf-8', bom: 0 },
    {
      entry: (entry) =>
        out.rows.push({
          row: entry.row,
          key: entry.key,
          section: entry.section,
          place: entry.place,
          value: plainOf(entry.fields),
          places: entry.fields.cells.map((cell) => entry.placeOf(cell)),
        }),
      problem: (problem) => out.problems.push(problem),
    },
    longest,
  );
  for (const piece of pieces(Buffer.from(text))) framer.feed(piece);
  framer.end();
  return out;
}

const whole = (bytes: Buffer): Uint8Array[] => [bytes];
const byteByByte = (bytes: Buffer): Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));
const inTwo = (at: number) => (bytes: Buffer) => [bytes.subarray(0, at), bytes.subarray(at)];

const texts: Record<string, [TextLayout, string]> = {
  list: [{ kind: 'list' }, '[{"a": 1, "b": "x\\"y é"} ,\r\n {"a":[1,{"z":"}"}],"c":null}\n,]'],
  'list with comments and trailing commas': [
    { kind: 'list' },
    '// first\n[ /* a * b */ {"a": 1, /* "in" ** / */ "b": [1,2,],},\n // {"no": 1}\n {"a": 2}, ] // end',
  ],
  'list with words and texts as rows': [
    { kind: 'list' },
    '[1, "two \\u00e9 , ]", null, {"a": true}, xyz , {"a": NaN}]',
  ],
  'object of rows': [{ kind: 'object of rows' }, '{"0": {"a": 1}, "k\\"ey": {"a": "\u{1f600}"}, "n": 5}'],
  'object of lists': [
    { kind: 'object of lists', sections: ['images', 'annotations'] },
    '{"info": {"images": [1]}, "annotations": [{"id": 1}], "skip": [[{}]], "images": [{"id": 2}, {"id": 3}]}',
  ],
  'list cut off in a row': [{ kind: 'list' }, '[{"a": 1}, {"a": "b'],
  'list cut off between rows': [{ kind: 'list' }, '[{"a": 1}, '],
  'list with a quote too few': [
    { kind: 'list' },
    '[{"a": "one"}, {"a": "two}, {"a": "three"}, {"a": "four"},\n{"a": "five"}]',
  ],
  'list with a brace too few': [{ kind: 'list' }, '[{"a": 1}, {"a": 2, {"a": 3}, {"a": 4}]'],
  'list with more behind it': [{ kind: 'list' }, '[{"a": 1}]\n{"b": 2}'],
  lines: [{ kind: 'lines' }, '{"a": 1}\r\n\n  {"a": "é\u{1f600}"},\n// no\n{"a": \n{"a": 2}\n[1]\n{"a":3}'],
  csv: [
    { kind: 'delimited', delimiter: ',' },
    'a,b\r\n"x, ""y""\nz",2\r\n"open,3\n1,2,3\n1,2,,\nonly\n"say "hi"",é\n"",""\r"q"\n,"end"',
  ],
  tsv: [{ kind: 'delimited', delimiter: '\t' }, 'a\tb\n"word" and\tb\n"a\tb\n"whole"\tx"y\n"p\nq"\tz\n'],
};

describe('cutting a stream into rows', () => {
  for (const [name, [layout, text]] of Object.entries(texts)) {
    it(`${name}: gives the same rows for any chunking`, () => {
      const expected = cut(layout, text, whole);
      assert.ok(expected.rows.length > 0);
      assert.deepEqual(cut(layout, text, byteByByte), expected);
      for (let at = 1; at < Buffer.byteLength(text); at++)
        assert.deepEqual(cut(layout, text, inTwo(at)), expected);
    });
  }

  it('loses only the row with a missing quote', () => {
    const { rows, problems } = cut(...texts['list with a quote too few'], whole);
    assert.deepEqual(
      rows.map(({ row, value }) => [row, value]),
      [
        [0, { a: 'one' }],
        [2, { a: 'three' }],
        [3, { a: 'four' }],
        [4, { a: 'five' }],
      ],
    );
    assert.equal(problems.length, 1);
    assert.deepEqual([problems[0].code, problems[0].row, problems[0].place?.column], ['broken-row', 1, 16]);
  });

  it('loses only the row with a missing brace', () => {
    const { rows, problems } = cut(...texts['list with a brace too few'], whole);
    assert.deepEqual(
      rows.map(({ value }) => value),
      [{ a: 1 }, { a: 3 }, { a: 4 }],
    );
    assert.equal(problems[0].code, 'broken-row');
  });

  it('names each of many broken rows on one line, and reads the others', () => {
    const good = (i: number): string => `{"image": "${i}.jpg", "caption": "number ${i}"}`;
    const bad = (i: number): string => `{"image": "${i}.jpg, "caption": "number ${i}"}`;
    const text = `[${Array.from({ length: 3000 }, (_, i) => (i % 10 === 5 ? bad(i) : good(i))).join(', ')}]`;
    const { rows, problems } = cut({ kind: 'list' }, text, whole);
    assert.equal(rows.length, 2700);
    assert.deepEqual(
      problems.map(({ row }) => row),
      Array.from({ length: 300 }, (_, i) => 10 * i + 5),
    );
  });

  it('keeps the whole rows of a truncated file and names the last', () => {
    const { rows, problems } = cut(...texts['list cut off in a row'], whole);
    assert.equal(rows.length, 1);
    assert.match(english(problems[0].message), saying('dataset.fileEndsInEntry'));
    const between = cut(...texts['list cut off between rows'], whole);
    assert.equal(between.rows.length, 1);
    assert.deepEqual(
      findSaid(between.problems[0].message, 'dataset.fileEndsUnclosed'),
      say('dataset.fileEndsUnclosed', ']'),
    );
  });

  it('reads quoted, ragged and unclosed CSV rows', () => {
    const { rows, problems } = cut(...texts.csv, whole);
    assert.deepEqual(
      rows.map(({ value }) => value),
      [
        { a: 'x, "y"\nz', b: '2' },
        { a: '"open', b: '3' },
        { a: '1', b: '2' },
        { a: '"say "hi""', b: 'é' },
        { a: '', b: '' },
        { a: '', b: 'end' },
      ],
    );
    assert.deepEqual(
      problems.map(({ row, place }) => [row, place?.line]),
      [
        [2, 5],
        [4, 7],
        [7, 10],
      ],
    );
  });

  it('keeps literal quotes in TSV cells', () => {
    const { rows } = cut(...texts.tsv, whole);
    assert.deepEqual(
      rows.map(({ value }) => value),
      [
        { a: '"word" and', b: 'b' },
        { a: '"a', b: 'b' },
        { a: 'whole', b: 'x"y' },
        { a: 'p\nq', b: 'z' },
      ],
    );
  });

  it('reads no comment from a slash at the end of the bytes', () => {
    const text = '//comment/*x*/\n{"a": 1}/';
    for (const pieces of [whole, byteByByte]) {
      const { rows, problems } = cut({ kind: 'lines' }, text, pieces);
      assert.deepEqual([rows.length, problems.length], [0, 1]);
    }
  });

  it('treats a million levels of nesting as one broken row', () => {
    const deep = `[{"a": 1}, ${'['.repeat(1e6)}${']'.repeat(1e6)}, {"a": 2}]`;
    const { rows, problems } = cut({ kind: 'list' }, deep, whole);
    assert.deepEqual(
      rows.map(({ value }) => value),
      [{ a: 1 }, { a: 2 }],
    );
    assert.deepEqual(findSaid(problems[0].message, 'dataset.jsonTooDeep'), say('dataset.jsonTooDeep', 64));
    const lines = cut({ kind: 'lines' }, `${'{"a":'.repeat(1e6)}\n{"a": 1}`, whole);
    assert.equal(lines.rows.length, 1);
    assert.equal(lines.problems.length, 1);
  });

  it('names an entry over the limit, and reads the next ones', () => {
    const long = 'x'.repeat(3 * 2 ** 20);
    const layouts: [TextLayout, string][] = [
      [{ kind: 'lines' }, `{"a": 1}\n{"a": "${long}"}\n{"a": 2}\n`],
      [{ kind: 'list' }, `[{"a": 1}, {"a": "${long}"}, {"a": 2}]`],
      [{ kind: 'delimited', delimiter: '\t' }, `a\tb\n1\t1\n${long}\t1\n2\t2\n`],
    ];
    const chunks = function* (bytes: Buffer): Iterable<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 1 << 16) yield bytes.subarray(at, at + (1 << 16));
    };
    for (const [layout, text] of layouts) {
      const { rows, problems } = cut(layout, text, chunks, 2 * 2 ** 20);
      assert.deepEqual(
        rows.map(({ row }) => row),
        [0, 2],
      );
      assert.deepEqual(
        problems.map(({ row, message }) => [row, findSaid(message, 'dataset.entryTooLong')]),
        [[1, say('dataset.entryTooLong', 2)]],
      );
    }
  });
});

/** Compares the cells with JSON.parse's result. */
describe('JSON rows', () => {
  const text = fc.string({ unit: 'binary' });
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  })).object;

  it('agree with JSON.parse for any notation and chunking', () => {
    fc.assert(
      fc.property(
        fc.array(json, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(undefined, 1, '\t'),
        fc.nat(),
        (some, indent, split) => {
          // Each row occurs twice in succession and again later, because equal keys should be in adjacent and
          // in distant rows.
          const rows = [...some.flatMap((row) => [row, row]), ...some];
          const written = JSON.stringify(rows, undefined, indent);
          const bytes = Buffer.byteLength(written);
          const { rows: read, problems } = cut({ kind: 'list' }, written, inTwo(split % (bytes + 1)));
          assert.deepEqual(problems, []);
          assert.deepEqual(
            read.map(({ value }) => value),
            (JSON.parse(written) as unknown[]).map((row) => ({ ...(row as object) })),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('have places that cut out their text', () => {
    fc.assert(
      fc.property(
        fc.array(json, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(undefined, 2),
        (rows, indent) => {
          const bytes = Buffer.from(JSON.stringify(rows, undefined, indent));
          for (const { value, places, place } of cut({ kind: 'list' }, bytes, whole).rows) {
            const slice = (at: Place | undefined): unknown =>
              JSON.parse(bytes.subarray(at!.offset, at!.offset + at!.length).toString());
            assert.deepEqual(slice(place), value);
            assert.deepEqual(places.map(slice), Object.values(value as object));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never throw for any bytes', () => {
    const layouts: TextLayout[] = [
      { kind: 'list' },
      { kind: 'object of rows' },
      { kind: 'object of lists', sections: ['a'] },
      { kind: 'lines' },
      { kind: 'delimited', delimiter: ',' },
    ];
    const noise = fc.array(
      fc.constantFrom(...'{}[]",:\\/*\n\r\t ae1-.\u00e9', '"a":', '{"a":1}', '//', '/*', '\\u12'),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(fc.constantFrom(...layouts), noise, (layout, parts) => {
        const written = parts.join('');
        assert.deepEqual(cut(layout, written, byteByByte).rows, cut(layout, written, whole).rows);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('delimited rows', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab "\',;\t\n\ré', '\u{1f600}', '""') });

  it('read back as written, if written by the rules', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(',', '\t', ';'),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        (delimiter, newline, rows, split) => {
          // In tab-separated files, quotes around tabs and line breaks are ambiguous, so these texts contain neither
          // tabs nor line breaks.
          if (delimiter === '\t') fc.pre(!rows.flat().some((text) => /[\t\n\r]/.test(text)));
          const quoted = rows.map((row) =>
            row.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter),
          );
          const written = [['x', 'y', 'z'].join(delimiter), ...quoted, ''].join(newline);
          const bytes = Buffer.from(written);
          const { rows: read, problems } = cut(
            { kind: 'delimited', delimiter },
            written,
            inTwo(split % (bytes.length + 1)),
          );
          assert.deepEqual(problems, []);
          assert.deepEqual(
            read.map(({ value }) => Object.values(value as object)),
            rows,
          );
          for (const { places, value } of read)
            places.forEach((place, i) => {
              const raw = bytes.subarray(place!.offset, place!.offset + place!.length).toString();
              assert.equal(raw.slice(1, -1).replaceAll('""', '"'), Object.values(value as object)[i]);
            });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('read back as written without quotes, if no cell needs them', () => {
    const bare = fc
      .string({ unit: fc.constantFrom(...'ab "\'é'), minLength: 1 })
      .filter((text) => !/^".*"$/.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(bare, bare), { minLength: 1, maxLength: 6 }), (rows) => {
        const written = ['x\ty', ...rows.map((row) => row.join('\t'))].join('\n');
        const { rows: read } = cut({ kind: 'delimited', delimiter: '\t' }, written, whole);
        assert.deepEqual(
          read.map(({ value }) => Object.values(value as object)),
          rows,
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('UTF-16', () => {
  it('becomes the same UTF-8 for any chunking', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        (text, big, step) => {
          const bytes = Buffer.from(text, 'utf16le');
          if (big) bytes.swap16();
          const transcoder = new Utf16ToUtf8(big);
          const parts: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; at += step)
            parts.push(transcoder.feed(bytes.subarray(at, at + step)));
          parts.push(transcoder.end());
          assert.equal(Buffer.concat(parts).toString(), text);
        },
      ),
    );
  });

  it('replaces half a character by U+FFFD', () => {
    for (const bytes of [[0x3d, 0xd8], [0x3d, 0xd8, 0x41], [0x41]]) {
      const transcoder = new Utf16ToUtf8(false);
      const text = Buffer.concat([transcoder.feed(Uint8Array.from(bytes)), transcoder.end()]).toString();
      assert.match(text, /^\ufffd+$/);
    }
    const paired = new Utf16ToUtf8(false);
    assert.equal(
      Buffer.concat([paired.feed(Uint8Array.of(0x00, 0xdc, 0x41, 0x00)), paired.end()]).toString(),
      '\ufffdA',
    );
  });
});
