import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../../src/base/outcome';
import { createBench } from '../../../src/bench/createBench';
import { createImageFinder } from '../../../src/dataset/images/images';
import { openDataset } from '../../../src/dataset/open';
import { Family } from '../../../src/evaluator/model/family';
import { ownReferences } from '../../../src/evaluator/overlap/references';
import { scoresEvaluator } from '../../../src/evaluator/scoresTable';
import { wantKey } from '../../../src/evaluator/wantKey';
import { compareForParity, type Parity } from '../../../src/parity/parity';
import type { ImageItem, Want } from '../../../src/protocol/item';

const root = join(__dirname, '../../..');
const path = join(root, 'samples/captions.jsonl');
// Its cosines are positive. Other random models have negative ones, which count as 0 beside references.
const model = join(root, 'test/fixtures/models/family-mobileclip-s');
const lines = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { image: string; caption: string });

type Vector = Float32Array;
const dot = (a: Vector, b: Vector): number => a.reduce((total, value, i) => total + value * b[i], 0);
const cosine = (a: Vector, b: Vector): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
const harmonic = (a: number, b: number): number => 2 / (1 / Math.max(a, 1e-12) + 1 / Math.max(b, 1e-12));

describe('references in a comparison', () => {
  const home = mkdtempSync(join(tmpdir(), 'captious-references-'));
  const bench = createBench();
  const images = new Map<string, Vector>();
  const texts = new Map<string, Vector>();
  let plain: Family;
  let referenced: Family;

  before(async () => {
    plain = await Family.describe(model, { home });
    referenced = await Family.describe(`refclipscore:${model}`, { home });
    const { image, text } = plain.blueprint;
    const evaluator = await plain.vary(image.spec, text.spec);
    const known = <T>(outcome: Outcome<T>): T => {
      assert.ok(outcome.ok);
      return outcome.value;
    };
    for (const { image: name, caption } of lines) {
      const file = join(root, 'samples/images', name);
      const item: ImageItem = { kind: 'image', source: { name, path: file }, transforms: [] };
      if (!images.has(name)) images.set(name, known((await bench.embeddings(evaluator, [item]))[0]));
      for (const prefix of ['', 'A photo depicts ']) {
        const words = { kind: 'text', text: prefix + caption } as const;
        texts.set(words.text, known((await bench.embeddings(evaluator, [words]))[0]));
      }
    }
  });

  after(async () => {
    await bench.close();
    await plain.close();
    await referenced.close();
    rmSync(home, { recursive: true, force: true });
  });

  /** B gets the cosines of the image and of each other caption, in the order of the file, and the caption's own. */
  async function compare(
    a: Family,
    prefix: string,
    b: (cos: number, others: number[], own: number) => number,
  ): Promise<Parity> {
    const scores = new Map(
      lines.map(({ image, caption }): [string, number] => {
        const text = texts.get(prefix + caption)!;
        const others = lines.filter((one) => one.image === image && one.caption !== caption);
        const cosines = others.map((one) => cosine(text, texts.get(prefix + one.caption)!));
        const want: Want = {
          left: { kind: 'image', source: { name: image, bytes: new Uint8Array() }, transforms: [] },
          right: { kind: 'text', text: caption },
        };
        return [wantKey(want), b(cosine(images.get(image)!, text), cosines, cosine(text, text))];
      }),
    );
    const signal = new AbortController().signal;
    const dataset = await openDataset(path, {});
    return compareForParity({
      ...{ a, bench, dataset, signal, pairs: 80, seed: 1 },
      b: scoresEvaluator({ path: 'scores.csv', sha256: '', scores }, ['image-text'], 'b'),
      references: await ownReferences(path),
      finder: createImageFinder({ dataset, folders: [], signal }),
    });
  }

  const named = ({ causes, doubted }: Parity): string[] => {
    assert.deepEqual(doubted, []);
    return causes.map(({ setting, to }) => `${setting}: ${to}`).sort();
  };
  const depicts = 'A photo depicts ';

  it('equals RefCLIPScore by arithmetic', async () => {
    const { verdict } = await compare(referenced, depicts, (cos, others) =>
      harmonic(2.5 * cos, Math.max(...others)),
    );
    assert.equal(verdict, 'same');
  });

  const planted: Record<string, (cos: number, others: number[], own: number) => number> = {
    none: (cos) => 2.5 * Math.max(cos, 0),
    'all captions of the image, also the scored one': (cos, others, own) =>
      harmonic(2.5 * cos, Math.max(own, ...others)),
    'the first other caption of the image': (cos, [first]) => harmonic(2.5 * cos, first),
    'all other captions of the image, by their mean cosine': (cos, others) =>
      harmonic(2.5 * cos, others.reduce((total, one) => total + one, 0) / others.length),
  };
  for (const [rule, b] of Object.entries(planted))
    it(`names ${rule}, from scores alone`, async () => {
      assert.deepEqual(named(await compare(referenced, depicts, b)), [`references: ${rule}`]);
    });

  it('names the references of B, which A does not use, and the prefix and the weight beside them', async () => {
    const b = (cos: number, others: number[]): number => harmonic(2.5 * cos, Math.max(...others));
    const rule = 'references: all other captions of the image';
    assert.deepEqual(named(await compare(plain, '', (cos, others) => harmonic(cos, Math.max(...others)))), [
      rule,
    ]);
    const parity = await compare(plain, depicts, b);
    assert.deepEqual(named(parity), [`prefix: ${JSON.stringify(depicts)}`, rule, 'scale: 2.5 · cos']);
    assert.equal(parity.verdict, 'explained');
  });
});
