import { english } from '../../src/base/english';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert } from '../../src/audit/conversion/convert';
import { CaptiousError } from '../../src/base/errors';
import { say } from '../../src/base/say';
import { createBench } from '../../src/bench/createBench';
import { openEvaluator } from '../../src/evaluator/open';
import type { Want } from '../../src/protocol/item';
import { coco, needs, python, root } from './support';

interface Coco {
  images: { id: number; file_name: string }[];
  annotations: { image_id: number; caption: string }[];
}

describe('adapters against the libraries they adapt', function () {
  needs(this, python, join(coco, 'captions.json'));
  this.timeout(1_800_000);
  let folder: string;
  let expected: Record<string, number[]>;
  let wants: Want[];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-adapters-'));
    const { images, annotations } = JSON.parse(readFileSync(join(coco, 'captions.json'), 'utf8')) as Coco;
    const pairs = images.map(({ id, file_name }) => ({
      image: join(coco, 'images', file_name),
      text: annotations.find(({ image_id }) => image_id === id)!.caption,
    }));
    writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
    const fixtures = join(root, 'test', 'fixtures', 'models');
    const made = spawnSync(
      python!,
      [join(__dirname, 'models.py'), folder, fixtures, join(folder, 'pairs.json')],
      { encoding: 'utf8' },
    );
    assert.equal(made.status, 0, made.stderr);
    expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as typeof expected;
    wants = pairs.map(({ image, text }) => ({
      left: { kind: 'image', source: { name: image, path: image }, transforms: [] },
      right: { kind: 'text', text },
    }));
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true, force: true }));

  const refs: Readonly<Record<string, (at: string) => string>> = {
    open_clip: (at) => `open_clip:ViT-B-32?pretrained=${at}/vit-b-32.pt`,
    clip: (at) => `transformers:${at}/clip`,
    siglip: (at) => `transformers:${at}/siglip`,
    'blip-itm': (at) => `transformers:${at}/blip-itm`,
    torchmetrics: (at) => `torchmetrics:CLIPScore?model_name_or_path=${at}/clip`,
  };

  async function within(tolerance: number, name: string, ref: string, most = Infinity): Promise<void> {
    const evaluator = await openEvaluator(ref, { home: join(folder, 'home'), python: { asked: python } });
    const bench = createBench();
    try {
      const own = expected[name].slice(0, most);
      const scores = await bench.scores(evaluator, wants.slice(0, own.length));
      const off = scores.map((outcome, i) => {
        assert.ok(outcome.ok, english(outcome.ok ? '' : outcome.problem));
        return Math.abs(outcome.value - own[i]);
      });
      const worst = off.reduce((most, one) => Math.max(most, one), 0);
      const spread = Math.max(...own.slice(0, 40)) - Math.min(...own.slice(0, 40));
      console.log(
        `      ${own.length} pairs: at most ${worst.toExponential(1)} apart; they spread over ${spread.toFixed(3)}`,
      );
      assert.ok(spread > 100 * tolerance, 'the scores differ from each other');
      assert.ok(worst <= tolerance, `${worst} apart`);
    } finally {
      await bench.close();
      await evaluator.close();
    }
  }

  for (const [name, tolerance] of [
    ['open_clip', 1e-6],
    ['clip', 1e-6],
    ['siglip', 1e-6],
    ['blip-itm', 1e-6],
    ['torchmetrics', 1e-5],
  ] as const)
    it(`${name}: has every score within ${tolerance} of the library's own`, () =>
      within(tolerance, name, refs[name](folder)));

  it('the example in docs/python.md: has every score within 0.000001 of the library’s own', async () => {
    const docs = readFileSync(join(root, 'docs', 'python.md'), 'utf8');
    const [, example] = /```python\n(import open_clip[^]*?)```/.exec(docs)!;
    writeFileSync(join(folder, 'my_metric.py'), example);
    linkSync(join(folder, 'vit-b-32.pt'), join(folder, 'weights.pt'));
    await within(1e-6, 'open_clip', `python:${join(folder, 'my_metric.py')}`, 48);
  });

  for (const [name, isOptimized] of [
    ['open_clip', false],
    ['open_clip', true],
    ['clip', true],
    ['siglip', true],
  ] as const)
    it(`${name}, converted to ONNX${isOptimized ? ' and optimized' : ''}: has every score within 0.0001 of the library's own`, async () => {
      const out = join(folder, `${name}-onnx${isOptimized ? '-faster' : ''}`);
      const home = join(folder, 'home');
      const { texts, images, apart, optimization } = await convert(refs[name](folder), {
        out,
        home,
        python: { asked: python },
        optimized: isOptimized,
      });
      if (isOptimized) {
        assert.ok(typeof optimization === 'object' && 'graphs' in optimization, JSON.stringify(optimization));
        assert.equal(optimization.graphs.length, 2);
        assert.ok(optimization.graphs.every(({ packed }) => packed > 0));
        assert.ok(optimization.apart <= 1e-6);
      } else assert.equal(optimization, undefined);
      assert.ok(texts > 200 && images > 40);
      assert.ok(apart.embedding <= 1e-4 && apart.cosine <= 1e-4, JSON.stringify(apart));
      await within(1e-4, name, out);
    });

  it('rejects SigLIP with a tokenizer that masks padding, names the remedy, and writes nothing', async () => {
    const spoiled = join(folder, 'spoiled');
    cpSync(join(folder, 'siglip'), spoiled, { recursive: true });
    // The test of "siglip" converts the same model without the mask.
    const path = join(spoiled, 'tokenizer_config.json');
    const said = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...said, model_input_names: ['input_ids', 'attention_mask'] }));
    const out = join(folder, 'refused');
    await assert.rejects(
      convert(`transformers:${spoiled}`, { out, home: join(folder, 'home'), python: { asked: python } }),
      (error: unknown) => {
        assert.ok(error instanceof CaptiousError);
        assert.deepEqual(error.what, say('python.paddingMasked'));
        assert.deepEqual(error.details.remedy, say('python.removePaddingMask', path));
        return true;
      },
    );
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('refused')),
      [],
    );
  });
});
