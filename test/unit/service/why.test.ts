import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Said } from '../../../src/base/say';
import { createBench } from '../../../src/bench/createBench';
import type { EvaluatorInfo } from '../../../src/evaluator/evaluator';
import { explained } from '../../../src/protocol/explained';
import type { ImageItem } from '../../../src/protocol/item';
import type { RowAsk } from '../../../src/protocol/rows';
import { why } from '../../../src/service/explaining';
import { OpenEvaluators } from '../../../src/service/openEvaluators';
import { bag, hiddenCell, image, planted } from '../explain/planted';
import { reportOf } from '../report/reportOf';

const weights = { a: 0.25, red: 3, blue: 1, bus: 5 };
/** The cell that shows the colour: hiding it removes the influence of “red” and “blue”. */
const colour = 8;
/** Hiding the object removes the influence of “bus”. */
const withoutBus = { ...weights, bus: 0 };
const evaluator = planted((text, seen) =>
  bag(
    hiddenCell(seen) === colour
      ? { ...weights, red: 0, blue: 0 }
      : seen.transforms.at(-1)?.op === 'conceal'
        ? withoutBus
        : weights,
  )(text),
);

class Planted extends OpenEvaluators {
  private readonly bench = createBench();
  override of(): ReturnType<OpenEvaluators['of']> {
    return Promise.resolve({ evaluator, bench: this.bench });
  }
  override close(): Promise<void> {
    return this.bench.close();
  }
}

describe('why a score of a report is what it is', () => {
  let folder: string;
  const evaluators = new Planted();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-why-'));
  });
  after(async () => {
    await evaluators.close();
    await rm(folder, { recursive: true });
  });

  const ask = async (
    given: Partial<RowAsk<'why'>>,
    info: Partial<EvaluatorInfo> = {},
    seen = true,
    transforms: ImageItem['transforms'] = [],
  ) => {
    const report = join(folder, 'some.report.json');
    const base = reportOf();
    await writeFile(report, JSON.stringify({ ...base, evaluator: { ...base.evaluator, ...info } }));
    const whole = {
      ...{ report, text: 'A red bus', other: 'A blue bus', image: 'bus.jpg', depth: 'regions' as const },
      ...{ home: folder, trusted: true, images: [] },
      allowed: { evaluators: [], own: [], workspace: [] },
      ...given,
    };
    const small = () => Promise.resolve(Uint8Array.of(1));
    const context = { signal: new AbortController().signal, step: () => undefined };
    // As the page receives it.
    const about = seen ? { image: { ...image, transforms }, dataset: join(folder, 'captions.json') } : {};
    return explained(await why(whole, about, small, evaluators, context), '');
  };
  const refuses = (code: string, ...asked: Parameters<typeof ask>) =>
    assert.rejects(
      ask(...asked),
      (error) => error instanceof CaptiousError && (error.what as Said).code === code,
    );

  it('answers with leave-one-out first, without what takes longer', async () => {
    const { method, words, regions, change } = await ask({ depth: 'first' });
    assert.deepEqual(
      [method, words.map(({ influence }) => influence), regions, change],
      ['leave-one-out', [0.25, 3, 5], undefined, undefined],
    );
    assert.equal((await ask({ depth: 'words' })).method, 'shapley');
  });

  it('answers with regions before the Shapley values, which take longer', async () => {
    const map = await ask({ depth: 'map' });
    assert.deepEqual([map.method, map.change], ['leave-one-out', undefined]);
    assert.deepEqual(map.regions, (await ask({})).regions);
  });

  it('answers with words alone, or with regions, or with regions for each word', async () => {
    const words = await ask({ depth: 'words' });
    assert.deepEqual(
      words.words.map(({ word, influence }) => [word, influence]),
      [
        ['A', 0.25],
        ['red', 3],
        ['bus', 5],
      ],
    );
    assert.equal(words.regions, undefined);
    const regions = (await ask({})).regions!;
    assert.deepEqual(
      regions.map(({ influence }) => influence),
      regions.map((_, i) => (i === colour ? 3 : 0)),
    );
    assert.equal(regions[colour].words, undefined);
    assert.deepEqual((await ask({ depth: 'table' })).regions![colour].words, [0, 3, 0]);
  });

  it('explains what the other caption changes', async () => {
    const { change } = await ask({});
    assert.deepEqual(
      [change?.otherScore, change?.difference, change?.changes, change?.regions?.[colour].influence],
      [6.25, -2, [{ from: 'red', to: 'blue', influence: -2 }], -2],
    );
    assert.equal((await ask({ other: undefined })).change, undefined);
  });

  it('writes the table and the figure of the command line', async () => {
    assert.match((await ask({ to: 'tex', depth: 'words' })).written!, /\\begin\{tabular\}[^]*red & \$\+3/);
    assert.match((await ask({ to: 'svg' })).written!, /<svg[^]*<\/svg>/);
    const { bytes, written } = await ask({ to: 'pdf' });
    assert.equal(written, undefined);
    assert.equal(bytes!.constructor, Uint8Array);
    assert.match(Buffer.from(bytes!).toString('latin1'), /^%PDF-1\.[^]*\/FontFile2[^]*%%EOF\s*$/);
  });

  it('hides the outlined objects of the file next to the dataset', async () => {
    assert.equal((await ask({})).hasOutlines, false);
    await refuses('explain.noObjectsFile', { over: 'objects' });
    const file = join(folder, 'instances.json');
    const annotation = { image_id: 1, category_id: 1, iscrowd: 0, segmentation: [[2, 2, 6, 2, 6, 6, 2, 6]] };
    const instances = {
      images: [{ id: 1, file_name: image.source.name, width: 10, height: 8 }],
      categories: [{ id: 1, name: 'bus' }],
      annotations: [{ ...annotation, id: 1, area: 16, bbox: [2, 2, 4, 4] }],
    };
    await writeFile(file, JSON.stringify(instances));
    try {
      assert.equal((await ask({})).hasOutlines, true);
      const { objects, regions } = await ask({ over: 'objects', depth: 'table' });
      assert.equal(regions, undefined);
      assert.deepEqual(objects, {
        ...{ width: 10, height: 8, leftOut: 0 },
        found: [{ name: 'bus', box: [2, 2, 4, 4], share: 0.2, influence: 5, words: [0, 0, 5] }],
      });
      assert.match((await ask({ over: 'objects', to: 'svg' })).written!, /1\. bus/);
      // A part of an image has other coordinates than the outlines.
      const part = { op: 'blank', columns: 2, rows: 2, column: 0, row: 0 } as const;
      await refuses('explain.noObjectsFile', { over: 'objects' }, {}, true, [part]);
      // A file without objects of this image offers none. Its time tells that it is another one.
      await writeFile(file, JSON.stringify({ ...instances, annotations: [] }));
      await utimes(file, 1, 1);
      assert.equal((await ask({})).hasOutlines, false);
    } finally {
      await rm(file);
    }
  });

  it('refuses judges, scores of a file, missing images and captions without an image', async () => {
    await refuses('service.captionsCostMoney', {}, { kind: 'judge' });
    await refuses('explain.onlyGivenScores', {}, { kind: 'scores' });
    await refuses('editor.imageNotFound', {}, {}, false);
    await refuses('explain.scoresNoImages', { image: undefined, other: undefined });
  });
});
