import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { say, type Words } from '../../../../src/base/say';
import {
  checkpointEvaluators,
  knownArchitectures,
  modelsOf,
  namedArchitecture,
  needsArchitecture,
} from '../../../../src/evaluator/checkpoint/checkpoint';
import { shapesIn } from '../../../../src/evaluator/checkpoint/pickle';
import { readWeights } from '../../../../src/evaluator/checkpoint/weights';
import { openEvaluator } from '../../../../src/evaluator/open';
import { parseReference } from '../../../../src/evaluator/reference';

const fixtures = join(__dirname, '../..', '..', 'fixtures', 'checkpoints');
const at = (name: string): string => join(fixtures, name);

describe('a weight file', () => {
  it('has the names and shapes that PyTorch wrote', async () => {
    const { shapes, isScript } = await readWeights(at('plain.pt'));
    assert.equal(isScript, false);
    assert.deepEqual(shapes.get('visual.conv1.weight'), [768, 3, 32, 32]);
    assert.deepEqual(shapes.get('visual.proj'), [768, 512]);
    assert.deepEqual(shapes.get('token_embedding.weight'), [49408, 512]);
    assert.deepEqual(shapes.get('logit_scale'), []);
    assert.equal(shapes.size, 302);
  });

  it('is read from a training run or TorchScript, too', async () => {
    const training = await readWeights(at('training.pt'));
    assert.deepEqual(training.shapes.get('logit_bias'), []);
    const { shapes, isScript } = await readWeights(at('script.pt'));
    assert.equal(isScript, true);
    assert.deepEqual(Object.fromEntries(shapes), {
      context_length: [],
      'visual.proj': [5, 6],
      'visual.conv1.weight': [4, 3, 2, 2],
      'visual.conv1.bias': [4],
    });
  });

  it('has the same shapes in safetensors as in .pt', async () => {
    const one = await readWeights(at('unknown.safetensors'));
    const other = await readWeights(at('unknown.pt'));
    assert.deepEqual([...one.shapes].sort(), [...other.shapes].sort());
  });

  it('is rejected if it is damaged, old or something else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-weights-'));
    try {
      const whole = readFileSync(at('plain.pt'));
      const header = Buffer.alloc(8);
      header.writeBigUInt64LE(1n << 40n);
      for (const bytes of [whole.subarray(0, 5000), whole.subarray(5000), header, Buffer.alloc(0)]) {
        writeFileSync(join(folder, 'x.pt'), bytes);
        await assert.rejects(readWeights(join(folder, 'x.pt')));
      }
      await assert.rejects(readWeights(at('old.pt')));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is rejected in bounded time with a hostile list of tensors', () => {
    // Each level contains the previous one twice, so 2⁵⁰ paths lead to the bottom.
    const levels = Array.from({ length: 50 }, (_, i) => {
      const twice = `(X\x01\x00\x00\x00ah${String.fromCharCode(i)}X\x01\x00\x00\x00bh${String.fromCharCode(i)}u`;
      return `ca\nb\n)\x81}${twice}bq${String.fromCharCode(i + 1)}`;
    });
    const start = 'ca\nb\n)\x81}bq\x00';
    assert.throws(() => shapesIn(Buffer.from(`\x80\x02${start}${levels.join('')}.`, 'latin1')), /too many/);
    assert.throws(
      () => shapesIn(Buffer.from('\x80\x02cos\nsystem\nX\x02\x00\x00\x00lsi.', 'latin1')),
      /code/,
    );
    assert.throws(() => shapesIn(Buffer.from('\x80\x02}q', 'latin1')), RangeError);
  });
});

describe('a reference to weights without a graph', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-graphless-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function remedyOf(ref: string): Promise<Words | undefined> {
    const error = await openEvaluator(ref, { home: folder }).catch((reason: unknown) => reason);
    assert.ok(error instanceof CaptiousError);
    return error.details.remedy;
  }

  it('names the evaluators in Python that read them', async () => {
    const hub = join(folder, 'hub');
    mkdirSync(hub);
    writeFileSync(join(hub, 'config.json'), '{"model_type": "clip"}');
    writeFileSync(join(hub, 'model.safetensors'), '');
    const ofFolder = `"transformers:${hub}"`;
    assert.deepEqual(await remedyOf(hub), say('evaluator.auditWeightsInPython', ofFolder, ofFolder));
    // In quotes for the shell, and with the slashes of the path.
    const query = `?pretrained=${at('plain.pt').split('/').map(encodeURIComponent).join('/')}`;
    const [plain, quick] = [`"open_clip:ViT-B-32${query}"`, `"open_clip:ViT-B-32-quickgelu${query}"`];
    assert.deepEqual(
      await remedyOf(at('plain.pt')),
      say('evaluator.auditWeightsInPython', `${plain}, ${quick}`, plain),
    );
  });

  it('asks for the model if the weights do not show it', async () => {
    assert.deepEqual(await remedyOf(at('unknown.pt')), say('evaluator.nameModelOfWeights', at('unknown.pt')));
  });
});

describe('checkpoints as evaluators', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-checkpoints-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('name their architecture or ask for it, and other models are not offered', async () => {
    const files = ['plain.pt', 'training.pt', 'unknown.pt', 'other.pth', 'old.pt', 'script.pt'].map(at);
    const found = await checkpointEvaluators(files);
    assert.deepEqual(
      found.map(({ name }) => name),
      [
        'plain.pt (open_clip ViT-B-32)',
        'plain.pt (open_clip ViT-B-32-quickgelu)',
        'training.pt (open_clip ViT-B-16-SigLIP)',
        'unknown.pt (open_clip …)',
      ],
    );
    const asked = found.at(-1)!.reference;
    assert.deepEqual(
      found.map(({ reference }) => needsArchitecture(reference)),
      [false, false, false, true],
    );
    assert.ok(knownArchitectures().includes('ViT-L-14-336'));
    for (const reference of [found[0].reference, namedArchitecture(asked, 'ViT-L-14')]) {
      const parsed = parseReference(reference, { home: folder });
      assert.ok(parsed.type === 'python');
      assert.match(String(parsed.said.args.model), /^ViT-/);
      assert.match(basename(String(parsed.said.args.pretrained)), /^(plain|unknown)\.pt$/);
    }
  });

  it("use QuickGELU for OpenAI's weights", async () => {
    const { shapes } = await readWeights(at('plain.pt'));
    const quick = ['ViT-B-32-quickgelu'];
    assert.deepEqual(modelsOf({ shapes, isScript: true }, 'x.pt'), quick);
    assert.deepEqual(modelsOf({ shapes, isScript: false }, 'metaclip-b32.pt'), quick);
    assert.deepEqual(modelsOf({ shapes, isScript: false }, 'laion.pt'), ['ViT-B-32', ...quick]);
  });

  it('open with the library of their folder, each folder once', async () => {
    const say = (name: string, file: string, content: object): string => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, file), JSON.stringify(content));
      copyFileSync(at('unknown.safetensors'), join(folder, name, 'model.safetensors'));
      return join(folder, name, 'model.safetensors');
    };
    const clip = { model_type: 'clip', architectures: ['CLIPModel'] };
    const llava = {
      model_type: 'llava',
      architectures: ['LlavaForConditionalGeneration'],
      vision_config: {},
    };
    const files = [
      say('clip', 'config.json', clip),
      say('local', 'open_clip_config.json', {}),
      say('sbert', 'modules.json', []),
      say('llava', 'config.json', llava),
      say('bert', 'config.json', { model_type: 'bert', architectures: ['BertModel'] }),
      say('broken', 'config.json', []),
    ];
    const found = await checkpointEvaluators([...files, files[0]]);
    assert.deepEqual(
      found.map(({ reference, images }) => [reference.slice(0, reference.indexOf(':')), images]),
      [
        ['transformers', true],
        ['open_clip', true],
        ['sentence-transformers', false],
        ['vqascore', true],
      ],
    );
    assert.equal(found[0].reference, `transformers:${join(folder, 'clip')}`);
  });
});
