import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpora } from '../../texts/corpora';
import { drawSamples, kinds } from '../../texts/samples';
import { needSharedData } from '../dataset/support';

const folder = join(__dirname, '../../texts');

/** For each list, the largest allowed number of texts that at least one reader called bad. */
const mostBad = {
  'same-concept': 5,
  negatives: 5,
  positives: 5,
  flips: 3,
  rewrites: 10,
  relations: 3,
  wordings: 5,
};

describe('generated texts that readers judged', () => {
  before(function () {
    needSharedData(this);
  });

  for (const corpus of corpora)
    for (const kind of corpus === 'further' ? (['rewrites'] as const) : kinds) {
      it(`${kind}, ${corpus}: are the texts that the rules make, and few are bad`, async () => {
        const files = readdirSync(join(folder, corpus)).filter((file) => file.startsWith(`${kind}.`));
        assert.equal(files.length, 1, `expected one list of ${kind}`);
        const lines = readFileSync(join(folder, corpus, files[0]), 'utf8')
          .trimEnd()
          .split('\n')
          .slice(1);
        const rows = lines.map((line) => line.split('\t'));
        const seed = Number(files[0].split('.')[1]);
        const drawn = await drawSamples(kind, corpus, seed, rows.length);
        assert.deepEqual(
          drawn.map(({ how, caption, made }) =>
            [how, caption, made].map((text) => text.replace(/\s+/g, ' ')),
          ),
          rows.map((row) => row.slice(0, 3)),
          'the rules make other texts now: draw a list with a new seed, and have it read',
        );
        const verdicts = rows.map((row) => row.slice(3, 5));
        assert.ok(verdicts.flat().every((verdict) => /^(good|doubtful|bad)$/.test(verdict)));
        const bad = verdicts.filter((both) => both.includes('bad'));
        assert.ok(bad.length <= mostBad[kind], `${bad.length} of ${rows.length} are bad`);
      });
    }
});
