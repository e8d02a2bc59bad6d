import assert from 'node:assert/strict';
import { readIds } from '../../../../src/evaluator/embeddings/ids';
import { Lookup } from '../../../../src/evaluator/embeddings/lookup';
import { scratchFolder } from '../../dataset/support';

const cases: [title: string, content: string, rows: Record<string, number | undefined>][] = [
  ['a shuffled pandas column', '{"file": {"1": "b.jpg", "0": "a.jpg"}}', { 'b.jpg': 0, 'a.jpg': 1 }],
  ['a pandas column with gaps', '{"file": {"7": "b.jpg", "3": "a.jpg"}}', { 'b.jpg': 0, 'a.jpg': 1 }],
  ['the same after a byte order mark', '\ufeff{"file": {"7": "b", "3": "a"}}', { b: 0, a: 1 }],
  [
    'numbers above 2^53',
    '[9007199254740993, 9007199254740992, 5]',
    { '9007199254740993': undefined, '9007199254740992': undefined, '5': 2 },
  ],
  [
    'records with numbers above 2^53',
    '{"id": 9007199254740993}\n{"id": 9007199254740992}\n',
    { '9007199254740993': undefined, '9007199254740992': undefined },
  ],
  ['row numbers', '{"b.jpg": 1, "a.jpg": 0}', { 'a.jpg': 0, 'b.jpg': 1 }],
  ['numeric keys with row numbers', '{"10": 0, "9": 1}', { '10': 0, '9': 1 }],
  [
    'names of every object',
    '["constructor", "__proto__"]',
    { constructor: 0, ['__proto__']: 1, valueOf: undefined },
  ],
  ['folders that differ', '["dogs/1.jpg", "cats/1.jpg"]', { 'birds/1.jpg': undefined, 'cats/1.jpg': 1 }],
  ['extensions that differ', '["1.png", "1.jpg"]', { '1.jpg': 1, '1.webp': undefined }],
];

describe('ids of embeddings', () => {
  const { write } = scratchFolder();
  for (const [title, content, rows] of cases)
    it(`lead to their own rows: ${title}`, async () => {
      const ids = await readIds(write('ids.json', content), 'image');
      const vectors = { size: 1, count: ids.length, row: (row: number) => Float32Array.of(row) };
      const lookup = new Lookup('image', ids, vectors as unknown as ConstructorParameters<typeof Lookup>[2]);
      for (const [name, row] of Object.entries(rows)) {
        const found = lookup.image({
          kind: 'image',
          source: { name, path: `/nowhere/${name}` },
          transforms: [],
        });
        assert.equal(found.ok ? found.value[0] : undefined, row, name);
      }
    });
});
