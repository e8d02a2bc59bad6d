import assert from 'node:assert/strict';
import { agreementOf, medianDirections } from '../../../../src/probe/invariance/agreement';
import { box, drive, example, instancesOf, madeUpScore } from './drive';

const ids = Array.from({ length: 9 }, (_, i) => `p${i}`);
const instances = instancesOf(Object.fromEntries(ids.map((id) => [id, [box('dog', 40, 30, 14, 12)]])));

/** A vertical flip adds `flip` to scores. Mirroring adds `mirror` in even images, and subtracts it in odd ones. */
const rowsOf = (flip: number, mirror: number, names = ids) =>
  drive(
    names.map((id) => example(id)),
    instances,
    {
      options: { societal: false },
      score: (want) => {
        const { left } = want;
        const op = left.kind === 'image' ? left.transforms[0]?.op : undefined;
        const plain = { ...want, left: { ...left, transforms: [] } } as typeof want;
        const even = left.kind === 'image' && /[02468]\.jpg$/.test(left.source.name);
        return madeUpScore(plain) + (op === 'vflip' ? flip : op === 'hflip' ? (even ? mirror : -mirror) : 0);
      },
    },
  ).rows;

describe('agreement of two audits', () => {
  it('reports the share of shifts with the sign of the baseline’s median', () => {
    const { directions, scores } = agreementOf(rowsOf(0.1, 0.1), rowsOf(0.2, 0.1));
    const of = (family: string) => directions.find((one) => one.family === family);
    assert.deepEqual(of('vflip'), { family: 'vflip', n: 9, value: 1, zeros: 0 });
    assert.deepEqual(of('hflip'), { family: 'hflip', n: 9, value: 5 / 9, zeros: 0 });
    assert.equal(of('blur'), undefined, 'what does not move goes no way');
    assert.deepEqual(scores, { n: 9, spearman: 1, kendall: 1 });
    assert.equal(
      agreementOf(rowsOf(0.1, 0.1), rowsOf(-0.2, 0.1)).directions.find((one) => one.family === 'vflip')
        ?.value,
      0,
    );
  });

  it('reports the median over several datasets compared with one baseline', () => {
    const base = rowsOf(0.1, 0.1);
    const all = [rowsOf(0.2, 0.1), rowsOf(0.2, -0.1), rowsOf(-0.2, 0.1)].map((rows) =>
      agreementOf(base, rows),
    );
    const overall = medianDirections(all);
    assert.deepEqual(
      overall.find(({ family }) => family === 'vflip'),
      { family: 'vflip', audits: 3, value: 1 },
    );
    const shares = all.map(
      ({ directions }) => directions.find(({ family }) => family === 'hflip')?.value ?? NaN,
    );
    assert.equal(overall.find(({ family }) => family === 'hflip')?.value, shares.sort((a, b) => a - b)[1]);
  });

  it('correlates no scores without common captions', () => {
    const [some, others] = [ids.slice(0, 4), ids.slice(4)];
    const { scores, directions } = agreementOf(rowsOf(0.1, 0, some), rowsOf(0.1, 0, others));
    assert.equal(scores, undefined);
    assert.equal(directions.find((one) => one.family === 'vflip')?.value, 1);
  });
});
