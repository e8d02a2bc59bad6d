import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { createBench } from '../../../src/bench/createBench';
import { openEvaluator } from '../../../src/evaluator/open';
import oracle from '../../oracle/evaluator/clipscore.json';
import { cleanUp, copyOf, modelsPath, open, openPath, imageItem, scratch, valueOf } from './fixtures';
import { type Code, findSaid, type Said, say } from '../../../src/base/say';
import { sentence } from '../../sentence';

function fileOf(said: unknown, name = 'mine.evaluator.json', folder = scratch()): string {
  const path = join(folder, name);
  writeFileSync(path, typeof said === 'string' ? said : JSON.stringify(said));
  return path;
}

async function problemOf(promise: Promise<unknown>): Promise<CaptiousError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CaptiousError, String(error));
  return error;
}

async function scoresOf(ref: string): Promise<number[][]> {
  const evaluator = await openPath(ref);
  const bench = createBench();
  const wants = oracle.files.flatMap((file) =>
    oracle.captions.map((text) => ({ left: imageItem(file), right: { kind: 'text' as const, text } })),
  );
  const scores = (await bench.scores(evaluator, wants)).map(valueOf);
  await bench.close();
  return oracle.files.map((_, i) =>
    scores.slice(i * oracle.captions.length, (i + 1) * oracle.captions.length),
  );
}

function assertNear(actual: number[][], expected: number[][]): void {
  expected.forEach((row, i) =>
    row.forEach((value, j) =>
      assert.ok(Math.abs(actual[i][j] - value) < 2e-6, `${actual[i][j]} for ${value}`),
    ),
  );
}

const clip = join(modelsPath, 'clip');

describe('metrics of an encoder', () => {
  afterEach(cleanUp);

  for (const name of ['clipscore', 'pac-s', 'cosine'] as const) {
    it(`computes ${name} as the reference does, by its short form and by a file`, async () => {
      assert.ok(oracle[name].flat().some((value) => value > 0));
      assertNear(await scoresOf(`${name}:${clip}`), oracle[name]);
      assertNear(await scoresOf(fileOf({ kind: name, encoder: clip })), oracle[name]);
    });
  }

  for (const [most, expected] of [
    [undefined, 2],
    [3, 3],
  ] as const)
    it(`embeds at most "batch" texts at once${most === undefined ? '' : ', unless the run says otherwise'}`, async () => {
      const evaluator = await openPath(fileOf({ kind: 'cosine', encoder: clip, batch: 2 }));
      const sizes: number[] = [];
      const embed = evaluator.embedTexts!.bind(evaluator);
      evaluator.embedTexts = (texts, signal) => {
        sizes.push(texts.length);
        return embed(texts, signal);
      };
      const bench = createBench(most === undefined ? {} : { batchSize: most });
      const texts = ['a cat', 'a dog', 'a cow', 'a hen', 'a fox', 'a bee', 'an ant', 'an owl'];
      const items = texts.map((text) => ({ kind: 'text' as const, text }));
      const found = await bench.embeddings(evaluator, items);
      await bench.close();
      assert.ok(found.every(({ ok }) => ok));
      assert.equal(Math.max(...sizes), expected);
    });

  it("keeps the encoder's embeddings and has its own name", async () => {
    const encoder = await open('clip');
    const made = await openPath(`clipscore:${clip}`);
    assert.equal(made.info.textKey, encoder.info.textKey);
    assert.equal(made.info.imageKey, encoder.info.imageKey);
    assert.notEqual(made.info.sha256, encoder.info.sha256);
    assert.notEqual(made.info.sha256, (await openPath(`pac-s:${clip}`)).info.sha256);
    assert.equal(made.info.id, 'clipscore:clip');
    assert.equal(made.info.prefix, 'A photo depicts ');
    assert.ok(findSaid((await openPath(`pac-s:${clip}`)).info.notes[0], 'evaluator.pacsWeightsNeeded'));
  });

  it('reads a prefix, a weight and a name from a file', async () => {
    const path = fileOf({ kind: 'clipscore', encoder: clip, prefix: 'a photo of ', weight: 1, name: 'Mine' });
    const { info } = await openPath(path);
    assert.deepEqual(info.scale, { name: 'clipped', weight: 1 });
    assert.equal(info.prefix, 'a photo of ');
    assert.equal(info.name, 'Mine');
    assert.equal(info.id, 'mine');
    assert.equal(info.path, path);
  });

  it('reads the scale of SigLIP from a file', async () => {
    const siglip = join(modelsPath, 'siglip');
    const { info } = await openPath(fileOf({ kind: 'siglip', encoder: siglip, factor: 100, bias: -10 }));
    assert.deepEqual(info.scale, { name: 'sigmoid', factor: 100, bias: -10 });
    assert.ok(!info.notes.some((note) => findSaid(note, 'model.plainCosines')));
  });

  it('rejects an encoder of texts only', async () => {
    const error = await problemOf(
      openEvaluator(`clipscore:${join(modelsPath, 'bert-cls')}`, { home: scratch() }),
    );
    assert.deepEqual(error.what, say('evaluator.noSharedSpace', 'bert-cls'));
    assert.deepEqual(error.details.remedy, say('evaluator.clipscoreUseDualEncoder', 'bert-cls'));
  });
});

describe('an evaluator file', () => {
  afterEach(cleanUp);

  it('finds ./ references relative to itself, and others by id', async () => {
    const folder = scratch();
    const home = scratch();
    const { symlinkSync } = await import('node:fs');
    symlinkSync(clip, join(folder, 'beside'));
    mkdirSync(join(home, 'models'));
    symlinkSync(join(modelsPath, 'clip-two-graphs'), join(home, 'models', 'beside'));
    const near = await openEvaluator(fileOf({ kind: 'cosine', encoder: './beside' }, 'a.json', folder), {
      home,
    });
    const installed = await openEvaluator(fileOf({ kind: 'cosine', encoder: 'beside' }, 'b.json', folder), {
      home,
    });
    assert.equal(near.info.textKey, (await open('clip')).info.textKey);
    assert.equal(installed.info.textKey, (await open('clip-two-graphs')).info.textKey);
    assert.equal(near.info.id, 'a');
    await near.close();
    await installed.close();
  });

  it('may build on another one, but not on itself', async () => {
    const folder = scratch();
    fileOf({ kind: 'cosine', encoder: clip }, 'inner.evaluator.json', folder);
    const outer = fileOf(
      { kind: 'clipscore', encoder: './inner.evaluator.json' },
      'outer.evaluator.json',
      folder,
    );
    assertNear(await scoresOf(outer), oracle.clipscore);
    const self = fileOf({ kind: 'clipscore', encoder: './self.json' }, 'self.json', folder);
    await assert.rejects(openPath(self), { what: say('evaluator.fileRefersToItself') });
  });

  it('may build on the model in its folder, unless its name is evaluator.json', async () => {
    const folder = copyOf('clip');
    const path = fileOf({ kind: 'clipscore', encoder: './' }, 'evaluator.json', folder);
    const error = await problemOf(openPath(path));
    assert.deepEqual(error.what, say('evaluator.fileRefersToItself'));
    const names = ['evaluator.json', '.evaluator.json', 'evaluator.json'];
    assert.deepEqual(error.details.remedy, say('evaluator.breakSelfReference', ...names));
    renameSync(path, join(folder, 'NAME.evaluator.json'));
    assertNear(await scoresOf(join(folder, 'NAME.evaluator.json')), oracle.clipscore);
  });

  it('applies its resizing: image keys change, text keys do not', async () => {
    const plain = await openPath(fileOf({ kind: 'cosine', encoder: clip }));
    const other = await openPath(fileOf({ kind: 'cosine', encoder: clip, resize: 'torchvision' }));
    const same = await openPath(fileOf({ kind: 'cosine', encoder: clip, resize: 'pillow' }));
    assert.equal(other.info.textKey, plain.info.textKey);
    assert.notEqual(other.info.imageKey, plain.info.imageKey);
    assert.equal(same.info.imageKey, plain.info.imageKey);
    assert.ok(plain.info.notes.some((note) => findSaid(note, 'model.resizedAsInPillow')));
    assert.ok(other.info.notes.some((note) => findSaid(note, 'model.resizedAsInTorchvision')));
    const rows = await Promise.all(
      [plain, other].map((evaluator) => evaluator.embedImages!([imageItem('tall.png')])),
    );
    assert.notDeepEqual(valueOf(rows[0][0]), valueOf(rows[1][0]));
  });

  it('overrides the resizing of captious.json', async () => {
    const folder = copyOf('clip');
    writeFileSync(join(folder, 'captious.json'), JSON.stringify({ image: { resize: 'torchvision' } }));
    const [chosen, decided] = [
      await openPath(folder),
      await openPath(fileOf({ kind: 'cosine', encoder: folder, resize: 'pillow' })),
    ];
    assert.ok(chosen.info.notes.some((note) => findSaid(note, 'model.resizedAsInTorchvision')));
    assert.ok(decided.info.notes.some((note) => findSaid(note, 'model.resizedAsInPillow')));
    writeFileSync(join(folder, 'captious.json'), JSON.stringify({ image: { resize: 'gd' } }));
    await assert.rejects(openPath(folder), {
      what: say('model.resizeUnknown'),
      remedy: sentence('fetch.chooseFrom', 'pillow, torchvision'),
    });
  });

  it('rejects a resizing if no image is resized, or if open_clip uses Pillow', async () => {
    const texts = fileOf({ kind: 'cosine', encoder: join(modelsPath, 'bert-cls'), resize: 'torchvision' });
    const problem = say('evaluator.encoderLacksImages');
    await assert.rejects(openPath(texts), { what: say('evaluator.keyProblem', 'resize', problem) });
    const folder = copyOf('clip');
    const config = { preprocess_cfg: { size: 32 } };
    writeFileSync(join(folder, 'open_clip_config.json'), JSON.stringify(config));
    const { info } = await openPath(folder);
    assert.ok(
      info.notes.some(
        (note) => findSaid(note, 'model.openClipImagesPrepared')?.values[1] === 'open_clip_config.json',
      ),
    );
    const other = fileOf({ kind: 'cosine', encoder: folder, resize: 'torchvision' });
    await assert.rejects(openPath(other), { what: say('model.openClipUsesPillow') });
  });

  /** Problems, or the code of a problem whose value is the text of a library. */
  const wrong: [string, unknown, Said | Code][] = [
    ['no JSON', '{"kind": ', 'evaluator.fileUnreadable'],
    ['no object', [], say('evaluator.fileNotObject')],
    ['no kind', {}, say('evaluator.keyProblem', 'kind', say('evaluator.fieldMissing'))],
    [
      'an unknown kind',
      { kind: 'toString' },
      say('evaluator.keyProblem', 'kind', say('evaluator.kindUnknown', '"toString"')),
    ],
    [
      'a kind of ten thousand lists',
      `{"kind": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      say('base.jsonTooDeep', 64),
    ],
    [
      'a kind that is a list',
      { kind: [] },
      say('evaluator.keyProblem', 'kind', say('evaluator.textExpected')),
    ],
    [
      'a weight below the top level',
      {
        kind: 'calibrated',
        encoder: clip,
        estimator: 'signed',
        lambda: 1,
        families: [{ name: 'a', weight: '1', shift: 0 }],
      },
      say(
        'evaluator.keyProblem',
        'families[0].weight',
        say('evaluator.valueExpected', say('probe.numberExpected')),
      ),
    ],
    [
      'an unknown transform',
      {
        kind: 'calibrated',
        encoder: clip,
        estimator: 'literal',
        lambda: 1,
        families: [{ name: 'a', weight: 1, shift: 0, transforms: [{ op: 'melt' }] }],
      },
      say('evaluator.keyProblem', 'families[0].transforms[0].op', say('evaluator.valueUnknown')),
    ],
    [
      'a λ above 1',
      { kind: 'calibrated', encoder: clip, estimator: 'signed', lambda: 2, families: [] },
      say('evaluator.keyProblem', 'lambda', say('evaluator.valueExpected', 'a number between 0 and 1')),
    ],
    [
      'a slip in a price',
      { kind: 'judge', endpoint: 'x', model: 'y', price: { input: 1, output: 1, inptu: 1 } },
      say(
        'evaluator.keyProblem',
        'price.inptu',
        say('evaluator.valueExpected', say('probe.choiceExpected', 'input, output')),
      ),
    ],
    [
      'a kind of a million characters',
      { kind: 'x'.repeat(1e6) },
      say('evaluator.keyProblem', 'kind', say('evaluator.kindUnknown', `"${'x'.repeat(100)}…"`)),
    ],
    [
      'a missing key',
      { kind: 'clipscore' },
      say('evaluator.keyProblem', 'encoder', say('evaluator.fieldMissing')),
    ],
    [
      'a key of another type',
      { kind: 'clipscore', encoder: 7 },
      say('evaluator.keyProblem', 'encoder', say('evaluator.valueExpected', say('base.shapeText'))),
    ],
    [
      'a key that is not known',
      { kind: 'cosine', encoder: clip, weight: 2 },
      say('evaluator.keyProblem', 'weight', say('evaluator.keyUnknownForKind', 'cosine')),
    ],
    [
      'a batch of nothing',
      { kind: 'cosine', encoder: clip, batch: 0 },
      say('evaluator.keyProblem', 'batch', say('evaluator.positiveIntegerExpected')),
    ],
    [
      'a weight of nothing',
      { kind: 'pac-s', encoder: clip, weight: 0 },
      say('evaluator.keyProblem', 'weight', say('evaluator.valueExpected', say('base.shapeNumberAbove', 0))),
    ],
    [
      'an encoder that is not there',
      { kind: 'pac-s', encoder: 'missing' },
      say('evaluator.notFound', 'missing'),
    ],
  ];
  for (const [what, said, expected] of wrong) {
    it(`says what is wrong with ${what}`, async () => {
      const path = fileOf(said);
      const error = await problemOf(openPath(path));
      if (typeof expected === 'string') assert.ok(findSaid(error.what, expected), error.message);
      else assert.deepEqual(error.what, expected);
      if (what !== 'an encoder that is not there') assert.equal(error.at, path);
    });
  }
});
