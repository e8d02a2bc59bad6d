import { say } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { readEntries } from '../../../src/report/paper/entry';
import { readFacts } from '../../../src/report/paper/facts';
import { layoutsNamed } from '../../../src/report/paper/layouts/list';
import { isNumber, type NumberCell, type PaperTable } from '../../../src/report/paper/table';
import { flatHeads } from '../../../src/report/paper/write/plain';
import { saying, sentence } from '../../sentence';
import { movedRows, paperReport, preferenceRows } from './paperReports';

/** A pseudo-random number from 0 to 1. */
const noise = (i: number): number => ((i * 7919 + 104_729) % 1009) / 1009;

const middle = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
};

describe('tables of a paper that are computed from rows', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-rows-'));
  });
  after(() => rm(folder, { recursive: true }));

  const table = async (id: string, paths: string[], facts?: string): Promise<PaperTable> => {
    const known = facts === undefined ? undefined : await readFacts(facts);
    const entries = await readEntries(paths, undefined, undefined, known);
    return layoutsNamed(id, entries)[0].build(entries);
  };
  const number = (cell: unknown): NumberCell => {
    assert.ok(typeof cell === 'object' && cell !== null && isNumber(cell as NumberCell));
    return cell as NumberCell;
  };
  const near = (cell: unknown, expected: number) =>
    assert.ok(
      Math.abs(number(cell).metric.value! - expected) < 1e-12,
      `${number(cell).metric.value} is not ${expected}`,
    );
  const refused = async (work: Promise<unknown>, remedy: RegExp) =>
    assert.rejects(work, (error) => {
      assert.ok(error instanceof CaptiousError && error.kind === 'input');
      assert.match(error.remedy ?? '', remedy);
      return true;
    });

  it('LGIP, Table 3: E_inv over the flipped paraphrases, also in spreads', async () => {
    const paraphrases = 3;
    const rows = Array.from({ length: 60 }, (_, i) => {
      const of = [0, 1, 2].filter((at) => (i + at) % 3 > 0 && i % 5 > 0);
      const variant = (text: string, family: string, delta: number) => ({
        ...{
          text,
          family,
          kind: family === 'combined' ? 'object' : 'template',
          rule: 'r',
          score: 0.5 + delta,
        },
        ...{ delta, span: [0, 1], was: [0, 1] },
      });
      return {
        ...{
          example: `e${i}`,
          row: i,
          image: `${i % 30}.jpg`,
          caption: 0,
          field: 'caption',
          text: 'a',
          words: 1,
        },
        ...{ outcome: 'perturbed', score: 0.5 },
        variants: [
          ...Array.from({ length: paraphrases }, (_, at) =>
            variant(`p${at}`, 'paraphrase', noise(3 * i + at) - 0.5),
          ),
          ...of.map((at) => ({
            ...variant(`c${at}`, 'combined', -0.2),
            gap: 0.2,
            of: at,
            gapToParaphrase: 0.1,
          })),
        ],
      };
    });
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const paths = await Promise.all(
      ['A', 'B'].map((evaluator) =>
        paperReport(folder, { probe: 'lgip', dataset: 'flipped', evaluator, shift: 0, rows: lines }),
      ),
    );
    const entries = await readEntries(paths);
    const spread = { mean: 0, kind: 'image-text', pairs: 500, error: 0.01 } as const;
    entries[0].report.spread = { ...spread, value: 0.5 };
    entries[1].report.spread = { ...spread, value: 0.25 };
    const made = await layoutsNamed('lgip.table3', entries)[0].build(entries);
    const perCaption = rows.flatMap(({ variants }) => {
      const own = variants.flatMap((one) =>
        'of' in one ? [Math.abs(variants[one.of as number].delta)] : [],
      );
      return own.length === 0 ? [] : [own.reduce((a, b) => a + b, 0) / own.length];
    });
    const expected = perCaption.reduce((a, b) => a + b, 0) / perCaption.length;
    const heads = flatHeads(made);
    assert.deepEqual(heads.slice(0, 2), ['E inv ↓', 'E inv / SD ↓']);
    for (const [i, { cells }] of made.rows.entries()) {
      near(cells[0], expected);
      assert.equal(number(cells[0]).metric.n, perCaption.length);
      assert.ok(number(cells[0]).ci !== undefined);
      near(cells[1], expected / [0.5, 0.25][i]);
    }
  });

  it('invariance, Table 2: what is left without the most visible moves', async () => {
    const count = 40;
    const paths = await Promise.all(
      ['A', 'B'].map((evaluator, i) =>
        paperReport(folder, {
          probe: 'invariance',
          dataset: 'moved',
          evaluator,
          shift: i,
          rows: movedRows(count),
        }),
      ),
    );
    const made = await table('invariance.table2', paths);
    assert.deepEqual(flatHeads(made), ['Ret. (%)', 'BG Δ', 'SeamE ratio', 'A', 'B']);
    assert.deepEqual(
      made.rows.map(({ labels }) => labels),
      [
        'None (all)',
        'Drop top 5 % SeamE',
        'Drop top 5 % BG Δ',
        'Drop top 5 % either',
        'Drop top 10 % either',
      ].map((name) => [name]),
    );
    // The seam grows with the row, and the background change falls, so "either" drops rows at both ends.
    const seams = Array.from({ length: count }, (_, i) => 1 + i / 100);
    const backgrounds = seams.map((_, i) => (count - i) / 1000);
    const kept = [
      [0, count],
      [0, count - 2],
      [2, count],
      [2, count - 2],
      [4, count - 4],
    ];
    for (const [i, [from, to]] of kept.entries()) {
      const { cells } = made.rows[i];
      near(cells[0], (to - from) / count);
      near(cells[1], middle(backgrounds.slice(from, to)));
      near(cells[2], middle(seams.slice(from, to)));
      const without = [
        undefined,
        sentence('invariance.topShareMove', 5, 'seam'),
        sentence('invariance.topShareMove', 5, 'background'),
        sentence('invariance.topShareMove', 5, 'either'),
        sentence('invariance.topShareMove', 10, 'either'),
      ][i];
      for (const cell of cells.slice(3)) {
        assert.equal(number(cell).metric.id, 'invariance.spatial.reposition.br-tl.median');
        assert.deepEqual(number(cell).metric.slice, without === undefined ? undefined : { without });
      }
    }
    const still = await paperReport(folder, {
      probe: 'invariance',
      dataset: 'still',
      evaluator: 'A',
      shift: 0,
    });
    await refused(table('invariance.table2', [still]), /invariance\.instances/);
  });

  it('invariance, Table 4: two rows for each evaluator, one column for each dataset', async () => {
    const paths: string[] = [];
    for (const evaluator of ['A', 'B'])
      for (const dataset of ['coco', 'open'])
        paths.push(await paperReport(folder, { probe: 'invariance', dataset, evaluator, shift: 0 }));
    const made = await table('invariance.table4', paths);
    assert.deepEqual(flatHeads(made), ['coco', 'open']);
    assert.deepEqual(
      made.rows.map(({ labels }) => labels),
      [
        ['A', 'Reposition'],
        ['', 'Rotation'],
        ['B', 'Reposition'],
        ['', 'Rotation'],
      ],
    );
    assert.deepEqual(
      made.rows.map(({ cells }) => number(cells[0]).metric.id),
      ['reposition.br-tl', 'rotation', 'reposition.br-tl', 'rotation'].map(
        (name) => `invariance.spatial.${name}.median`,
      ),
    );
  });

  it('invariance, Table 17: accuracy before and after calibration, and the paired difference', async () => {
    const rights = [(i: number) => (i * 7) % 80 < 50, (i: number) => (i * 7) % 80 < 50 + 12 || i % 40 === 1];
    const paths: string[] = [];
    for (const [i, evaluator] of ['CLIP', 'Calibrated'].entries())
      paths.push(
        await paperReport(folder, {
          ...{ probe: 'human', dataset: 'suite', evaluator, shift: i },
          ...(i === 0 ? {} : { notes: [say('evaluator.calibratedScores', 'CLIP', 0.4, 'signed', 'vflip')] }),
          rows: preferenceRows(Array.from({ length: 80 }, (_, at) => rights[i](at))),
        }),
      );
    const made = await table('invariance.table17', paths);
    assert.deepEqual(
      [made.labelHeads, flatHeads(made)],
      [
        ['Suite', 'Evaluator'],
        ['Before', 'After', 'Δ'],
      ],
    );
    assert.deepEqual(
      made.rows.map(({ labels }) => labels),
      [['suite', 'CLIP']],
    );
    const differences = Array.from({ length: 80 }, (_, i) => Number(rights[1](i)) - Number(rights[0](i)));
    const mean = differences.reduce((a, b) => a + b, 0) / 80;
    const [, , cell] = made.rows[0].cells;
    near(cell, mean);
    // With one row per image, the clustered test is the paired t-test. Student's quantile for 79 degrees is 1.99.
    const deviation = Math.sqrt(differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 79);
    const { ci } = number(cell).metric;
    for (const [i, side] of [-1, 1].entries())
      assert.ok(Math.abs(ci![i] - (mean + (side * 1.99045 * deviation) / Math.sqrt(80))) < 1e-5, String(ci));
    assert.match(number(cell).shown, /^\+/);
    await refused(table('invariance.table17', paths.slice(0, 1)), saying('paper.calibrateThenAudit'));
  });

  it('RoCOCO, Tables 5 to 7: name the option that an audit lacks', async () => {
    const paths = await Promise.all(
      ['A', 'B'].map((evaluator) =>
        paperReport(folder, { probe: 'rococo', dataset: 'stress', evaluator, shift: 0 }),
      ),
    );
    for (const [id, option, groups] of [
      ['rococo.table5', /rococo\.deletion=true/, ['Random deletion', 'High EI deletion', 'Low EI deletion']],
      ['rococo.table6', /rococo\.words=true/, [2, 3, 4, 5].map((words) => `${words} words`)],
      ['rococo.table7', /mix-0\.7/, ['Mix (λ = 0.7)', 'Mix (λ = 0.6)', 'Patch (λ = 0.7)', 'Patch (λ = 0.6)']],
    ] as const) {
      const made = await table(id, paths);
      const rsms = id === 'rococo.table7' ? 'IR@1 ↓' : 'RSMS ↓';
      assert.deepEqual(flatHeads(made), [
        'Clean · R@1 ↑',
        ...groups.flatMap((group) => ['R@1 ↑', 'drop rate', rsms].map((head) => `${group} · ${head}`)),
      ]);
      for (const { cells } of made.rows)
        for (const cell of cells.map(number)) {
          const [low, high] = cell.ci!.map(Number);
          assert.ok(low < high, `${low} to ${high}`);
          assert.equal(cell.plusMinus, (Math.abs(high - low) / 2).toFixed(2));
        }
      for (const { cells } of made.rows)
        for (const cell of cells.slice(1)) assert.ok(number(cell).metric.slice !== undefined);
      const entries = await readEntries(paths);
      for (const { report } of entries)
        report.metrics = report.metrics.filter(({ slice }) => slice === undefined);
      await refused(layoutsNamed(id, entries)[0].build(entries), option);
    }
  });

  it('VISLA, Tables 6 to 9: facts of a file, and the benchmark’s file of the table', async () => {
    const paths: string[] = [];
    for (const evaluator of ['A', 'B'])
      for (const dataset of ['Generic_VISLA', 'Spatial_VISLA'])
        paths.push(await paperReport(folder, { probe: 'visla', dataset, evaluator, shift: 0 }));
    const facts = join(folder, 'facts.json');
    await writeFile(facts, JSON.stringify({ A: { parameters: '151M', dataSize: '400M', finetuned: 'no' } }));
    await refused(table('visla.table6', paths), saying('paper.nameFactsFile'));
    const six = await table('visla.table6', paths, facts);
    assert.deepEqual(
      six.rows.map(({ labels, cells }) => [...labels, ...cells]),
      [
        ['A', '151M', '–', '400M', '–', '–', 'no'],
        ['B', '–', '–', '–', '–', '–', '–'],
      ],
    );
    const seven = await table('visla.table7', paths, facts);
    assert.deepEqual(seven.labelHeads, ['', 'Data size', '# Params']);
    assert.deepEqual(seven.rows[0].labels, ['A', '400M', '151M']);
    assert.ok(
      seven.notes.some(
        (note) => note.startsWith('Columns left out') && /Pre-training dataset, Emb\.\.?$/.test(note),
      ),
    );
    assert.deepEqual(
      flatHeads(seven),
      ['Generic_VISLA', 'Spatial_VISLA'].flatMap((name) => ['T2T', 'I2T'].map((head) => `${name} · ${head}`)),
    );
    for (const [id, dataset] of [
      ['visla.table8', 'Generic_VISLA'],
      ['visla.table9', 'Spatial_VISLA'],
    ]) {
      const made = await table(id, paths);
      assert.deepEqual(flatHeads(made), ['P1-N', 'P2-N', 'I2T', 'T2T']);
      assert.ok(made.caption.includes(dataset.split('_')[0].toLowerCase()), 'the two tables differ');
      const cells = made.rows.flatMap((row) => row.cells.map(number));
      assert.ok(cells.every(({ entry }) => entry.dataset === dataset));
      assert.deepEqual(
        made.rows[0].cells.map((cell) => number(cell).metric.id),
        ['visla.i2t.p1n', 'visla.i2t.p2n', 'visla.i2t', 'visla.t2t'],
      );
      await refused(
        table(
          id,
          paths.filter((path) => !path.includes(dataset)),
        ),
        saying('paper.giveBenchmarkReports', dataset.split('_')[0].toLowerCase()),
      );
    }
    await writeFile(facts, JSON.stringify({ C: { parameters: '1' } }));
    await refused(table('visla.table7', paths, facts), saying('paper.useTableNames', 'A, B'));
    await writeFile(facts, JSON.stringify(['A']));
    await refused(table('visla.table7', paths, facts), saying('paper.writeFactsObject'));
  });
});
