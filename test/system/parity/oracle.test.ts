import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBench } from '../../../src/bench/createBench';
import { createImageFinder } from '../../../src/dataset/images/images';
import { openDataset } from '../../../src/dataset/open';
import { Family } from '../../../src/evaluator/model/family';
import { scoresEvaluator } from '../../../src/evaluator/scoresTable';
import { wantKey } from '../../../src/evaluator/wantKey';
import { compareForParity, type Parity } from '../../../src/parity/parity';

const root = join(__dirname, '../../..');
const oracle = JSON.parse(readFileSync(join(root, 'test/oracle/parity/parity.json'), 'utf8')) as {
  pairs: [image: string, caption: string][];
  scores: Record<string, number[]>;
};

/** B is transformers or open_clip in Python, with the weights of the tiny CLIP. A sees only scores. */
describe('parity with scores of other programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-parity-'));
  const bench = createBench({ store: join(folder, 'store') });
  let a: Family;

  before(async () => {
    a = await Family.describe(join(root, 'test/fixtures/models/clip'), { home: folder });
    const rows = oracle.pairs.map(([image, caption]) => JSON.stringify({ image, caption }));
    writeFileSync(join(folder, 'captions.jsonl'), rows.join('\n'));
  });

  after(async () => {
    await bench.close();
    await a.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function compare(name: string): Promise<Parity> {
    const scores = new Map(
      oracle.pairs.map(([image, text], i): [string, number] => {
        const source = { name: image, bytes: new Uint8Array() };
        const key = wantKey({
          left: { kind: 'image', source, transforms: [] },
          right: { kind: 'text', text },
        });
        return [key, oracle.scores[name][i]];
      }),
    );
    const b = scoresEvaluator({ path: 'scores.csv', sha256: '', scores }, ['image-text'], name);
    const signal = new AbortController().signal;
    const dataset = await openDataset(join(folder, 'captions.jsonl'), {});
    const finder = createImageFinder({ dataset, folders: [join(root, 'samples/images')], signal });
    return compareForParity({ a, b, bench, dataset, finder, pairs: 200, seed: 1, signal });
  }

  const named = ({ causes }: Parity): string[] => causes.map(({ setting, to }) => `${setting} ${to}`).sort();

  for (const name of ['same', 'open_clip'])
    it(`finds no difference from ${name}`, async () => {
      const parity = await compare(name);
      assert.equal(parity.verdict, 'same');
      assert.deepEqual(named(parity), []);
    });

  const expected: Record<string, string[]> = {
    gelu: ['imageActivation gelu', 'textActivation gelu'],
    'gelu of images': ['imageActivation gelu'],
    'tanh of texts': ['textActivation gelu_pytorch_tanh'],
    'fast processor': ['resizing torchvision'],
    'mean of text tokens': ['textPooling mean'],
    'maximum of text tokens': ['textPooling max'],
    'mean of patches': ['imagePooling mean without first'],
    means: ['imagePooling mean', 'textPooling mean'],
    'open_clip with gelu': ['imageActivation gelu', 'textActivation gelu'],
  };
  for (const [name, causes] of Object.entries(expected))
    it(`names what differs in ${name}`, async () => {
      const parity = await compare(name);
      assert.deepEqual(named(parity), causes, JSON.stringify(parity.doubted));
      assert.equal(parity.verdict, 'explained');
      for (const { interval } of parity.causes) assert.ok(interval![0] > 0.5);
    });

  it('names resizing without antialiasing, although borders are resized differently', async () => {
    const parity = await compare('no antialiasing');
    assert.deepEqual(named(parity), ['resizing aliased']);
    assert.equal(parity.verdict, 'partly');
    assert.ok(parity.removed! > 0.99, String(parity.removed));
  });

  it('does not name a cause that too few of these images show', async () => {
    const parity = await compare('open_clip with gelu and its processor');
    assert.deepEqual(
      named(parity),
      ['imageActivation gelu', 'textActivation gelu'],
      JSON.stringify(parity.doubted),
    );
    assert.deepEqual(
      parity.doubted.map(({ setting, why }) => [setting, why]),
      [['cropRounding', 'acting']],
    );
    assert.equal(parity.verdict, 'partly');
  });

  it('says which settings the sample does not show', async () => {
    const { untold } = await compare('fast processor');
    const why = new Map(untold.map((one) => [one.setting, one]));
    assert.equal(why.get('alpha')?.images, 0);
    assert.equal(why.get('exif')?.images, 0);
    assert.equal(why.has('filter'), false);
  });
});
