import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { CaptiousError } from '../../../../src/base/errors';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { floatsOf, halvesOf } from '../../../../src/evaluator/half';
import { openWithAnyProvider } from '../../../../src/evaluator/model/provider';
import { offeredProviders, precisionNamed } from '../../../../src/evaluator/model/runtime';
import half from '../../../oracle/evaluator/half.json';
import models from '../../../oracle/evaluator/models.json';
import { assertClose, cleanUp, embedAll, open, imageItem, valueOf } from '../fixtures';
import { findSaid, say } from '../../../../src/base/say';
import { saying } from '../../../sentence';

/** Opens the small CLIP on the CPU as if on `provider`, with wrong results (`change`) or an error (`failure`). */
async function pretend(
  provider: string,
  change?: (row: Float32Array) => void,
  failure?: CaptiousError,
): Promise<Evaluator & { closed?: boolean }> {
  const inner = await open('clip-two-graphs', { engine: { processes: 1 } });
  const own: Evaluator & { closed?: boolean } = {
    ...inner,
    info: { ...inner.info, provider },
    close: async () => {
      own.closed = true;
      await inner.close();
    },
    embedTexts: async (texts, signal) => {
      if (failure !== undefined) throw failure;
      const rows = await inner.embedTexts!(texts, signal);
      for (const row of rows) if (row.ok) change?.(row.value);
      return rows;
    },
  };
  return own;
}

describe('the provider chosen by auto', () => {
  afterEach(cleanUp);

  it('is the first that agrees with the cpu; earlier failures are reported', async () => {
    const made: (Evaluator & { closed?: boolean })[] = [];
    const evaluator = await openWithAnyProvider(
      async (provider) => {
        const one = await pretend(
          provider,
          provider === 'wrong' ? (row) => row.reverse() : undefined,
          provider === 'absent' ? new CaptiousError('evaluator', 'no such library') : undefined,
        );
        made.push(one);
        return one;
      },
      undefined,
      ['absent', 'wrong', 'right', 'never'],
    );
    assert.equal(evaluator.info.provider, 'right');
    const note = english(evaluator.info.notes.at(-1)!);
    assert.match(note, saying('model.providerSelectedAfter', 'right'));
    assert.match(note, /absent: no such library; wrong: .*-?0\.\d+/);
    assert.match(note, saying('model.providerDiffersFromCpu'));
    assert.deepEqual(
      made.map(({ info, closed }) => [info.provider, closed === true]),
      [
        ['cpu', true],
        ['absent', true],
        ['wrong', true],
        ['right', false],
      ],
    );
  });

  it('is the cpu if nothing else runs, or others crash or give wrong numbers', async () => {
    const evaluator = await openWithAnyProvider(
      (provider) =>
        pretend(
          provider,
          provider === 'nan' ? (row) => row.fill(NaN) : undefined,
          provider === 'crash' ? new CaptiousError('interrupted', 'ended by SIGSEGV') : undefined,
        ),
      undefined,
      ['nan', 'crash'],
    );
    assert.equal(evaluator.info.provider, 'cpu');
    const note = english(evaluator.info.notes.at(-1)!);
    assert.match(note, saying('model.providerSelectedAfter', 'cpu'));
    assert.match(note, /nan: .*NaN.*crash: ended by SIGSEGV/);
    valueOf((await evaluator.embedTexts!(['a cat']))[0]);
  });

  it("is one of this platform's, and named in the report", async () => {
    const evaluator = await open('clip-two-graphs', { provider: 'auto' });
    assert.ok(['cpu', ...offeredProviders()].includes(evaluator.info.provider));
    assert.match(
      evaluator.info.notes.map(english).join('\n'),
      saying('model.providerSelected', evaluator.info.provider),
    );
    const rows = await embedAll(evaluator, models.texts);
    const tolerance = evaluator.info.provider === 'cpu' ? 5e-6 : 5e-3;
    rows.forEach((row, i) => assertClose(valueOf(row), models['clip-two-graphs'].text[i], tolerance));
  });

  it('stops at once when cancelled', async () => {
    const stop = new AbortController();
    const call = openWithAnyProvider(
      async (provider) => {
        if (provider !== 'cpu') stop.abort();
        return pretend(provider);
      },
      stop.signal,
      ['right'],
    );
    await assert.rejects(
      call,
      (error: unknown) => error instanceof CaptiousError && error.kind === 'interrupted',
    );
  });

  it('depends on the platform', () => {
    assert.deepEqual(offeredProviders('darwin'), ['coreml', 'webgpu']);
    assert.deepEqual(offeredProviders('win32'), ['dml', 'webgpu']);
    assert.deepEqual(offeredProviders('linux'), ['cuda', 'webgpu']);
    assert.deepEqual(offeredProviders('sunos'), []);
  });
});

describe('lower precision', () => {
  afterEach(cleanUp);

  it('converts every half-precision number as NumPy does, both ways', () => {
    const all = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const floats = floatsOf(all).filter((value) => !Number.isNaN(value));
    const bytes = Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), half.everyHalfAsFloat);
    assert.deepEqual([...halvesOf(new Float32Array(Uint32Array.from(half.floats).buffer))], half.halves);
    assert.ok(Number.isNaN(floatsOf(halvesOf(Float32Array.of(NaN)))[0]));
    // A round trip through half precision changes nothing.
    assert.deepEqual(
      halvesOf(floats),
      all.filter((bits) => (bits & 0x7fff) <= 0x7c00),
    );
  });

  it('runs float16 graphs with float16 images and embeddings, and says so', async () => {
    for (const precision of ['fp16', 'float16']) {
      const evaluator = await open('clip-two-graphs', { precision });
      assert.equal(evaluator.info.precision, 'float16');
      const rows = await embedAll(evaluator, models.texts);
      // Both sides round to half precision after each step, but add in different orders.
      rows.forEach((row, i) => assertClose(valueOf(row), half.text[i], 4e-3));
      const files = Object.keys(half.image) as (keyof typeof half.image)[];
      const images = await evaluator.embedImages!(files.map((file) => imageItem(file)));
      images.forEach((row, i) => assertClose(valueOf(row), half.image[files[i]], 4e-3));
      const full = await open('clip-two-graphs');
      assert.notEqual(evaluator.info.textKey, full.info.textKey);
      assert.notEqual(evaluator.info.imageKey, full.info.imageKey);
    }
  });

  it('warns of metrics from dynamically quantised graphs', async () => {
    const evaluator = await open('odd-int8', { precision: 'int8' });
    assert.equal(evaluator.info.precision, 'int8');
    const isWarned = ({ info }: Evaluator): boolean =>
      info.notes.some((note) => findSaid(note, 'model.quantisedAtRunTime'));
    assert.ok(isWarned(evaluator));
    assert.ok(!isWarned(await open('bert-cls')));
  });

  it('has the usual names', () => {
    assert.equal(precisionNamed('fp16'), 'float16');
    assert.equal(precisionNamed('int8'), 'int8');
    assert.throws(() => precisionNamed('half'), {
      what: say('model.runtimeSettingUnknown', 'half', 'precision'),
    });
  });
});
