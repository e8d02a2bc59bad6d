import assert from 'node:assert/strict';
import { existsSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Engines } from '../../../src/evaluator/engines';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import type { OpenOptions } from '../../../src/evaluator/open';
import { bytesOf, cleanUp, copyOf, editJson, open, openPath, picture, valueOf } from './fixtures';

const kinds: { name: string; images: boolean; options?: OpenOptions }[] = [
  { name: 'bert-cls', images: false },
  { name: 'clip', images: true },
  { name: 'clip-two-graphs', images: true },
  { name: 'siglip', images: true },
  { name: 'odd-alone', images: false },
  { name: 'odd-int8', images: false, options: { precision: 'int8' } },
];

/** Each a word more, letters only: the sizes vary, and each size occurs again and again. */
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

/** The bits of each text's embedding, embedded so many at a time. */
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

for (const { name, images, options } of kinds) {
  describe(`the contract, kept by ${name}`, () => {
    afterEach(cleanUp);

    it('gives the same bits for a text in any batch, place, thread count and process', async () => {
      const one = await open(name, { ...options, threads: 1 });
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
        const two = await open(name, { ...options, threads: 2, engine: { processes } });
        for (const batch of [1, 4, 128])
          assert.deepEqual(await bitsOf(two, list, batch), expected, `two threads, ${processes}, ${batch}`);
      }
    });

    if (images) {
      it('gives the same bits for a picture in any batch, place and thread count', async () => {
        const items = ['wide.png', 'tall.png', 'small.png'].flatMap((file) => [
          picture(file),
          picture(file, [{ op: 'hflip' }]),
          picture(file, [{ op: 'vflip' }]),
          picture(file, [{ op: 'hflip' }, { op: 'vflip' }]),
        ]);
        const one = await open(name, { ...options, threads: 1 });
        const alone: string[] = [];
        for (const item of items) alone.push(bytesOf(valueOf((await one.embedImages!([item]))[0])));
        assert.equal(new Set(alone).size, items.length, 'each picture is another');
        for (const threads of [1, 2]) {
          const evaluator = await open(name, { ...options, threads, engine: { processes: 1 } });
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
      const evaluator = await open(name, options);
      await evaluator.measureTexts!(texts);
      assert.deepEqual(await evaluator.embedTexts!([]), []);
      assert.equal(pidOf(evaluator), undefined);
      await evaluator.close();
    });

    it('is cancelled within a second, and goes on afterwards', async () => {
      const evaluator = await open(name, options);
      const [text] = await sameSize(evaluator);
      // So many that the fastest of these models is not done before it is told to stop.
      const many = new Array<string>(500_000).fill(text);
      await evaluator.embedTexts!([text]);
      const stop = new AbortController();
      const call = rejection(evaluator.embedTexts!(many, stop.signal));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const since = performance.now();
      stop.abort();
      const error = await call;
      assert.ok(performance.now() - since < 1000, `it took ${performance.now() - since} ms`);
      assert.equal(error.kind, 'interrupted');
      valueOf((await evaluator.embedTexts!([text]))[0]);
    });

    it('refuses a call whose signal is aborted already', async () => {
      const evaluator = await open(name, options);
      const error = await rejection(evaluator.embedTexts!(['a cat'], AbortSignal.abort()));
      assert.equal(error.kind, 'interrupted');
      assert.equal(pidOf(evaluator), undefined);
    });

    it('rejects what was pending when its process is killed, and works again', async () => {
      const evaluator = await open(name, { ...options, engine: { processes: 1 } });
      const [text] = await sameSize(evaluator);
      await evaluator.embedTexts!([text]);
      const before = pidOf(evaluator)!;
      const calls = [1, 2].map(() => rejection(evaluator.embedTexts!(new Array<string>(100_000).fill(text))));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const since = performance.now();
      process.kill(before, 'SIGKILL');
      for (const error of await Promise.all(calls)) {
        assert.equal(error.kind, 'interrupted');
        assert.match(error.message, /SIGKILL/);
        assert.match(error.remedy!, /again/);
      }
      assert.ok(performance.now() - since < 1000);
      valueOf((await evaluator.embedTexts!([text]))[0]);
      assert.notEqual(pidOf(evaluator), before);
    });

    it('names a file that is missing', async () => {
      for (const file of ['config.json', 'tokenizer.json', ...(images ? ['preprocessor_config.json'] : [])]) {
        const path = copyOf(name);
        rmSync(join(path, file));
        const error = await rejection(openPath(path, options));
        assert.equal(error.kind, 'evaluator');
        assert.ok(error.describe().includes(file) && error.describe().includes(path), error.describe());
      }
      const path = copyOf(name);
      rmSync(join(path, 'onnx'), { recursive: true });
      assert.match((await rejection(openPath(path, options))).describe(), /onnx/);
    });

    it('names a graph that breaks off', async () => {
      const path = copyOf(name);
      const file = ['model.onnx', 'model_int8.onnx', 'text_model.onnx']
        .map((graph) => join(path, 'onnx', graph))
        .find((graph) => existsSync(graph))!;
      truncateSync(file, 5000);
      const error = await rejection(openPath(path, options));
      assert.equal(error.at, file);
      assert.match(error.message, /not a whole ONNX file/);
    });

    it('has another key for another file, and the same for the same', async () => {
      const path = copyOf(name);
      const { info } = await openPath(path, options);
      const again = (await openPath(path, options)).info;
      assert.equal(again.textKey, info.textKey);
      assert.equal(again.imageKey, info.imageKey);
      editJson(join(path, 'tokenizer.json'), (json) => (json.changed = true));
      const changed = (await openPath(path, options)).info;
      assert.notEqual(changed.sha256, info.sha256);
      assert.notEqual(changed.textKey, info.textKey);
      if (images) assert.notEqual(info.textKey, info.imageKey);
    });
  });
}
