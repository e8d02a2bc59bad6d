import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { english } from '../../../src/base/english';
import { Cell, Fields } from '../../../src/dataset/cell';
import type { Example } from '../../../src/dataset/example';
import {
  checkPlaces,
  decodeCell,
  decodeJson,
  needSharedData,
  readAll,
  scratchFolder,
  sharedData,
} from './support';
import { sentence } from '../../sentence';

const scratch = scratchFolder();

const files: [string, string, number][] = [
  ['coco/captions.json', 'coco', 239],
  ['rococo/coco_karpathy_test.json', 'rococo', 5000],
  ['sugar-crepe/swap_obj.json', 'sugarcrepe', 245],
  ['visla/Generic_VISLA.tsv', 'visla', 973],
  ['vsr/random_test.jsonl', 'vsr', 2195],
];

function withoutPlaces(examples: readonly Example[]): unknown {
  return examples.map(({ id, row, images, captions, attributes }) => ({
    id,
    row,
    images,
    captions: captions.map(({ text, role, field }) => ({ text, role, field })),
    attributes,
  }));
}

/** Other encodings and layouts for the same examples. */
const stored: Record<
  string,
  { change: (text: string) => Uint8Array; encoding: 'utf8' | 'utf16le'; swapped?: boolean }
> = {
  'with a byte order mark': { change: (text) => Buffer.from(`\ufeff${text}`), encoding: 'utf8' },
  'with CR LF': { change: (text) => Buffer.from(text.replace(/\r?\n/g, '\r\n')), encoding: 'utf8' },
  'with LF': { change: (text) => Buffer.from(text.replace(/\r\n/g, '\n')), encoding: 'utf8' },
  'in UTF-16 LE': { change: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), encoding: 'utf16le' },
  'in UTF-16 LE without a mark': { change: (text) => Buffer.from(text, 'utf16le'), encoding: 'utf16le' },
  'in UTF-16 BE': {
    change: (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    encoding: 'utf16le',
    swapped: true,
  },
};

describe('the shared data, stored differently', () => {
  for (const [file, format] of files) {
    for (const [name, { change, encoding, swapped }] of Object.entries(stored)) {
      it(`reads ${file} ${name}`, async function () {
        needSharedData(this);
        const original = await readAll(join(sharedData, file));
        const bytes = change(readFileSync(join(sharedData, file), 'utf8'));
        const path = scratch.write('stored', bytes);
        const { dataset, examples, problems } = await readAll(path);
        assert.equal(dataset.format, format);
        assert.deepEqual(withoutPlaces(examples), withoutPlaces(original.examples));
        assert.deepEqual(
          problems.filter(({ severity }) => severity === 'error'),
          [],
        );
        const readable = swapped ? scratch.write('little', Buffer.from(bytes).swap16()) : path;
        checkPlaces(readable, examples, file.endsWith('.tsv') ? decodeCell : decodeJson, encoding);
      });
    }
  }
});

describe('the shared data, damaged', () => {
  for (const [file, format, count] of files) {
    it(`keeps whole rows of truncated ${file}, and reports the cut`, async function () {
      needSharedData(this);
      const bytes = readFileSync(join(sharedData, file));
      // Keeps 70 %, because COCO lists all images before the captions: the first half of the file has few captions.
      const cut = bytes.subarray(0, Math.floor(bytes.length * 0.7) + 3);
      const { dataset, examples, problems } = await readAll(scratch.write('cut', cut));
      assert.equal(dataset.format, format);
      assert.ok(examples.length > count / 2 && examples.length < count, `${examples.length}`);
      const last = problems.filter(({ code }) => code === 'broken-row').at(-1);
      assert.ok(last?.place);
      assert.equal(last.place.offset + last.place.length, cut.length);
      const whole = await readAll(join(sharedData, file));
      const texts = new Set(whole.examples.flatMap(({ captions }) => captions.map(({ text }) => text)));
      for (const { captions } of examples) for (const { text } of captions) assert.ok(texts.has(text));
    });

    it(`names a bad row in the middle of ${file}, and keeps the others`, async function () {
      needSharedData(this);
      const { examples } = await readAll(join(sharedData, file));
      const text = readFileSync(join(sharedData, file));
      const victim = examples[Math.floor(examples.length / 2)];
      const at = victim.captions[0].place!;
      // Damages a row: JSON by a missing quote, a table by an extra cell.
      const end = at.offset + at.length;
      const damaged = file.endsWith('.tsv')
        ? Buffer.concat([text.subarray(0, end), Buffer.from('\tmore'), text.subarray(end)])
        : Buffer.concat([text.subarray(0, end - 1), text.subarray(end)]);
      const read = await readAll(scratch.write('bad-row', damaged));
      const errors = read.problems.filter(({ severity }) => severity === 'error');
      assert.equal(errors.length, 1);
      assert.equal(errors[0].code, 'broken-row');
      const { place } = errors[0];
      assert.ok(place && place.offset <= at.offset && place.offset + place.length > at.offset);
      const lost = file.startsWith('coco') ? 0 : 1;
      assert.equal(read.examples.length, count - lost);
      if (lost === 0)
        assert.equal(
          read.examples.find(({ id }) => id === victim.id)!.captions.length,
          victim.captions.length - 1,
        );
      else
        assert.deepEqual(
          read.examples.map(({ row }) => row),
          examples.map(({ row }) => row).filter((row) => row !== victim.row),
        );
    });

    it(`reads ${file} with trailing commas and comments, if it is JSON`, async function () {
      needSharedData(this);
      if (file.endsWith('.tsv')) return;
      const text = readFileSync(join(sharedData, file), 'utf8');
      const lines = file.endsWith('.jsonl');
      const changed = lines
        ? `// a list of statements\n${text.replaceAll('}\n', ',}\n')}`
        : `/* a comment */${text.replaceAll('}]', '},]').replaceAll('"}', '",\n}')}// the end`;
      assert.notEqual(changed.length, text.length);
      const read = await readAll(scratch.write('commented', changed));
      assert.equal(read.dataset.format, format);
      assert.equal(read.examples.length, count);
      assert.deepEqual(
        read.problems.filter(({ severity }) => severity === 'error'),
        [],
      );
    });

    it(`names bytes in ${file} that are not UTF-8, and reads the rest`, async function () {
      needSharedData(this);
      const { examples } = await readAll(join(sharedData, file));
      const bytes = Buffer.from(readFileSync(join(sharedData, file)));
      const { place } = examples[3].captions[0];
      bytes[place!.offset + 4] = 0xff;
      const read = await readAll(scratch.write('latin', bytes));
      assert.equal(read.examples.length, count);
      assert.deepEqual(
        read.problems.filter(({ code }) => code === 'encoding').map(({ place: at }) => at?.offset),
        [place!.offset],
      );
    });
  }
});

describe('hostile rows', () => {
  it('may contain special JavaScript keys, repeated keys and lone surrogates', async () => {
    const path = scratch.write(
      'hostile.jsonl',
      [
        '{"image": "1.jpg", "caption": "A.", "__proto__": {"polluted": 1}, "constructor": 2, "toString": "x"}',
        '{"image": "2.jpg", "caption": "first", "caption": "last"}',
        '{"image": "3.jpg", "caption": "half \\ud83d of one"}',
        '{"image": "4.jpg", "caption": "</script><img src=x onerror=alert(1)> \\u202e\\u200b"}',
        '{"image": "5.jpg", "caption": 7}',
        '{"image": ["6.jpg"], "caption": "B."}',
        '{"caption": "C."}',
      ].join('\n'),
    );
    const { examples, problems } = await readAll(path);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.deepEqual(Object.entries(examples[0].attributes), [
      ['__proto__.polluted', 1],
      ['constructor', 2],
      ['toString', 'x'],
    ]);
    assert.deepEqual(
      examples.map(({ captions }) => captions[0].text),
      ['A.', 'last', 'half \ufffd of one', '</script><img src=x onerror=alert(1)> \u202e\u200b'],
    );
    assert.deepEqual(
      problems.map(({ code, severity, place }) => [code, severity, place?.line]),
      [
        ['duplicate-key', 'warning', 2],
        ['encoding', 'warning', 3],
        ['wrong-type', 'error', 5],
        ['wrong-type', 'error', 6],
        ['missing-field', 'error', 7],
      ],
    );
  });

  it('name an empty caption as empty, not as missing', async () => {
    const path = scratch.write(
      'empty.jsonl',
      ['{"image": "1.jpg", "caption": "A."}', '{"image": "2.jpg", "caption": ""}', '{"image": "3.jpg"}'].join(
        '\n',
      ),
    );
    const { problems } = await readAll(path);
    assert.deepEqual(
      problems.map(({ message }) => english(message)),
      [sentence('dataset.fieldEmpty', 'caption'), '"caption" is missing.'],
    );
  });

  it('may have as many columns as fit into a line', async function () {
    this.timeout(60_000);
    const names = ['image', 'caption', ...Array.from({ length: 200_000 }, (_, i) => `column ${i}`)];
    const rows = [1, 2].map((n) =>
      [`${n}.jpg`, `a cat ${n}`, ...new Array<string>(200_000).fill('x')].join(','),
    );
    const path = scratch.write('wide.csv', [names.join(','), ...rows].join('\n'));
    const { examples } = await readAll(path, { map: { image: 'image', caption: 'caption' } });
    assert.deepEqual(
      examples.map(({ captions }) => captions[0].text),
      ['a cat 1', 'a cat 2'],
    );
    for (const count of [3, 1000]) {
      const names = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? '__proto__' : `c${i}`));
      const fields = new Fields(
        names,
        names.map((_, i) => new Cell(i, -1, -1)),
      );
      assert.equal(fields.get('__proto__')?.value, count % 2 === 0 ? count - 2 : count - 1);
      assert.equal(fields.get('c1')?.value, 1);
      assert.equal(fields.get('constructor'), undefined);
    }
  });

  it('can be cancelled during reading', async () => {
    const row = `${JSON.stringify({ image: 'x.jpg', caption: 'A caption.' })}\n`;
    const path = scratch.write('long.jsonl', row.repeat(200_000));
    const stop = new AbortController();
    const { openDataset } = await import('../../../src/dataset/open');
    const dataset = await openDataset(path);
    let seen = 0;
    await assert.rejects(
      async () => {
        for await (const example of dataset.read({ signal: stop.signal })) {
          // The cancel comes in a later turn of the event loop. It takes effect only if the reader yields.
          if (seen === 0)
            setImmediate(() => {
              stop.abort();
            });
          seen += example.captions.length;
        }
      },
      { kind: 'interrupted' },
    );
    assert.ok(seen > 0 && seen < 200_000, String(seen));
  });
});
