import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InvarianceRow } from '../../../src/probe/invariance/row';
import { type ReportAt, worseThanBaseline } from '../../../src/report/baseline';
import { readReport } from '../../../src/report/report';
import { reportOf, writeReport } from './reportOf';

/** A caption of an image with a flip and two rotations, each of which changes the score by about `size`. */
function row(i: number, size: number): InvarianceRow {
  const variant = (family: string, name: string, turn: number) => {
    const delta = size * (1 + ((i * turn) % 5) / 10);
    return {
      ...{ axis: 'spatial' as const, family, variant: name },
      ...{ against: 0.5, score: 0.5 + delta, delta, change: 200 * delta },
    };
  };
  return {
    ...{
      example: `${i}`,
      row: i,
      image: `${i}.jpg`,
      objects: 'none',
      source: 'dataset',
      text: 'a dog',
      score: 0.5,
    },
    variants: [variant('vflip', '', 1), variant('rotation', '-5', 2), variant('rotation', '+5', 3)],
    rejected: [],
  };
}

describe('the baseline of an invariance report', () => {
  let folder: string;
  const written = async (name: string, images: number, size: number): Promise<ReportAt> => {
    const rows = Array.from({ length: images }, (_, i) => `${JSON.stringify(row(i, size))}\n`).join('');
    const report = reportOf({ probe: 'invariance', rows: `${name}.rows.jsonl` });
    const path = await writeReport(folder, report, rows);
    return { path, report: await readReport(path) };
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-baseline-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('fails a run with shifts ten times as large, by axis and family, and passes the same and a better run', async () => {
    const before = await written('before', 40, 0.01);
    const worse = await worseThanBaseline(before, await written('worse', 40, 0.1));
    assert.deepEqual(worse.map(({ metric }) => metric).sort(), [
      'invariance.spatial.meanAbsDelta',
      'invariance.spatial.rotation.meanAbsDelta',
      'invariance.spatial.vflip.meanAbsDelta',
    ]);
    assert.deepEqual(await worseThanBaseline(before, before), []);
    assert.deepEqual(await worseThanBaseline(before, await written('better', 40, 0.001)), []);
  });

  it('cannot be decided with too few images', async () => {
    const [before, after] = [await written('few', 12, 0.01), await written('fewWorse', 12, 0.1)];
    await assert.rejects(worseThanBaseline(before, after), /worse, but it has too few images/);
  });
});
