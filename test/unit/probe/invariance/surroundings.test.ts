import { type Code, findSaid, say } from '../../../../src/base/say';
import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { invarianceOptionsFrom } from '../../../../src/probe/invariance/options';
import type { InvarianceRow } from '../../../../src/probe/invariance/row';
import { box, drive, example, instancesOf } from './drive';
import { saying, sentence } from '../../../sentence';

describe('objects whose former place would stay visible', () => {
  const surroundings = (id: string): number => (id === 'plain' ? 0.05 : 0.2);
  const rowsWith = (options: Record<string, number> = {}) =>
    drive(
      [example('plain'), example('varied')],
      instancesOf({ plain: [box('dog', 20, 20, 30, 30)], varied: [box('dog', 20, 20, 30, 30)] }),
      { options: { societal: false, ...options }, surroundings },
    );
  const moved = ({ variants }: InvarianceRow) => variants.filter(({ family }) => family === 'reposition');

  it('are not moved, with the reason, and the other changes stay', () => {
    const { rows, findings } = rowsWith();
    const [plain, varied] = rows;
    assert.equal(moved(plain).length, 4);
    assert.deepEqual(plain.rejected, []);
    assert.equal(moved(varied).length, 0);
    assert.equal(varied.variants.length, plain.variants.length - 4);
    assert.deepEqual(
      varied.rejected.map(({ what, detail }) => [what, detail]),
      ['tl', 'tr', 'bl', 'br'].map((anchor) => [
        `reposition ${anchor}`,
        say('invariance.surroundingsSpread', '0.20'),
      ]),
    );
    const { warnings } = findings();
    const leftOut = warnings.map((warning) => findSaid(warning, 'invariance.changesLeftOutReasons')?.values);
    const reason = leftOut.find((values) => findSaid(values?.[0], 'invariance.moved') !== undefined)?.[1];
    assert.ok(findSaid(reason, 'invariance.surroundingsNotPlain'));
    assert.match(english(reason!), /^4 × /);
    assert.deepEqual(
      warnings.flatMap((warning) => findSaid(warning, 'invariance.movesFiltered') ?? []),
      [say('invariance.movesFiltered', '0.075')],
    );
  });

  it('count each example once: in a metric, or left out with its reason', () => {
    const { rows, findings } = drive(
      ['dog', 'small', 'crowded', 'unknown'].map((id) => example(id)),
      instancesOf({
        dog: [box('dog', 20, 20, 30, 30)],
        small: [box('dog', 2, 2, 1, 1)],
        crowded: [1, 2, 3, 4, 5, 6].map((at) => box('dog', 15 * at, 20, 14, 30)),
      }),
      { options: { societal: false } },
    );
    const { warnings, measured } = findings();
    assert.equal(rows.length, 4);
    const valuesOf = (code: Code) => warnings.flatMap((warning) => findSaid(warning, code)?.values ?? []);
    const [count, reasons] = valuesOf('invariance.examplesInNoMetric');
    assert.equal(measured! + Number(count), 4);
    assert.equal(Number(count), 3);
    assert.ok(english(reasons).includes(`1 × ${sentence('invariance.objectTooSmall')}`), english(reasons));
    assert.ok(english(reasons).includes(`1 × ${sentence('invariance.tooManyObjects')}`));
    // Another warning counts the same three images. They must not be counted as left-out changes.
    assert.equal(valuesOf('invariance.objectCountSlices')[2], '3');
    assert.ok(!valuesOf('invariance.changesLeftOutReasons').map(english).includes('the image'));
  });

  it('are moved with another limit, and with 1 as in the paper', () => {
    for (const plain of [0.2, 1]) {
      const { rows, findings } = rowsWith({ plain });
      assert.deepEqual(
        rows.map((row) => moved(row).length),
        [4, 4],
      );
      assert.equal(
        saying('invariance.movesUnfiltered').test(findings().warnings.map(english).join('\n')),
        plain === 1,
      );
    }
    assert.throws(() => invarianceOptionsFrom({ plain: 1.5 }), {
      what: say('invariance.plainInvalid', '1.5'),
    });
  });

  it('are not moved if they have a shadow or something attached to them', () => {
    const rowOf = (plain: number) =>
      drive([example('shaded')], instancesOf({ shaded: [box('dog', 20, 20, 30, 30)] }), {
        options: { societal: false, plain },
        surroundings: () => 0.02,
        shade: () => 0.1,
      }).rows[0];
    assert.equal(moved(rowOf(0.075)).length, 0);
    assert.deepEqual(rowOf(0.075).rejected[0].reason, say('invariance.sideDarker'));
    assert.deepEqual(rowOf(0.075).rejected[0].detail, say('invariance.darkerBy', '0.10'));
    assert.equal(moved(rowOf(0.11)).length, 4);
  });

  it('are not moved if they touch another object, which would lose a part', () => {
    const held = { rider: [box('person', 20, 20, 30, 30), box('skateboard', 20, 50, 30, 5)] };
    const one = (options = {}) =>
      drive([example('rider')], instancesOf(held), { options: { societal: false, ...options } }).rows[0];
    assert.equal(moved(one()).length, 0);
    assert.ok(
      one().rejected.some(
        ({ what, reason }) =>
          what === 'reposition' && saying('invariance.touchesObject').test(english(reason)),
      ),
    );
    assert.ok(moved(one({ plain: 1 })).length > 0);
    const racket = (at: number) => ({
      rider: [box('person', 20, 20, 30, 30), box('tennis racket', at, 22, 2, 2)],
    });
    const player = (at: number) =>
      drive([example('rider')], instancesOf(racket(at)), { options: { societal: false } }).rows[0];
    assert.equal(moved(player(51)).length, 0);
    assert.ok(
      player(51).rejected.some(({ reason }) => saying('invariance.touchesLivingBeing').test(english(reason))),
    );
    assert.ok(moved(player(90)).length > 0);
    const things = { rider: [box('chair', 20, 20, 30, 30), box('cup', 51, 22, 2, 2)] };
    const chair = drive([example('rider')], instancesOf(things), { options: { societal: false } }).rows[0];
    assert.ok(moved(chair).length > 0);
    const apart = { rider: [box('person', 20, 20, 30, 30), box('skateboard', 2, 72, 8, 5)] };
    const { rows } = drive([example('rider')], instancesOf(apart), { options: { societal: false } });
    assert.ok(moved(rows[0]).length > 0);
  });
});
