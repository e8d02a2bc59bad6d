import assert from 'node:assert/strict';
import { notesOf, sideBySide } from '../../../src/cli/printReports';
import type { Report } from '../../../src/report/report';
import { reportOf } from '../report/reportOf';

const of = (probe: string, name: string, warnings: string[], notes: string[], value = 0.5): Report =>
  reportOf({
    ...{ probe, warnings },
    evaluator: { ...reportOf().evaluator, name, sha256: name, notes },
    metrics: [
      { id: 'visla.t2t', value, n: 40, ci: [value - 0.125, value + 0.125] },
      ...(name === 'big model' ? [{ id: 'visla.i2t', value: 0.25, n: 40 }] : []),
    ],
  });

describe('printed reports', () => {
  it('have the evaluators of a probe side by side, with the names of metrics', () => {
    const reports = [of('visla', 'small model', [], []), of('visla', 'big model', [], [], 0.75)];
    const [head, , first, second, ...more] = sideBySide(reports, false).split('\n');
    assert.deepEqual(more, []);
    assert.match(head, /^metric +small model +big model +name$/);
    assert.match(first, /^visla\.t2t +0\.5000 \[0\.3750, 0\.6250\] +0\.7500 \[0\.6250, 0\.8750\] {2}\w/);
    // The small model has no such metric.
    assert.match(second, /^visla\.i2t {20,}0\.2500 {2}\w/);
  });

  it('have each note once, and say of which reports or evaluators it is unless it is of all', () => {
    assert.deepEqual(notesOf([of('visla', 'a', ['x', 'y'], ['slow'])]), [
      'note: x',
      'note: y',
      'evaluator: slow',
    ]);
    const probes = [of('visla', 'a', ['x'], ['slow']), of('lgip', 'a', ['x', 'y'], ['slow'])];
    assert.deepEqual(notesOf(probes), ['note: x', 'note (lgip): y', 'evaluator: slow']);
    const evaluators = [of('visla', 'a', ['x', 'y'], ['slow']), of('visla', 'b', ['x'], ['slow', 'cut'])];
    assert.deepEqual(notesOf(evaluators), [
      'note: x',
      'note (visla · a): y',
      'evaluator: slow',
      'evaluator (b): cut',
    ]);
  });
});
