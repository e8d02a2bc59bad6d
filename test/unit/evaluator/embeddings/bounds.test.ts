import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { CaptiousError } from '../../../../src/base/errors';
import { type Code, findSaid, type Said, say } from '../../../../src/base/say';
import { readIds } from '../../../../src/evaluator/embeddings/ids';
import { readTable } from '../../../../src/evaluator/embeddings/vectors';
import { FrameReader, framed } from '../../../../src/evaluator/python/frames';
import { cleanUp, scratch } from '../fixtures';

function npy(type: string, shape: string, data: Uint8Array, header?: string): Buffer {
  const said = header ?? `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape}), }\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(said.length);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(said), data]);
}

interface Entry {
  name: string;
  content: Buffer;
  /** The unpacked size that the archive's directory states. */
  unpacked?: number;
  /** The offset that the archive's directory states. */
  header?: number;
}

/** A content that several entries share is packed once, because one archive has gigabytes of them. */
function packedOnce(): (content: Buffer) => { packed: Buffer; sum: number } {
  const known = new Map<Buffer, { packed: Buffer; sum: number }>();
  return (content) => {
    const one = known.get(content) ?? { packed: deflateRawSync(content), sum: crc32(content) };
    known.set(content, one);
    return one;
  };
}

function zip(entries: readonly Entry[]): Buffer {
  const pack = packedOnce();
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, content, unpacked, header } of entries) {
    const { packed, sum } = pack(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(name.length, 26);
    const file = Buffer.concat([local, Buffer.from(name), packed]);
    const one = Buffer.alloc(46);
    one.writeUInt32LE(0x02014b50);
    one.writeUInt16LE(8, 10);
    one.writeUInt32LE(sum, 16);
    one.writeUInt32LE(packed.length, 20);
    one.writeUInt32LE(unpacked ?? content.length, 24);
    one.writeUInt16LE(name.length, 28);
    one.writeUInt32LE(header ?? at, 42);
    list.push(Buffer.concat([one, Buffer.from(name)]));
    if (header === undefined) files.push(file);
    at += header === undefined ? file.length : 0;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, ...list, end]);
}

const zeros = Buffer.alloc(64 << 20);
const few = zeros.subarray(0, 64 << 10);
const vectors = npy('<f4', '2, 3', new Uint8Array(24));
const bomb = npy('<f4', '2, 3', new Uint8Array(1 << 20));

describe('hostile embeddings files', () => {
  afterEach(cleanUp);

  function put(name: string, content: string | Buffer): string {
    const path = join(scratch(), name);
    writeFileSync(path, content);
    return path;
  }

  /** `why`: the problem, or of a reason that is Node's, the code of the problem. */
  async function refused(read: Promise<unknown>, why: Said | Code): Promise<void> {
    const error = await read.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof CaptiousError, String(error));
    if (typeof why === 'string') assert.ok(findSaid(error.what, why), error.message);
    else assert.deepEqual(error.what, why);
  }

  const npyProblem = (reason: Said): Said => say('embeddings.vectorsUnreadable', 'x.npy', reason);
  const npzProblem = (reason: Said): Said => say('embeddings.vectorsUnreadable', 'x.npz', reason);
  const idsProblem = (reason: Said): Said => say('embeddings.idsUnreadable', 'ids.json', reason);

  const tables: Record<string, [Buffer, Said | Code]> = {
    'negative sizes': [
      npy('<f4', '-2, 3', new Uint8Array(24)),
      npyProblem(say('embeddings.npyHeaderUnreadable')),
    ],
    'sizes beyond any number': [
      npy('<f4', `${'9'.repeat(400)}, 3`, new Uint8Array(24)),
      npyProblem(say('embeddings.npyShapeTooLarge')),
    ],
    'more rows than bytes': [
      npy('<f4', '1000000000000, 3', new Uint8Array(24)),
      npyProblem(say('dataset.fileTruncated')),
    ],
    'rows of nothing': [
      npy('<f4', '1000000000000, 0', new Uint8Array(24)),
      npyProblem(say('embeddings.rowsWithoutNumbers')),
    ],
    'three axes': [npy('<f4', '2, 3, 1', new Uint8Array(24)), npyProblem(say('embeddings.npyAxesNotTwo', 3))],
    'Python objects': [
      npy('|O', '2, 3', Buffer.from('cos\nsystem\n(S"id"\ntR.')),
      npyProblem(say('embeddings.npyTypeNotFloat', '|O')),
    ],
    'complex numbers': [
      npy('<c8', '2, 3', new Uint8Array(48)),
      npyProblem(say('embeddings.npyTypeNotFloat', '<c8')),
    ],
    'a header of 4 GB': [
      Buffer.concat([Buffer.from('\x93NUMPY\x02\x00\xff\xff\xff\xff', 'latin1'), vectors.subarray(10)]),
      npyProblem(say('embeddings.npyHeaderTooLong')),
    ],
    'structured entries': [
      npy(
        '',
        '',
        new Uint8Array(24),
        `{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }\n`,
      ),
      npyProblem(say('embeddings.npyHeaderUnreadable')),
    ],
    'a bomb under an honest size': [
      zip([{ name: 'a.npy', content: bomb, unpacked: vectors.length }]),
      'embeddings.vectorsUnreadable',
    ],
    'a size that its bytes cannot have': [
      zip([{ name: 'a.npy', content: vectors, unpacked: 1 << 30 }]),
      npzProblem(say('embeddings.npzSizeImplausible', 'a', 2 ** 30, 72)),
    ],
    'entries that overlap': [
      zip([
        { name: 'a.npy', content: Buffer.concat([vectors, zeros]) },
        ...Array.from({ length: 5000 }, (_, i) => ({
          name: `b${i}.npy`,
          content: few,
          unpacked: 60_000,
          header: 0,
        })),
        ...Array.from({ length: 40 }, (_, i) => ({
          name: `c${i}.npy`,
          content: zeros,
          header: 0,
        })),
      ]),
      npzProblem(say('embeddings.npzUnpackedTooLarge', 2047)),
    ],
    'arrays of texts only': [
      zip([{ name: 'names.npy', content: npy('<U1', '1', Buffer.from('a\0\0\0')) }]),
      npzProblem(say('embeddings.noFittingArray', 'names')),
    ],
    'a list that is damaged': [
      zip([
        { name: 'a.npy', content: vectors },
        { name: 'b.npy', content: vectors, header: 0xfffffff0 },
      ]),
      npzProblem(say('embeddings.npzArrayDamaged', 'b')),
    ],
  };
  for (const [what, [content, why]] of Object.entries(tables))
    it(`are rejected with the reason: ${what}`, async function () {
      this.timeout(60_000);
      await refused(
        readTable([put(content.includes('NUMPY') ? 'x.npy' : 'x.npz', content)], undefined, 'text'),
        why,
      );
    });

  it('are read even if their array names look like paths', async () => {
    for (const name of ['../../x.npy', '/etc/x.npy', '__proto__.npy', 'C:\\x.npy', '\0.npy']) {
      const path = put('x.npz', zip([{ name, content: vectors }]));
      assert.equal((await readTable([path], undefined, 'text')).vectors.count, 2, name);
    }
  });

  const ids: Record<string, [Buffer | string, Said]> = {
    'empty texts without end': [
      npy('<U0', '4000000000', new Uint8Array(8)),
      idsProblem(say('embeddings.npyEntriesEmpty')),
    ],
    'more texts than bytes': [
      npy('<U2', '4000000000', new Uint8Array(8)),
      idsProblem(say('dataset.fileTruncated')),
    ],
    'numbers of three bytes': [
      npy('<i3', '2', new Uint8Array(6)),
      idsProblem(say('embeddings.numberTypeUnsupported', '<i3')),
    ],
    'Python objects': [
      npy('|O', '2', Buffer.from('cos\nsystem\n(S"id"\ntR.')),
      idsProblem(say('embeddings.pythonObjects')),
    ],
    'a text that is not Unicode': [
      npy('<U1', '1', Buffer.from([0xff, 0xff, 0xff, 0x7f])),
      idsProblem(say('embeddings.npyTextNotUnicode')),
    ],
    'line ends without end': [
      '\n'.repeat((1 << 25) + 2),
      idsProblem(say('embeddings.idLinesTooMany', 2 ** 25)),
    ],
    'lists without end': [`[${'[],'.repeat(1 << 25)}[]]`, say('base.jsonTooManyParts', 2 ** 25)],
    'nested without end': [`${'['.repeat(1_000_000)}`, say('base.jsonTooDeep', 16)],
    'rows far away': ['{"a": 4294967294, "b": -1}', idsProblem(say('embeddings.idKeyMissing', 'a, b'))],
    'under one of many other keys': [
      JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, []]))),
      idsProblem(
        say('embeddings.idKeyMissing', `${Array.from({ length: 20 }, (_, i) => `k${i}`).join(', ')}, …`),
      ),
    ],
  };
  for (const [what, [content, why]] of Object.entries(ids))
    it(`are rejected with the reason: ids that are ${what}`, async function () {
      this.timeout(60_000);
      await refused(readIds(put('ids.json', content), 'text'), why);
    });

  it('do not change a prototype', async () => {
    const path = put(
      'ids.json',
      '[{"__proto__": {"text": "evil"}, "text": "a"}, {"constructor": 1, "text": "b"}]',
    );
    assert.equal((await readIds(path, 'text')).length, 2);
    assert.equal(({} as Record<string, unknown>).text, undefined);
  });
});

describe('frames of a Python process', () => {
  const frame = (header: string | Buffer, blobs = Buffer.alloc(0), length?: number): Buffer => {
    const bytes = Buffer.from(header);
    const prefix = Buffer.from('CPT1\0\0\0\0', 'latin1');
    prefix.writeUInt32LE(length ?? bytes.length, 4);
    return Buffer.concat([prefix, bytes, blobs]);
  };
  const wrong: Record<string, Buffer> = {
    'another mark': Buffer.from('HTTP/1.1 200 OK\r\n'),
    'a header of 4 GB': frame('{}', undefined, 0xffffffff),
    'no JSON': frame('{"message": 1, "blobs": [1'),
    'no object': frame('7'),
    nothing: frame('null'),
    'no sizes': frame('{"message": 1}'),
    'a negative size': frame('{"message": 1, "blobs": [-8]}'),
    'a size that is no number': frame('{"message": 1, "blobs": ["8"]}'),
    'sizes of 8 GB': frame(
      `{"message": 1, "blobs": [${Array(8)
        .fill(2 ** 30)
        .join()}]}`,
    ),
    'half a size': frame('{"message": 1, "blobs": [0.5]}'),
    'a blob that is not there': frame('{"message": {"$blob": 3}, "blobs": [0]}'),
    'a blob by another name': frame('{"message": {"$blob": "__proto__"}, "blobs": [0]}'),
    'nested without end': frame(`{"message": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "blobs": []}`),
    'lists without end': frame(`{"message": [${'[],'.repeat(5_000_000)}[]], "blobs": []}`),
  };
  for (const [what, bytes] of Object.entries(wrong))
    it(`are rejected with an actionable error: ${what}`, () => {
      assert.throws(
        () => new FrameReader(() => assert.fail('it was taken')).add(bytes),
        (error) => error instanceof CaptiousError,
      );
    });

  it('arrive whole for any chunking', () => {
    const message = { type: 'answer', values: new Uint8Array([1, 2, 3]), __proto__: null };
    const bytes = Buffer.concat([...framed(message), ...framed({ type: 'told', words: 'ü' })]);
    for (const size of [1, 3, 7, bytes.length]) {
      const got: unknown[] = [];
      const reader = new FrameReader((one) => got.push(one));
      for (let at = 0; at < bytes.length; at += size) reader.add(bytes.subarray(at, at + size));
      assert.deepEqual(JSON.parse(JSON.stringify(got)), [
        { type: 'answer', values: { type: 'Buffer', data: [1, 2, 3] } },
        { type: 'told', words: 'ü' },
      ]);
    }
  });
});
