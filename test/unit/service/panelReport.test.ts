import assert from 'node:assert/strict';
import type { Selection } from '../../../src/protocol/rows';
import { withPaths } from '../../../src/service/panelReport';

describe('a request of a page', () => {
  const pathOf = (key: string): string => {
    if (!['a', 'b'].includes(key)) throw new Error(`Unknown: ${key}`);
    return `/${key}.report.json`;
  };

  it('names reports by their paths after the keys are replaced', () => {
    assert.deepEqual(withPaths('pairs', { report: 'a', others: ['b'] }, pathOf), {
      report: '/a.report.json',
      others: ['/b.report.json'],
    });
    const selection: Selection = { text: 'a', facets: {}, sort: 'file', versus: { report: 'b' } };
    assert.deepEqual(withPaths('charts', { report: 'a', selection }, pathOf), {
      report: '/a.report.json',
      selection: { ...selection, versus: { report: '/b.report.json' } },
    });
    assert.throws(() => withPaths('find', { report: 'c', line: 1 }, pathOf), /Unknown: c/);
  });

  it('keeps the captions of a what-if', () => {
    const ask = { report: 'a', text: 'b', others: ['a', 'a dog'] };
    assert.deepEqual(withPaths('whatIf', ask, pathOf), { ...ask, report: '/a.report.json' });
  });
});
