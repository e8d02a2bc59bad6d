import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { download } from '../../../src/evaluator/fetch/fetchFile';
import { ChatProblem } from '../../../src/evaluator/judge/chat';
import { ChatEndpoint } from '../../../src/evaluator/judge/chatEndpoint';
import { usualDialect } from '../../../src/evaluator/judge/endpoint/dialect';
import { readFleur, readScore } from '../../../src/evaluator/judge/judgeAnswer';
import { OipClient } from '../../../src/evaluator/remote/oip';
import { altered, mutated } from './mutate';
import { orToldApart, type Target } from './target';

interface Reply {
  body: Buffer;
  status: number;
  headers: Record<string, string>;
}

/** Valid server answers with random changes, and with realistic statuses and headers. */
function replies(
  seeds: readonly unknown[],
  headers: fc.Arbitrary<Record<string, string>>,
): fc.Arbitrary<Reply> {
  const bodies = fc.oneof(
    altered(seeds).map((value) => Buffer.from(JSON.stringify(value) ?? '')),
    mutated(seeds.map((seed) => Buffer.from(JSON.stringify(seed)))),
  );
  return fc.record({
    body: bodies,
    status: fc.oneof(
      { weight: 8, arbitrary: fc.constant(200) },
      fc.constantFrom(302, 400, 401, 404, 429, 500),
    ),
    headers,
  });
}

/** Answers requests with these replies in turn while `act` runs. */
async function answered(given: readonly Reply[], act: () => Promise<void>): Promise<void> {
  const { fetch } = globalThis;
  let next = 0;
  globalThis.fetch = () => {
    const { body, status, headers } = given[next++ % given.length];
    return Promise.resolve(new Response(new Uint8Array(body), { status, headers }));
  };
  try {
    await act();
  } finally {
    globalThis.fetch = fetch;
  }
}

const metadata = {
  name: 'm',
  versions: ['1'],
  platform: 'onnx',
  inputs: [{ name: 'input_ids', datatype: 'INT64', shape: [-1, 77] }],
  outputs: [{ name: 'text_embeds', datatype: 'FP32', shape: [-1, 4] }],
};
const server = { name: 'triton', version: '2', extensions: ['binary_tensor_data'] };
const output = { name: 'text_embeds', datatype: 'FP32', shape: [1, 4] };
const inferred = {
  model_name: 'm',
  model_version: '1',
  outputs: [{ ...output, data: [0.1, 0.2, 0.3, 0.4] }],
};
const binary = JSON.stringify({
  model_name: 'm',
  outputs: [{ ...output, parameters: { binary_data_size: 16 } }],
});

const oip: Target = {
  name: 'answers of inference servers',
  share: 0.06,
  property: () => {
    const none = fc.constant({});
    const withLength = fc
      .oneof(fc.constant(binary.length), fc.nat(300), fc.constantFrom(-1, 0.5, 1e300, NaN))
      .map((length) => ({ 'inference-header-content-length': String(length) }));
    const mixed = fc.record({
      body: mutated([Buffer.concat([Buffer.from(binary), Buffer.alloc(16, 63)])]),
      status: fc.constant(200),
      headers: withLength,
    });
    const told = fc.tuple(replies([metadata], none), replies([server], none));
    const scored = fc.oneof(replies([inferred], none), mixed);
    return fc.asyncProperty(told, scored, async ([first, second], third) => {
      const client = new OipClient(new URL('http://localhost:9/'), { attempts: 1 });
      await answered([first, second], () =>
        orToldApart(async () => {
          const { inputs } = await client.metadata({ name: 'm' });
          for (const { name, shape } of inputs) assert.ok(typeof name === 'string' && Array.isArray(shape));
        }),
      );
      await answered([third], () =>
        orToldApart(async () => {
          const input = { name: 'input_ids', type: 'INT64', shape: [1, 2], values: [1, 2] } as const;
          const { shape, values } = await client.infer({ name: 'm' }, [input], 'text_embeds');
          assert.equal(
            values.length,
            shape.reduce((product, dim) => product * dim, 1),
          );
        }),
      );
    });
  },
};

const alternatives = [
  { token: '0', logprob: -0.1 },
  { token: '1', logprob: -3 },
];
const completion = (content: string): object => ({
  model: 'm-2026',
  choices: [
    {
      message: { content },
      finish_reason: 'stop',
      logprobs: { content: Array.from(content, (token) => ({ token, top_logprobs: alternatives })) },
    },
  ],
});

const chat: Target = {
  name: 'answers of chat models',
  share: 0.06,
  property: () => {
    const headers = fc
      .constantFrom<Record<string, string>>({}, { 'retry-after': '-1' }, { location: 'http://elsewhere' })
      .map((one) => one);
    const seeds = [
      completion('{"score": 7}'),
      completion('0.85'),
      completion('I think 0.85'),
      { error: 'no' },
    ];
    return fc.asyncProperty(replies(seeds, headers), async (reply) => {
      const endpoint = new ChatEndpoint({
        ...{ url: 'http://localhost:9/v1/chat/completions', model: 'm', key: 'secret-key-of-the-user' },
        dialect: { ...usualDialect, format: 'none' },
        ...{ maxTokens: 9, deadlineMs: 1000, firstWaitMs: 0, attempts: 1 },
      });
      const image = { mime: 'image/png', bytes: new Uint8Array(4) } as const;
      await answered([reply], () =>
        orToldApart(async () => {
          try {
            const { text, tokens } = await endpoint.ask({
              orders: 'o',
              text: 't',
              image,
              probabilities: true,
            });
            for (const outcome of [
              readScore(text, 10, { sent: ['t'] }),
              readFleur(text, tokens ?? [], { sent: ['t'] }),
            ]) {
              if (outcome.ok) assert.ok(outcome.value >= 0 && outcome.value <= 10);
              else assert.ok(english(outcome.problem).length > 0);
            }
          } catch (error) {
            if (!(error instanceof ChatProblem)) throw error;
          }
        }),
      );
    });
  },
};

const hubHeaders = fc.record(
  {
    'content-length': fc.constantFrom('4', '5', '-1', 'x', '1e3', '99999999999999999999'),
    'content-range': fc.constantFrom('bytes 0-3/4', 'bytes 2-3/4', 'bytes 0-3/*', 'x', 'bytes 0-3/1e999'),
    'content-encoding': fc.constantFrom('identity', 'gzip'),
    'content-type': fc.constantFrom('text/html', 'application/octet-stream'),
    'x-repo-commit': fc.constantFrom('1'.repeat(40), '../x', ''),
    'x-linked-etag': fc.constantFrom('"aa"', 'W/"x"', '../../x', '"'.repeat(9)),
    'x-linked-size': fc.constantFrom('4', '-4', 'NaN', '1e300'),
    location: fc.constantFrom('/x', 'https://elsewhere/', 'file:///etc/passwd', 'http://[', '//x@y'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

const hub: Target = {
  name: 'answers of the hub',
  share: 0.02,
  property: (folder) => {
    const part = join(folder, 'model.part');
    const reply = replies(['abcd'], hubHeaders).map((one) => ({
      ...one,
      status: one.status === 200 && one.headers['content-range'] !== undefined ? 206 : one.status,
    }));
    return fc.asyncProperty(
      fc.array(reply, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (given, known) => {
        await answered(given, () =>
          orToldApart(async () => {
            const file = { path: 'model', ...(known ? { size: 4 } : {}) };
            const from = { endpoint: new URL('https://hub.example/') };
            const { size } = await download(from, new URL('https://hub.example/x'), part, file, {
              attempts: 1,
              pauseMs: 0,
            });
            assert.equal(size, readFileSync(part).length);
          }),
        );
        for (const name of readdirSync(folder)) {
          assert.ok(['model.part', 'model.part.tag'].includes(name), name);
          rmSync(join(folder, name));
        }
      },
    );
  },
};

export const answerTargets: readonly Target[] = [oip, chat, hub];
