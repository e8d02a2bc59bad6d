import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Words } from '../../../src/base/say';
import type { Example } from '../../../src/dataset/example';
import { ImagesInside } from '../../../src/dataset/images/embeddedImages';
import { inspectDataset } from '../../../src/dataset/inspect';
import { openDataset } from '../../../src/dataset/open';
import type { TarDataset } from '../../../src/dataset/tar/tarDataset';
import { indexOf } from '../../../src/dataset/tar/tarFile';
import { TarReader } from '../../../src/dataset/tar/tarReader';
import { archive, file, header, mended, pax } from './archives';
import { readAll, scratchFolder } from './support';

const oracle = join(__dirname, '../../oracle/dataset');
const scratch = scratchFolder();

interface Sample {
  key: string;
  caption: string;
  sha256: string;
}

const expected = JSON.parse(readFileSync(join(oracle, 'webdataset.json'), 'utf8')) as {
  shards: Sample[][];
  datasets: Sample[];
};
const codeOf = (words: Words): string => (words as { code: string }).code;
const valuesOf = (words: Words): readonly Words[] => (words as { values: Words[] }).values;
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function sampleOf({ id, captions, images }: Example): Sample {
  return { key: id, caption: captions[0].text, sha256: hashOf(images[0].bytes!) };
}

async function reading(name: string, ...parts: Uint8Array[]) {
  const { examples, problems } = await readAll(scratch.write(name, archive(...parts)));
  return {
    ids: examples.map(({ id }) => id),
    examples,
    problems: problems.map(({ code, severity, message }) => [code, severity, codeOf(message)]),
    messages: problems.map(({ message }) => message),
  };
}

async function rejection(path: string): Promise<CaptiousError> {
  const error: unknown = await openDataset(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CaptiousError && error.kind === 'input');
  return error;
}

/** The files of one sample. */
const pair = (key: string, image = `image of ${key}`): Uint8Array[] => [
  file(`${key}.jpg`, image),
  file(`${key}.txt`, `Caption of ${key}.`),
];

describe('WebDataset shards', () => {
  it('are read as webdataset and datasets read them: ustar, GNU, PAX', async () => {
    for (const [i, samples] of expected.shards.entries()) {
      const { examples, problems } = await readAll(join(oracle, `shard-0000${i}.tar`));
      assert.deepEqual(examples.map(sampleOf), samples);
      assert.deepEqual(problems, []);
    }
    assert.deepEqual(expected.datasets, expected.shards[0]);
  });

  it('are one dataset by a brace pattern; repeated keys are counted, and their images told apart', async () => {
    const path = join(oracle, 'shard-{00000..00004}.tar');
    const { dataset, examples, problems } = await readAll(path);
    const all = expected.shards.flat();
    assert.deepEqual(
      examples.map(({ captions, images }) => [captions[0].text, hashOf(images[0].bytes!)]),
      all.map(({ caption, sha256 }) => [caption, sha256]),
    );
    const counts = problems.map(({ code }) => code).toSorted();
    assert.deepEqual(counts, ['broken-part', 'duplicate-id', 'duplicate-id', 'duplicate-id']);
    assert.equal(examples[8].id, '000000 (entry 9)');
    const inside = await ImagesInside.open(path);
    for (const { images } of [...examples].reverse())
      assert.deepEqual(await inside?.find(images[0].name), images[0].bytes);
    const rest: Example[] = [];
    for await (const example of dataset.after!({ row: 6, nth: 1 })!) rest.push(example);
    assert.deepEqual(
      rest.map(({ row }) => row),
      examples.slice(7).map(({ row }) => row),
    );
    const { format, captions, images } = await inspectDataset(path);
    assert.deepEqual([format, captions, images.distinct, images.inside], ['plain', 16, 16, 16]);
  });

  it('make columns of endings and of the fields of JSON', async () => {
    const { examples } = await reading(
      'columns.tar',
      file('d/1.caption', 'One.\r\nTwo.\n'),
      file('d/1.json', '{"caption": "not this", "url": "u", "n": 3}'),
      file('d/1.webp', 'w'),
      file('d/1.cls', '7'),
    );
    assert.deepEqual(
      examples.map(({ id, captions, images, attributes }) => [
        id,
        captions.map(({ text }) => text),
        images[0].name,
        attributes,
      ]),
      [['d/1', ['One.', 'Two.'], 'd/1.webp', { 'json.caption': 'not this', url: 'u', n: 3 }]],
    );
    const crossed = ['image_0.png', 'image_1.png', 'caption_0.txt', 'caption_1.txt'];
    const path = scratch.write('crossed.tar', archive(...crossed.map((name) => file(`a.${name}`, name))));
    const { dataset, examples: two } = await readAll(path);
    assert.deepEqual([dataset.form, two[0].images.length, two[0].captions.length], ['crossed', 2, 2]);
  });

  it('are recognised by their content', async () => {
    const { kind } = (await openDataset(scratch.write('no-name', archive(...pair('1'))))) as TarDataset;
    assert.equal(kind, 'tar');
    const sources = archive(file('package.json', '{"name": "x"}'), file('logo.png', 'x'));
    await assert.rejects(openDataset(scratch.write('sources.tar', sources)), { kind: 'input' });
  });

  it('leave out entries that cannot be read, and name them', async () => {
    const { ids, problems } = await reading(
      'entries.tar',
      ...pair('1'),
      file('2.jpg', 'x'),
      file('3.jpg', 'x'),
      file('3.json', '{"caption": '),
      ...pair('4'),
      file('4.jpg', 'other'),
      file('__info__', '{}'),
      file('._1.jpg', 'x'),
      ...pair('5'),
    );
    assert.deepEqual(ids, ['1', '5']);
    assert.deepEqual(problems, [
      ['missing-field', 'error', 'dataset.fieldMissing'],
      ['broken-row', 'error', 'dataset.tarSampleBroken'],
      ['broken-row', 'error', 'dataset.tarSampleBroken'],
    ]);
  });
});

describe('hostile tar archives', () => {
  it('count links, devices, sparse files and names that lead outside', async () => {
    const sparse = header('s.jpg', 512, 'S');
    const paxSparse = [pax({ 'GNU.sparse.major': '1' }), file('p.jpg', 'x')];
    const { ids, problems, messages } = await reading(
      'omitted.tar',
      ...pair('1'),
      header('l.jpg', 0, '2'),
      header('h.jpg', 999_999, '1'),
      header('c.jpg', 0, '3'),
      sparse,
      Buffer.alloc(512),
      ...paxSparse,
      file('../up.jpg', 'x'),
      file('/etc/abs.jpg', 'x'),
      file('a/../b.jpg', 'x'),
      ...pair('2'),
    );
    assert.deepEqual(ids, ['1', '2']);
    assert.ok(problems.every(([code, severity]) => code === 'broken-part' && severity === 'warning'));
    assert.deepEqual(
      messages.map((message) => [valuesOf(message)[1], codeOf(valuesOf(message)[2]), valuesOf(message)[3]]),
      [
        ['2', 'dataset.tarLinks', '2048'],
        ['1', 'dataset.tarDevices', '3072'],
        ['2', 'dataset.tarSparse', '3584'],
        ['3', 'dataset.tarOutside', '6656'],
      ],
    );
  });

  it('read the entries before a damaged place, and name its offset', async () => {
    const whole = archive(...pair('1'), ...pair('2'), ...pair('3'));
    const changed = (change: (bytes: Buffer) => Buffer | undefined): Buffer => {
      const bytes = Buffer.from(whole);
      return change(bytes) ?? bytes;
    };
    const cases: [string, Buffer, string, readonly string[], number][] = [
      ['checksum', changed((bytes) => void bytes.write('x', 4096)), 'tarHeaderDamaged', ['1', '2'], 4096],
      ['cut', changed((bytes) => bytes.subarray(0, 4610)), 'tarTruncated', ['1', '2'], 4096],
      ['cut header', changed((bytes) => bytes.subarray(0, 4200)), 'tarTruncated', ['1', '2'], 4096],
      ['too large', mended(whole, 4096, '77777777777'), 'tarTruncated', ['1', '2'], 4096],
      ['negative', mended(whole, 4096, '\xff\xff'), 'tarSizeInvalid', ['1', '2'], 4096],
      [
        'huge',
        mended(whole, 4096, '\x80\xff\xff\xff\xff\xff\xff\xff\xff'),
        'tarSizeInvalid',
        ['1', '2'],
        4096,
      ],
      ['no octal', mended(whole, 4096, '12x'), 'tarSizeInvalid', ['1', '2'], 4096],
      [
        'pax',
        Buffer.concat([...pair('1'), pax({ size: '1e9' }), ...pair('2')]),
        'tarSizeInvalid',
        ['1'],
        2048,
      ],
      [
        'pax record',
        Buffer.concat([...pair('1'), file('x', '99 path=a\n', 'x'), ...pair('2')]),
        'tarExtensionInvalid',
        ['1'],
        2048,
      ],
    ];
    for (const [name, bytes, code, ids, offset] of cases) {
      const { examples, problems } = await readAll(scratch.write(`${name}.tar`, bytes));
      assert.deepEqual(
        examples.map(({ id }) => id),
        ids,
        name,
      );
      const [[part, severity, message]] = problems.map((one) => [one.code, one.severity, one.message]);
      assert.deepEqual([part, severity, codeOf(message)], ['broken-part', 'error', 'dataset.tarRestLeftOut']);
      const [file, count, fault] = valuesOf(message);
      assert.deepEqual([file, count], [`${name}.tar`, String(ids.length)]);
      assert.deepEqual([codeOf(fault), valuesOf(fault)[0]], [`dataset.${code}`, String(offset)], name);
    }
  });

  it('are one error if nothing can be read', async () => {
    const path = scratch.write('first.tar', archive(...pair('1')).subarray(0, 515));
    const { what, at } = await rejection(path);
    assert.deepEqual([codeOf(valuesOf(what)[0]), at], ['dataset.tarTruncated', path]);
    const stream = Buffer.from([255, 255, 255, 255, 120, 0, 0, 0, 16, 0, 0, 0]);
    const arrow = await rejection(scratch.write('data-00000-of-00001.arrow', stream));
    assert.deepEqual(
      [codeOf(valuesOf(arrow.what)[0]), arrow.at?.endsWith('.arrow')],
      ['dataset.arrowTruncated', true],
    );
    const none = await rejection(scratch.write('none.tar', archive(file('a.bin', 'x'))));
    assert.equal(codeOf(none.what), 'dataset.formatUnknown');
  });

  it('are read up to the most files', async () => {
    const path = scratch.write('many.tar', archive(...pair('1'), ...pair('2'), ...pair('3')));
    const reader = await TarReader.open(path);
    const { starts, fault } = await indexOf(reader, undefined, 4);
    await reader.close();
    assert.deepEqual(starts, [0, 2048]);
    assert.deepEqual(valuesOf(fault!), ['4', '4096']);
  });

  it('whose file changes are an error during the reading', async () => {
    const path = scratch.write('change.tar', archive(...pair('1'), ...pair('2')));
    const dataset = await openDataset(path);
    scratch.write('change.tar', archive(...pair('1')).subarray(0, 2048));
    await assert.rejects(async () => {
      for await (const example of dataset.read()) void example;
    }, CaptiousError);
  });
});
