import assert from 'node:assert/strict';
import type { Report } from '../../../src/report/report';
import {
  axesOf,
  firstAxes,
  pointsOf,
  type ReportFile,
  scatterCsv,
  scatterPage,
  scatterSvg,
} from '../../../src/report/scatter';
import { reportOf } from './reportOf';

/** One evaluator's report with values and intervals of these metrics. */
function file(
  probe: string,
  evaluator: string,
  values: Record<string, number>,
  dataset = 'captions.json',
): ReportFile {
  const base = reportOf();
  const metrics: Report['metrics'] = Object.entries(values).map(([id, value]) => ({
    ...{ id, value, n: 40, ci: [value - 0.01, value + 0.01] },
  }));
  return {
    path: `${probe}.${evaluator}.report.json`,
    report: {
      ...base,
      probe,
      dataset: { ...base.dataset, path: `/data/${dataset}`, sha256: dataset },
      evaluator: { ...base.evaluator, id: evaluator, name: evaluator.toUpperCase() },
      metrics,
    },
  };
}

describe('robustness against agreement', () => {
  const files = [
    file('lgip', 'a', { 'lgip.sens': 0.2, 'lgip.inv': 0.03 }),
    file('lgip', 'b', { 'lgip.sens': 0.1, 'lgip.inv': 0.05 }),
    file('lgip', 'c', { 'lgip.inv': 0.01 }),
    file('human', 'a', { 'human.pearson': 0.5, 'human.tauB': 0.4 }, 'ratings.json'),
    file('human', 'b', { 'human.pearson': 0.7, 'human.tauB': 0.6 }, 'ratings.json'),
  ];

  it('starts with invariance error and Kendall τ-b', () => {
    const first = firstAxes(files)!;
    assert.deepEqual([first.x.metric, first.y.metric], ['lgip.inv', 'human.tauB']);
    assert.deepEqual([first.x.better, first.y.better], ['lower', 'higher']);
  });

  it('has a point for each evaluator with both metrics, and its reports', () => {
    const { x, y } = firstAxes(files)!;
    assert.deepEqual(
      pointsOf(files, x, y).map(({ id, x: across, y: up, reports }) => [
        id,
        across,
        up,
        reports.x,
        reports.y,
      ]),
      [
        ['a', 0.03, 0.4, 'lgip.a.report.json', 'human.a.report.json'],
        ['b', 0.05, 0.6, 'lgip.b.report.json', 'human.b.report.json'],
      ],
    );
  });

  it('uses the last report with a metric', () => {
    const { x, y } = firstAxes(files)!;
    const again = [...files, file('human', 'a', { 'human.tauB': 0.9 }, 'ratings.json')];
    assert.equal(pointsOf(again, x, y)[0].y, 0.9);
  });

  it('keeps datasets on separate axes', () => {
    const more = [...files, file('lgip', 'a', { 'lgip.inv': 0.5 }, 'other.json')];
    const own = axesOf(more).filter(({ metric }) => metric === 'lgip.inv');
    assert.deepEqual(
      own.map(({ dataset }) => dataset),
      ['captions.json', 'other.json'],
    );
    const { y } = firstAxes(more)!;
    assert.deepEqual(
      own.map((x) => pointsOf(more, x, y).map((point) => point.x)),
      [[0.03, 0.05], [0.5]],
    );
    assert.equal(firstAxes(more)!.x.dataset, 'captions.json');
  });

  it('has no axes if no evaluator has reports of both kinds', () => {
    assert.equal(firstAxes(files.slice(0, 3)), undefined);
    assert.equal(firstAxes([files[2], files[3]]), undefined);
  });

  it('exports the chart with intervals, directions and datasets', () => {
    const { x, y } = firstAxes(files)!;
    const points = pointsOf(files, x, y);
    assert.match(scatterPage(x, y, points), /<svg.*lower is better.*human\.tauB: ratings\.json/s);
    assert.equal(scatterSvg(x, y, points).match(/<circle/g)?.length, 2);
    assert.equal(
      scatterCsv(x, y, points),
      'evaluator,lgip.inv,lgip.inv.low,lgip.inv.high,human.tauB,human.tauB.low,human.tauB.high,at chance level\r\n' +
        'A,0.03,0.019999999999999997,0.04,0.4,0.39,0.41000000000000003,\r\n' +
        'B,0.05,0.04,0.060000000000000005,0.6,0.59,0.61,\r\n',
    );
  });

  it('draws no frontier if neither direction of a metric is better', () => {
    const shifts = ['a', 'b'].map((id) => file('invariance', id, { 'invariance.spatial.vflip.delta': 0.1 }));
    const { x, y } = firstAxes([...shifts, ...files.slice(3)])!;
    assert.equal(x.better, undefined);
    const page = scatterPage(x, y, pointsOf([...shifts, ...files.slice(3)], x, y));
    assert.doesNotMatch(page, /<polyline/);
  });
});
