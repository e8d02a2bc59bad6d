import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorKinds } from '../../../../src/perturb/long/kinds';
import { drawLongs } from '../../../texts/longs';
import { needSharedData } from '../../dataset/support';

const seed = 20261211;
const perKind = 60;
/** At most 5 % of a kind. */
const mostBad = 3;

describe('errors in long captions that two readers judged', function () {
  this.timeout(60_000);
  before(function () {
    needSharedData(this);
  });

  it('are the texts that the rules make, and few may be true', async () => {
    const rows = readFileSync(join(__dirname, `../../../texts/long/fitted.${seed}.tsv`), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
    const drawn = await drawLongs(seed, perKind);
    assert.deepEqual(
      drawn.map((one) =>
        [one.kind, one.image, one.change, one.made].map((text) => text.replace(/\s+/g, ' ')),
      ),
      rows.map((row) => row.slice(0, 4)),
      'the rules make other texts now: draw a list with a new seed, and have it read',
    );
    for (const kind of errorKinds) {
      const own = rows.filter((row) => row[0] === kind);
      assert.equal(own.length, perKind, kind);
      assert.ok(own.every((row) => row.slice(4, 6).every((one) => /^(good|doubtful|bad)$/.test(one))));
      const bad = own.filter((row) => row.slice(4, 6).includes('bad')).length;
      assert.ok(bad <= mostBad, `${kind}: ${bad} of ${own.length} may be true`);
    }
  });
});
