import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { atOnce } from '../../../src/base/turns/steps';
import { betweenGroups } from '../../../src/probe/invariance/compare/groups';
import { lgip } from '../../../src/probe/lgip/lgip';
import { withRelative } from '../../../src/probe/spread';
import { isDefined } from '../../../src/stats/outcome';
import { mcNemarExact } from '../../../src/stats/proportion';
import { skillingsMack } from '../../../src/stats/rankTests';

interface Oracle {
  words: { blocks: (number | null)[][]; statistic: number; p: number; degrees: number }[];
  groups: { groups: number[][][]; p: number; pairs: [number, number, number][] }[];
  ratios: { value: number; ci: [number, number]; spread: number; error: number; low: number; high: number }[];
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
      let photo = 0;
      const given = groups.map((images, g) => {
        const photos = images.flatMap((values) => {
          photo++;
          return values.map(() => photo);
        });
        return { name: `${g}`, values: images.flat(), photos };
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

  for (const { first, second, p } of oracle.discordant)
    it(`McNemar's exact p of ${first} and ${second} discordant rows`, () =>
      near(mcNemarExact(first, second).pValue, p, 'p'));
});
