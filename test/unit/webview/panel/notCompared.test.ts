import assert from 'node:assert/strict';
import type { ReportView } from '../../../../src/protocol/panel';
import { areOfOtherFiles, comparable, mostScored, notCompared } from '../../../../webview/panel/notCompared';

describe('reports of several evaluators', () => {
  const report = (key: string, file: string, ...values: (number | null)[]) =>
    ({
      ...{ key, evaluator: key, made: [['dataset SHA-256', file]] },
      cards: values.map((_, i) => ({ metric: `m${i}` })),
      metrics: values.map((value, i) => ({ id: `m${i}`, value, n: 30 })),
    }) as unknown as ReportView;
  const reports = [
    report('own', 'a', 0.6, 0.2),
    report('text', 'a', null, 0.9),
    report('both', 'a', 0.5, 0.1),
    report('older', 'b', 0.5, 0.1),
  ];

  it('are compared with those about the same file, first with one that has all main metrics', () => {
    const keys = (of: readonly ReportView[]) => of.map(({ key }) => key);
    assert.deepEqual(keys(comparable(reports, 'own')), ['text', 'both']);
    assert.deepEqual(keys(mostScored(comparable(reports, 'own'))), ['both', 'text']);
  });

  it('are all about other files or versions, or not', () => {
    const [own, text, , older] = reports;
    assert.deepEqual(
      [
        [own, older],
        [own, text, older],
      ].map(areOfOtherFiles),
      [true, false],
    );
  });

  it('are told apart by whether their file or their results keep them from being compared', () => {
    assert.deepEqual(notCompared(reports, 'own', ['both']), {
      ofOtherFiles: ['older'],
      withoutResults: ['text'],
    });
    assert.deepEqual(notCompared(reports.slice(0, 3), 'own', ['both', 'text']), {
      ofOtherFiles: [],
      withoutResults: [],
    });
  });
});
