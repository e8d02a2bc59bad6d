import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { findSaid, type Said, say, type Words } from '../../../../src/base/say';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { openEvaluator } from '../../../../src/evaluator/open';
import { openRemote, type RemoteOptions } from '../../../../src/evaluator/remote/remote';
import type { RemoteFile } from '../../../../src/evaluator/remote/remoteFile';
import oracle from '../../../oracle/evaluator/models.json';
import { until } from '../../../until';
import {
  assertClose,
  bytesOf,
  cleanUp,
  copyOf,
  editJson,
  embedAll,
  open,
  imageItem,
  scratch,
  valueOf,
} from '../fixtures';
import { models, OipServer } from '../oipServer';
import { sentence } from '../../../sentence';

/** The folder of a small model without weights. Only the server has the weights. */
function bare(name: string): string {
  const path = copyOf(name);
  rmSync(join(path, 'onnx'), { recursive: true });
  return path;
}

describe('an encoder on an inference server', () => {
  let server: OipServer;
  const opened: Evaluator[] = [];

  beforeEach(async () => {
    server = await new OipServer(models).start();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((evaluator) => evaluator.close()));
    await server.stop();
    await cleanUp();
  });

  const clip = (more: Partial<RemoteFile> = {}): RemoteFile => ({
    endpoint: server.url,
    folder: bare('clip-two-graphs'),
    text: 'clip_text',
    image: 'clip_vision',
    ...more,
  });

  async function remote(said: RemoteFile, more: Partial<RemoteOptions> = {}): Promise<Evaluator> {
    const evaluator = await openRemote(said, {
      id: 'far',
      name: 'far',
      home: scratch(),
      firstWaitMs: 1,
      ...more,
    });
    opened.push(evaluator);
    return evaluator;
  }

  async function refusal(promise: Promise<unknown>): Promise<CaptiousError> {
    const error = await promise.then(
      () => assert.fail('an error was expected'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof CaptiousError, String(error));
    return error;
  }

  async function assertLikeReference(
    evaluator: Evaluator,
    expected: { text: number[][]; image: Record<string, number[]> },
  ): Promise<void> {
    const texts = await embedAll(evaluator, oracle.texts);
    texts.forEach((row, i) => assertClose(valueOf(row), expected.text[i]));
    const files = Object.keys(expected.image);
    const images = await evaluator.embedImages!(files.map((file) => imageItem(file)));
    images.forEach((row, i) => assertClose(valueOf(row), expected.image[files[i]]));
  }

  for (const binary of [true, false]) {
    it(`gives the reference's numbers, with tensors as ${binary ? 'bytes' : 'JSON'}`, async () => {
      server.binary = binary;
      const evaluator = await remote(clip());
      assert.equal(evaluator.info.kind, 'dual-encoder');
      assert.equal(evaluator.info.dimension, 16);
      await assertLikeReference(evaluator, oracle['clip-two-graphs']);
      assert.ok(
        server.requests.filter(({ method }) => method === 'POST').every((one) => one.binary === binary),
      );
    });
  }

  it('gives the same numbers through one model with both towers, and through a model that is pooled locally', async () => {
    const whole = await remote({
      endpoint: `${server.url}/`,
      folder: bare('clip'),
      text: 'clip',
      image: 'clip',
    });
    await assertLikeReference(whole, oracle.clip);
    const bert = await remote({ endpoint: server.url, folder: bare('bert-cls'), text: 'bert' });
    assert.equal(bert.info.kind, 'text-encoder');
    assert.equal(bert.embedImages, undefined);
    const rows = await embedAll(bert, oracle.texts);
    rows.forEach((row, i) => assertClose(valueOf(row), oracle['bert-cls'].cls[i]));
  });

  it('says where it runs, and its key covers endpoint, model, version and metadata', async () => {
    const folder = bare('clip-two-graphs');
    const { info } = await remote(clip({ folder }));
    assert.equal(info.provider, `Open Inference Protocol, ${server.url}`);
    const [towers] = info.notes.flatMap((note) => findSaid(note, 'remote.encodedBy') ?? []);
    assert.deepEqual(
      towers.values.slice(0, 2).map((value) => english(value)),
      [server.url, sentence('remote.modelVersion', 'clip_text', '1', ', onnxruntime_onnx')],
    );
    assert.ok(info.notes.some((note) => findSaid(note, 'remote.weightsNotHashed')));
    const again = await remote(clip({ folder }));
    assert.deepEqual([again.info.textKey, again.info.imageKey], [info.textKey, info.imageKey]);
    const { info: local } = await open('clip-two-graphs');
    assert.notEqual(local.textKey, info.textKey);
    server.version = '2';
    const newer = await remote(clip({ folder }));
    assert.notEqual(newer.info.textKey, info.textKey);
    assert.notEqual(newer.info.sha256, info.sha256);
    server.version = '1';
    editJson(join(folder, 'tokenizer.json'), (json) => (json.changed = true));
    assert.notEqual((await remote(clip({ folder }))).info.textKey, info.textKey);
    const other = await new OipServer(models).start();
    try {
      editJson(join(folder, 'tokenizer.json'), (json) => delete json.changed);
      assert.notEqual((await remote(clip({ folder, endpoint: other.url }))).info.textKey, info.textKey);
    } finally {
      await other.stop();
    }
  });

  it('sends a fixed number of rows, so requests do not affect results', async () => {
    const evaluator = await remote(clip({ batch: 4 }));
    const texts = Array.from({ length: 11 }, (_, i) => `a ${['cat', 'dog', 'red', 'bus'][i % 4]}`);
    const sizes = await evaluator.measureTexts!(texts);
    const same = texts.filter((_, i) => sizes[i].tokens === sizes[0].tokens);
    assert.ok(same.length >= 5);
    const together = await evaluator.embedTexts!(same);
    for (const [i, text] of same.entries()) {
      const [alone] = await evaluator.embedTexts!([text]);
      assert.equal(bytesOf(valueOf(alone)), bytesOf(valueOf(together[i])));
    }
    const items = ['wide.png', 'nothing.png', 'tall.png', 'small.png', 'wide.png'].map((file) =>
      imageItem(file),
    );
    const images = await evaluator.embedImages!(items);
    assert.ok(!images[1].ok && /nothing\.png/.test(english(images[1].problem)));
    assert.equal(bytesOf(valueOf(images[0])), bytesOf(valueOf(images[4])));
    assert.deepEqual(
      new Set(server.requests.filter(({ rows }) => rows > 0).map(({ rows }) => rows)),
      new Set([4]),
    );
  });

  it('opens by an evaluator file and by an address', async () => {
    const folder = bare('clip-two-graphs');
    const file = join(folder, '..', 'far.evaluator.json');
    const said = {
      kind: 'remote',
      endpoint: server.url,
      folder: './clip-two-graphs',
      text: 'clip_text',
      image: 'clip_vision',
    };
    writeFileSync(file, JSON.stringify(said));
    const home = scratch();
    const byFile = await openEvaluator(file, { home });
    opened.push(byFile);
    assert.equal(byFile.info.id, 'far');
    const query = `folder=${encodeURIComponent(folder)}&text=clip_text&image=clip_vision`;
    const byUrl = await openEvaluator(`oip+${server.url}?${query}`, { home });
    opened.push(byUrl);
    assert.equal(byUrl.info.textKey, byFile.info.textKey);
    assert.deepEqual(await byUrl.embedTexts!(['a cat']), await byFile.embedTexts!(['a cat']));
    for (const wrong of [`oip+${server.url}?text=clip_text`, `oip+${server.url}?${query}&colour=red`])
      assert.equal((await refusal(openEvaluator(wrong, { home }))).kind, 'usage');
    const bad = { ...said, endpoint: 'http://me:secret@127.0.0.1' };
    writeFileSync(file, JSON.stringify(bad));
    const error = await refusal(openEvaluator(file, { home }));
    assert.doesNotMatch(error.describe(), /secret@/);
  });

  it('can be cancelled while it waits', async () => {
    const evaluator = await remote(clip());
    let waiting = 0;
    server.mischief = ({ method }) => method === 'POST' && ++waiting > 0;
    const stop = new AbortController();
    const calls = [
      refusal(evaluator.embedTexts!(['a cat'], stop.signal)),
      refusal(evaluator.embedImages!([imageItem('wide.png')], stop.signal)),
    ];
    await until(() => waiting === calls.length);
    stop.abort();
    for (const { kind } of await Promise.all(calls)) assert.equal(kind, 'interrupted');
    assert.equal((await refusal(evaluator.embedTexts!(['a cat'], AbortSignal.abort()))).kind, 'interrupted');
    server.mischief = () => false;
    valueOf((await evaluator.embedTexts!(['a cat']))[0]);
  });

  it('retries if a connection breaks or the server is busy, and gives up in the end', async () => {
    let trouble = 2;
    server.mischief = (_, response) => {
      if (trouble-- <= 0) return false;
      if (trouble === 0) response.destroy();
      else response.writeHead(503).end('{"error": "loading"}');
      return true;
    };
    const evaluator = await remote(clip());
    trouble = 2;
    valueOf((await evaluator.embedTexts!(['a cat']))[0]);
    trouble = Infinity;
    server.mischief = (_, response) => {
      response.writeHead(500).end('{"error": "out of memory"}');
      return true;
    };
    const error = await refusal(evaluator.embedTexts!(['a dog']));
    assert.deepEqual([error.kind, /500: out of memory/.test(error.message)], ['interrupted', true]);
    assert.deepEqual(error.details.remedy, say('native.runToResume'));
  });

  it('accepts null for absent fields, as KServe writes it', async () => {
    server.binary = false;
    server.silent = true;
    server.reword = (json) => {
      json.model_version = null;
      for (const output of json.outputs as Record<string, unknown>[]) output.parameters = null;
    };
    await assertLikeReference(await remote(clip()), oracle['clip-two-graphs']);
  });

  it('quotes a failing server on one line, without escapes and keys', async () => {
    const evaluator = await remote(clip());
    const cuda = 'CUDA out of memory. Tried to allocate 2.00 GiB';
    for (const [body, expected] of [
      [JSON.stringify({ error: `RuntimeError : ${cuda}` }), `: RuntimeError : ${cuda}`],
      [JSON.stringify({ detail: `${cuda}.` }), `: ${cuda}`],
      [JSON.stringify({ error: { message: cuda, code: 7 } }), `: ${cuda}`],
      [
        `torch.OutOfMemoryError:\n  \x1b[31m${cuda}\x1b[0m\u202e`,
        `: torch.OutOfMemoryError: [31m${cuda} [0m`,
      ],
      ['refused: Bearer abcdef0123456789', ': refused: Bearer [withheld]'],
      ['x'.repeat(1000), `: ${'x'.repeat(300)}…`],
      ['', ''],
    ]) {
      server.mischief = (_, response) => {
        response.writeHead(500).end(body);
        return true;
      };
      const error = await refusal(evaluator.embedTexts!([body]));
      assert.deepEqual(error.what, say('remote.serverProblem', say('remote.answeredStatus', 500, expected)));
    }
  });

  it('has a deadline', async () => {
    const evaluator = await remote(clip({ timeout: 0.2 }));
    server.mischief = () => true;
    await assert.rejects(evaluator.embedTexts!(['a cat']), {
      what: say('remote.serverProblem', say('remote.serverTimeout', 0.2)),
    });
  });

  it('names a server that is down, and one that is something else', async () => {
    await server.stop();
    const down = await refusal(remote(clip()));
    const unreachable = findSaid(down.what, 'remote.serverUnreachable');
    assert.equal(down.kind, 'evaluator');
    assert.match(String(unreachable?.values[0]), /ECONNREFUSED/);
    server = await new OipServer(models).start();
    const invalid = (why: Words): Said => say('remote.responseInvalid', why);
    for (const [body, why] of [
      ['<html>Welcome</html>', invalid(say('remote.responseNotJson'))],
      ['[]', invalid('The value is not an object')],
      ['{"name": "clip_text"}', invalid('inputs is not a list')],
      [
        '{"name": "other", "inputs": [], "outputs": []}',
        invalid(say('remote.metadataOfOtherModel', 'other', 'clip_text')),
      ],
    ] as const) {
      server.mischief = (_, response) => {
        response.writeHead(200).end(body);
        return true;
      };
      await assert.rejects(remote(clip()), { what: why });
    }
    server.mischief = () => false;
    const missing = await refusal(remote(clip({ text: 'missing' })));
    assert.deepEqual(missing.what, say('remote.serverRejected', 404, ': unknown model missing'));
    assert.deepEqual(missing.details.remedy, say('remote.checkModelVersion'));
    await assert.rejects(remote(clip({ textVersion: '7' })), {
      what: say('remote.serverRejected', 404, ': unknown model clip_text'),
    });
  });

  it('follows no redirect', async () => {
    server.mischief = (_, response) => {
      response.writeHead(307, { location: 'http://elsewhere.example/v2' }).end();
      return true;
    };
    await assert.rejects(remote(clip()), {
      what: say('remote.serverRedirects', 'http://elsewhere.example/v2'),
    });
    server.mischief = (_, response) => {
      response.writeHead(307).end();
      return true;
    };
    await assert.rejects(remote(clip()), {
      what: say('fetch.redirectWithoutAddress'),
      remedy: sentence('remote.checkServer'),
    });
  });

  it('rejects metadata of unusable inputs, deep or long answers, and timeouts over an hour', async () => {
    const said = (change: (json: { inputs: { shape: unknown }[] }) => unknown): void => {
      server.mischief = ({ url }, response) => {
        if (!url.endsWith('/clip_text')) return false;
        const port = (name: string, datatype: string, shape: unknown): object => ({ name, datatype, shape });
        const json = {
          name: 'clip_text',
          inputs: ['input_ids', 'attention_mask'].map((name) => port(name, 'INT64', [-1, -1])),
          outputs: [port('text_embeds', 'FP32', [-1, 16])],
        } as { inputs: { shape: unknown }[] } & object;
        const changed = change(json);
        response.end(typeof changed === 'string' ? changed : JSON.stringify(json));
        return true;
      };
    };
    const shaped = (shape: unknown) => () => said((json) => void (json.inputs[0].shape = shape));
    const unusable = (shape: string, why: Said): Said =>
      say('model.portUnusable', 'input_ids', 'int64', shape, why);
    // What a response lacks is a text of its schema.
    const invalid = (why: Said | string): Said =>
      say('remote.responseInvalid', typeof why === 'string' ? why : english(why).replace(/\.$/, ''));
    const cases: [() => void, Said][] = [
      [shaped([0, 77]), unusable('0, 77', say('model.portAxisInvalid'))],
      [shaped([-1, 1e9]), unusable('?, 1000000000', say('model.portTooManyNumbers', 2 ** 27))],
      [shaped([1e6, 77]), unusable('1000000, 77', say('model.portTooManyRows', 4096))],
      [shaped([1.5, 77]), invalid('inputs[0].shape[0] is not an integer')],
      [() => said(() => `{"inputs":${'['.repeat(500_000)}`), invalid(say('base.jsonTooDeep', 16))],
      [
        () => said(() => `{"inputs":[${'[],'.repeat(300_000)}[]]}`),
        invalid(say('base.jsonTooManyParts', 16384)),
      ],
      [
        () => said(() => `{"a":"${'x'.repeat(2 << 20)}"}`),
        say('remote.responseInvalid', say('remote.responseTooLong', 1 << 20)),
      ],
    ];
    try {
      for (const [play, why] of cases) {
        play();
        const error = await refusal(remote(clip()));
        assert.equal(error.kind, 'evaluator');
        assert.deepEqual(error.what, why);
      }
    } finally {
      server.mischief = () => false;
    }
    for (const timeout of [1e12, 0, -1])
      await assert.rejects(remote(clip({ timeout })), { what: say('remote.timeoutInvalid', 3600, timeout) });
    await assert.rejects(remote(clip({ batch: 1e9 })), { what: say('remote.batchInvalid', 4096, 1e9) });
  });

  it('rejects answers of a wrong shape, type, size, name or version', async function () {
    this.timeout(60_000);
    type Output = Record<string, unknown>;
    const invalid = (why: Said): Said => say('remote.responseInvalid', why);
    const changes: [(json: { outputs: Output[] } & Output) => void, Said][] = [
      [
        (json) => (json.outputs[0].shape = [4, 32]),
        say('remote.outputShapeWrong', 'text_embeds', '4, 32', 2, 8),
      ],
      [(json) => (json.outputs[0].shape = [8, 15]), invalid(say('remote.valueCountMismatch', 128, '8, 15'))],
      [
        (json) => (json.outputs[0].shape = [8, 4, 4]),
        say('remote.outputShapeWrong', 'text_embeds', '8, 4, 4', 2, 8),
      ],
      [(json) => (json.outputs[0].datatype = 'INT8'), say('remote.outputTypeWrong', 'INT8')],
      [(json) => (json.outputs[0].name = 'other'), invalid(say('remote.outputMissing', 'text_embeds'))],
      [
        (json) => (json.model_name = 'other'),
        invalid(say('remote.responseOfOtherModel', 'other', 'clip_text')),
      ],
      [
        (json) => (json.outputs[0].parameters = { binary_data_size: 10_000 }),
        invalid(say('remote.binaryPartTruncated')),
      ],
      [(json) => (json.outputs[0].parameters = {}), invalid(say('remote.valueCountMismatch', 0, '8, 16'))],
      [(json) => (json.outputs = []), invalid(say('remote.outputMissing', 'text_embeds'))],
    ];
    for (const [change, why] of changes) {
      server.reword = () => undefined;
      const evaluator = await remote(clip());
      server.reword = change as (json: Record<string, unknown>) => void;
      const error = await refusal(evaluator.embedTexts!(['a cat']));
      assert.equal(error.kind, 'evaluator');
      assert.deepEqual(error.what, why);
      assert.match(error.at!, /^http:\/\/127\.0\.0\.1.*clip_text/);
    }
    server.reword = () => undefined;
    const evaluator = await remote(clip());
    await evaluator.embedTexts!(['a cat']);
    server.version = '2';
    const changed = await refusal(evaluator.embedTexts!(['a dog']));
    assert.deepEqual(changed.what, say('remote.versionChanged', 1, 2));
  });

  it('reports invalid rows as problems of those rows only', async () => {
    const evaluator = await remote(clip());
    server.twist = (values) => {
      values[3] = NaN;
      values.fill(0, 16, 32);
    };
    const rows = await evaluator.embedTexts!(['a cat', 'a cat', 'a cat']);
    assert.deepEqual(
      rows.map((row) => (row.ok ? 'fine' : row.problem)),
      [say('native.notFinite'), say('native.onlyZeros'), 'fine'],
    );
  });

  it('reads 16-bit answers', async () => {
    server.mischief = ({ method }, response) => {
      if (method !== 'POST') return false;
      const halves = Uint16Array.from({ length: 8 * 16 }, (_, i) => (i % 16 === 0 ? 0x3c00 : 0xc000));
      const head = Buffer.from(
        JSON.stringify({
          model_name: 'clip_text',
          outputs: [
            { name: 'text_embeds', datatype: 'FP16', shape: [8, 16], parameters: { binary_data_size: 256 } },
          ],
        }),
      );
      response.writeHead(200, { 'inference-header-content-length': head.length });
      response.end(Buffer.concat([head, Buffer.from(halves.buffer)]));
      return true;
    };
    const evaluator = await remote(clip());
    const [row] = await evaluator.embedTexts!(['a cat']);
    assert.deepEqual([...valueOf(row)], [1, ...new Array<number>(15).fill(-2)]);
  });

  it('sends nothing beyond this machine without consent, which each endpoint needs once', async () => {
    // The address of this machine, in a form that does not count as local.
    const endpoint = new URL(server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')).origin;
    const home = scratch();
    const no = new CaptiousError('usage', 'no');
    const missing = { what: say('remote.consentMissing') };
    await assert.rejects(remote(clip({ endpoint }), { home }), missing);
    await assert.rejects(remote(clip({ endpoint }), { home, allow: () => Promise.resolve() }), missing);
    await assert.rejects(remote(clip({ endpoint }), { home, allow: () => Promise.reject(no) }), no);
    // Captious does not even request the server's metadata without consent.
    assert.deepEqual(server.requests, []);
    let asked: unknown;
    const evaluator = await remote(clip({ endpoint }), {
      home,
      allow: (consent, scores) => {
        asked = [consent.given, consent.endpoint, consent.terms(7), scores, server.requests.length];
        return consent.give();
      },
    });
    const terms = say('remote.termsPairs', 7, endpoint);
    assert.deepEqual(asked, [false, endpoint, terms, evaluator.info.scores, 0]);
    assert.ok(evaluator.info.notes.some((note) => findSaid(note, 'remote.requestsUnencrypted')));
    valueOf((await evaluator.embedTexts!(['a cat']))[0]);
    assert.equal(server.requests.filter(({ method }) => method === 'POST').length, 1);
    assert.equal((await remote(clip({ endpoint }), { home })).consent?.given, true);
    await refusal(remote(clip({ endpoint }), { home: scratch() }));
    assert.equal((await remote(clip(), { home })).consent, undefined);
  });

  it('rejects an address with a password or a query, and does not repeat it', async () => {
    for (const endpoint of [
      'http://:hush@localhost:1',
      'http://me:hush@localhost:1',
      'http://localhost:1?key=hush',
    ]) {
      const error = await refusal(remote(clip({ endpoint })));
      assert.deepEqual(error.what, say('remote.addressFormInvalid'));
      assert.doesNotMatch(error.describe(), /hush/);
    }
  });

  it('names a missing local file, and towers that do not fit the folder', async () => {
    for (const file of ['tokenizer.json', 'preprocessor_config.json', 'config.json']) {
      const folder = bare('clip-two-graphs');
      rmSync(join(folder, file));
      assert.match(
        (await refusal(remote(clip({ folder })))).describe(),
        new RegExp(file.replace('.', '\\.')),
      );
    }
    const swapped = await refusal(remote(clip({ text: 'clip_vision', image: 'clip_text' })));
    assert.deepEqual(swapped.what, say('model.noTokenInput', 'pixel_values'));
    await assert.rejects(remote(clip({ batch: 0 })), { what: say('remote.batchInvalid', 4096, 0) });
  });
});
