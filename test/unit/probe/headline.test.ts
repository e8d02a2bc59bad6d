import assert from 'node:assert/strict';
import { english } from '../../../src/base/english';
import { figureOf, headlineOf } from '../../../src/probe/headline';
import type { Metric } from '../../../src/probe/metric';
import { viewFor } from '../../../src/probe/views';
import { inARow, say } from '../../../src/base/say';
import { sentence } from '../../sentence';

const rate = (id: string, value: number, low: number, high: number, n = 60): Metric => ({
  ...{ id, value, n },
  ci: [low, high],
});
const said = (probe: string, metrics: readonly Metric[], slices = true) =>
  english(headlineOf(viewFor(probe), 'Starter', { metrics, claims: [] }, { slices }) ?? '');

const flips = [
  rate('lgip.pr', 0.7, 0.59, 0.79),
  rate('lgip.pr.object', 0.9, 0.8, 0.97),
  rate('lgip.pr.color', 0.45, 0.41, 0.49),
  rate('lgip.pr.number', 0.68, 0.46, 0.83, 24),
];

const objects = sentence('lgip.headlineObjects');
const colours = sentence('lgip.headlineColours');
const numbers = sentence('lgip.headlineNumbers');

describe('the verdict in one sentence', () => {
  it('puts evaluator and number first, with interval and slices', () => {
    assert.equal(
      said('lgip', flips),
      sentence(
        'base.labelledPart',
        `${sentence('lgip.caughtHeadline', 'Starter', '70 %')} [59–79]`,
        `${objects} 90 %; ${colours} 45 % [41–49], ${sentence('probe.belowChance')}; ` +
          `${numbers} 68 % [46–83], ${sentence('probe.notFromChanceNeeds', '24', '74')}`,
      ),
    );
    assert.equal(said('lgip', flips, false), `${sentence('lgip.caughtHeadline', 'Starter', '70 %')} [59–79]`);
    assert.deepEqual(
      figureOf(viewFor('lgip'), { metrics: flips, claims: [] }),
      inARow([say('lgip.caughtShare', '70 %'), '[59–79]'], ' '),
    );
  });

  it('has no numbers of slices with too few images, and says once that they have no verdict', () => {
    const few = [
      rate('lgip.pr', 0.72, 0.56, 0.86),
      rate('lgip.pr.object', 0.79, 0.3, 1, 14),
      rate('lgip.pr.color', 0.52, 0.31, 0.77),
      rate('lgip.pr.number', 0.81, 0.56, 0.96, 14),
    ];
    const main = `${sentence('lgip.caughtHeadline', 'Starter', '72 %')} [56–86]`;
    const without = (...names: string[]) =>
      sentence('probe.nameWithDetail', sentence('probe.tooLittleData'), names.join(', '));
    assert.equal(
      said('lgip', few),
      sentence(
        'base.labelledPart',
        main,
        `${colours} 52 % [31–77], ${sentence('probe.notFromChanceNeeds', '60', '14,000')}; ` +
          without(objects, numbers),
      ),
    );
    // After a colon, the missing verdict would seem to explain the main number.
    const [whole, object] = few;
    assert.equal(said('lgip', [whole, object]), `${main}; ${without(objects)}`);
  });

  it('says so if the main number cannot be told from chance', () => {
    assert.equal(
      said('visla', [rate('visla.t2t', 0.3, 0.21, 0.4)]),
      `${sentence('visla.captionsHeadline', 'Starter', '30 %')} [21–40], ${sentence('probe.notFromChanceNeeds', '60', '1,200')}`,
    );
  });

  it('says so if the main number is above chance, but not over other words, as the verdict says', () => {
    const over = (low: number, high: number): Metric => ({
      ...rate('lgip.pr', 0.65, low, high),
      slice: { unit: 'replaced word' },
    });
    const main = rate('lgip.pr', 0.65, 0.51, 0.78);
    const plain = `${sentence('lgip.caughtHeadline', 'Starter', '65 %')} [51–78]`;
    assert.equal(said('lgip', [main, over(0.4, 0.84)]), `${plain}, ${sentence('lgip.doubtByWord')}`);
    assert.equal(said('lgip', [main, over(0.55, 0.84)]), plain);
    assert.ok(
      said('lgip', [rate('lgip.pr', 0.5, 0.4, 0.6), over(0.4, 0.84)]).endsWith(
        ` [40–60], ${sentence('probe.notFromChance', 60)}`,
      ),
    );
  });

  it('says so if a slice has no interval', () => {
    const bare = { id: 'lgip.pr.object', value: 0.5, n: 60 };
    assert.equal(
      said('lgip', [rate('lgip.pr', 0.7, 0.59, 0.79), bare]),
      `${sentence('lgip.caughtHeadline', 'Starter', '70 %')} [59–79]: ${objects} 50 %, ${sentence('probe.withoutInterval')}`,
    );
  });

  it('separates the slices from the verdict of the main number', () => {
    const visla = [rate('visla.t2t', 0.3, 0.21, 0.4), rate('visla.i2t', 0.25, 0.12, 0.42)];
    const doubt = sentence('probe.notFromChanceNeeds', '60', '1,200');
    assert.ok(
      said('visla', visla).includes(` [21–40], ${doubt}. ${sentence('visla.headlineWithImageLabel')} 25 %`),
    );
  });

  it('counts below 20 images, because a share of them would say more than they do', () => {
    const few = (n: number, images?: number): Metric => ({
      ...{ id: 'lgip.pr', value: 1, n },
      ...(images === undefined ? {} : { images }),
    });
    const count = (n: number) => say('panel.pointsShown', inARow([say('lgip.flipsCaught')], ': '), n, n);
    const counted = (n: number) =>
      `${english(say('base.labelledPart', 'Starter', count(n)))}, ${sentence('probe.tooLittleData')}`;
    assert.equal(said('lgip', [few(1)]), counted(1));
    assert.equal(said('lgip', [few(19), { id: 'lgip.pr.object', value: 1, n: 19 }]), counted(19));
    // Images count, not rows.
    assert.equal(said('lgip', [few(40, 19)]), counted(40));
    assert.equal(said('lgip', [few(40, 20)]), sentence('lgip.caughtHeadline', 'Starter', '100 %'));
    assert.deepEqual(figureOf(viewFor('lgip'), { metrics: [few(3)], claims: [] }), count(3));
  });

  it('does not mention chance for too few images or without an interval', () => {
    const half = sentence('lgip.caughtHeadline', 'Starter', '50 %');
    assert.equal(said('lgip', [{ id: 'lgip.pr', value: 0.5, n: 60 }]), half);
    const plain = figureOf(viewFor('lgip'), { metrics: [{ id: 'lgip.pr', value: 0.5, n: 60 }], claims: [] })!;
    assert.deepEqual(plain, say('lgip.caughtShare', '50 %'));
  });

  it('adds the further sentence of a probe, and omits trivial metrics', () => {
    const further = sentence('lgip.errorHeadline', 'Starter', '0.083');
    assert.ok(said('lgip', [...flips, { id: 'lgip.inv', value: 0.083, n: 60 }]).endsWith(`. ${further}`));
    const trivial = [{ id: 'prsm.local@100', value: 1, n: 9, moot: true }];
    assert.equal(
      said('prsm', [...trivial, { id: 'prsm.global', value: 0.93, n: 9 }]),
      sentence('prsm.agreementHeadline', 'Starter', '0.930'),
    );
    const sure: Metric = { id: 'prsm.global', value: 0.93, n: 60, ci: [0.9014, 0.955] };
    assert.ok(said('prsm', [...trivial, sure]).endsWith(' ρ = 0.930 [0.901, 0.955]'));
    assert.equal(headlineOf(viewFor('prsm'), 'Starter', { metrics: trivial, claims: [] }), undefined);
    assert.equal(
      said('human', [{ id: 'human.tauB', value: -0.2, n: 60 }]),
      sentence('human.ratingHeadline', 'Starter', '-0.200'),
    );
  });
});
