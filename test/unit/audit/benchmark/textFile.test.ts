import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { textModelOf } from '../../../../src/audit/benchmark/textFile';
import type { CaptiousError } from '../../../../src/base/errors';
import type { Said } from '../../../../src/base/say';
import { scratchFolder } from '../../dataset/support';
import type { Item } from '../../../../src/probe/benchmark/items';

const scratch = scratchFolder();
const { signal } = new AbortController();
const items: Item[] = [
  {
    example: '1',
    row: 0,
    observation: '1',
    captions: ['a dog runs', 'a dog sits'],
    right: 0,
    isList: true,
    tags: {},
  },
];

describe('the text file of a language model', () => {
  it('has a sentence in each line, in UTF-8 or UTF-16, in parts of any size', async () => {
    const text = Array.from({ length: 40_000 }, (_, i) => `a dög runs ${i}`).join('\r\n');
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    const scores: number[] = [];
    for (const [name, content] of [
      ['utf8.txt', text],
      ['utf16.txt', utf16],
    ] as const) {
      const model = await textModelOf(scratch.write(name, content), items, signal);
      assert.equal(model.sentences, 40_000);
      scores.push(model.scoreOf()('a dog runs', 0));
    }
    assert.equal(scores[0], scores[1]);
  });

  it('may be one long line, of which only the start counts', async () => {
    const model = await textModelOf(scratch.write('line.txt', 'a dog runs '.repeat(200_000)), items, signal);
    assert.equal(model.sentences, 1);
  });

  for (const [name, content, code] of [
    ['empty.txt', '', 'benchmark.textEmpty'],
    ['signs.txt', '…\n\n!\n', 'benchmark.textEmpty'],
    ['packed.gz', gzipSync('a dog runs\n'.repeat(100)), 'benchmark.notText'],
    ['zeros.bin', Buffer.concat([Buffer.from('a dog\n'), Buffer.alloc(20)]), 'benchmark.notText'],
  ] as const)
    it(`is rejected, and named: ${name}`, async () => {
      const path = scratch.write(name, content);
      await assert.rejects(textModelOf(path, items, signal), (error: CaptiousError) => {
        assert.deepEqual([(error.what as Said).code, error.at], [code, path]);
        return true;
      });
    });
});
