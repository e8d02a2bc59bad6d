import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bestOfCommand } from '../../../../../src/cli/commands/results/bestof';
import { exploitFamilies } from '../../../../../src/perturb/exploit/families';
import type { Metric } from '../../../../../src/probe/metric';
import { drive, example } from '../../../probe/exploit/drive';
import { reportOf, sealOfText } from '../../../report/reportOf';
import type { Report } from '../../../../../src/report/report';
import { captious } from '../../captious';

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
  function written(
    id: string,
    score: (text: string) => number,
    sha256 = 'aa',
    probe = 'exploit',
    changes: Partial<Report> = {},
  ): string {
    const { rows } = drive(examples, score, { families: 'repeat, shout' });
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const report = reportOf();
    writeFileSync(join(folder, `${id}.rows.jsonl`), text);
    const path = join(folder, `${id}.report.json`);
    writeFileSync(
      path,
      JSON.stringify({
        ...report,
        ...changes,
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
    const [html, svg] = ['html', 'svg'].map((ending) => join(folder, `curves.${ending}`));
    const { code, out } = await captious(folder, 'bestof', ...paths, '--json', '--html', html, '--svg', svg);
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
    assert.match(readFileSync(svg, 'utf8'), /^<svg .*class="curve"/);
  });

  it('rejects one report, another probe, dataset, seed or texts, and the same evaluator', async () => {
    const likes = written('likes', length);
    let changed = 0;
    const withChanges = (changes: Partial<Report>): string =>
      written(`changed ${++changed}`, length, 'aa', 'exploit', changes);
    const rejected: [string[], RegExp][] = [
      [[], /Two or more exploit reports/],
      [[written('long', length, 'aa', 'long')], /probe long/],
      [[written('other', length, 'dd')], /different datasets/],
      [[likes], /evaluator that chooses/],
      [[withChanges({ seed: 7 })], /different seeds: 42 and 7/],
      [[withChanges({ options: { families: 'shout' } })], /different options: families/],
      [[withChanges({ options: { controls: false } })], /different options: controls is true .* false/],
      [[withChanges({ options: { universal: 3 } })], /different options: universal is 20 .* 3/],
    ];
    const signal = new AbortController().signal;
    // A search and the order of families change none of the texts that are compared.
    const searched = withChanges({
      options: { search: 24, families: exploitFamilies.toReversed().join(', ') },
    });
    assert.equal(
      await bestOfCommand.run({ positionals: [likes, searched], values: { json: true }, signal }),
      0,
    );
    for (const [others, message] of rejected)
      await assert.rejects(
        async () => bestOfCommand.run({ positionals: [likes, ...others], values: {}, signal }),
        message,
      );
  });
});
