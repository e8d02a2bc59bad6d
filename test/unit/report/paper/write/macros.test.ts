import assert from 'node:assert/strict';
import type { Entry } from '../../../../../src/report/paper/entry';
import type { PaperTable } from '../../../../../src/report/paper/table';
import { macros } from '../../../../../src/report/paper/write/macros';
import { reportOf } from '../../reportOf';

function tableOf(evaluators: readonly string[]): PaperTable {
  const rows = evaluators.map((id, i) => {
    const report = reportOf({ evaluator: { ...reportOf().evaluator, id, name: id } });
    const entry = { evaluator: id, dataset: 'd', report } as Entry;
    const metric = { id: 'visla.i2t', value: i, n: 20 };
    return { labels: [id], cells: [{ entry, metric, shown: String(i), ci: ['0', '1'] as const }] };
  });
  return { id: 't', caption: '', heads: [], labels: 1, rows, notes: [] } as unknown as PaperTable;
}

describe('macros of a paper', () => {
  for (const [title, evaluators] of [
    ['whose evaluators end in the endings of macros', ['clip', 'clipN', 'clip-Ci', 'clip_N']],
    ['of twenty evaluators without Latin letters', Array.from({ length: 20 }, (_, i) => '模'.repeat(i + 1))],
  ] as const)
    it(`have distinct names, for tables ${title}`, () => {
      const names = Array.from(
        macros([tableOf(evaluators)]).matchAll(/\\newcommand\{(\\\w+)\}/g),
        ([, n]) => n,
      );
      assert.equal(names.length, 3 * evaluators.length);
      assert.equal(new Set(names).size, names.length);
    });
});
