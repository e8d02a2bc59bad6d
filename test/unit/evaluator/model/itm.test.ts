import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { type Code, findSaid, type Said, say } from '../../../../src/base/say';
import { createBench } from '../../../../src/bench/createBench';
import { NameFolders } from '../../../../src/dataset/images/nameFolders';
import { type Evaluator, partlyFoundBy } from '../../../../src/evaluator/evaluator';
import { readNpy } from '../../../../src/evaluator/native/npy';
import { openWithAnyProvider } from '../../../../src/evaluator/model/provider';
import type { ImageItem, Want } from '../../../../src/protocol/item';
import oracle from '../../../oracle/evaluator/itm.json';
import { saying, sentence } from '../../../sentence';
import {
  cleanUp,
  copyOf,
  editJson,
  modelsPath,
  openPath,
  imageItem,
  imagesPath,
  scratch,
  valueOf,
} from '../fixtures';

type Name = 'itm-blip' | 'itm-vilt' | 'itm-umic' | 'itm-lxmert';

/** Writes an evaluator file that names the folder of the model's region features. */
function regionFile(folder = join(modelsPath, 'itm-umic'), features = join(folder, 'features')): string {
  const path = join(scratch(), 'umic.evaluator.json');
  writeFileSync(path, JSON.stringify({ kind: 'itm', folder, features }));
  return path;
}

const refOf = (name: Name): string => {
  const folder = join(modelsPath, name);
  return existsSync(join(folder, 'features')) ? regionFile(folder) : folder;
};

async function problemOf(promise: Promise<unknown>): Promise<CaptiousError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CaptiousError, String(error));
  return error;
}

const pairs = oracle.texts.flatMap((text) => oracle.files.map((file) => ({ image: imageItem(file), text })));

describe('models that score an image and a caption together', () => {
  afterEach(cleanUp);

  for (const name of ['itm-blip', 'itm-vilt', 'itm-umic', 'itm-lxmert'] as const) {
    it(`${name}: gives the reference's scores`, async () => {
      const evaluator = await openPath(refOf(name));
      assert.equal(evaluator.info.kind, 'pair-scorer');
      assert.deepEqual(evaluator.info.scores, ['image-text']);
      assert.deepEqual(
        evaluator.info.scale,
        name === 'itm-vilt' ? { name: 'own' } : { name: 'own', low: 0, high: 1 },
      );
      const scores = (await evaluator.scorePairs!(pairs)).map(valueOf);
      const expected = oracle[name].flat();
      assert.ok(Math.max(...expected) - Math.min(...expected) > 0.2, 'the scores differ');
      scores.forEach((score, i) =>
        assert.ok(Math.abs(score - expected[i]) < 5e-6, `${score} where the reference has ${expected[i]}`),
      );
    });
  }

  it('score each pair once through the bench, and count truncated captions', async () => {
    const store = scratch();
    const run = async (): Promise<{ scores: number[]; calls: number; cut: number }> => {
      const evaluator = await openPath(refOf('itm-blip'));
      let calls = 0;
      const counting: Evaluator = {
        ...evaluator,
        scorePairs: (some, signal) => {
          calls += some.length;
          return evaluator.scorePairs!(some, signal);
        },
      };
      const bench = createBench({ store });
      const wants = [...pairs, ...pairs].map(({ image, text }) => ({
        left: image,
        right: { kind: 'text' as const, text },
      }));
      const scores = (await bench.scores(counting, wants)).map(valueOf);
      const cut = bench.cutTexts(counting);
      await bench.close();
      return { scores, calls, cut };
    };
    const first = await run();
    const again = await run();
    assert.equal(first.calls, pairs.length);
    assert.equal(again.calls, 0);
    assert.deepEqual(again.scores, first.scores);
    // One of the oracle's texts exceeds the limit of 28 tokens.
    assert.deepEqual([first.cut, again.cut], [1, 1]);
  });

  it('receive transformed images', async () => {
    const evaluator = await openPath(refOf('itm-blip'));
    const text = oracle.texts[0];
    const scores = await evaluator.scorePairs!([
      { image: imageItem('wide.png'), text },
      { image: imageItem('wide.png', [{ op: 'hflip' }]), text },
    ]);
    assert.notEqual(valueOf(scores[0]), valueOf(scores[1]));
  });

  it("return each pair's own result", async () => {
    const evaluator = await openPath(refOf('itm-blip'));
    const outcomes = await evaluator.scorePairs!([
      { image: imageItem('nowhere.png'), text: 'a black cat' },
      { image: imageItem('wide.png'), text: 'a black cat' },
    ]);
    assert.ok(!outcomes[0].ok);
    assert.deepEqual(outcomes[0].problem, say('base.labelledPart', 'nowhere.png', say('native.noSuchFile')));
    assert.ok(outcomes[1].ok);
  });

  describe('with a question', () => {
    const questions: [string, Name, (path: string) => void, Said, Code][] = [
      [
        'which of two numbers is the match',
        'itm-blip',
        (path) => editJson(join(path, 'config.json'), (json) => (json.model_type = 'mystery')),
        say('model.matchColumnUnclear', 2, 'itm_score'),
        'model.setMatchColumn',
      ],
      [
        'how one number is read',
        'itm-vilt',
        (path) => editJson(join(path, 'config.json'), (json) => (json.model_type = 'mystery')),
        say('model.sigmoidUnclear', 'logits'),
        'model.setScoreType',
      ],
      [
        'which output is meant',
        'itm-vilt',
        (path) => writeFileSync(join(path, 'captious.json'), '{"itm": {"output": "nothing"}}'),
        say('model.scoreOutputMissing', 'logits'),
        'model.setScoreOutput',
      ],
      [
        'what a way of reading is',
        'itm-vilt',
        (path) => writeFileSync(join(path, 'captious.json'), '{"itm": {"score": "argmax"}}'),
        say('model.scoreTypeUnknown', 'argmax'),
        'model.useKnownScoreType',
      ],
      [
        'which column there is not',
        'itm-blip',
        (path) => writeFileSync(join(path, 'captious.json'), '{"itm": {"column": 2}}'),
        say('model.matchColumnUnclear', 2, 'itm_score'),
        'model.setMatchColumn',
      ],
    ];
    for (const [what, name, spoil, problem, remedy] of questions) {
      it(what, async () => {
        const path = copyOf(name);
        spoil(path);
        await assert.rejects(openPath(path), { what: problem, remedy: sentence(remedy) });
      });
    }

    it("about what a region model's mask covers, and where the features are", async () => {
      await assert.rejects(openPath(join(modelsPath, 'itm-umic')), {
        what: say('model.needsRegionFeatures', 'img_feat'),
        remedy: sentence('model.provideRegionFeatures'),
      });
      const path = copyOf('itm-umic');
      editJson(join(path, 'config.json'), (json) => (json.model_type = 'mystery'));
      writeFileSync(join(path, 'captious.json'), '{"itm": {"score": "logit"}}');
      await assert.rejects(openPath(regionFile(path)), {
        what: say('model.attentionScopeUnclear'),
        remedy: sentence('model.setAttentionScope'),
      });
      writeFileSync(join(path, 'captious.json'), '{"itm": {"attention": "all", "score": "logit"}}');
      const evaluator = await openPath(regionFile(path));
      const [first] = (await evaluator.scorePairs!(pairs)).map(valueOf);
      const sigmoid = 1 / (1 + Math.exp(-first));
      assert.ok(Math.abs(sigmoid - oracle['itm-umic'][0][0]) < 1e-6);
    });

    it('answered by labels and captious.json', async () => {
      const labelled = copyOf('itm-blip');
      editJson(join(labelled, 'config.json'), (json) => {
        json.model_type = 'mystery';
        json.id2label = { '0': 'match', '1': 'no match' };
      });
      const [other] = (await (await openPath(labelled)).scorePairs!(pairs)).map(valueOf);
      assert.ok(Math.abs(other - (1 - oracle['itm-blip'][0][0])) < 1e-6);
      const logits: number[] = [];
      for (const column of [0, 1]) {
        const plain = copyOf('itm-blip');
        writeFileSync(join(plain, 'captious.json'), JSON.stringify({ itm: { column, score: 'logit' } }));
        const evaluator = await openPath(plain);
        assert.deepEqual(evaluator.info.notes[0], say('model.scoresAreColumn', column, 2, 'itm_score'));
        logits.push(valueOf((await evaluator.scorePairs!(pairs.slice(0, 1)))[0]));
      }
      const share = 1 / (1 + Math.exp(logits[0] - logits[1]));
      assert.ok(Math.abs(share - oracle['itm-blip'][0][0]) < 1e-6);
    });
  });

  describe('with region features', () => {
    const withFeatures = (change: (folder: string) => void): Promise<Evaluator> => {
      const features = join(scratch(), 'features');
      cpSync(join(modelsPath, 'itm-umic', 'features'), features, { recursive: true });
      change(features);
      return openPath(regionFile(join(modelsPath, 'itm-umic'), features));
    };
    const score = async (
      evaluator: Evaluator,
      transforms: Parameters<typeof imageItem>[1] = [],
    ): Promise<string> => {
      const outcomes = await evaluator.scorePairs!([
        { image: imageItem('wide.png', transforms), text: 'a black cat' },
        { image: imageItem('small.png'), text: 'a black cat' },
      ]);
      assert.ok(outcomes[1].ok, 'the other pair is scored');
      return outcomes[0].ok ? String(outcomes[0].value) : english(outcomes[0].problem);
    };

    it('report a transformed image, missing features, and features of the wrong size', async () => {
      assert.equal(
        await score(await withFeatures(() => undefined), [{ op: 'hflip' }]),
        sentence('native.regionsOfOriginal', 'wide.png'),
      );
      assert.equal(
        await score(await withFeatures((f) => rmSync(join(f, 'wide.npy')))),
        `wide.png: ${sentence('model.noRegionFile')}`,
      );
      const swap = (f: string): void => {
        rmSync(join(f, 'wide.npy'));
        renameSync(join(f, 'wide.boxes.npy'), join(f, 'wide.npy'));
      };
      assert.equal(
        await score(await withFeatures(swap)),
        `wide.png: wide.npy: ${sentence('native.regionColumns', 7, 10)}`,
      );
      const unequal = (f: string): void => cpSync(join(f, 'tall.boxes.npy'), join(f, 'wide.boxes.npy'));
      assert.equal(
        await score(await withFeatures(unequal)),
        sentence('native.regionCountsDiffer', 'wide.png', 4, 5),
      );
      const noNpy = (f: string): void => writeFileSync(join(f, 'wide.npy'), 'PK and more of a zip archive');
      assert.equal(
        await score(await withFeatures(noNpy)),
        `wide.png: wide.npy: ${sentence('embeddings.npyInvalid')}`,
      );
    });

    it('end a run if features or files of the model change', async () => {
      let features = '';
      const evaluator = await withFeatures((f) => (features = f));
      const before = await score(evaluator);
      assert.equal(await score(evaluator), before);
      cpSync(join(features, 'tall.npy'), join(features, 'wide.npy'));
      await assert.rejects(score(evaluator), { kind: 'interrupted', at: join(features, 'wide.npy') });

      const folder = copyOf('itm-blip');
      const blip = await openPath(folder);
      await score(blip);
      writeFileSync(join(folder, 'config.json'), '{}');
      await assert.rejects(score(blip), { kind: 'interrupted', at: join(folder, 'config.json') });
    });

    it('report a score that is not finite', async () => {
      const poison = (f: string): void => {
        const bytes = readFileSync(join(f, 'wide.npy'));
        bytes.writeFloatLE(NaN, bytes.length - 4);
        writeFileSync(join(f, 'wide.npy'), bytes);
      };
      assert.equal(await score(await withFeatures(poison)), sentence('native.notFinite'));
    });

    it('include every feature file in the hash and the key', async () => {
      const same = await withFeatures(() => undefined);
      const { info } = await openPath(regionFile());
      assert.equal(same.info.pairKey, info.pairKey);
      const other = await withFeatures((f) => cpSync(join(f, 'tall.npy'), join(f, 'new.npy')));
      assert.notEqual(other.info.pairKey, info.pairKey);
      assert.notEqual(other.info.sha256, info.sha256);
    });

    /** A table of features and boxes that gives another score than the others. */
    const add = (features: string, name: string, from: 'small' | 'tall' | 'wide'): void => {
      mkdirSync(dirname(join(features, name)), { recursive: true });
      for (const ending of ['.npy', '.boxes.npy'])
        cpSync(join(features, `${from}${ending}`), join(features, `${name}${ending}`));
    };
    const named = (name: string): ImageItem => ({
      ...{ kind: 'image', transforms: [], source: { name, path: join(imagesPath, 'small.png') } },
    });

    /** The scores of images of a dataset: the original whose features were used, or the problem. */
    async function usedFor(
      names: readonly string[],
      change: (folder: string) => void,
      asked = names,
    ): Promise<{ used: string[]; evaluator: Evaluator }> {
      const features = join(scratch(), 'features');
      cpSync(join(modelsPath, 'itm-umic', 'features'), features, { recursive: true });
      change(features);
      const folders = new NameFolders();
      for (const name of names) folders.add(name);
      const path = regionFile(join(modelsPath, 'itm-umic'), features);
      const evaluator = await openPath(path, { imageFolders: () => Promise.resolve(folders) });
      const text = 'a black cat';
      const score = async (image: ImageItem): Promise<string> => {
        const [outcome] = await evaluator.scorePairs!([{ image, text }]);
        return outcome.ok ? String(outcome.value) : english(outcome.problem);
      };
      const known = new Map<string, string>();
      for (const name of ['small', 'tall', 'wide']) known.set(await score(imageItem(`${name}.png`)), name);
      const used: string[] = [];
      for (const name of asked) {
        const found = await score(named(name));
        used.push(known.get(found) ?? found.replace(`${name}: `, ''));
      }
      return { used, evaluator };
    }

    it('use those of the same folder, and never those of another', async () => {
      const change = (f: string): void => {
        add(f, 'dogs/1', 'tall');
        add(f, 'cats/1', 'wide');
        add(f, 'cats/2', 'wide');
        add(f, '3', 'small');
      };
      const names = ['dogs/1.jpg', 'cats/1.jpg', 'dogs/2.jpg', 'dogs/3.jpg', 'cats/3.jpg'];
      const { used, evaluator } = await usedFor(names, change);
      const none = sentence('model.noRegionFile');
      assert.deepEqual(used, ['tall', 'wide', none, none, none]);
      assert.equal(evaluator.partlyKnown?.count, 0);
    });

    it('count images of which less than the whole path matched', async () => {
      const { used, evaluator } = await usedFor(['photos/wide.jpg', 'photos/tall.jpg'], () => undefined);
      assert.deepEqual(used, ['wide', 'tall']);
      assert.deepEqual(
        evaluator.partlyKnown?.first.map(({ name }) => name),
        ['photos/tall.jpg', 'photos/wide.jpg'],
      );
    });

    it('are not shared by images whose names differ only in their endings', async () => {
      const { used } = await usedFor(['wide.jpg', 'wide.webp', 'tall.jpg'], (f) =>
        add(f, 'wide.webp', 'small'),
      );
      assert.deepEqual(used, [sentence('model.regionFileShared'), 'small', 'tall']);
    });

    it('are told apart if all images are the same placeholder, or there is none', async () => {
      const evaluator = await openPath(regionFile());
      const bench = createBench({ store: scratch() });
      const want = (left: ImageItem): Want => ({ left, right: { kind: 'text', text: 'a black cat' } });
      const folder = scratch();
      const placeholder = (name: string): ImageItem => {
        const path = join(folder, name);
        cpSync(join(imagesPath, 'small.png'), path);
        return { kind: 'image', source: { name, path }, transforms: [] };
      };
      const nothing = { name: 'wide.png', bytes: new Uint8Array() };
      const [wide, tall, absent] = await bench.scores(evaluator, [
        want(placeholder('wide.png')),
        want(placeholder('tall.png')),
        want({ kind: 'image', source: nothing, transforms: [] }),
      ]);
      await bench.close();
      assert.deepEqual(absent, wide);
      assert.notDeepEqual(tall, wide);
      assert.equal(evaluator.knowsImage?.('wide.png'), true);
    });

    it('are told apart and counted if the model re-ranks the results of an encoder', async () => {
      const path = join(scratch(), 'both.evaluator.json');
      const encoder = join(modelsPath, 'clip');
      writeFileSync(path, JSON.stringify({ kind: 'rerank', encoder, scorer: regionFile(), top: 10 }));
      const folders = new NameFolders();
      for (const name of ['photos/wide.png', 'photos/tall.png']) folders.add(name);
      const evaluator = await openPath(path, { imageFolders: () => Promise.resolve(folders) });
      const store = scratch();
      const score = async (name: string): Promise<number> => {
        const bench = createBench({ store });
        const left: ImageItem = {
          ...{ kind: 'image', transforms: [] },
          source: { name, path: join(imagesPath, 'small.png') },
        };
        const [outcome] = await bench.scores(evaluator, [{ left, right: { kind: 'text', text: 'a cat' } }]);
        await bench.close();
        return valueOf(outcome);
      };
      // The file is the same, and its features are not.
      const [wide, tall] = [await score('photos/wide.png'), await score('photos/tall.png')];
      assert.notEqual(wide, tall);
      assert.equal(await score('photos/wide.png'), wide);
      const files = { count: 1, first: [{ name: 'a/small.png', file: 'small.png' }] };
      const partly = partlyFoundBy(evaluator, files);
      assert.equal(partly.count, 3);
      // The encoder reads the files, so the images cannot be absent.
      assert.equal(evaluator.knowsImage, undefined);
    });

    it('name a folder that is missing or empty', async () => {
      const folder = join(modelsPath, 'itm-umic');
      const missing = await problemOf(openPath(regionFile(folder, join(folder, 'nowhere'))));
      assert.ok(findSaid(missing.what, 'model.regionFeaturesUnreadable'));
      assert.equal(missing.at, join(folder, 'nowhere'));
      await assert.rejects(openPath(regionFile(folder, scratch())), {
        what: say('model.regionFeaturesEmpty'),
      });
    });
  });

  it('choose a provider by their scores', async () => {
    const open = (provider: string): Promise<Evaluator> => openPath(refOf('itm-blip'), { provider });
    const taken = await openWithAnyProvider(open, undefined, ['cpu']);
    assert.deepEqual(taken.info.notes.at(-1), say('model.providerSelected', 'cpu'));
    await taken.close();
    // Opens an evaluator that returns wrong scores on every provider except the CPU.
    const wrong = async (provider: string): Promise<Evaluator> => {
      const evaluator = await openPath(refOf('itm-blip'));
      if (provider === 'cpu') return evaluator;
      return {
        ...evaluator,
        scorePairs: (some) => Promise.resolve(some.map(() => ({ ok: true, value: 0.77 }))),
      };
    };
    const cautious = await openWithAnyProvider(wrong, undefined, ['cuda']);
    const note = english(cautious.info.notes.at(-1)!);
    assert.match(note, saying('model.providerSelectedAfter', 'cpu'));
    assert.match(note, saying('model.providerDiffersFromCpu'));
    await cautious.close();
  });

  it('cannot be made from an embedding model, nor with a metric around them', async () => {
    const path = join(scratch(), 'x.evaluator.json');
    writeFileSync(path, JSON.stringify({ kind: 'itm', folder: join(modelsPath, 'clip') }));
    await assert.rejects(openPath(path), {
      what: say('evaluator.keyProblem', 'folder', say('evaluator.notJointModel')),
    });
    await assert.rejects(openPath(`clipscore:${join(modelsPath, 'itm-blip')}`), {
      what: say('evaluator.noSharedSpace', 'itm-blip'),
      remedy: sentence('evaluator.clipscoreUseDualEncoder', 'itm-blip'),
    });
  });
});

describe('.npy files', () => {
  afterEach(cleanUp);

  const file = (header: string, data: Buffer, version = 1): string => {
    const path = join(scratch(), 'table.npy');
    const text = Buffer.from(header, 'latin1');
    const size = Buffer.alloc(version === 1 ? 2 : 4);
    if (version === 1) size.writeUInt16LE(text.length);
    else size.writeUInt32LE(text.length);
    const head = Buffer.from(`\x93NUMPY${String.fromCharCode(version)}\0`, 'latin1');
    writeFileSync(path, Buffer.concat([head, size, text, data]));
    return path;
  };
  const header = (descr: string, shape = '(2, 2)', order = 'False'): string =>
    `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }\n`;

  it('are read in three precisions and two versions', () => {
    const f4 = Buffer.from(Float32Array.of(1, -2, 0.5, 4).buffer);
    const f8 = Buffer.from(Float64Array.of(1, -2, 0.5, 4).buffer);
    const f2 = Buffer.from(Uint16Array.of(0x3c00, 0xc000, 0x3800, 0x4400).buffer);
    for (const path of [
      file(header('<f4'), f4),
      file(header('<f4'), f4, 2),
      file(header('<f8'), f8),
      file(header('<f2'), f2),
    ]) {
      const { rows, columns, values } = readNpy(path);
      assert.deepEqual([rows, columns, [...values]], [2, 2, [1, -2, 0.5, 4]]);
    }
  });

  it('are rejected with a reason', () => {
    const data = Buffer.alloc(16);
    assert.throws(() => readNpy(file(header('<i4'), data)), { what: say('native.npyTypeNotFloat', '<i4') });
    assert.throws(() => readNpy(file(header('<f4', '(4,)'), data)), { what: say('native.npyAxesNotTwo', 1) });
    assert.throws(() => readNpy(file(header('<f4', '(2, 2)', 'True'), data)), {
      what: say('native.npyColumnOrder'),
    });
    assert.throws(() => readNpy(file(header('<f4', '(2, 3)'), data)), {
      what: say('native.npyLengthMismatch'),
    });
    assert.throws(() => readNpy(file('{}', data)), { what: say('embeddings.npyHeaderUnreadable') });
  });
});
