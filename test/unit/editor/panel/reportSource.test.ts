import assert from 'node:assert/strict';
import type * as source from '../../../../src/editor/panel/reportSource';
import { parseReport } from '../../../../src/report/reportShape';
import { reportOf } from '../../report/reportOf';
import { bundle } from '../bundle';

class Uri {
  readonly scheme = 'file';
  constructor(readonly path: string) {}
  static parse(text: string): Uri {
    return new Uri(text.replace('file://', ''));
  }
  static joinPath({ path }: Uri): Uri {
    return new Uri(path.replace(/\/[^/]*$/, ''));
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `file://${this.path}`;
  }
}

describe('the reports of the command line on one file', function () {
  this.timeout(60_000);
  let reportSource: typeof source.reportSource;
  const asked: unknown[] = [];
  const names: Record<string, string> = { '/w/a.report.json': 'A', '/w/b.report.json': 'B' };
  const read = ({ path }: Uri) => {
    const name = names[path];
    if (name === undefined) return Promise.reject(new Error('unreadable'));
    return Promise.resolve(parseReport(reportOf({ evaluator: { ...reportOf().evaluator, id: name, name } })));
  };
  const reader = {
    ...{ read, can: () => ({ whatIf: false, export: true, images: true }), export: () => Promise.resolve() },
    answer: ({ path }: Uri, ...request: unknown[]) => {
      asked.push([path, ...request.slice(0, 2)]);
      return Promise.resolve([]);
    },
  } as unknown as source.ReportFileReader;

  before(async () => {
    const load = await bundle<typeof source>(`export * from './src/editor/panel/reportSource';`);
    const stat = ({ path }: Uri) => Promise.resolve({ mtime: path.includes('b.') ? 20 : 10 });
    ({ reportSource } = load({
      ...{ Uri, ViewColumn: {}, EventEmitter: Object },
      l10n: { t: (text: string) => text },
      env: { language: 'en' },
      workspace: { fs: { stat } },
    }));
  });

  it('have one source, in which each evaluator has its own report', async () => {
    const opened = await reportSource('file:///w/a.report.json', reader, ['file:///w/b.report.json']);
    const state = await opened.state();
    assert.deepEqual(
      state.reports.map(({ evaluator }) => evaluator),
      ['A', 'B'],
    );
    assert.deepEqual([state.writtenAt, state.isOfFile, state.problem], [20, true, undefined]);
    for (const { key } of state.reports) await opened.answer('marks', { report: key, from: 1, to: 2 });
    assert.deepEqual(
      asked,
      Object.keys(names).map((path) => [path, 'marks', { report: path, from: 1, to: 2 }]),
    );
    await assert.rejects(opened.answer('marks', { report: 'other', from: 1, to: 2 }));
  });

  it('are shown without those that cannot be read, and the source says why', async () => {
    const opened = await reportSource('file:///w/a.report.json', reader, ['file:///w/c.report.json']);
    const { reports, problem } = await opened.state();
    assert.equal(reports.length, 1);
    assert.notEqual(problem, undefined);
  });

  it('cannot be opened if the first is unreadable', async () => {
    await assert.rejects(reportSource('file:///w/c.report.json', reader));
  });
});
