import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, cleanUp, openPath, valueOf } from './fixtures';

const fetched = join(__dirname, '..', '..', '..', '.cache', 'models');

const subjects = ['man', 'woman', 'dog', 'cat', 'bird', 'child', 'horse', 'train'];
const verbs = ['sees', 'holds', 'follows', 'leaves'];
const objects = ['house', 'street', 'table', 'river'];
/** 128 sentences with the same number of tokens: every word is one token. */
const texts = subjects.flatMap((s) =>
  verbs.flatMap((v) => objects.map((o) => `A ${s} ${v} the old ${o} near a small town.`)),
);

for (const name of ['all-MiniLM-L6-v2', 'gte-small']) {
  describe(`bit-identity of ${name}`, function () {
    this.timeout(120_000);
    before(function () {
      if (existsSync(join(fetched, name))) return;
      console.log(`      ${name} was not fetched (npm run test:papers fetches it)`);
      this.skip();
    });
    after(cleanUp);

    it('holds for batches of 1 to 128, any position, and one or two threads', async () => {
      const expected = new Map<string, string>();
      for (const threads of [1, 2]) {
        const evaluator = await openPath(join(fetched, name), { threads, engine: { processes: 1 } });
        const sizes = await evaluator.measureTexts!(texts);
        assert.equal(new Set(sizes.map(({ tokens }) => tokens)).size, 1);
        // All texts in one batch, then some in small batches and in reverse order.
        const some = texts.slice(100, 112).reverse();
        for (const [list, batch] of [
          [texts, 128],
          [some, 1],
          [some, 2],
          [some, 5],
        ] as const) {
          for (let from = 0; from < list.length; from += batch) {
            const part = list.slice(from, from + batch);
            (await evaluator.embedTexts!(part)).forEach((row, i) => {
              const bits = bytesOf(valueOf(row));
              assert.equal(
                bits,
                expected.get(part[i]) ?? bits,
                `${threads} threads, batches of ${batch}: ${part[i]}`,
              );
              expected.set(part[i], bits);
            });
          }
        }
      }
      assert.equal(new Set(expected.values()).size, texts.length);
    });
  });
}
