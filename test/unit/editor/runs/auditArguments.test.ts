import assert from 'node:assert/strict';
import { auditArguments } from '../../../../src/editor/runs/auditArguments';
import { ShapeError } from '../../../../src/base/shape';

describe('the options of captious.audit', () => {
  it('are none of the arguments that VS Code passes from menus', () => {
    const tab = { groupId: 0, editorIndex: 0, preserveFocus: true };
    for (const given of [
      undefined,
      null,
      tab,
      { groupId: 1 },
      {},
      ['/a.json'],
      [{ path: '/a.json' }],
      'a',
      3,
    ])
      assert.equal(auditArguments(given), undefined, JSON.stringify(given));
  });

  it('are checked if another extension gives some', () => {
    const given = { probes: ['visla'], evaluators: ['starter'], limit: 3, cluster: 'patient' };
    assert.deepEqual(auditArguments(given), given);
    for (const wrong of [
      { probes: 'visla', evaluators: [] },
      { probes: ['visla'] },
      { ...given, limit: -1 },
      { ...given, cluster: 3 },
    ])
      assert.throws(() => auditArguments(wrong), ShapeError);
  });
});
