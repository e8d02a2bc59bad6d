import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bestOfCommand } from '../../../src/cli/commands/results/bestof';
import type { Metric } from '../../../src/probe/metric';
import { drive, example } from '../probe/exploit/drive';
import { reportOf, sealOfText } from '../report/reportOf';
import { captious } from './captious';

const examples = Array.from({ length: 20 }, (_, i) =>
  example(String(i), [
    `A ${['red', 'blue', 'old'][i % 3]} dog stands next to a man near a wall number ${i}.`,
  ]),
);
const length = (text: string): number => text.split(/\s+/).length;

describe('captious bestof', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-bestof-'))));
  after(() => rmSync(folder, { recursive: true }));

  /** Writes an exploit report of an evaluator, with its rows. */
  function written(id: string, score: (text: string) => number, sha256 = 'aa', probe = 'exploit'): string {
    const { rows } = drive(examples, score, { families: 'repeat, shout' });
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const report = reportOf();
    writeFileSync(join(folder, `${id}.rows.jsonl`), text);
    const path = join(folder, `${id}.report.json`);
    writeFileSync(
      path,
      JSON.stringify({
        ...report,
        probe,
        dataset: { ...report.dataset, sha256 },
        evaluator: { ...report.evaluator, id, name: id },
        ...sealOfText(text),
        rows: `${id}.rows.jsonl`,
      }),
    );
    return path;
  }

  it('shows the curves, the fall of an evaluator that likes the opposite, and transfer', async () => {
    const likes = written('likes', length);
    const paths = [
      likes,
      written('hates', (text) => -length(text)),
      written('same', (text) => 2 * length(text)),
    ];
    const html = join(folder, 'curves.html');
    const { code, out } = await captious(folder, 'bestof', ...paths, '--json', '--html', html);
    assert.equal(code, 0);
    const found = JSON.parse(out) as {
      sizes: number[];
      images: number;
      gains: Metric[][];
      overOptimised: { evaluator: number; from: number; to: number }[];
      transfer: Metric[][];
    };
    assert.equal(found.images, 20);
    assert.deepEqual(found.sizes, [1, 2, 4]);
    for (const [i, { value }] of found.gains[1].entries()) {
      assert.ok(Math.abs(value! + found.gains[0][i].value!) < 1e-12);
      assert.ok(Math.abs(found.gains[2][i].value! - 2 * found.gains[0][i].value!) < 1e-12);
    }
    assert.deepEqual(
      found.transfer.map(([{ id, value }]) => [id, value]),
      [
        ['exploit.transfer', 0],
        ['exploit.transfer', 1],
      ],
    );
    assert.match(readFileSync(html, 'utf8'), /<svg/);
  });

  it('rejects one report, another probe, another dataset and the same evaluator', async () => {
    const likes = written('likes', length);
    const rejected: [string[], RegExp][] = [
      [[], /Two or more exploit reports/],
      [[written('long', length, 'aa', 'long')], /probe long/],
      [[written('other', length, 'dd')], /different datasets/],
      [[likes], /evaluator that chooses/],
    ];
    const signal = new AbortController().signal;
    for (const [others, message] of rejected)
      await assert.rejects(
        async () => bestOfCommand.run({ positionals: [likes, ...others], values: {}, signal }),
        message,
      );
  });
});
