import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Example } from '../../../src/dataset/example';
import { ChatProblem } from '../../../src/evaluator/judge/chat';
import { Writer } from '../../../src/evaluator/writing/writer';
import type { AskChat } from '../../../src/mining/chat';
import { mineByLm, requestsFor, Unanswered } from '../../../src/mining/lm';
import { refuseNegative, refusePositive } from '../../../src/mining/written';
import { type ChatServer, chatServer, closeServers, completion, json } from '../evaluator/chatServer';
import { cleanUp, scratch } from '../evaluator/fixtures';
import { skipSleeps } from '../evaluator/sleeps';
import { saying } from '../../sentence';
import { findSaid, say } from '../../../src/base/say';

function example(id: string, caption: string, ...negatives: string[]): Example {
  return {
    id,
    form: negatives.length > 0 ? 'pair' : 'captions',
    row: Number(id),
    images: [{ name: `${id}.jpg` }],
    captions: [
      { text: caption, role: 'caption', image: 0, field: 'caption' },
      ...negatives.map((text) => ({
        text,
        role: 'negative' as const,
        image: 0,
        field: 'negative_caption',
      })),
    ],
    attributes: {},
  };
}

async function* stream(examples: readonly Example[]): AsyncGenerator<Example> {
  await Promise.resolve();
  yield* examples;
}

async function mined(examples: readonly Example[], ask: AskChat, limit?: number) {
  const reasons: string[] = [];
  const halves = [];
  const options = { model: 'tiny', ask, parallel: 2, ...(limit === undefined ? {} : { limit }) };
  for await (const half of mineByLm(stream(examples), options, (reason) => reasons.push(reason)))
    halves.push(half);
  return { halves, reasons };
}

const isReword = (prompt: string): boolean => prompt.startsWith('You reword');
const isChange = (prompt: string): boolean => prompt.startsWith('You change');

describe('triplets by a language model', () => {
  it('have second positives and negatives that the model wrote and checked', async () => {
    const asked: string[] = [];
    const { halves, reasons } = await mined([example('1', 'A woman feeds two brown horses.')], (prompt) => {
      asked.push(prompt);
      if (isReword(prompt)) return Promise.resolve('["Two brown horses are being fed by a woman."]');
      if (isChange(prompt))
        return Promise.resolve('["A woman rides two brown horses.", "A woman feeds five brown horses."]');
      if (prompt.includes('rides')) return Promise.resolve('{"same": true}');
      return Promise.resolve(prompt.includes('five') ? '{"same": false}' : '{"same": true}');
    });
    assert.deepEqual(halves, [
      {
        id: '1',
        image: '1.jpg',
        caption: 'A woman feeds two brown horses.',
        positives: [{ text: 'Two brown horses are being fed by a woman.', from: 'tiny, checked' }],
        negatives: [{ text: 'A woman feeds five brown horses.', from: 'tiny, checked' }],
      },
    ]);
    assert.deepEqual(reasons, ['the model rejects a negative']);
    assert.equal(asked.length, 5);
  });

  it('keep the negatives of the file, and take a correction that passes the same checks', async () => {
    const pair = example('2', 'A man drives a red car.', 'A man drives a red bus.');
    const corrections = ['A red car is driven by a man.', 'A blue car is driven by a man.'];
    for (const better of corrections) {
      const { halves, reasons } = await mined([pair], (prompt) =>
        Promise.resolve(
          isReword(prompt)
            ? '["A red car is being driven by a human man."]'
            : JSON.stringify({ same: false, better }),
        ),
      );
      assert.deepEqual(halves[0].negatives, [{ text: 'A man drives a red bus.', from: 'given' }]);
      const isRight = better === corrections[0];
      assert.deepEqual(halves[0].positives, isRight ? [{ text: better, from: 'tiny, corrected' }] : []);
      assert.deepEqual(reasons, isRight ? [] : ['a positive has other colours']);
    }
    assert.deepEqual([requestsFor(pair), requestsFor(example('3', 'A dog.'))], [4, 8]);
  });

  it('leave out malformed, cut and missing answers with a reason, and keep the others', async () => {
    const { halves, reasons } = await mined(
      ['A dog on a red bed.', 'A cat on a red bed.', 'A cow on a red bed.'].map((text, at) =>
        example(`${at}`, text, 'given'),
      ),
      (prompt) => {
        if (prompt.includes('dog')) return Promise.resolve('I cannot do that.');
        if (prompt.includes('cow')) return Promise.reject(new Unanswered('the model refused to answer'));
        return Promise.resolve(isReword(prompt) ? '["On a red bed there is a cat."]' : '{"same": true}');
      },
    );
    assert.deepEqual(
      halves.map(({ positives }) => positives.length),
      [0, 1, 0],
    );
    assert.deepEqual(reasons.sort(), [
      'an answer is not in the expected format',
      'the model refused to answer',
    ]);
    await assert.rejects(
      mined([example('1', 'A dog.')], () => Promise.reject(new CaptiousError('evaluator', 'gone'))),
      /gone/,
    );
  });

  it('stop at the limit', async () => {
    const { halves } = await mined(
      ['1', '2', '3'].map((id) => example(id, 'A dog on a bed.', 'A cat on a bed.')),
      () => Promise.resolve('[]'),
      2,
    );
    assert.deepEqual(
      halves.map(({ id }) => id),
      ['1', '2'],
    );
  });

  it('are rejected with the reason if they break a rule', () => {
    const caption = 'Two dogs lie on a gray couch.';
    for (const [text, reason] of [
      ['On a grey couch lie two dogs.', undefined],
      ['two dogs lie on a gray couch', 'an answer equals the caption'],
      ['Dogs.', 'an answer is too short or too long'],
      ['On a gray couch lie 3 dogs.', 'a positive has other numbers'],
      ['On a couch lie two dogs.', 'a positive has other colours'],
      ['Two dogs do not lie on a gray couch.', 'a positive adds or removes a negation'],
      ['On a gray couch lie two two dogs.', 'a positive has a grammatical error'],
      ['On a gray couch in a kitchen with a lamp lie two dogs.', 'a positive adds a detail'],
      ['"On a gray couch lie two dogs."', 'an answer is not one plain sentence'],
    ] as const)
      assert.equal(refusePositive(caption, text), reason, text);
    for (const [text, reason] of [
      ['Two dogs lie under a gray couch.', undefined],
      ['Two dogs lie on a couch.', 'a negative may still be true'],
      ['Three birds sit in trees by rivers.', 'a negative has too few words of the caption'],
    ] as const)
      assert.equal(refuseNegative(caption, text), reason, text);
  });
});

describe('a writer', () => {
  afterEach(async () => {
    await closeServers();
    await cleanUp();
  });

  function fileOf(server: ChatServer, said: object = {}): string {
    const path = join(scratch(), 'mine.evaluator.json');
    writeFileSync(path, JSON.stringify({ kind: 'judge', endpoint: server.url, model: 'tiny', ...said }));
    return path;
  }

  const echo: ChatServer['answer'] = (_asked, response, call) =>
    json(response, 200, completion(`answer ${call}`));

  it('sends nothing without consent, and states the requests and the cost', async () => {
    const server = await chatServer(echo);
    const home = scratch();
    const path = fileOf(server, { price: { input: 1, output: 2 } });
    const writer = await Writer.open(path, { home });
    await assert.rejects(writer.ask('a'), { what: say('remote.consentMissing') });
    assert.equal(server.asked.length, 0);
    assert.match(
      writer.terms({ captions: 1000, requests: 8000 }),
      /1,000 captions, without images, .* at most 8,000 requests .* 3,040 thousand tokens; about \$3\.68\./,
    );
    await writer.consent();
    assert.equal(await writer.ask('a'), 'answer 1');
    assert.equal((await Writer.open(path, { home })).consented, true);
  });

  it('asks nothing twice, across instances, unless a setting of the model changes', async () => {
    const server = await chatServer(echo);
    const home = scratch();
    const opened = async (said: object = {}): Promise<Writer> => {
      const writer = await Writer.open(fileOf(server, said), { home });
      await writer.consent();
      return writer;
    };
    assert.equal(await (await opened()).ask('a'), 'answer 1');
    assert.equal(await (await opened()).ask('a'), 'answer 1');
    assert.equal(
      await (await opened({ price: { input: 1, output: 1 }, rubric: 'Be kind.' })).ask('a'),
      'answer 1',
    );
    assert.equal(await (await opened({ temperature: 0.7 })).ask('a'), 'answer 2');
    assert.equal(await (await opened({ model: 'large' })).ask('a'), 'answer 3');
    assert.equal(await (await opened()).ask('b'), 'answer 4');
    assert.equal(server.asked.length, 4);
    const [{ body }] = server.asked;
    assert.deepEqual([body.seed, body.temperature, body.response_format], [42, 0, undefined]);
  });

  it('sends equal prompts once, also at the same time', async () => {
    const server = await chatServer(echo);
    const writer = await Writer.open(fileOf(server), { home: scratch() });
    await writer.consent();
    assert.deepEqual(await Promise.all(['a', 'a', 'a'].map((prompt) => writer.ask(prompt))), [
      'answer 1',
      'answer 1',
      'answer 1',
    ]);
    assert.equal(server.asked.length, 1);
  });

  it('does not store an answer that was cut at the token limit', async () => {
    skipSleeps();
    const server = await chatServer((_asked, response, call) =>
      json(response, 200, completion('["A d', call === 1 ? { finish_reason: 'length' } : {})),
    );
    const writer = await Writer.open(fileOf(server), { home: scratch() });
    await writer.consent();
    await assert.rejects(
      writer.ask('a'),
      (error) => error instanceof ChatProblem && findSaid(error.what, 'writing.answerCut') !== undefined,
    );
    assert.equal(await writer.ask('a'), '["A d');
    assert.equal(server.asked.length, 2);
  });

  it('needs a judge at an endpoint', async () => {
    const server = await chatServer(echo);
    await assert.rejects(
      Writer.open(fileOf(server, { kind: 'fleur' }), { home: scratch() }),
      saying('writing.kindCannotWrite'),
    );
    await assert.rejects(
      Writer.open(fileOf(server, { endpoint: 'vscode.lm' }), { home: scratch() }),
      saying('writing.editorModelsUnavailable'),
    );
  });
});
