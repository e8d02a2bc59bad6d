import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import { CaptiousError } from '../../../src/base/errors';
import type { Said } from '../../../src/base/say';
import { createBench } from '../../../src/bench/createBench';
import type { Evaluator, EvaluatorInfo } from '../../../src/evaluator/evaluator';
import type { ExploitRow } from '../../../src/probe/exploit/row';
import type { ImageItem } from '../../../src/protocol/item';
import { rowRequests, type RowAnswer } from '../../../src/protocol/rows';
import { readReport } from '../../../src/report/report';
import { Fooling } from '../../../src/service/fooling';
import { OpenEvaluators } from '../../../src/service/openEvaluators';
import { Shelf } from '../../../src/service/rows/shelf';
import { reportFiles } from '../../../src/service/rows/rowFile';
import { planted, type Planted, wordsIn } from '../explain/planted';

const captions = [
  ['A red bus waits near a wall.', 'A bus by a zebra.'],
  ['A dog runs on the green grass.'],
  ['A man holds a magic lamp.'],
  ['Two old boats lie on the beach.'],
];
const magical = (text: string): number => (wordsIn(text).includes('magic') ? 1 : 0);

class Given extends OpenEvaluators {
  private readonly bench = createBench();
  constructor(private readonly evaluator: Evaluator) {
    super();
  }
  override of(): ReturnType<OpenEvaluators['of']> {
    return Promise.resolve({ evaluator: this.evaluator, bench: this.bench });
  }
  override close(): Promise<void> {
    return this.bench.close();
  }
}

describe('a live search for a text that scores higher', function () {
  this.timeout(60_000);
  let folder: string;
  let dataset: string;
  let image: ImageItem;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-fool-'));
    dataset = join(folder, 'captions.json');
    const images = captions.map((_, id) => ({ id, file_name: `${id}.png` }));
    const annotations = captions.flatMap((own, id) => own.map((caption) => ({ image_id: id, caption })));
    await writeFile(
      dataset,
      JSON.stringify({ images, annotations: annotations.map((one, id) => ({ id, ...one })) }),
    );
    for (const { file_name: name } of images)
      await cp(resolve('test/fixtures/models/pictures/wide.png'), join(folder, name));
    image = { kind: 'image', source: { name: '0.png', path: join(folder, '0.png') }, transforms: [] };
  });
  after(() => rm(folder, { recursive: true }));

  /** Audits the captions, and returns the report with its rows. */
  async function audited(evaluator: Evaluator, options: Record<string, string>) {
    const [{ path, report }] = await runAudit({
      ...{
        dataset,
        probes: ['exploit'],
        evaluators: [evaluator],
        images: [folder],
        home: join(folder, 'home'),
      },
      out: await mkdtemp(join(folder, 'out-')),
      options: { exploit: { families: 'repeat', universal: '0', ...options } },
      signal: new AbortController().signal,
    });
    const rows = await readFile(join(path, '..', report.rows), 'utf8');
    const parsed = rows
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ExploitRow);
    return { path, rows: parsed };
  }

  interface Asked {
    index?: number;
    text?: string;
    budget?: number;
    captions?: string[];
    seen?: boolean;
    signal?: AbortSignal;
  }

  /** Asks as the page does, and reads the answer as the page does. */
  async function fool(
    evaluator: Evaluator,
    report: string,
    { index = 0, text = captions[0][0], budget = 64, captions: own, seen = true, signal }: Asked,
    fooling = new Fooling(new Given(evaluator)),
  ): Promise<RowAnswer<'fool'>> {
    const shelf = new Shelf(reportFiles);
    const all = own ?? (await shelf.captionsOf(report, index));
    await shelf.close();
    const ask = {
      ...{ report, index, text, image: `${index}.png`, budget, images: [], home: folder, trusted: true },
      allowed: { evaluators: [], own: [], workspace: [] },
    };
    const about = seen ? { image, dataset, captions: all } : { captions: all };
    const context = { signal: signal ?? new AbortController().signal, step: () => undefined };
    return rowRequests.fool.answer(await fooling.answer(ask, about, context), '');
  }

  const refuses = (code: string, answer: Promise<unknown>) =>
    assert.rejects(answer, (error) => error instanceof CaptiousError && (error.what as Said).code === code);

  it('takes the steps of a run with the same budget, for each caption', async () => {
    const likes = planted((text) => text.length + 3 * magical(text));
    const { path, rows } = await audited(likes, { search: '32' });
    assert.equal(rows.length, 5);
    for (const { example, text, score, image: name, search } of rows) {
      assert.ok(search!.path.length > 1);
      const own = rows.filter((other) => other.example === example).map((other) => other.text);
      const answer = await fool(likes, path, { index: Number(name![0]), text, budget: 32, captions: own });
      const { lost, ...expected } = search!;
      assert.deepEqual(answer, { search: { caption: text, score, ...expected }, isOver: false, lost });
    }
  });

  it('finds the magic word among all others, and then nothing better', async () => {
    const evaluator = planted(magical);
    const { path } = await audited(evaluator, {});
    evaluator.batches.length = 0;
    const { search, isOver } = await fool(evaluator, path, { budget: 10_000 });
    assert.equal(search.score, 0);
    assert.deepEqual(
      search.path.map(({ word, score }) => [word, score]),
      [['magic', 1]],
    );
    assert.ok(isOver && search.queries < 10_000);
    // Each text is scored once, and the caption, too.
    const texts = evaluator.batches.flat();
    assert.equal(new Set(texts).size, texts.length);
    assert.equal(texts.length, search.queries + 1);
  });

  it('goes on from a smaller budget without scoring a text again', async () => {
    const evaluator = planted((text) => text.length);
    const { path } = await audited(evaluator, {});
    evaluator.batches.length = 0;
    const fooling = new Fooling(new Given(evaluator));
    const paths = [];
    for (const budget of [8, 16, 24]) {
      const { search } = await fool(evaluator, path, { budget }, fooling);
      paths.push(search.path);
      assert.equal(evaluator.batches.flat().length, budget + 1);
    }
    assert.ok(paths[0].length > 0 && paths[2].length > paths[0].length);
    assert.deepEqual(paths[2].slice(0, paths[1].length), paths[1]);
    assert.deepEqual(paths[1].slice(0, paths[0].length), paths[0]);
  });

  it('finds nothing if the evaluator ignores the words', async () => {
    const evaluator = planted(() => 0.5);
    const { path } = await audited(evaluator, {});
    const { search, isOver } = await fool(evaluator, path, { budget: 40 });
    assert.deepEqual([search.path, search.queries, isOver], [[], 40, false]);
  });

  it('uses no word that another caption of the example has, and the words of the report if it has some', async () => {
    const striped = planted((text) => (wordsIn(text).includes('zebra') ? 1 : 0));
    const all = await audited(striped, {});
    assert.deepEqual((await fool(striped, all.path, { budget: 10_000 })).search.path, []);
    const likes = planted((text) => wordsIn(text).filter((word) => word === 'vivid').length);
    const own = await audited(likes, { search: '8', words: 'vivid,grand' });
    const { search } = await fool(likes, own.path, { budget: 24 });
    assert.ok(search.path.length > 1 && search.path.every(({ word }) => word === 'vivid'));
  });

  it('counts texts without a score, and refuses a caption without one', async () => {
    const evaluator = planted((text) => (wordsIn(text).includes('grass') ? 'too green' : 0));
    const { path } = await audited(
      planted(() => 0),
      {},
    );
    const { lost, problem, search } = await fool(evaluator, path, { budget: 10_000 });
    assert.ok(lost > 0 && lost < search.queries);
    assert.equal(problem, 'too green');
    await refuses(
      'fool.unscored',
      fool(
        planted(() => 'broken'),
        path,
        {},
      ),
    );
  });

  it('stops at once when it is cancelled', async () => {
    const stop = new AbortController();
    const batches: number[] = [];
    const slow: Planted = planted(() => 0);
    slow.scorePairs = (pairs) => {
      batches.push(pairs.length);
      if (batches.length === 3) stop.abort();
      return Promise.resolve(pairs.map(() => ({ ok: true, value: 0 })));
    };
    const { path } = await audited(
      planted(() => 0),
      {},
    );
    await assert.rejects(fool(slow, path, { budget: 200, signal: stop.signal }), { kind: 'interrupted' });
    assert.equal(batches.length, 3);
  });

  it('refuses what it cannot search', async () => {
    const evaluator = planted(magical);
    const { path } = await audited(evaluator, {});
    const changed = async (info: Partial<EvaluatorInfo>) => {
      const report = await readReport(path);
      const other = join(folder, 'other.report.json');
      await writeFile(other, JSON.stringify({ ...report, evaluator: { ...report.evaluator, ...info } }));
      return other;
    };
    evaluator.batches.length = 0;
    const shown = (report: string) => fool(evaluator, report, { captions: [] });
    await refuses('service.captionsCostMoney', shown(await changed({ kind: 'judge' })));
    await refuses('fool.onlyGivenScores', shown(await changed({ kind: 'scores' })));
    await refuses('explain.scoresNoImages', shown(await changed({ scores: ['text-text'] })));
    await refuses('editor.imageNotFound', fool(evaluator, path, { seen: false }));
    await refuses('fool.notEnglish', fool(evaluator, path, { text: 'Ein Hund auf dem Hund.' }));
    assert.deepEqual(evaluator.batches, []);
  });
});
