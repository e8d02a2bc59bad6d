import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ShapeError } from '../../../src/base/shape';
import { readIds } from '../../../src/evaluator/embeddings/ids';
import { Lookup } from '../../../src/evaluator/embeddings/lookup';
import { npyOf } from '../../../src/evaluator/embeddings/numpy';
import { readTable } from '../../../src/evaluator/embeddings/vectors';
import { FrameReader, framed } from '../../../src/evaluator/python/frames';
import { SecretGuard } from '../../../src/evaluator/secret';
import { pythonRequests, toldByPython } from '../../../src/protocol/python';
import { altered, mutated } from './mutate';
import { readFileSync } from 'node:fs';
import { orToldApart, type Target } from './target';

const fixtures = join('test', 'fixtures', 'embeddings');
const arrays = () => [
  Buffer.concat([...npyOf([Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6)])]),
  ...['several.npz', 'packed.npz'].map((name) => readFileSync(join(fixtures, name))),
];
const idSeeds = [
  '["a.jpg", "b.jpg"]',
  '{"a.jpg": 0, "b.jpg": 1}',
  '{"image_id": [1, 2], "caption": ["a", "b"]}',
  '{"file_name": "a.jpg"}\n{"file_name": "b.jpg", "transforms": []}\n',
  'a cat\na dog\r\n',
].map((text) => Buffer.from(text));

const embeddings: Target = {
  name: 'embeddings made elsewhere',
  share: 0.04,
  property: (folder) => {
    const [vectors, ids] = [join(folder, 'vectors'), join(folder, 'ids')];
    return fc.asyncProperty(
      mutated(arrays()),
      mutated([...idSeeds, ...arrays()]),
      fc.constantFrom('image' as const, 'text' as const),
      async (numbers, names, side) => {
        writeFileSync(vectors, numbers);
        writeFileSync(ids, names);
        await orToldApart(async () => {
          const { vectors: rows } = await readTable([vectors], undefined, side);
          assert.ok(rows.count * rows.dimension <= 8 * numbers.length + (1 << 20));
          for (const at of [0, rows.count - 1].filter((at) => at >= 0 && at < rows.count))
            assert.equal(rows.row(at).length, rows.dimension);
        });
        await orToldApart(async () => {
          const row = Float32Array.of(1);
          const found = await readIds(ids, side);
          const one = { count: found.length, dimension: 1, type: 'float32', row: () => row };
          const lookup = new Lookup(side, found, one);
          const outcome = side === 'text' ? lookup.text('a cat') : undefined;
          assert.ok(outcome === undefined || outcome.ok || outcome.problem !== '');
        });
        assert.equal(({} as Record<string, unknown>).caption, undefined, 'a prototype was changed');
      },
    );
  },
};

const answers: unknown[] = [
  {
    type: 'answer',
    id: 1,
    answer: { dimension: 2, values: Buffer.alloc(16), problems: [null], sources: {} },
  },
  { type: 'answer', id: 2, answer: { scores: Buffer.alloc(8), problems: ['x'], dtype: null, halved: {} } },
  { type: 'told', words: 'importing torch' },
  { type: 'fail', id: 3, failure: { message: 'x', kind: 'evaluator' } },
];

/** A Python process's altered output, in chunks of one random length. */
const frames: Target = {
  name: 'frames of Python',
  share: 0.06,
  property: () => {
    const sound = answers.map((answer) => Buffer.concat(framed(answer)));
    const headers = altered(answers.map((message) => ({ message, blobs: [0, 8] }))).map((value) => {
      const header = Buffer.from(JSON.stringify(value) ?? 'null');
      const prefix = Buffer.from('CPT1\0\0\0\0', 'latin1');
      prefix.writeUInt32LE(header.length, 4);
      return Buffer.concat([prefix, header, Buffer.alloc(8)]);
    });
    return fc.asyncProperty(
      fc.oneof(mutated(sound), headers),
      fc.integer({ min: 1, max: 64 }),
      (bytes, size) =>
        orToldApart(() => {
          const reader = new FrameReader(checkShapes);
          for (let at = 0; at < bytes.length; at += size) reader.add(bytes.subarray(at, at + size));
        }),
    );
  },
};

/** Checks that each shape accepts the message or throws a ShapeError. */
function checkShapes(message: unknown): void {
  const shapes = [toldByPython, ...Object.values(pythonRequests).map(({ answer }) => answer)];
  for (const shape of shapes)
    try {
      shape(message, '');
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
    }
}

const encoders: readonly ((text: string) => string)[] = [
  encodeURIComponent,
  (text) => JSON.stringify(text),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => Buffer.from(text).toString('hex'),
  (text) => text.replace(/[^]/g, (one) => `&#${one.charCodeAt(0)};`),
  (text) => text.replace(/[^]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (text) => text.replace(/(.{7})/g, '$1\r\n'),
  (text) => [...text].reverse().join(''),
];

/** A text must be withheld if it contains twelve successive characters of a key, encoded up to twice. */
const keys: Target = {
  name: 'keys that servers repeat',
  share: 0.03,
  property: () => {
    const letter = fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789-_');
    const key = fc.string({ unit: letter, minLength: 40, maxLength: 60 });
    const encoder = fc.constantFrom(...encoders);
    return fc.asyncProperty(
      key,
      fc.nat(28),
      fc.array(encoder, { maxLength: 2 }),
      fc.string({ unit: 'binary' }),
      fc.string(),
      (secret, from, list, before, after) =>
        orToldApart(() => {
          const part = list.reduce((text, encode) => encode(text), secret.slice(from, from + 12));
          const said = new SecretGuard(secret).hide(`${before} ${part} ${after}`);
          assert.match(said, /^\[withheld: /);
        }),
    );
  },
};

export const embeddingTargets: readonly Target[] = [embeddings, frames, keys];
