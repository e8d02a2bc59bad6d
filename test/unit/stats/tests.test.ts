import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { atOnce } from '../../../src/base/turns/steps';
import { betweenGroups } from '../../../src/probe/invariance/compare/groups';
import { exactP } from '../../../src/probe/claim';
import { lgip } from '../../../src/probe/lgip/lgip';
import { withRelative } from '../../../src/probe/spread';
import { isDefined } from '../../../src/stats/outcome';
import { mcNemarExact } from '../../../src/stats/proportion';
import { skillingsMack } from '../../../src/stats/rankTests';

interface Oracle {
  words: { blocks: (number | null)[][]; statistic: number; p: number; degrees: number }[];
  groups: { groups: number[][][]; p: number; pairs: [number, number, number][] }[];
  ratios: { value: number; ci: [number, number]; spread: number; error: number; low: number; high: number }[];
  exact: { found: number; images: number; level: number; p: number }[];
  discordant: { first: number; second: number; p: number }[];
}

const oracle = JSON.parse(readFileSync('test/oracle/stats/tests.json', 'utf8')) as Oracle;

function near(found: number | null | undefined, expected: number, what: string): void {
  assert.ok(
    typeof found === 'number' && Math.abs(found - expected) <= 1e-9 * Math.max(1e-3, Math.abs(expected)),
    `${what}: ${found}, expected ${expected}`,
  );
}

describe('tests within a report', () => {
  for (const [i, { blocks, statistic, p, degrees }] of oracle.words.entries())
    it(`of words on the same images: Skillings–Mack with missing words and ties, case ${i + 1}`, () => {
      const test = skillingsMack(blocks.map((block) => block.map((value) => value ?? NaN)));
      assert.ok(isDefined(test));
      near(test.statistic, statistic, 'statistic');
      near(test.pValue, p, 'p');
      assert.equal(test.degrees, degrees);
    });

  for (const [i, { groups, p, pairs }] of oracle.groups.entries())
    it(`of groups of images count an image once, case ${i + 1}`, () => {
      let image = 0;
      const given = groups.map((images, g) => {
        const clusters = images.flatMap((values) => {
          image++;
          return values.map(() => image);
        });
        return { name: `${g}`, values: images.flat(), images: clusters };
      });
      const [whole, ...others] = atOnce(betweenGroups('m', 'group', given));
      near(whole.value, p, 'Kruskal–Wallis');
      assert.equal(others.length, pairs.length);
      for (const [a, b, adjusted] of pairs)
        near(
          others.find(({ slice }) => slice?.group === `${a}` && slice.against === `${b}`)?.value,
          adjusted,
          `${a} and ${b}`,
        );
    });

  for (const [i, { value, ci, spread, error, low, high }] of oracle.ratios.entries())
    it(`the interval of a metric in spreads has both errors (MOVER), case ${i + 1}`, () => {
      const [, found] = withRelative(lgip, [{ id: 'lgip.inv', value, n: 50, ci }], {
        ...{ value: spread, mean: 0, kind: 'image-text', pairs: 200, error },
      });
      near(found.value, value / spread, 'value');
      near(found.ci![0], low, 'low');
      near(found.ci![1], high, 'high');
    });

  for (const { found, images, level, p } of oracle.exact)
    it(`the exact p of ${found} of ${images} at ${level.toPrecision(2)}, SciPy's binomial test`, () =>
      near(exactP({ id: 'share', value: found / images, n: images }, level), p, 'p'));

  it('the exact p is of images, and only where a level is close to 0 or 1', () => {
    const [{ found, images, level, p }] = oracle.exact;
    near(exactP({ id: 'share', value: found / images, n: 3 * images, images }, level), p, 'p');
    assert.equal(exactP({ id: 'share', value: 0.2, n: 100 }, 0.05), 0);
    assert.equal(exactP({ id: 'share', value: null, n: 0 }, 0.05), 0);
  });

  for (const { first, second, p } of oracle.discordant)
    it(`McNemar's exact p of ${first} and ${second} discordant rows`, () =>
      near(mcNemarExact(first, second).pValue, p, 'p'));
});
