import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAudit } from '../../../../src/audit/run';
import { createBench } from '../../../../src/bench/createBench';
import { NameFolders } from '../../../../src/dataset/images/nameFolders';
import { partlyFoundBy } from '../../../../src/evaluator/evaluator';
import { openEvaluator } from '../../../../src/evaluator/open';
import { scoreOverlap } from '../../../../src/evaluator/overlap/overlap';
import { ownReferences, readReferences, referencesOf } from '../../../../src/evaluator/overlap/references';
import { parseReference } from '../../../../src/evaluator/reference';
import type { Want } from '../../../../src/protocol/item';
import { readRows } from '../../../../src/report/rows';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import { say } from '../../../../src/base/say';

const captions: Record<string, string[]> = {
  '1.jpg': [
    'A red bus is parked on the street.',
    'A bus stands at the curb.',
    'The red bus waits near a shop.',
  ],
  '2.jpg': [
    'Two dogs run on the beach.',
    'A pair of dogs runs along the sand.',
    'Dogs are playing near the sea.',
  ],
  '3.jpg': ['A man rides a horse.', 'A man is riding a brown horse in a field.', 'A horse with a rider.'],
};

function foldersOf(names: readonly string[]): NameFolders {
  const folders = new NameFolders();
  for (const name of names) folders.add(name);
  return folders;
}

function want(image: string, text: string, more: { origin?: string; references?: string[] } = {}): Want {
  const { references, origin } = more;
  return {
    left: { kind: 'image', source: { name: image, path: image }, transforms: [] },
    right: { kind: 'text', text, ...(origin === undefined ? {} : { origin }) },
    ...(references === undefined ? {} : { references }),
  };
}

describe('evaluators that compare with references', () => {
  let folder: string;
  let refs: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-references-'));
    refs = join(folder, 'refs.json');
    await writeFile(refs, JSON.stringify(captions));
  });
  after(() => rm(folder, { recursive: true }));

  it('score a caption as the COCO caption evaluation does', async () => {
    const references = await readReferences(refs);
    const bench = createBench();
    for (const metric of ['bleu-1', 'bleu-4', 'rouge-l', 'cider'] as const) {
      const evaluator = await openEvaluator(metric, { references: () => Promise.resolve(references) });
      const items = Object.entries(captions).map(([image, [caption, ...others]]) => ({
        image,
        caption,
        others,
      }));
      const outcomes = await bench.scores(
        evaluator,
        items.map(({ image, caption }) => want(image, caption)),
      );
      const { each } = scoreOverlap(
        items.map(({ caption, others }) => ({ caption, references: others })),
        [metric],
        Object.values(captions),
      );
      assert.deepEqual(
        outcomes.map((outcome) => outcome.ok && outcome.value),
        [...each.get(metric)!],
      );
    }
    await bench.close();
  });

  it('compare a caption neither with itself nor with the caption that it is a variant of', async () => {
    const references = await readReferences(refs, undefined, foldersOf(['val/1.jpg', 'val/2.jpg']));
    const [first, second, third] = captions['1.jpg'];
    assert.deepEqual(referencesOf(want('1.jpg', first), references), [second, third]);
    assert.deepEqual(referencesOf(want('1.jpg', 'A new text.', { origin: first }), references), [
      second,
      third,
    ]);
    assert.deepEqual(referencesOf(want('val/1.jpg', 'A new text.'), references), [first, second, third]);
    assert.deepEqual(referencesOf(want('1.jpg', first, { references: ['Given.'] }), references), ['Given.']);
  });

  it('are those of no image in another folder, and those by less than a whole path are counted', async () => {
    const path = join(folder, 'in folders.json');
    await writeFile(path, JSON.stringify({ 'cats/1.jpg': ['A cat.'], '2.jpg': ['A dog.'] }));
    const names = ['dogs/1.jpg', 'cats/1.jpg', 'dogs/2.jpg'];
    const apart = await readReferences(path, undefined, foldersOf(names));
    assert.deepEqual(
      names.map((name) => apart.of(name).length),
      [0, 1, 0],
    );
    assert.equal(apart.partly?.count, 0);
    const together = await readReferences(path, undefined, foldersOf(['dogs/2.jpg', 'dogs/3.jpg']));
    assert.deepEqual(together.of('dogs/2.jpg'), ['A dog.']);
    assert.equal(together.partly?.count, 1);
    const evaluator = await openEvaluator('cider', { references: () => Promise.resolve(together) });
    assert.equal(partlyFoundBy(evaluator, { count: 0, first: [] }).count, 1);
  });

  it('name an image without references instead of scoring it', async () => {
    const evaluator = await openEvaluator('cider', { references: () => readReferences(refs) });
    const bench = createBench();
    const [outcome] = await bench.scores(evaluator, [want('9.jpg', 'A cat.')]);
    assert.deepEqual(outcome, { ok: false, problem: say('overlap.imageWithoutReferences') });
    await bench.close();
  });

  it('take the references of a dataset from its entries, or else from its captions', async () => {
    const rated = join(folder, 'rated.jsonl');
    await writeFile(
      rated,
      `${JSON.stringify({ image: '1.jpg', candidate: 'A bus.', rating: 3, references: ['Ref one.', 'Ref two.'] })}\n`,
    );
    assert.deepEqual((await ownReferences(rated)).of('1.jpg'), ['Ref one.', 'Ref two.']);
    const plain = join(folder, 'plain.jsonl');
    await writeFile(plain, `${JSON.stringify({ image: '1.jpg', captions: captions['1.jpg'] })}\n`);
    assert.deepEqual((await ownReferences(plain)).of('1.jpg'), captions['1.jpg']);
  });

  it('keep images of equal file names in different folders apart', async () => {
    const both = join(folder, 'folders.jsonl');
    const lines = [
      { image: 'dogs/1.jpg', captions: ['A dog.', 'A brown dog.'] },
      { image: 'cats/1.jpg', captions: ['A cat.', 'A grey cat.'] },
    ];
    await writeFile(both, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    assert.deepEqual((await ownReferences(both)).of('dogs/1.jpg'), ['A dog.', 'A brown dog.']);
    assert.deepEqual((await ownReferences(both)).of('1.jpg'), []);
    await assert.rejects(readReferences(both), {
      what: say('dataset.sameFileName', 'dogs/1.jpg', 'cats/1.jpg'),
    });
  });

  it('have ids by metric and encoder, and are refused where there are no references', async () => {
    const context = { home: folder };
    assert.equal(parseReference('refclipscore:starter', context).id, 'refclipscore:starter');
    assert.equal(parseReference('refpac-s:starter', context).absolute, 'refpac-s:starter');
    await assert.rejects(openEvaluator('bleu-4'), { what: say('evaluator.needsReferences', 'bleu-4') });
  });

  it('change their hash with the references', async () => {
    const other = join(folder, 'other.json');
    await writeFile(other, JSON.stringify({ ...captions, '4.jpg': ['A cup.', 'A mug.'] }));
    const [a, b] = await Promise.all(
      [refs, other].map(
        async (path) => (await openEvaluator('cider', { references: () => readReferences(path) })).info,
      ),
    );
    assert.notEqual(a.sha256, b.sha256);
  });

  it('audit LGIP: CIDEr falls when a caption is paraphrased, without any image file', async () => {
    const plain = join(folder, 'lgip.jsonl');
    await writeFile(
      plain,
      Object.entries(captions)
        .map(([image, own]) => `${JSON.stringify({ image, captions: own })}\n`)
        .join(''),
    );
    const out = join(folder, 'out');
    const signal = new AbortController().signal;
    const [{ report, path }] = await runAudit({
      dataset: plain,
      probes: ['lgip'],
      evaluators: ['cider'],
      out,
      home: folder,
      signal,
    });
    assert.equal(report.evaluator.id, 'cider');
    const rows: LgipRow[] = [];
    for await (const row of readRows(path, report, new LeftOutRows())) rows.push(row as LgipRow);
    const scorer = (text: string, others: string[]): number =>
      scoreOverlap([{ caption: text, references: others }], ['cider'], Object.values(captions)).each.get(
        'cider',
      )![0];
    let variants = 0;
    for (const { image = '', text: caption, score, variants: made } of rows) {
      const others = captions[image].filter((text) => text !== caption);
      assert.equal(score, scorer(caption, others));
      for (const variant of made) {
        variants++;
        assert.equal(variant.score, scorer(variant.text, others), variant.text);
      }
    }
    assert.ok(variants > 3);
  });
});
