import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import { Random } from '../../../../src/base/random';
import { english } from '../../../../src/base/english';
import { adjustedTogether, isSupported, verdictLevel } from '../../../../src/probe/claimFamily';
import { Cell } from '../../../../src/probe/invariance/cell';
import { contrastMetrics, contrastTests } from '../../../../src/probe/invariance/compare/contrasts';
import { ByFrequency } from '../../../../src/probe/invariance/fairness';
import { invariance } from '../../../../src/probe/invariance/invariance';
import type { Metric } from '../../../../src/probe/metric';
import { skillingsMack } from '../../../../src/stats/rankTests';
import { isDefined } from '../../../../src/stats/outcome';
import { normalQuantile } from '../../../../src/stats/normal';
import { box, drive, example, instancesOf } from './drive';

import { invarianceLayouts } from '../../../../src/report/paper/layouts/invariance';
import { reportOf } from '../../report/reportOf';

/** Words whose scores on image i are `scores[i]`, compared with `against[i]`. */
function group(
  name: string,
  scores: readonly number[],
  against: readonly number[],
  kind = '',
): { name: string; cell: Cell } {
  const cell = new Cell();
  for (const [image, score] of scores.entries())
    cell.add({ image, reference: `${image} ${kind}`, category: 'animal', against: against[image], score });
  return { name, cell };
}

const noise = (seed: string): number[] =>
  Array.from({ length: 40 }, (_, i) =>
    normalQuantile(0.01 + 0.98 * new Random(7, seed, i, 'noise').uniform()),
  );

function contrast(metrics: readonly Metric[], id: string): Metric {
  return metrics.find((metric) => metric.id === `f.${id}` && (id === 'gap' || metric.slice !== undefined))!;
}

describe('words for invisible properties', () => {
  const base = noise('image').map((z) => 2 + z / 5);

  it('are compared on the same images, whatever neutral words score', () => {
    const [a, b] = [noise('a'), noise('b')].map((all) => all.map((z, i) => base[i] + z / 100));
    const lower = base.map((score) => score - 0.1);
    // Today's words of equal effect differ if their neutral words do; a common baseline has one.
    const same = atOnce(contrastMetrics('f', [group('Asian', a, lower), group('African', b, lower)], true));
    assert.ok(contrast(same, 'between').value! > 0.05);
    assert.ok(contrast(same, 'gap').value! < 0.5);
    const planted = atOnce(
      contrastMetrics(
        'f',
        [
          group('Asian', a, base),
          group(
            'African',
            b.map((x) => x - 0.02),
            base,
          ),
        ],
        true,
      ),
    );
    assert.ok(contrast(planted, 'between').value! < 1e-4);
    assert.match(
      english(contrast(planted, 'gap').note!),
      /^From African to Asian, on the 40 images that have both words/,
    );
  });

  it('are compared only with words in the same place of the sentence', () => {
    const words = ['boy', 'girl'].map((name) => group(name, base, base, 'noun'));
    const metrics = atOnce(
      contrastMetrics(
        'f',
        [
          group(
            'male',
            base.map((x) => x + 0.1),
            base,
            'adjective',
          ),
          ...words,
        ],
        true,
      ),
    );
    assert.deepEqual(
      metrics.filter(({ id, slice }) => id === 'f.between' && slice !== undefined).map(({ slice }) => slice),
      [{ variant: 'boy', against: 'girl' }],
    );
  });

  it('share one baseline per image', () => {
    const people = Array.from({ length: 6 }, (_, i) => `p${i}`);
    const boxes = Object.fromEntries(people.map((id) => [id, [box('person', 20, 10, 40, 50)]]));
    const { rows } = drive(
      people.map((id) => example(id)),
      instancesOf(boxes),
      { options: { spatial: false } },
    );
    const used = rows.map(({ variants }) => {
      const adjectives = variants.filter(
        ({ family, text }) =>
          family !== 'neutral' && !/There is an? (boy|girl|immigrant|citizen|refugee|tourist)/.test(text!),
      );
      assert.ok(adjectives.length > 10);
      const texts = new Set(adjectives.map(({ againstText }) => againstText));
      assert.equal(texts.size, 1);
      return [...texts][0];
    });
    assert.ok(new Set(used).size > 1, 'no single neutral word decides');
  });

  it('have the test of SciPy if every image has every word', () => {
    // scipy.stats.friedmanchisquare on the columns.
    const blocks = [
      [1.2, 3.4, 2.2, 5.1],
      [0.3, 1.9, 2.8, 2.5],
      [4.4, 4.1, 5.9, 6.3],
      [2.0, 1.1, 3.3, 3.9],
      [0.9, 2.6, 1.4, 3.0],
      [3.1, 2.7, 4.5, 4.0],
    ];
    const test = skillingsMack(blocks);
    assert.ok(isDefined(test));
    assert.ok(Math.abs(test.statistic - 11.0) < 1e-9);
    assert.ok(Math.abs(test.pValue - 0.0117258755784214) < 1e-12);
  });

  it('get a verdict only from a test at the adjusted level', () => {
    const word = (name: string, p: number): Metric[] => [
      { id: `invariance.societal.cultural.${name}.median`, value: 2, n: 50, ci: [0.5, 3] },
      { id: `invariance.societal.cultural.${name}.p`, value: p, n: 50 },
    ];
    const claims = (metrics: Metric[]) => invariance.claims(metrics).map(({ text }) => english(text));
    assert.deepEqual(claims([...word('Asian', 0.03), ...word('African', 0.2)]), []);
    assert.deepEqual(claims([...word('Asian', 0.003), ...word('African', 0.2)]), [
      'The word "Asian" in place of a neutral word raises the score by 0.5 to 3.0 % at the median.',
    ]);
    const each: Metric = {
      ...{ id: 'invariance.societal.cultural.Asian.p', value: 0.003, n: 50 },
      slice: { against: 'each neutral word' },
    };
    const differ: Metric = { id: 'invariance.societal.neutral.between', value: 0.001, n: 50, images: 50 };
    assert.ok(
      claims([...word('Asian', 0.003), each, differ]).includes(
        'The word "Asian" in place of a neutral word raises the score.',
      ),
      'the size depends on the neutral word',
    );
    const flip: Metric[] = [
      { id: 'invariance.spatial.hflip.median', value: -2, n: 50, ci: [-3, -0.5] },
      { id: 'invariance.spatial.hflip.p', value: 0.076, n: 50 },
    ];
    assert.deepEqual(claims(flip), []);
  });

  it('get about one wrong verdict in 20 per family, or fewer, from scorers without an effect', () => {
    // 8 of 100 or fewer have a probability of 94 % if one in 20 is wrong.
    const families = [7, 4, 3].map((words) => {
      let wrong = 0;
      for (let scorer = 0; scorer < 100; scorer++) {
        const own = (word: string): number[] =>
          noise(`${scorer} ${words} ${word}`).map((z, i) => base[i] + z / 20);
        const neutral = own('neutral');
        const groups = Array.from({ length: words }, (_, w) => group(String(w), own(String(w)), neutral));
        const alone = groups.map(({ cell }) => ({ pValue: atOnce(cell.test('')).value! }));
        const pairs = atOnce(contrastTests(groups)).pairs.map((pValue) => ({ pValue }));
        if ([alone, pairs].some((set) => adjustedTogether(set, verdictLevel / 2).some(isSupported))) wrong++;
      }
      return wrong;
    });
    assert.ok(
      families.every((wrong) => wrong <= 8),
      families.join(),
    );
  });

  it('have a gap in percentage points, whatever the unit of the score', async () => {
    const gapOf = (unit: number) =>
      contrast(
        atOnce(
          contrastMetrics(
            'f',
            [group('a', [0.55 * unit], [0.5 * unit]), group('b', [0.4 * unit], [0.5 * unit])],
            true,
          ),
        ),
        'gap',
      ).value!;
    for (const unit of [1, 100, 2.5]) assert.ok(Math.abs(gapOf(unit) - 30) < 1e-9);
    const metrics = [{ id: 'invariance.societal.gender.gap', value: gapOf(1), n: 2 }];
    const report = reportOf({ probe: 'invariance', metrics });
    const named = { path: 'r.json', evaluator: 'Tiny', dataset: 'coco' };
    const refuse = () => Promise.reject(new Error('the card reads no rows'));
    const entry = { ...named, report, shares: refuse, inTurns: refuse };
    const card = invarianceLayouts.find(({ id }) => id === 'invariance.fairness')!;
    assert.match(
      (await card.build([entry])).caption,
      /largest difference between two words \(percentage points\)/,
    );
  });

  it('are sliced by how often captions have them', () => {
    const frequencies = new ByFrequency();
    const shift = { against: 0.5, image: 0, reference: 'r', category: 'animal' };
    for (const [word, score] of [
      ['girl', 0.6],
      ['boy', 0.7],
      ['American', 0.4],
      ['Oceanian', 0.25],
    ] as const)
      frequencies.add(word, { ...shift, score });
    const medians = atOnce(frequencies.metrics()).filter(({ id }) => id === 'invariance.societal.median');
    assert.deepEqual(
      medians.map(({ slice, n }) => [slice?.frequency, n]),
      [
        ['under 4', 1],
        ['4 to 39', 1],
        ['40 or more', 2],
      ],
    );
    assert.equal(medians[0].value, -50);
  });
});
