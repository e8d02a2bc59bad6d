import assert from 'node:assert/strict';
import { say } from '../../../../src/base/say';
import type * as beside from '../../../../src/editor/text/besideMarks';
import type { ReportBeside } from '../../../../src/report/beside';
import { sentence } from '../../../sentence';
import { bundle } from '../bundle';

const nothing = () => ({ dispose: () => undefined });

class EventEmitter {
  private readonly listeners: (() => void)[] = [];
  event = (listener: () => void) => {
    this.listeners.push(listener);
    return nothing();
  };
  fire(): void {
    for (const listener of this.listeners) listener();
  }
  dispose(): void {
    this.listeners.length = 0;
  }
}

describe('results from reports next to a dataset', function () {
  this.timeout(60_000);
  let load: (vscode: object) => typeof beside;
  before(async () => {
    load = await bundle(`export * from './src/editor/text/besideMarks';`);
  });

  const report = (probe: string, evaluator: string, more: Partial<ReportBeside> = {}): ReportBeside => ({
    ...{ path: `/w/${probe}.${evaluator}.report.json`, probe, evaluator },
    ...{ writtenAt: Date.UTC(2026, 10, 30, 12), isCurrent: true },
    sentence: say('visla.captionsHeadline', evaluator, '50 %'),
    brief: say('human.foilHeadline', evaluator, '60 %'),
    ...more,
  });

  async function latest(reports: ReportBeside[], hasOthers = false) {
    const { BesideMarks } = load({
      ...{ EventEmitter, RelativePattern: Object, Disposable: { from: nothing } },
      Uri: { file: (fsPath: string) => ({ fsPath }) },
      l10n: { t: (text: string, ...values: unknown[]) => text.replace('{0}', String(values[0])) },
      env: { language: 'en' },
      workspace: {
        createFileSystemWatcher: () => ({
          ...{ onDidCreate: nothing, onDidChange: nothing, onDidDelete: nothing },
          dispose: () => undefined,
        }),
        findFiles: () => Promise.resolve(reports.map(({ path }) => ({ fsPath: path }))),
      },
    });
    type Parts = ConstructorParameters<typeof BesideMarks>;
    const reader = { ask: () => Promise.resolve(reports) } as unknown as Parts[0];
    const marks = new BesideMarks(reader, {} as Parts[1]);
    const uri = { scheme: 'file', path: '/w/a.json', fsPath: '/w/a.json' } as Parameters<
      typeof marks.latest
    >[0];
    const found = new Promise((resolve) => marks.onDidChange(resolve));
    assert.deepEqual(marks.latest(uri), []);
    await found;
    return marks.latest(uri, hasOthers);
  }

  const long = (evaluator: string) => sentence('visla.captionsHeadline', evaluator, '50 %');
  const short = (evaluator: string) => sentence('human.foilHeadline', evaluator, '60 %');

  it('have the whole verdict of a single report, and the date of its file as such', async () => {
    const [own] = await latest([report('visla', 'A')]);
    assert.equal(own.words, `VISLA (file of Nov 30): ${long('A')}`);
    assert.deepEqual([own.isMute, own.others], [false, []]);
    const [besideRuns] = await latest([report('visla', 'A')], true);
    assert.equal(besideRuns.words, `VISLA (file of Nov 30): ${short('A')}`);
  });

  it('name two evaluators of one probe, count the others, and have all in the list', async () => {
    const [own] = await latest(['A', 'B', 'C'].map((name) => report('visla', name)));
    const shown = [short('A'), short('B'), sentence('editor.further', 1)].join(' · ');
    assert.equal(own.words, `VISLA (file of Nov 30): ${shown}`);
    assert.deepEqual(
      own.verdicts?.map(({ words }) => words),
      ['A', 'B', 'C'].map(long),
    );
    assert.deepEqual(
      own.others,
      ['B', 'C'].map((name) => report('visla', name).path),
    );
  });

  it('have one short verdict of each of several probes', async () => {
    const without = { sentence: undefined, brief: undefined };
    const all = await latest([report('visla', 'A'), report('visla', 'B'), report('prsm', 'A', without)]);
    assert.deepEqual(
      all.map(({ words, isMute }) => [words, isMute]),
      [
        [`VISLA (file of Nov 30): ${short('A')} · ${sentence('editor.further', 1)}`, false],
        ['PRSM (file of Nov 30): A', true],
      ],
    );
  });
});
