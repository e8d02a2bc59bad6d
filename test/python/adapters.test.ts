import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  this.timeout(600_000);
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

  for (const [name, ref, tolerance] of [
    ['open_clip', (at: string) => `open_clip:ViT-B-32?pretrained=${at}/vit-b-32.pt`, 1e-6],
    ['clip', (at: string) => `transformers:${at}/clip`, 1e-6],
    ['siglip', (at: string) => `transformers:${at}/siglip`, 1e-6],
    ['blip-itm', (at: string) => `transformers:${at}/blip-itm`, 1e-6],
    ['torchmetrics', (at: string) => `torchmetrics:CLIPScore?model_name_or_path=${at}/clip`, 1e-5],
  ] as const)
    it(`${name}: has every score within ${tolerance} of the library's own`, async () => {
      const evaluator = await openEvaluator(ref(folder), {
        home: join(folder, 'home'),
        python: { asked: python },
      });
      const bench = createBench();
      try {
        const own = expected[name];
        const scores = await bench.scores(evaluator, wants.slice(0, own.length));
        const off = scores.map((outcome, i) => {
          assert.ok(outcome.ok, outcome.ok ? '' : outcome.problem);
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
    });
});
