import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { mock } from 'node:test';
import { runAudit } from '../../../../src/audit/run';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { readScore } from '../../../../src/evaluator/judge/judgeAnswer';
import { openEvaluator } from '../../../../src/evaluator/open';
import {
  type Asked,
  captionOf,
  type ChatServer,
  chatServer,
  closeServers,
  completion,
  json,
} from '../chatServer';
import { cleanUp, imageItem, imagesPath, scratch, valueOf } from '../fixtures';
import { skipSleeps } from '../sleeps';
import { findSaid, say } from '../../../../src/base/say';
import { saying, sentence } from '../../../sentence';

type Body = Asked['body'] & {
  max_tokens?: number;
  max_completion_tokens?: number;
  reasoning_effort?: string;
};
const opened: Evaluator[] = [];

async function judge(
  server: ChatServer,
  said: object = {},
  home = scratch(),
  onNotice?: (said: string) => void,
) {
  const path = join(scratch(), 'mine.evaluator.json');
  writeFileSync(path, JSON.stringify({ kind: 'judge', endpoint: server.url, model: 'tiny', ...said }));
  const evaluator = await openEvaluator(path, { home, ...(onNotice === undefined ? {} : { onNotice }) });
  opened.push(evaluator);
  await evaluator.consent!.give();
  return evaluator;
}

const pair = (text: string) => ({ image: imageItem('wide.png'), text });
const grade = '{"score": 4}';
const graded: ChatServer['answer'] = (_, response) => json(response, 200, completion(grade));

/** Rejects a request if `reason` returns a text. */
const strict =
  (reason: (body: Body) => string | undefined, answer = grade): ChatServer['answer'] =>
  (asked, response) => {
    const message = reason(asked.body);
    if (message === undefined) json(response, 200, completion(answer));
    else json(response, 400, { error: { message } });
  };

afterEach(async () => {
  mock.restoreAll();
  await Promise.all(opened.splice(0).map((evaluator) => evaluator.close()));
  await closeServers();
  await cleanUp();
});

describe('a judge that finds out what its server accepts', () => {
  it('asks for JSON as the server can, once, and the report says how', async () => {
    const home = scratch();
    const server = await chatServer(
      strict(({ response_format: format }) => {
        if (format?.type === 'json_schema') return 'json_schema is not supported';
        return format?.type === 'json_object' ? 'response_format is not supported' : undefined;
      }, '<think>Hm.</think>\n```json\n{"score": 4}\n```'),
    );
    const first = await judge(server, {}, home);
    assert.equal(valueOf((await first.scorePairs!([pair('a')]))[0]), 4);
    const formats = server.asked.map(({ body }) => body.response_format?.type);
    assert.deepEqual(formats, ['json_schema', 'json_object', undefined, undefined, undefined]);
    const note = saying('judge.usualRejected', sentence('judge.askedAsText'));
    assert.match(first.info.notes.map(english).join('\n'), note);
    await first.close();
    const again = await judge(server, {}, home);
    await again.scorePairs!([pair('b')]);
    assert.equal(server.asked.length, 6);
    assert.equal(server.asked[5].body.response_format, undefined);
    assert.match(again.info.notes.map(english).join('\n'), note);
    assert.equal(again.info.sha256, first.info.sha256);
  });

  it('asks for another answer format if the server answers 500 to the first', async () => {
    const server = await chatServer(({ body: { response_format: format } }, response) => {
      const said = { message: "1 validation error: {'loc': ('body', 'response_format', 'type')}" };
      if (format?.type === 'json_schema') json(response, 500, { error: said });
      else json(response, 200, completion(grade));
    });
    const evaluator = await judge(server);
    assert.equal(valueOf((await evaluator.scorePairs!([pair('a')]))[0]), 4);
    const formats = server.asked.map(({ body }) => body.response_format?.type);
    assert.deepEqual(formats, ['json_schema', ...Array<string>(3).fill('json_object')]);
  });

  it('follows a reasoning model: max_completion_tokens, and no temperature or seed', async () => {
    const server = await chatServer(
      strict((body) => {
        if (body.max_tokens !== undefined)
          return "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
        if (body.temperature !== undefined) return "'temperature' does not support 0 with this model.";
        return body.seed === undefined ? undefined : 'Unknown name "seed"';
      }),
    );
    const evaluator = await judge(server);
    assert.equal(valueOf((await evaluator.scorePairs!([pair('a')]))[0]), 4);
    const last = server.asked.at(-1)!.body as Body;
    assert.equal(last.max_completion_tokens, 8192);
    assert.equal(last.response_format?.type, 'json_schema');
    assert.match(
      evaluator.info.notes.map(english).join('\n'),
      saying(
        'judge.usualRejected',
        sentence(
          'judge.andAlso',
          sentence('judge.limitSentAs', 'max_completion_tokens'),
          sentence('judge.neitherSent', 'temperature', 'seed'),
        ),
      ),
    );
  });

  it('changes nothing that the file sets', async () => {
    const server = await chatServer(
      strict(({ seed }) => (seed === undefined ? undefined : 'seed is unknown')),
    );
    const evaluator = await judge(server, { seed: 7, format: 'json_schema' });
    await assert.rejects(evaluator.scorePairs!([pair('a')]), /seed is unknown/);
    assert.equal(server.asked.length, 1);
  });

  it('does not adapt to a question that is rejected later', async () => {
    let strange = false;
    const server = await chatServer(strict(() => (strange ? 'this image is too strange' : undefined)));
    const evaluator = await judge(server);
    assert.equal(valueOf((await evaluator.scorePairs!([pair('a')]))[0]), 4);
    strange = true;
    assert.ok(!(await evaluator.scorePairs!([pair('b')]))[0].ok);
    assert.equal(server.asked.length, 4);
  });

  it('sends what "reasoning" says from the first request, and is another judge', async () => {
    const server = await chatServer(graded);
    const plain = await judge(server);
    const thinking = await judge(server, { reasoning: 'high', maxTokens: 100 });
    await thinking.scorePairs!([pair('a')]);
    const body = server.asked[0].body as Body;
    assert.deepEqual(
      [body.max_completion_tokens, body.max_tokens, body.temperature, body.reasoning_effort],
      [100, undefined, undefined, 'high'],
    );
    assert.notEqual(thinking.info.sha256, plain.info.sha256);
  });
});

describe("a reasoning model's answer", () => {
  it('is read without its thoughts', () => {
    for (const text of [
      '<think>It has {"score": 1}.</think>\n{"score": 7}',
      'It may be 3.</think>{"score": 7}',
      '<think>\n\n</think>\n\n{"score": 7}\n',
    ])
      assert.equal(valueOf(readScore(text, 10, { sent: [], thinks: true })), 7, text);
  });

  it('that ends within its thoughts has no score, and says why', () => {
    const found = readScore('<think>First, {"score": 7} …', 10, { sent: [], cut: true });
    assert.deepEqual(found, { ok: false, problem: say('judge.limitBeforeAnswer') });
  });
});

describe('two judges at servers with trouble', () => {
  const captions = Array.from({ length: 4 }, (_, i) => `A red truck near ${i + 2} dogs and a large house.`);

  async function audit(
    answer: ChatServer['answer'],
  ): Promise<{ rows: string[]; answered: Map<string, number>; asked: number; most: number }> {
    const answered = new Map<string, number>();
    const server = await chatServer((asked, response, call) => {
      response.on('finish', () => {
        if (response.statusCode !== 200) return;
        const question = `${asked.body.model} ${captionOf(asked)}`;
        answered.set(question, (answered.get(question) ?? 0) + 1);
      });
      answer(asked, response, call);
    });
    const folder = scratch();
    const dataset = join(folder, 'captions.json');
    writeFileSync(dataset, JSON.stringify([{ image: 'wide.png', captions }]));
    const evaluators = ['one', 'two'].map((model) => {
      const path = join(folder, `${model}.evaluator.json`);
      writeFileSync(path, JSON.stringify({ kind: 'judge', endpoint: server.url, model, concurrency: 16 }));
      return path;
    });
    const out = join(folder, 'out');
    await runAudit({
      ...{ dataset, evaluators, out },
      probes: ['lgip'],
      draws: 1,
      images: [imagesPath],
      home: scratch(),
      signal: new AbortController().signal,
      consent: () => Promise.resolve(true),
    });
    const rows = ['one', 'two'].map((name) => readFileSync(join(out, `lgip.${name}.rows.jsonl`), 'utf8'));
    return { rows, answered, asked: server.asked.length, most: server.most };
  }

  const byLength: ChatServer['answer'] = (asked, response) =>
    json(response, 200, completion(JSON.stringify({ score: captionOf(asked).length % 11 })));

  /**
   * Failures of the server. A function returns true if it has handled the request, and false to let the server
   * answer. `resumes` is the time from which the server answers again.
   */
  const troubles: Record<
    string,
    (call: number, response: ServerResponse, state: { resumes?: number }) => boolean
  > = {
    'answers 429 half the time': (call, response) => {
      if (call % 2 === 1) return false;
      json(response, 429, {}, { 'retry-after': '1' });
      return true;
    },
    // `skipSleeps` advances the clock by each wait.
    'closes every connection for a minute': (call, response, state) => {
      const now = Date.now();
      if (call > 20) state.resumes ??= now + 60_000;
      if (state.resumes === undefined || now >= state.resumes) return false;
      response.destroy();
      return true;
    },
  };
  for (const [what, trouble] of Object.entries(troubles))
    it(`lose no row and ask nothing twice if the server ${what}`, async function () {
      this.timeout(180_000);
      const calm = await audit(byLength);
      skipSleeps();
      const state = {};
      let rejected = 0;
      const rough = await audit((asked, response, call) => {
        if (trouble(call, response, state)) rejected++;
        else byLength(asked, response, call);
      });
      assert.ok(rejected > 0);
      assert.equal(rough.asked, calm.asked + rejected);
      assert.deepEqual(rough.rows, calm.rows);
      assert.equal(rough.rows[0].trim().split('\n').length, captions.length);
      assert.deepEqual([...rough.answered.keys()].sort(), [...calm.answered.keys()].sort());
      assert.deepEqual(
        [...rough.answered].filter(([, times]) => times > 1),
        [],
      );
    });

  it('keep 16 requests each open at a time, and repeat none after the server pauses', async function () {
    this.timeout(180_000);
    const calm = await audit(byLength);
    const held: (() => void)[] = [];
    let stopped = true;
    const rough = await audit((asked, response, call) => {
      // The first four requests are the canaries of the two judges.
      if (!stopped || call <= 4) return byLength(asked, response, call);
      held.push(() => byLength(asked, response, call));
      if (held.length < 2 * 16) return;
      stopped = false;
      for (const answer of held) answer();
    });
    assert.deepEqual([rough.most, rough.asked], [2 * 16, calm.asked]);
    assert.deepEqual(rough.rows, calm.rows);
    assert.ok([...rough.answered.values()].every((times) => times === 1));
  });
});

describe('a judge with repeats', () => {
  it('asks each question with other seeds; the score is the mean, and the report says the spread', async () => {
    const server = await chatServer((asked, response) =>
      json(
        response,
        200,
        completion(JSON.stringify({ score: ((asked.body.seed! - 42) * captionOf(asked).length) % 3 })),
      ),
    );
    const folder = scratch();
    const home = scratch();
    const [dataset, evaluator] = [join(folder, 'captions.json'), join(folder, 'mine.evaluator.json')];
    writeFileSync(
      dataset,
      JSON.stringify([{ image: 'wide.png', captions: ['A red truck parked near two dogs.'] }]),
    );
    const said = { kind: 'judge', endpoint: server.url, model: 'tiny', repeats: 3, temperature: 0.7 };
    writeFileSync(evaluator, JSON.stringify(said));
    const run = async () => {
      const [{ report }] = await runAudit({
        ...{ dataset, evaluators: [evaluator], out: scratch(), home },
        probes: ['lgip'],
        images: [imagesPath],
        signal: new AbortController().signal,
        consent: () => Promise.resolve(true),
      });
      return report;
    };
    const report = await run();
    const asked = server.asked.slice(2);
    assert.ok(asked.every(({ body }) => body.temperature === 0.7));
    const lengths = [...new Set(asked.map(captionOf))].map((caption) => caption.length);
    assert.equal(asked.length, 3 * lengths.length);
    // A caption's three grades are all 0 if 3 divides its length. For other lengths, they are 0, 1 and 2 in some
    // order.
    const same = lengths.filter((length) => length % 3 === 0).length / lengths.length;
    const metric = (id: string) => report.metrics.find((one) => one.id === id)!;
    assert.equal(metric('judge.same').value, same);
    assert.ok(Math.abs(metric('judge.spread').value! - (1 - same)) < 1e-12);
    assert.equal(metric('judge.spread').n, lengths.length);
    const again = await run();
    assert.equal(server.asked.length, asked.length + 2);
    assert.deepEqual(again.metrics, report.metrics);
  });
});

describe('the running total of a judge', () => {
  it('is reported about once a minute, with tokens and cost', async () => {
    let now = Date.now();
    mock.method(Date, 'now', () => now);
    const server = await chatServer((_, response) => {
      now += 1000;
      const usage = { prompt_tokens: 900, completion_tokens: 100 };
      json(response, 200, { ...completion('{"score": 4}'), usage });
    });
    const said: string[] = [];
    const evaluator = await judge(
      server,
      { concurrency: 1, price: { input: 1, output: 10 } },
      scratch(),
      (one) => said.push(one),
    );
    await evaluator.scorePairs!(Array.from({ length: 130 }, (_, i) => pair(`caption ${i}`)));
    assert.equal(said.length, 2);
    assert.match(
      said[0],
      /^tiny: 61 answers \(1\.0\/s\), 54,900 tokens sent, 6,100 received, about \$0\.1159 so far$/,
    );
  });

  it('gives a time estimate for the next run', async () => {
    const home = scratch();
    const server = await chatServer(graded);
    const first = await judge(server, {}, home);
    assert.equal(findSaid(first.consent!.terms(600), 'judge.costAndTime'), undefined);
    await first.scorePairs!(Array.from({ length: 30 }, (_, i) => pair(`caption ${i}`)));
    await first.close();
    const again = await judge(server, {}, home);
    assert.match(findSaid(again.consent!.terms(600), 'judge.costAndTime')!.values[1] as string, /^\d+$/);
  });
});
