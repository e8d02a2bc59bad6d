import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert } from '../../src/audit/conversion';
import { openEvaluator, type OpenOptions } from '../../src/evaluator/open';
import { needs, python, root } from './support';

describe('weight files that run code if they are unpickled, with the libraries themselves', function () {
  needs(this, python);
  this.timeout(1_800_000);
  let folder: string;
  let marker: string;
  let files: string[];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-attacks-'));
    marker = join(folder, 'ran');
    const script = join(root, 'test/fixtures/python/attacks.py');
    const made = spawnSync(python!, [script, folder, marker], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    files = readdirSync(folder).map((name) => join(folder, name));
    assert.equal(files.length, 12);
  });
  after(() => folder === undefined || rmSync(folder, { recursive: true, force: true }));

  async function fails(ref: string, allow?: OpenOptions['allow']): Promise<string> {
    const opened = openEvaluator(ref, { home: join(folder, 'home'), python: { asked: python }, allow });
    const error = await opened.then(
      (evaluator) => evaluator.close().then(() => new Error('no error')),
      (reason: unknown) => reason as Error,
    );
    assert.ok(!existsSync(marker), `${ref} ran`);
    return error.message;
  }

  it('never run in open_clip, not even with every consent', async () => {
    for (const path of files) {
      assert.notEqual(await fails(`open_clip:ViT-S-32-alt?pretrained=${path}`), 'no error', path);
      const allowed = await fails(`open_clip:ViT-S-32-alt?pretrained=${path}`, (consent) => consent.give());
      assert.doesNotMatch(allowed, /consent|no error/, path);
      await fails(`open_clip:ViT-S-32-alt?pretrained_image_path=${path}&pretrained=${path}`);
    }
  });

  it('never run in the other adapters or in a conversion', async () => {
    const model = join(folder, 'model');
    mkdirSync(model);
    const config = {
      ...{ model_type: 'clip', architectures: ['CLIPModel'], projection_dim: 8 },
      auto_map: { AutoConfig: 'modeling.Attack', AutoModel: 'modeling.Attack' },
    };
    writeFileSync(join(model, 'config.json'), JSON.stringify(config));
    writeFileSync(join(model, 'modeling.py'), `open(${JSON.stringify(marker)}, "w")\n`);
    writeFileSync(
      join(model, 'modules.json'),
      JSON.stringify([{ idx: 0, name: '0', path: '', type: 'modeling.Attack' }]),
    );
    for (const path of files) {
      copyFileSync(path, join(model, 'pytorch_model.bin'));
      for (const adapter of ['transformers:', 'torchmetrics:CLIPScore?model_name_or_path='])
        await fails(`${adapter}${model}`);
    }
    for (const adapter of ['sentence-transformers', 'vqascore', 'likelihood'])
      assert.notEqual(await fails(`${adapter}:${model}`), 'no error');
    for (const ref of [
      `open_clip:ViT-S-32-alt?pretrained=${folder}/miscounted.pt`,
      `transformers:${model}`,
    ]) {
      const options = { out: join(folder, 'out'), home: join(folder, 'home'), python: { asked: python } };
      await assert.rejects(convert(ref, options));
      assert.ok(!existsSync(marker), ref);
    }
  });
});
