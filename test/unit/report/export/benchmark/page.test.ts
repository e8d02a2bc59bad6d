import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CaptiousError } from '../../../../../src/base/errors';
import type { Code } from '../../../../../src/base/say';
import { markdownText } from '../../../../../src/base/text/markdown';
import { exportReport, exportTogether } from '../../../../../src/report/export/export';
import { LeftOutRows } from '../../../../../src/report/rowChecks';
import { scratchFolder } from '../../../dataset/support';
import { paperReport, vislaRows } from '../../paperReports';
import { balancedBenchmark, benchmarkReport, plantedBenchmark } from '../../plantedBenchmark';
import { sentence } from '../../../../sentence';

/** The sentence as Markdown has it. */
const marked = (code: Code): string => markdownText(sentence(code));

describe('the page about a benchmark', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();
  let paths: string[];

  before(async () => {
    const files = [
      scratch.write('planted.jsonl', plantedBenchmark()),
      scratch.write('balanced.jsonl', balancedBenchmark()),
    ];
    paths = [];
    for (const file of files)
      paths.push(await benchmarkReport(file, join(scratch.path, 'out'), join(scratch.path, 'home')));
  });

  const together = (form: string, reports = paths): Promise<string> =>
    exportTogether(
      reports,
      form,
      reports.map(() => new LeftOutRows()),
    );

  it('has the files side by side, with ceilings, the best model, what is left and faults', async () => {
    const lines = (await together('md')).split('\n');
    const rowOf = (file: string): string[] =>
      lines
        .find((line) => line.startsWith(`| ${file} `))!
        .split(' | ')
        .map((cell) => cell.replaceAll('\\', ''));
    const planted = rowOf('planted.jsonl');
    assert.deepEqual(planted.slice(1, 3), ['40', '40']);
    assert.match(planted[3], /^87\.5 % \[/);
    assert.match(planted[4], /^97\.5 % \[/);
    assert.match(planted[5], /^97\.5 % \[.*\] /);
    assert.ok(planted[5].endsWith(` ${marked('benchmark.bigram')}`), planted[5]);
    assert.match(planted[7], /^2 /);
    const balanced = rowOf('balanced.jsonl');
    assert.equal(balanced[5], marked('benchmark.noneAbove'));
    const all = rowOf(marked('benchmark.allFiles'));
    // (40 × 87.5 % + 40 × 100 %) / 80, and the captions of each balanced item are those of 20 others.
    assert.deepEqual([all[1], all[3], all[4]], ['80', '93.8 %', '73.8 %']);
  });

  it('makes only models bold that are better than chance', async () => {
    const text = await together('md');
    const [, shorter] = text.split(`| ${marked('benchmark.shorter')} | `);
    assert.match(shorter, /^\*\*87\.5 %\*\* [^|]*\| 50\.0 % /);
    assert.ok(text.includes(`| ${marked('benchmark.longer')} | 12.5 % `));
  });

  it('lists items of each fault with their lines, and how to reproduce the numbers', async () => {
    const text = await together('html');
    const [, equal] = text.split(`<td>${sentence('benchmark.equal')}</td><td>planted.jsonl</td>`);
    assert.match(equal, /^<td class="n"[^>]*>39</);
    assert.ok(text.includes('<pre>captious benchmark planted.jsonl balanced.jsonl --seed 42</pre>'));
    assert.equal(new Set(text.match(/\b[0-9a-f]{64}\b/g)).size, 2);
    assert.ok(!text.includes(scratch.path));
    // Two charts of the first file, and one of the second: its ceilings have no slices.
    assert.ok(text.includes(`<figcaption>planted.jsonl: ${sentence('benchmark.blindChart')}</figcaption>`));
  });

  it('is also the page of one report', async () => {
    let text = '';
    for await (const piece of exportReport(paths[0], 'html')) text += String(piece);
    assert.ok(text.includes('<h1>Benchmark · planted.jsonl</h1>'));
    assert.ok(
      text.includes(sentence('export.metricBySlice', sentence('benchmark.orderBlindCeiling'), 'kind')),
    );
  });

  it('is refused for other formats, and for reports of evaluators', async () => {
    const other = await paperReport(scratch.path, {
      ...{ probe: 'visla', dataset: 'triplets', evaluator: 'clip', shift: 0 },
      rows: vislaRows([true, false]),
    });
    const refused = (work: Promise<string>, code: string) =>
      assert.rejects(
        work,
        (error) =>
          error instanceof CaptiousError && typeof error.what === 'object' && error.what.code === code,
      );
    await refused(together('csv'), 'export.notTogether');
    await refused(together('html', [paths[0], other]), 'export.notBenchmark');
  });
});
