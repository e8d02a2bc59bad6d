import assert from 'node:assert/strict';
import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { type Said, say } from '../../../src/base/say';
import type { Engines } from '../../../src/evaluator/native/engines';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import type { OpenOptions } from '../../../src/evaluator/open';
import { turns, until } from '../../until';
import { nextStep } from '../../unit/callEvents';
import { captionOf, chatServer, closeServers, completion, json } from '../../unit/evaluator/chatServer';
import {
  bytesOf,
  cleanUp,
  copyOf,
  editJson,
  modelsPath,
  openPath,
  imageItem,
  scratch,
  valueOf,
} from '../../unit/evaluator/fixtures';

const kinds: { name: string; metric?: string; images: boolean; options?: OpenOptions }[] = [
  { name: 'bert-cls', images: false },
  { name: 'clip', images: true },
  { name: 'clip', metric: 'clipscore', images: true },
  { name: 'siglip', metric: 'pac-s', images: true },
  { name: 'clip-two-graphs', images: true },
  { name: 'clip-two-graphs', images: true, options: { precision: 'float16' } },
  { name: 'siglip', images: true },
  { name: 'family-siglip2-naflex', images: true },
  { name: 'bert-dense', images: false },
  { name: 'odd-alone', images: false },
  { name: 'odd-int8', images: false, options: { precision: 'int8' } },
];

/** Texts of short words without punctuation, so that many texts have the same number of tokens. */
const texts = Array.from({ length: 128 }, (_, i) => {
  const word = (n: number): string => ['cat', 'dog', 'red', 'bus', 'sky', 'man'][n % 6];
  return `a ${word(i)} ${word(i * 5 + 1)} ${word(Math.floor(i / 6))}`;
});

function pidOf(evaluator: Evaluator): number | undefined {
  return (evaluator as Evaluator & { engines: Engines }).engines.pids[0];
}

async function sameSize(evaluator: Evaluator): Promise<string[]> {
  const sizes = await evaluator.measureTexts!(texts);
  const [first] = sizes;
  const same = texts.filter((_, i) => sizes[i].tokens === first.tokens);
  assert.ok(same.length >= 20, `only ${same.length} texts of one size`);
  return same;
}

/** The bits of each text's embedding with this batch size. */
async function bitsOf(
  evaluator: Evaluator,
  list: readonly string[],
  batch: number,
): Promise<Map<string, string>> {
  const bits = new Map<string, string>();
  for (let from = 0; from < list.length; from += batch) {
    const part = list.slice(from, from + batch);
    const rows = await evaluator.embedTexts!(part);
    part.forEach((text, i) => bits.set(text, bytesOf(valueOf(rows[i]))));
  }
  return bits;
}

async function rejection(promise: Promise<unknown>): Promise<CaptiousError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CaptiousError, `a CaptiousError was expected, not ${String(error)}`);
  return error;
}

for (const { name, metric, images, options } of kinds) {
  const refOf = (path: string): string => (metric === undefined ? path : `${metric}:${path}`);
  const openAt = (path: string, openWith = options): Promise<Evaluator> => openPath(refOf(path), openWith);
  const open = (openWith = options): Promise<Evaluator> => openAt(join(modelsPath, name), openWith);

  const half = options?.precision === 'float16';

  describe(`the contract, kept by ${refOf(name)}${half ? ' in 16 bits' : ''}`, () => {
    afterEach(cleanUp);

    it('gives identical bits for a text in any batch, position, thread count and process', async () => {
      const one = await open({ ...options, threads: 1 });
      const list = await sameSize(one);
      const expected = await bitsOf(one, list, 1);
      for (const batch of [2, 3, 7, 128])
        assert.deepEqual(await bitsOf(one, list, batch), expected, `batches of ${batch}`);
      assert.deepEqual(
        new Map([...(await bitsOf(one, [...list].reverse(), 5))].reverse()),
        expected,
        'reversed',
      );
      for (const processes of [1, 2]) {
        const two = await open({ ...options, threads: 2, engine: { processes } });
        for (const batch of [1, 4, 128])
          assert.deepEqual(await bitsOf(two, list, batch), expected, `two threads, ${processes}, ${batch}`);
      }
    });

    if (images) {
      it('gives identical bits for an image in any batch, position and thread count', async () => {
        const items = ['wide.png', 'tall.png', 'small.png'].flatMap((file) => [
          imageItem(file),
          imageItem(file, [{ op: 'hflip' }]),
          imageItem(file, [{ op: 'vflip' }]),
          imageItem(file, [{ op: 'hflip' }, { op: 'vflip' }]),
        ]);
        const one = await open({ ...options, threads: 1 });
        const alone: string[] = [];
        for (const item of items) alone.push(bytesOf(valueOf((await one.embedImages!([item]))[0])));
        assert.equal(new Set(alone).size, items.length, 'each picture is another');
        for (const threads of [1, 2]) {
          const evaluator = await open({ ...options, threads, engine: { processes: 1 } });
          const together = await evaluator.embedImages!(items);
          assert.deepEqual(
            together.map((row) => bytesOf(valueOf(row))),
            alone,
          );
          const backwards = await evaluator.embedImages!([...items].reverse());
          assert.deepEqual(backwards.map((row) => bytesOf(valueOf(row))).reverse(), alone);
        }
      });
    }

    it('starts no process to open, to measure, or to close', async () => {
      const evaluator = await open();
      await evaluator.measureTexts!(texts);
      assert.deepEqual(await evaluator.embedTexts!([]), []);
      assert.equal(pidOf(evaluator), undefined);
      await evaluator.close();
    });

    it('can be cancelled during a call, and works afterwards', async () => {
      const evaluator = await open();
      const [text] = await sameSize(evaluator);
      // Enough texts to keep the fastest model busy when the cancel arrives.
      const many = new Array<string>(500_000).fill(text);
      await evaluator.embedTexts!([text]);
      const stop = new AbortController();
      const step = nextStep();
      const call = rejection(evaluator.embedTexts!(many, stop.signal));
      await step;
      stop.abort();
      const error = await call;
      assert.equal(error.kind, 'interrupted');
      valueOf((await evaluator.embedTexts!([text]))[0]);
    });

    it('rejects a call whose signal is already aborted', async () => {
      const evaluator = await open();
      const error = await rejection(evaluator.embedTexts!(['a cat'], AbortSignal.abort()));
      assert.equal(error.kind, 'interrupted');
      assert.equal(pidOf(evaluator), undefined);
    });

    it('rejects pending calls when its process is killed, and works again', async () => {
      const evaluator = await open({ ...options, engine: { processes: 1 } });
      const [text] = await sameSize(evaluator);
      await evaluator.embedTexts!([text]);
      const before = pidOf(evaluator)!;
      const step = nextStep();
      const calls = [1, 2].map(() => rejection(evaluator.embedTexts!(new Array<string>(100_000).fill(text))));
      await step;
      process.kill(before, 'SIGKILL');
      for (const error of await Promise.all(calls)) {
        assert.equal(error.kind, 'interrupted');
        assert.deepEqual(
          error.what,
          say('native.modelProcessEnded', say('native.exitSignal', 'SIGKILL'), ''),
        );
        assert.deepEqual(error.details.remedy, say('native.runToResume'));
      }
      valueOf((await evaluator.embedTexts!([text]))[0]);
      assert.notEqual(pidOf(evaluator), before);
    });

    it('names a missing file', async () => {
      for (const file of ['config.json', 'tokenizer.json', ...(images ? ['preprocessor_config.json'] : [])]) {
        const path = copyOf(name);
        rmSync(join(path, file));
        const error = await rejection(openAt(path));
        assert.equal(error.kind, 'evaluator');
        assert.ok(error.describe().includes(file) && error.describe().includes(path), error.describe());
      }
      const path = copyOf(name);
      rmSync(join(path, 'onnx'), { recursive: true });
      assert.match((await rejection(openAt(path))).describe(), /onnx/);
    });

    it('names a truncated graph', async () => {
      const path = copyOf(name);
      const file = ['model.onnx', 'model_int8.onnx', half ? 'text_model_fp16.onnx' : 'text_model.onnx']
        .map((graph) => join(path, 'onnx', graph))
        .find((graph) => existsSync(graph))!;
      truncateSync(file, 5000);
      const error = await rejection(openAt(path));
      assert.equal(error.at, file);
      assert.equal((error.what as Said).code, 'model.onnxIncomplete');
    });

    it('changes its key with its files only', async () => {
      const path = copyOf(name);
      const { info } = await openAt(path);
      const again = (await openAt(path)).info;
      assert.equal(again.textKey, info.textKey);
      assert.equal(again.imageKey, info.imageKey);
      editJson(join(path, 'tokenizer.json'), (json) => (json.changed = true));
      const changed = (await openAt(path)).info;
      assert.notEqual(changed.sha256, info.sha256);
      assert.notEqual(changed.textKey, info.textKey);
      if (images) assert.notEqual(info.textKey, info.imageKey);
    });
  });
}

interface PairKind {
  name: string;
  /** The name of the model's fixture folder, if any. */
  model?: string;
  open: (options?: OpenOptions, model?: string) => Promise<Evaluator>;
}

/** The number of requests to this file's judge. */
let judged = 0;

/** A judge whose grades depend only on the caption's letters. */
async function judgeByLetters(): Promise<string> {
  const server = await chatServer((asked, response) => {
    judged++;
    const sum = [...captionOf(asked)].reduce((total, letter) => total + letter.charCodeAt(0), 0);
    void turns(10 * (sum % 3)).then(() =>
      json(response, 200, completion(JSON.stringify({ score: (sum % 101) / 10 }))),
    );
  });
  const path = join(scratch(), 'judge.evaluator.json');
  writeFileSync(path, JSON.stringify({ kind: 'judge', endpoint: server.url, model: 'letters' }));
  return path;
}

/** An evaluator file for a copy of a model, with the region features of the original. */
function regionsOf(model: string, folder: string): string {
  const path = join(scratch(), 'regions.evaluator.json');
  writeFileSync(path, JSON.stringify({ kind: 'itm', folder, features: join(modelsPath, model, 'features') }));
  return path;
}

const pairKinds: PairKind[] = [
  ...['itm-blip', 'itm-vilt'].map((model) => ({
    name: model,
    model,
    open: (options?: OpenOptions, path = join(modelsPath, model)) => openPath(path, options),
  })),
  ...['itm-umic', 'itm-lxmert'].map((model) => ({
    name: model,
    model,
    open: (options?: OpenOptions, path = join(modelsPath, model)) =>
      openPath(regionsOf(model, path), options),
  })),
  {
    name: 'a judge',
    open: async (options) => {
      const evaluator = await openPath(await judgeByLetters(), options);
      await evaluator.consent!.give();
      return evaluator;
    },
  },
];

const pairs = texts.slice(0, 24).map((text, i) => ({
  image: imageItem(['wide.png', 'tall.png', 'small.png'][i % 3]),
  text: text.slice(0, 5 + (i % 12)),
}));

for (const { name, model, open } of pairKinds) {
  describe(`the contract of pairs, kept by ${name}`, () => {
    afterEach(async () => {
      await cleanUp();
      await closeServers();
    });

    const scoresOf = async (
      evaluator: Evaluator,
      list: readonly (typeof pairs)[number][],
      batch: number,
    ): Promise<number[]> => {
      const out: number[] = [];
      for (let from = 0; from < list.length; from += batch)
        out.push(...(await evaluator.scorePairs!(list.slice(from, from + batch))).map(valueOf));
      return out;
    };

    it('gives identical bits for a pair in any batch, position and thread count', async () => {
      const one = await open({ threads: 1 });
      const alone = await scoresOf(one, pairs, 1);
      assert.ok(new Set(alone).size > 10, 'the scores differ');
      for (const batch of [2, 3, 7, 24])
        assert.deepEqual(await scoresOf(one, pairs, batch), alone, `${batch}`);
      assert.deepEqual((await scoresOf(one, [...pairs].reverse(), 5)).reverse(), alone);
      const two = await open({ threads: 2 });
      for (const batch of [1, 24]) assert.deepEqual(await scoresOf(two, pairs, batch), alone);
    });

    it('starts no process to open, to score nothing, or to close', async () => {
      const evaluator = await open();
      assert.deepEqual(await evaluator.scorePairs!([]), []);
      if (model !== undefined) assert.equal(pidOf(evaluator), undefined);
      await evaluator.close();
    });

    it('can be cancelled during a call, and works afterwards', async () => {
      const evaluator = await open();
      const few = pairs.slice(0, 2);
      const expected = await scoresOf(evaluator, few, 2);
      const many = new Array<(typeof pairs)[number]>(20_000).fill(few[0]);
      const stop = new AbortController();
      const before = judged;
      const working = model === undefined ? until(() => judged > before) : nextStep();
      const call = rejection(evaluator.scorePairs!(many, stop.signal));
      await working;
      stop.abort();
      assert.equal((await call).kind, 'interrupted');
      assert.deepEqual(await scoresOf(evaluator, few, 1), expected);
    });

    it('rejects a call whose signal is already aborted', async () => {
      const evaluator = await open();
      const error = await rejection(evaluator.scorePairs!(pairs, AbortSignal.abort()));
      assert.equal(error.kind, 'interrupted');
    });

    if (model === undefined) return;

    it('rejects pending calls when its process is killed, and works again', async () => {
      const evaluator = await open({ engine: { processes: 1 } });
      const few = pairs.slice(0, 2);
      const expected = await scoresOf(evaluator, few, 2);
      const step = nextStep();
      const call = rejection(evaluator.scorePairs!(new Array<(typeof pairs)[number]>(20_000).fill(few[0])));
      await step;
      process.kill(pidOf(evaluator)!, 'SIGKILL');
      const { what } = await call;
      assert.deepEqual(what, say('native.modelProcessEnded', say('native.exitSignal', 'SIGKILL'), ''));
      assert.deepEqual(await scoresOf(evaluator, few, 2), expected);
    });

    it('names a missing file and a truncated graph', async () => {
      const needed = [
        'config.json',
        'tokenizer.json',
        ...(model === 'itm-blip' || model === 'itm-vilt' ? ['preprocessor_config.json'] : []),
      ];
      for (const file of needed) {
        const path = copyOf(model);
        rmSync(join(path, file));
        const error = await rejection(open(undefined, path));
        assert.equal(error.kind, 'evaluator');
        assert.ok(error.describe().includes(file) && error.describe().includes(path), error.describe());
      }
      const path = copyOf(model);
      truncateSync(join(path, 'onnx', 'model.onnx'), 5000);
      const { what } = await rejection(open(undefined, path));
      assert.equal((what as Said).code, 'model.onnxIncomplete');
    });

    it('changes its key with its files only', async () => {
      const path = copyOf(model);
      const { info } = await open(undefined, path);
      assert.equal((await open(undefined, path)).info.pairKey, info.pairKey);
      assert.equal((await open()).info.pairKey, info.pairKey);
      editJson(join(path, 'tokenizer.json'), (tokenizer) => (tokenizer.changed = true));
      const changed = (await open(undefined, path)).info;
      assert.notEqual(changed.sha256, info.sha256);
      assert.notEqual(changed.pairKey, info.pairKey);
    });
  });
}
