import assert from 'node:assert/strict';
import type { AuditProgress } from '../../../src/audit/events';
import { ProgressMeter } from '../../../src/audit/progress';
import type { Example } from '../../../src/dataset/example';

function example(row: number, end: number): Example {
  return {
    id: String(row),
    form: 'captions',
    row,
    place: { line: row + 1, column: 1, offset: 0, length: end },
    images: [],
    captions: [],
    attributes: {},
  };
}

describe('progress', () => {
  const localized: AuditProgress[] = [];
  const realNow = Date.now;
  let now = 0;
  let meter: ProgressMeter;
  beforeEach(() => {
    now = 1000;
    // The clock advances by half a second per reading, so every step is reported.
    Date.now = () => (now += 500);
    localized.length = 0;
    meter = new ProgressMeter(1000, undefined);
    meter.start((progress) => localized.push(progress));
  });
  afterEach(() => {
    Date.now = realNow;
  });

  it('advances within a chunk as the bench does, and never decreases', () => {
    meter.send(example(9, 500));
    meter.bench({ asked: 100, done: 50, fromStore: 0 });
    meter.bench({ asked: 200, done: 60, fromStore: 0 });
    meter.measured(example(9, 500));
    meter.send(example(19, 1000));
    meter.bench({ asked: 300, done: 250, fromStore: 0 });
    assert.deepEqual(
      localized.map(({ fraction }) => fraction),
      [0.25, 0.25, 0.5, 0.5 + 0.5 * (190 / 240)],
    );
    // Half a second per report: from 0.25 to 0.5 in two reports, so half a second for each eighth.
    assert.deepEqual(
      localized.map(({ secondsLeft }) => secondsLeft && Number(secondsLeft.toFixed(3))),
      [
        undefined,
        undefined,
        2,
        Number((1.5 * ((1 - localized[3].fraction!) / (localized[3].fraction! - 0.25))).toFixed(3)),
      ],
    );
  });

  it('states the remaining time only from answers, because models load first at another pace', () => {
    meter.send(example(9, 1000));
    now += 60_000;
    meter.bench({ asked: 1000, done: 1, fromStore: 0 });
    meter.bench({ asked: 1000, done: 40, fromStore: 0 });
    assert.deepEqual(
      localized.map(({ secondsLeft }) => secondsLeft),
      [undefined, undefined],
    );
    meter.bench({ asked: 1000, done: 101, fromStore: 0 });
    // A tenth in one second, which leaves 8.99 s.
    assert.equal(localized.at(-1)!.secondsLeft!.toFixed(2), '8.99');
    // A slow evaluator is measured for half a minute instead of a twentieth of the run.
    meter.start((progress) => localized.push(progress));
    meter.send(example(9, 1000));
    meter.bench({ asked: 2000, done: 102, fromStore: 0 });
    now += 30_000;
    meter.bench({ asked: 2000, done: 104, fromStore: 0 });
    assert.ok(localized.at(-1)!.secondsLeft! > 10_000);
  });

  it('has no percentage if a probe reads everything first, or the format has no places', () => {
    meter.read(example(9, 500));
    meter.bench({ asked: 100, done: 10, fromStore: 0 });
    meter.send({ ...example(3, 0), place: undefined });
    meter.bench({ asked: 100, done: 20, fromStore: 0 });
    for (const { fraction, secondsLeft } of localized)
      assert.deepEqual([fraction, secondsLeft], [undefined, undefined]);
    meter.finish();
    assert.equal(localized.at(-1)?.fraction, 1);
  });

  it('counts the requests that a gallery probe expects, and reaches the end only at the end', () => {
    meter.read(example(9, 500));
    meter.bench({ asked: 30, done: 30, fromStore: 0 });
    meter.expect(200);
    for (const done of [80, 130, 430]) meter.bench({ asked: 430, done, fromStore: 0 });
    meter.finish();
    assert.deepEqual(
      localized.map(({ fraction }) => fraction),
      [undefined, undefined, 0.25, 0.5, 0.99, 1],
    );
    assert.ok(localized[3].secondsLeft! > 0);
  });

  it('counts towards the limit if there is one', () => {
    meter = new ProgressMeter(1_000_000, 10);
    meter.start((progress) => localized.push(progress));
    meter.send(example(4, 10));
    meter.measured(example(4, 10));
    assert.equal(localized.at(-1)?.fraction, 0.5);
  });
});
