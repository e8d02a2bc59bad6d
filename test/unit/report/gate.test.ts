import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { findSaid } from '../../../src/base/say';
import { parseGate, unscored } from '../../../src/report/gate';
import type { Report } from '../../../src/report/report';
import { reportOf } from './reportOf';
import { saying, sentence } from '../../sentence';

const report = reportOf({
  metrics: [
    { id: 'lgip.pr.object', value: 0.85, n: 10, ci: [0.7, 0.93] },
    { id: 'invariance.spatial.rrf@0.7', value: 0.1, n: 10 },
    { id: 'invariance.spatial.rotation.-10.median', value: -0.4, n: 10 },
    { id: 'undefined.one', value: null, n: 0, note: 'No examples.' },
    { id: 'sliced', value: 1, n: 5, slice: { type: 'colour' } },
  ],
});

function holds(text: string): boolean {
  return parseGate(text).holds([report]);
}

describe('gate', () => {
  it('compares metrics with numbers and combines comparisons', () => {
    assert.equal(holds('lgip.pr.object < 0.9'), true);
    assert.equal(holds('lgip.pr.object < 0.9 && invariance.spatial.rrf@0.7 > 0.2'), false);
    assert.equal(holds('lgip.pr.object < 0.5 || invariance.spatial.rrf@0.7 <= .1'), true);
    assert.equal(holds('!(lgip.pr.object >= 0.85)'), false);
    assert.equal(holds('invariance.spatial.rotation.-10.median == -4e-1'), true);
    assert.equal(holds('lgip.pr.object != 0.85 || lgip.pr.object.n > 11'), false);
  });

  it('compares the ends of an interval', () => {
    assert.equal(holds('lgip.pr.object.low >= 0.7 && lgip.pr.object.high < 0.94'), true);
    assert.equal(holds('lgip.pr.object.low > 0.75'), false);
    assert.throws(() => holds('undefined.one.low > 0'), saying('report.metricWithoutCi', 'undefined.one'));
    assert.throws(() => holds('missing.low > 0'), CaptiousError);
  });

  it('compares the number of examples of a metric', () => {
    assert.equal(holds('lgip.pr.object.n < 11 && undefined.one.n == 0'), true);
    assert.equal(holds('lgip.pr.object.n < 10'), false);
    assert.throws(() => holds('missing.n > 0'), CaptiousError);
  });

  it('knows the examples that could not be scored from those that a probe leaves out', () => {
    const leftOut = [
      {
        reason: sentence('audit.notScored', 'the score is NaN'),
        count: 30,
        lines: [],
        unscored: true as const,
      },
      {
        reason: 'its image was not found, and the evaluator needs one',
        count: 4,
        lines: [],
        unscored: true as const,
      },
      { reason: sentence('probe.noImage'), count: 200, lines: [] },
    ];
    assert.equal(unscored({ dataset: { ...report.dataset, leftOut } }), 34);
  });

  it('suggests metrics only if there are any', () => {
    const remedyOf = (text: string, metrics: Report['metrics']): string => {
      try {
        parseGate(text).holds([reportOf({ metrics })]);
      } catch (error) {
        return (error as CaptiousError).remedy ?? '';
      }
      return 'none is thrown';
    };
    const [one] = report.metrics;
    assert.equal(remedyOf('a.low > 0', [one]), sentence('report.listMetricsWithCi', 'lgip.pr.object'));
    assert.equal(remedyOf('a.low > 0', [{ ...one, ci: undefined }]), '');
    assert.equal(remedyOf('a > 0', [one]), sentence('base.chooseName', 'lgip.pr.object'));
    assert.equal(remedyOf('a > 0', []), '');
  });

  it('binds && closer than ||', () => {
    const [yes, no] = ['lgip.pr.object > 0', 'lgip.pr.object > 1'];
    assert.equal(holds(`${no} && ${no} || ${yes}`), true);
    assert.equal(holds(`${no} && (${no} || ${yes})`), false);
  });

  it('rejects comparisons that no report can change', () => {
    const always = [
      '1 > 2',
      '0.5 < .6',
      'd < 0.5 && 1 > 2',
      '!(1 > 2)',
      'd < 1e999',
      'd <= d',
      'd > 1 || (d.n != d.n)',
    ];
    for (const text of always)
      assert.throws(
        () => parseGate(text),
        (error) => error instanceof CaptiousError && error.kind === 'usage' && error.remedy !== undefined,
        text,
      );
    assert.throws(() => holds('d < Infinity'), CaptiousError);
    assert.equal(holds('lgip.pr.object.low < lgip.pr.object && 0 < lgip.pr.object.n'), true);
  });

  it('does not pass on a metric that is absent, sliced or undefined', () => {
    assert.throws(() => holds('lgip.pr < 0.5'), saying('report.metricMissing', 'lgip.pr'));
    assert.throws(() => holds('sliced < 0.5'), saying('report.metricMissing', 'sliced'));
    assert.throws(
      () => holds('undefined.one < 0.5'),
      (error) =>
        error instanceof CaptiousError &&
        error.message === sentence('report.conditionValueMissingNote', 'undefined.one', 'No examples.') &&
        // The editor can translate a `say` template, but not a joined string.
        typeof error.what !== 'string',
    );
    // A missing metric is an error, even if the other operand decides.
    assert.throws(() => holds('lgip.pr.object > 0 || nothing.such > 1'), saying('report.metricMissing'));
  });

  it('says where it cannot be parsed', () => {
    const wrong: [string, number][] = [
      ['', 1],
      ['lgip.pr', 8],
      ['lgip.pr <', 10],
      ['(d < 2', 7],
      ['d < 2 3', 7],
      ['process.exit()', 13],
      ['a = 1', 3],
      ['1 < constructor && `x`', 20],
    ];
    for (const [text, place] of wrong) {
      assert.throws(
        () => parseGate(text),
        (error: unknown) =>
          error instanceof CaptiousError &&
          error.kind === 'usage' &&
          findSaid(error.what, 'report.conditionInvalid')?.values[0] === String(place),
        text,
      );
    }
  });

  it('rejects an expression that is too long or too deep', () => {
    assert.throws(() => parseGate('('.repeat(1000)), saying('report.conditionTooDeep'));
    assert.throws(() => parseGate(`${'!'.repeat(500)}d < 2`), saying('report.conditionTooDeep'));
    assert.throws(() => parseGate('1 < 2 || '.repeat(10_000)), saying('report.conditionTooLong'));
  });

  it('accepts no names but those of metrics', () => {
    assert.throws(() => holds('constructor < 1'), saying('report.metricMissing', 'constructor'));
    assert.throws(() => holds('__proto__ < 1'), saying('report.conditionInvalid', 1));
  });
});
