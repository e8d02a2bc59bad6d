import assert from 'node:assert/strict';
import { atOnce } from '../../../src/base/turns/steps';
import { widthOfNames } from '../../../src/chart/drawing';
import { calibrate } from '../../../src/probe/invariance/calibration/calibrate';
import { calibrationHtml } from '../../../src/report/export/calibration';
import { box, drive, example, instancesOf, madeUpScore } from '../probe/invariance/drive';
import { sentence } from '../../sentence';
import { reportOf } from './reportOf';

describe('the page of a calibration', () => {
  const ids = Array.from({ length: 20 }, (_, i) => `p${i}`);
  const instances = instancesOf(Object.fromEntries(ids.map((id) => [id, [box('dog', 40, 30, 14, 12)]])));
  const { rows } = drive(
    ids.map((id) => example(id)),
    instances,
    { score: (want) => 0.5 + 0.02 * madeUpScore(want) },
  );
  const fit = (estimator: 'literal' | 'shrink', more = {}) =>
    atOnce(
      calibrate(rows, [], { estimator, weights: 'uniform', epsilon: 0.01, dev: 0.5, seed: 42, ...more }),
    );
  const fits = [fit('literal'), fit('shrink')];
  const all = [
    fit('shrink', { orbits: 'rows', byFamily: true }),
    fit('literal', { orbits: 'rows', quantile: 0.75 }),
  ];
  const dataset = { ...reportOf().dataset, path: '/home/ann/captions.json', examples: 20 };
  const html = calibrationHtml(reportOf({ dataset }), fits, fits[1], all);

  it('names the audit, the chosen correction and the families in words', () => {
    assert.match(html, /Invariance audit of captions\.json \(20 examples\)/);
    assert.match(html, /<h2>shrink \(chosen\)<\/h2>/);
    assert.doesNotMatch(html, /<h2>literal \(chosen\)/);
    assert.ok(html.includes(`${sentence('invariance.upsideDown')}, before`));
    assert.doesNotMatch(html, /vflip, before|\/home/);
  });

  it('has the corrections over all families, with their change', () => {
    const { before, after } = all[0].heldOut.total;
    assert.ok(after < before);
    for (const value of [
      before.toFixed(4),
      after.toFixed(4),
      `${((100 * (after - before)) / before).toFixed(1)} %`,
    ])
      assert.ok(html.includes(`>${value}<`), value);
    assert.match(html, /literal, quantile 0\.75/);
  });

  it('has room for the names of the bars in DejaVu Sans', () => {
    // Widths that Chromium measured at a font size of 12 pixels. The names end 8 pixels before the bars.
    const measured = { 'sociopolitical, before': 124.1, 'societal, before': 92.6, 'emotion, before': 95.7 };
    for (const [name, width] of Object.entries(measured))
      assert.ok(widthOfNames([name]) - 8 >= width, `${name}: ${widthOfNames([name])}`);
  });
});
