import assert from 'node:assert/strict';
import { english } from '../../../src/base/english';
import { say } from '../../../src/base/say';
import { reportViews } from '../../../src/probe/views';
import { viewOf } from '../../../src/service/panelReport';
import { reportOf } from '../report/reportOf';

/** How many letters of a filter a narrow window shows. */
const letters = 12;

describe('what a probe shows', () => {
  it('has filters that differ in their first letters, because a narrow window cuts the others', () => {
    for (const { id, rows } of reportViews()) {
      const names = rows.facets.map(({ title, filter = title }) => english(filter).slice(0, letters));
      assert.equal(new Set(names).size, names.length, `${id}: ${names.join(', ')}`);
    }
  });

  it('spells out the short names of captions', () => {
    for (const { id, cards, columns, leading = [] } of reportViews()) {
      const report = reportOf({
        probe: id,
        metrics: ['visla.t2t', 'visla.i2t'].map((metric) => ({ id: metric, value: 0.5, n: 30 })),
      });
      const shown = [
        ...cards(report.metrics).map(({ title }) => english(title)),
        ...[columns.before, columns.after].map(english),
        ...leading.map(({ words }) => english(words('50 %'))),
      ].join(' ');
      const { legend } = viewOf('a', report, []);
      const told = legend === undefined ? '' : english(legend);
      for (const name of ['P1', 'P2', 'N'])
        if (new RegExp(`\\b${name}\\b`).test(shown)) assert.match(told, new RegExp(`\\b${name}\\b`), id);
    }
    assert.deepEqual(viewOf('a', reportOf({ probe: 'visla' }), []).legend, say('visla.legend'));
  });
});
