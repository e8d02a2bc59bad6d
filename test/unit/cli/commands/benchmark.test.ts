import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricOf } from '../../../../src/probe/metric';
import type { Report } from '../../../../src/report/report';
import { scratchFolder } from '../../dataset/support';
import { captious } from '../captious';
import { saying } from '../../../sentence';

describe('captious benchmark', function () {
  this.timeout(60_000);
  const scratch = scratchFolder();
  const file = (name: string, negatives: readonly string[]): string =>
    scratch.write(
      name,
      negatives
        .map((negative, i) => JSON.stringify({ image: `${i}.jpg`, caption: 'a dog bites a man', negative }))
        .join('\n'),
    );

  it('prints a report for each file, and the mean over all items', async () => {
    const files = [
      file('one.jsonl', ['a man bites a dog', 'a cat bites a man', 'a dog bites a boy']),
      file('two.jsonl', ['a cow bites a man']),
    ];
    const run = await captious(scratch.path, 'benchmark', ...files, '--out', join(scratch.path, 'out'));
    assert.equal(run.code, 0, run.err);
    assert.match(run.out, /^benchmark\.orderBlind\.ceiling +0\.8333 +1\.0000 +0\.8750 +4$/m);
    const json = await captious(scratch.path, 'benchmark', ...files, '--json');
    const reports = JSON.parse(json.out) as Report[];
    assert.deepEqual(
      reports.map(({ probe, rowCount }) => [probe, rowCount]),
      [
        ['benchmark', 3],
        ['benchmark', 1],
      ],
    );
  });

  it('writes a copy, and prints the metrics of both', async () => {
    const one = file('source.jsonl', ['a man bites a dog', 'A dog bites a man.', 'a dog bites a boy']);
    const copy = join(scratch.path, 'copy.jsonl');
    const run = await captious(scratch.path, 'benchmark', one, '--write', copy);
    assert.equal(run.code, 0, run.err);
    assert.match(run.out, /^benchmark\.orderBlind\.ceiling +0\.6667 +0\.7500$/m);
    assert.match(run.out, /^benchmark\.equal +1 +0$/m);
    assert.match(run.out, /^rows: 2 of 3; items: 2 of 3$/m);
    assert.equal(readFileSync(copy, 'utf8').split('\n').length, 2);
    const again = await captious(scratch.path, 'benchmark', one, '--write', copy, '--force', '--json');
    const { removed, reports } = JSON.parse(again.out) as { removed: object; reports: Report[] };
    assert.deepEqual(removed, { equal: 1, contradiction: 0, duplicate: 0 });
    assert.deepEqual(
      reports.map(({ rowCount }) => rowCount),
      [3, 2],
    );
    for (const [args, says] of [
      [['--write', copy, '--filters', 'duplicates'], 'Did you mean duplicate?'],
      [['--write', copy, '--filters', 'nothing'], 'Choose from: missingImage, equal'],
      [['--write', copy, '--filters', 'missingImage'], '--images'],
      [['--write', copy, '--limit', '1'], '--limit'],
      [['--write', copy], '--force'],
      [['--filters', 'equal'], '--write'],
    ] as const) {
      const failed = await captious(scratch.path, 'benchmark', one, ...args);
      assert.equal(failed.code, 2);
      assert.ok(failed.err.includes(says), failed.err);
    }
  });

  it('compares with the files of --against only, and has baselines of a text and an encoder', async () => {
    const files = [
      file('three.jsonl', ['a man bites a dog', 'a cat bites a man']),
      file('four.jsonl', ['a cow bites a man']),
    ];
    const train = scratch.write('train.csv', 'image,caption\nx.jpg,A dog bites a man.\ny.jpg,two cups');
    const sentences = scratch.write('text.txt', 'the dog bites the cat\na man bites a pear\n');
    const more = [
      '--against',
      files[1],
      '--against',
      train,
      '--text',
      sentences,
      '--encoder',
      'starter',
      '--json',
    ];
    const { out, code, err } = await captious(scratch.path, 'benchmark', files[0], ...more);
    assert.equal(code, 0, err);
    const beside = await captious(scratch.path, 'benchmark', ...files, '--json');
    const [report] = JSON.parse(out) as Report[];
    assert.equal(metricOf((JSON.parse(beside.out) as Report[])[0].metrics, 'benchmark.leaks'), undefined);
    const value = (id: string) => metricOf(report.metrics, id)?.value;
    assert.deepEqual([value('benchmark.leaks.caption'), value('benchmark.leaks.image')], [2, 0]);
    assert.ok(typeof value('benchmark.blind.lmText') === 'number');
    assert.ok(typeof value('benchmark.blind.typicality') === 'number');
    assert.deepEqual(report.options, {
      against: `${files[1]}, ${train}`,
      text: sentences,
      encoder: 'starter',
    });
    const failed = await captious(
      scratch.path,
      'benchmark',
      files[0],
      '--text',
      join(scratch.path, 'none.txt'),
    );
    assert.deepEqual([failed.code, failed.err.includes('none.txt')], [2, true]);
  });

  it('fails for a file without right and wrong captions', async () => {
    const plain = scratch.write('plain.jsonl', JSON.stringify({ image: '1.jpg', caption: 'a dog' }));
    const { code, err } = await captious(scratch.path, 'benchmark', plain, '--json');
    assert.deepEqual([code, err.includes('choice')], [2, true]);
    assert.equal((await captious(scratch.path, 'benchmark')).code, 2);
  });

  it('says which options need reports, and that reports of the dataset are missing', async () => {
    const pairs = file('pairs.jsonl', ['a man bites a dog']);
    for (const option of ['subset', 'score']) {
      const { code, err } = await captious(scratch.path, 'benchmark', pairs, `--${option}`, 'x');
      assert.deepEqual([code, err.includes('--reports')], [2, true], err);
    }
    const several = ['benchmark', pairs, pairs, '--reports', scratch.path, '--subset', 'x'];
    assert.match((await captious(scratch.path, ...several)).err, /exactly one FILE/);
    const none = await captious(scratch.path, 'benchmark', pairs, '--reports', scratch.path);
    assert.notEqual(none.code, 0);
    assert.match(none.err, saying('benchmark.auditFirst', pairs));
  });
});
