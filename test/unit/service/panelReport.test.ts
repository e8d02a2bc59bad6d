import assert from 'node:assert/strict';
import { inARow, say } from '../../../src/base/say';
import type { Selection } from '../../../src/protocol/rows';
import { viewOf, withPaths } from '../../../src/service/panelReport';
import { reportOf } from '../report/reportOf';

describe('a report for the panel', () => {
  const shown = viewOf('key', reportOf({ versions: { captious: '0.2.0', draws: '4' } }), []);

  it('does not call the version of draws their number', () => {
    const made = new Map(shown.made);
    assert.deepEqual([made.get('draws'), made.get('version of draws')], [undefined, '4']);
  });

  it('counts captions, whose number does not depend on the format, or else examples', () => {
    const { dataset } = reportOf();
    const images = { count: 48, names: '', sha256: '' };
    const sizeOf = (rowCount: number, draws: number, examples: number) =>
      viewOf(
        'key',
        reportOf({ probe: 'lgip', rowCount, draws, dataset: { ...dataset, images, examples } }),
        [],
      ).size;
    const captions = inARow([say('base.countOfCaptions', '220'), say('base.countOfImages', '48')]);
    assert.deepEqual([sizeOf(1100, 5, 48), sizeOf(220, 1, 220)], [captions, captions]);
    // Some draws lost rows, so that the number of captions is not known.
    assert.deepEqual(
      sizeOf(1099, 5, 48),
      inARow([say('base.countOfExamples', '48'), say('base.countOfImages', '48')]),
    );
    assert.deepEqual(shown.size, inARow([say('base.countOfExamples', '3')]));
  });

  it('has the reasons of what was left out, with the lines of the first ones', () => {
    const { dataset } = reportOf();
    const leftOut = [
      { reason: say('probe.noImage'), count: 3, lines: [2, 1234] },
      { reason: say('probe.imageNotFound'), count: 1, lines: ['b.json:7'] },
    ];
    assert.deepEqual(viewOf('key', reportOf({ dataset: { ...dataset, leftOut } }), []).leftOut, [
      { ...leftOut[0], lines: ['2', '1234'] },
      { ...leftOut[1], lines: ['b.json:7'] },
    ]);
  });

  it('has the name of its probe without a run', () => assert.equal(shown.title, 'VISLA'));
});

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
