import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaptiousError } from '../../../src/base/errors';
import { say } from '../../../src/base/say';
import type { InvarianceRow } from '../../../src/probe/invariance/row';
import { probes } from '../../../src/probe/generated/probes';
import { parseMargins } from '../../../src/report/decisions/decisions';
import { type ReportAt, type Worse, worseThanBaseline } from '../../../src/report/baseline';
import { readReport } from '../../../src/report/report';
import { reportOf, writeReport } from './reportOf';
import { saying, sentence } from '../../sentence';

const worseThan = async (...of: Parameters<typeof worseThanBaseline>): Promise<Worse[]> => {
  const { worse, lost } = await worseThanBaseline(...of);
  assert.deepEqual(lost, []);
  return worse;
};

/** A caption with a vertical flip and two rotations of its image. Each changes the score by 1 to 1.4 times `size`. */
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

/** For each probe, makes row `i` with a right or wrong result. Some scores vary slightly with `i`. */
const rowsOf: Readonly<Record<string, (i: number, right: boolean) => object>> = {
  lgip: (i, right) => {
    const gap = (right ? 0.1 : -0.05) + (i % 7) / 1000;
    const variant = { text: 'b', rule: '', span: [0, 1], was: [0, 1], score: 0.3 };
    return {
      ...{ caption: 0, field: 'caption', text: 'a', words: 1, outcome: 'perturbed', score: 0.3 },
      variants: [
        { ...variant, family: 'paraphrase', kind: 'template', delta: (right ? 0.01 : 0.1) + (i % 5) / 1000 },
        { ...variant, family: 'flip', kind: 'object', delta: -gap, gap },
      ],
    };
  },
  exploit: (i, right) => {
    const delta = (right ? -0.1 : 0.05) + (i % 7) / 1000;
    const edit = { text: 'b', span: [0, 1], was: [0, 1], score: 0.3 + delta, delta };
    return {
      ...{ caption: 0, field: 'caption', text: 'a', words: 1, score: 0.3, omitted: [] },
      edits: [{ ...edit, family: 'repeat', kind: 'caption' }],
    };
  },
  long: (i, right) => {
    const delta = (right ? -0.1 : 0.05) + (i % 7) / 1000;
    const error = { text: 'b', span: [0, 1], was: [0, 1], score: 0.3 + delta, delta };
    return {
      ...{ caption: 0, field: 'caption', text: 'a', words: 30, sentences: [[0, 1]], score: 0.3 },
      variants: [{ ...error, kind: 'object', position: 0.5, decile: 6 }],
    };
  },
  visla: (_i, right) => ({
    ...{ p1: 'a', p2: 'b', n: 'c', swapped: false },
    ...{ characters: { p1p2: 1, p1n: 1, p2n: 1 }, words: { p1p2: 1, p1n: 1, p2n: 1 } },
    t2t: { p1p2: 0.5, p1n: right ? 0.4 : 0.6, p2n: 0.3, right, tie: false },
  }),
  choice: (_i, right) => ({
    ...{ captions: ['a', 'b'], images: ['x.jpg'], rightOf: [0, -1] },
    scores: [[right ? 0.9 : 0.1, 0.5]],
  }),
  sugarcrepe: (_i, right) => ({
    ...{ caption: 'a', negative: 'b' },
    i2t: { caption: 0.5, negative: right ? 0.4 : 0.6, right, tie: false },
  }),
  winoground: (_i, right) => ({
    ...{ captions: ['a', 'b'], images: ['x.jpg', 'y.jpg'] },
    ...{ c0i0: right ? 0.9 : 0.1, c1i0: 0.5, c0i1: 0.5, c1i1: right ? 0.9 : 0.1 },
    ...{ right: { text: right, image: right, group: right } },
  }),
  rococo: (_i, right) => ({
    ...{ kind: 'image', caption: 'a', score: 0.5, first: [] },
    clean: { r1: right ? 1 : 0 },
    lists: [{ source: 'file', stressed: { r1: right ? 1 : 0 }, rsms: right ? 0 : 1, first: [] }],
  }),
  prsm: (i, right) => {
    const value = (right ? 0.8 : 0.3) + (i % 7) / 100;
    return {
      ...{ kind: 'query', caption: 'a', wordings: [], pairs: [], moved: [] },
      ...{ global: value, listwise: value, local: { '10': value } },
    };
  },
  invariance: (i, right) => row(i, right ? 0.01 : 0.1),
  human: (_i, right) => ({
    ...{ kind: 'preference', captions: ['a', 'b'], preferred: 0, votes: [5, 0] },
    scores: [[right ? 0.9 : 0.1, 0.5]],
  }),
};

describe('the baseline of any report', () => {
  let folder: string;
  const written = async (probe: string, name: string, isRight: (i: number) => boolean): Promise<ReportAt> => {
    const text = Array.from({ length: 60 }, (_, i) =>
      JSON.stringify({ ...rowsOf[probe](i, isRight(i)), example: `${i}`, row: i, image: `${i}.jpg` }),
    ).join('\n');
    const path = await writeReport(
      folder,
      reportOf({ probe, rows: `${probe}.${name}.rows.jsonl` }),
      `${text}\n`,
    );
    return { path, report: await readReport(path) };
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-baselines-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('covers every probe', () => {
    // No influence of a word is better than another one.
    const judging = probes.map(({ id }) => id).filter((id) => id !== 'explain');
    assert.deepEqual(judging.sort(), Object.keys(rowsOf).sort());
  });

  for (const probe of Object.keys(rowsOf))
    it(`fails a worse run, and passes the same and a better one: ${probe}`, async () => {
      const before = await written(probe, 'before', (i) => i % 3 !== 0);
      const worse = await worseThan(before, await written(probe, 'worse', (i) => i % 3 === 0));
      assert.ok(worse.length > 0);
      assert.deepEqual(await worseThan(before, before), []);
      assert.deepEqual(await worseThan(before, await written(probe, 'better', () => true)), []);
    });

  it('with a margin, fails a report unless it is shown to be worse by at most the margin', async () => {
    const before = await written('visla', 'margin', (i) => i % 3 !== 0);
    // Two of 60 rows become wrong, and none becomes right.
    const close = await written('visla', 'close', (i) => i % 3 !== 0 && i > 2);
    assert.deepEqual(await worseThan(before, before, { margins: parseMargins('0.08') }), []);
    const [first] = await worseThan(before, close, { margins: parseMargins('0.08') });
    assert.deepEqual([first.metric, first.margin], ['visla.t2t', 0.08]);
    assert.deepEqual(await worseThan(before, close, { margins: parseMargins('0.2') }), []);
    // A metric without a margin is tested for a difference. Two rows are too few to show a difference.
    assert.deepEqual(await worseThan(before, close, { margins: parseMargins('visla.i2t=0.01') }), []);
    for (const wrong of ['', '0', 'visla.t2t=', 'visla.t2t=0.1,0.2', '-1'])
      assert.throws(() => parseMargins(wrong), saying('report.marginInvalid'));
  });

  it('with an anytime-valid test, tests only right or wrong results, from any number of rows', async () => {
    const before = await written('visla', 'first', () => true);
    const worse = await worseThan(before, await written('visla', 'later', (i) => i % 2 === 0), {
      anytime: true,
    });
    assert.equal(worse[0].metric, 'visla.t2t');
    assert.ok(worse[0].anytime!.ci[1] < 0 && worse[0].anytime!.pValue < 0.05);
    assert.deepEqual(await worseThan(before, before, { anytime: true }), []);
    const scores = await written('prsm', 'scores', () => true);
    await assert.rejects(worseThan(scores, scores, { anytime: true }), (error: CaptiousError) => {
      assert.deepEqual(error.what, say('report.baselineNotComparable', say('report.noBinaryMetric', 'prsm')));
      assert.deepEqual(error.details.remedy, say('report.leaveOutAnytime'));
      return true;
    });
  });
});

describe('a run that lost examples of its baseline', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-lost-'))));
  after(() => rm(folder, { recursive: true }));

  const written = async (name: string, rows: readonly object[], skipped = 0): Promise<ReportAt> => {
    const lines = rows.map(
      (one, i) => `${JSON.stringify({ example: `${i}`, row: i, image: `${i}.jpg`, ...one })}\n`,
    );
    const whole = reportOf({ rows: `${name}.rows.jsonl` });
    const report = { ...whole, dataset: { ...whole.dataset, skipped } };
    const path = await writeReport(folder, report, lines.join(''));
    return { path, report: await readReport(path) };
  };
  const t2t = ['visla.t2t', 'visla.t2t.p1n', 'visla.t2t.p2n'];
  const all = Array.from({ length: 32 }, (_, i) => rowsOf.visla(i, i % 3 !== 0));

  it('counts them by metric, although the others are not worse', async () => {
    const before = await written('before', all);
    const { worse, lost } = await worseThanBaseline(before, await written('after', all.slice(0, 2), 30));
    assert.deepEqual([worse, lost], [[], [{ metrics: t2t, examples: 30, of: 32 }]]);
  });

  it('counts them if no example is left', async () => {
    const before = await written('some', all);
    const { lost } = await worseThanBaseline(before, await written('none', [], 32));
    assert.deepEqual(lost, [{ metrics: t2t, examples: 32, of: 32 }]);
  });

  it('counts examples that lack only one of their metrics', async () => {
    const i2t = { p1: 0.5, p2: 0.5, n: 0.4, right: true, tie: false };
    const before = await written(
      'both',
      all.map((one) => ({ ...one, i2t })),
    );
    const { lost } = await worseThanBaseline(before, await written('one', all));
    assert.deepEqual(lost, [
      { metrics: ['visla.i2t', 'visla.i2t.p1n', 'visla.i2t.p2n'], examples: 32, of: 32 },
    ]);
  });
});

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
    const worse = await worseThan(before, await written('worse', 40, 0.1));
    assert.deepEqual(worse.map(({ metric }) => metric).sort(), [
      'invariance.spatial.meanAbsDelta',
      'invariance.spatial.rotation.meanAbsDelta',
      'invariance.spatial.vflip.meanAbsDelta',
    ]);
    assert.deepEqual(await worseThan(before, before), []);
    assert.deepEqual(await worseThan(before, await written('better', 40, 0.001)), []);
  });

  it('cannot be decided with too few images', async () => {
    const [before, after] = [await written('few', 12, 0.01), await written('fewWorse', 12, 0.1)];
    await assert.rejects(
      worseThan(before, after),
      saying('report.worseTooFew', 'invariance.spatial.meanAbsDelta', sentence('bench.images')),
    );
  });
});
