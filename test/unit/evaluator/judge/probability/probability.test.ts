import { english } from '../../../../../src/base/english';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../../../src/base/errors';
import type { Evaluator } from '../../../../../src/evaluator/evaluator';
import {
  answerProbability,
  meanLogProbability,
} from '../../../../../src/evaluator/judge/probability/probability';
import { openEvaluator } from '../../../../../src/evaluator/open';
import { type Asked, type ChatServer, chatServer, closeServers, completion, json } from '../../chatServer';
import { cleanUp, imageItem, scratch, valueOf } from '../../fixtures';

const listed = (entries: Record<string, number>) => [
  {
    token: Object.keys(entries)[0],
    alternatives: Object.entries(entries).map(([token, p]) => ({ token, logprob: Math.log(p) })),
  },
];
const prompt = (...tokens: [string, number][]) => tokens.map(([token, logprob]) => ({ token, logprob }));

describe('the probability of an answer', () => {
  it('sums the tokens that read as the answer, with or without a space', () => {
    const found = answerProbability(
      listed({ No: 0.5, Yes: 0.25, ' Yes': 0.125, '▁Yes': 0.0625, yes: 0.01 }),
      'Yes',
    );
    assert.equal(valueOf(found), 0.4375);
  });

  it('counts a token once that a server lists twice', () => {
    const [one] = listed({ Yes: 0.4 });
    const twice = [{ ...one, alternatives: [...one.alternatives, ...one.alternatives] }];
    assert.ok(Math.abs(valueOf(answerProbability(twice, 'Yes')) - 0.4) < 1e-12);
  });

  it('is 0 if the answer is not listed and can only be tiny', () => {
    assert.equal(valueOf(answerProbability(listed({ No: 0.99, Nope: 0.00995 }), 'Yes')), 0);
    assert.equal(valueOf(answerProbability(listed({ No: 0.5, Nope: 0.00005 }), 'Yes')), 0);
  });

  it('is missing if the answer is not listed and may be probable', () => {
    const found = answerProbability(listed({ No: 0.3, Perhaps: 0.2 }), 'Yes');
    assert.ok(!found.ok);
    assert.match(english(found.problem), /not among the 2 most probable.*at most 0\.2000.*"alternatives"/);
  });
});

describe('the likelihood of a caption', () => {
  it('is the mean over the tokens that end the prompt', () => {
    const found = meanLogProbability(
      prompt(['USER', -9], [':', -9], ['\n', -9], ['A', -1], [' red', -2], [' truck', -3]),
      'A red truck',
    );
    assert.equal(valueOf(found), -2);
  });

  it('reads marks of spaces, and characters that are split over tokens', () => {
    assert.equal(valueOf(meanLogProbability(prompt([':', -9], ['▁Ein', -1], ['▁Hund', -3]), 'Ein Hund')), -2);
    assert.equal(valueOf(meanLogProbability(prompt(['\n', -9], [' ', -1], ['A', -3]), 'A')), -2);
    const split = prompt([':', -9], ['caf', -1], ['\ufffd', -2], ['\ufffd', -3], ['s', -6]);
    assert.equal(valueOf(meanLogProbability(split, 'cafés')), -3);
    const first = prompt([':', -9], ['\ufffd', -1], ['\ufffd', -2], ['t', -3]);
    assert.equal(valueOf(meanLogProbability(first, 'ét')), -2);
  });

  it('is missing if other tokens end the prompt, or one has no probability', () => {
    assert.ok(!meanLogProbability(prompt(['A', -1], [' dog', -1], ['</s>', -1]), 'A dog').ok);
    assert.ok(!meanLogProbability([{ token: 'A' }, { token: ' dog', logprob: -1 }], 'A dog').ok);
    assert.ok(!meanLogProbability([], 'A dog').ok);
  });
});

describe('an evaluator file of a probability', () => {
  const opened: Evaluator[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((evaluator) => evaluator.close()));
    await closeServers();
    await cleanUp();
  });

  async function open(
    kind: string,
    server: ChatServer,
    said: object = {},
    home = scratch(),
  ): Promise<Evaluator> {
    const path = join(scratch(), 'mine.evaluator.json');
    writeFileSync(path, JSON.stringify({ kind, endpoint: server.url, model: 'tiny', ...said }));
    const evaluator = await openEvaluator(path, { home });
    opened.push(evaluator);
    return evaluator;
  }

  async function problemOf(promise: Promise<unknown>): Promise<string> {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof CaptiousError, String(error));
    return error.describe();
  }

  const textOf = ({ body }: Asked): string => {
    const { content } = body.messages[0];
    return typeof content === 'string' ? content : content.find(({ type }) => type === 'text')!.text!;
  };
  const pair = (text: string) => ({ image: imageItem('wide.png'), text });

  it('vqascore asks the question of its file and returns P(Yes)', async () => {
    const server = await chatServer((asked, response) => {
      const yes = textOf(asked).includes('truck') ? 0.9 : 0.1;
      const top = listed({ Yes: yes, No: 1 - yes })[0].alternatives;
      const logprobs = { content: [{ token: 'Yes', logprob: top[0].logprob, top_logprobs: top }] };
      json(response, 200, completion('Yes', { logprobs }));
    });
    const evaluator = await open('vqascore', server, { template: 'Is it $& "{caption}"?', alternatives: 5 });
    assert.match(await problemOf(evaluator.scorePairs!([pair('x')])), /you have not allowed/);
    assert.equal(server.asked.length, 0);
    await evaluator.consent!.give();
    const scores = (await evaluator.scorePairs!([pair('A truck.'), pair('A $& dog.')])).map(valueOf);
    assert.ok(Math.abs(scores[0] - 0.9) < 1e-12 && Math.abs(scores[1] - 0.1) < 1e-12);
    const [test, ...asked] = server.asked;
    assert.match(textOf(test), /Two dogs run/);
    assert.deepEqual(asked.map(textOf).sort(), ['Is it $& "A $& dog."?', 'Is it $& "A truck."?']);
    const { body } = asked[0];
    assert.equal(body.top_logprobs, 5);
    assert.equal((body as { max_tokens?: number }).max_tokens, 1);
    assert.equal(body.response_format, undefined);
    assert.deepEqual(evaluator.info.scale, { name: 'own', low: 0, high: 1 });
  });

  it('vqascore counts both tokens of a server that lists the answer with and without a space', async () => {
    const server = await chatServer((_, response) => {
      const top = listed({ ' Yes': 0.5, No: 0.2, Yes: 0.25, yes: 0.03, Yesterday: 0.02 })[0].alternatives;
      const logprobs = { content: [{ token: ' Yes', logprob: top[0].logprob, top_logprobs: top }] };
      json(response, 200, completion(' Yes', { logprobs }));
    });
    const evaluator = await open('vqascore', server);
    await evaluator.consent!.give();
    const [score] = await evaluator.scorePairs!([pair('A truck.')]);
    assert.ok(Math.abs(valueOf(score) - 0.75) < 1e-12);
  });

  it('likelihood sends the caption as the answer and returns the mean log-probability', async () => {
    const server = await chatServer((asked, response) => {
      const caption = asked.body.messages[1].content as string;
      const tokens = caption
        .split(/(?= )/)
        .map((token, i) => ({ [i]: { logprob: -1 - i, decoded_token: token } }));
      json(response, 200, {
        ...completion(''),
        prompt_logprobs: [null, { 7: { logprob: -9, decoded_token: ':' } }, ...tokens],
      });
    });
    const evaluator = await open('likelihood', server);
    await evaluator.consent!.give();
    const outcomes = await evaluator.scorePairs!([pair('A red truck'), pair(' ')]);
    assert.equal(valueOf(outcomes[0]), -2);
    assert.ok(!outcomes[1].ok);
    const body = server.asked[1].body as object as Record<string, unknown>;
    assert.deepEqual(
      [body.prompt_logprobs, body.add_generation_prompt, body.continue_final_message],
      [0, false, true],
    );
    assert.deepEqual(evaluator.info.scale, { name: 'own', high: 0 });
  });

  it('says so if the endpoint returns no log-probabilities', async () => {
    const server = await chatServer((_, response) => json(response, 200, completion('Yes')));
    for (const [kind, expected] of [
      ['vqascore', /no log-probabilities, which VQAScore needs.*vqascore:\.\/folder/s],
      ['likelihood', /no log-probabilities of the prompt.*prompt_logprobs/s],
    ] as const) {
      const evaluator = await open(kind, server);
      await evaluator.consent!.give();
      assert.match(await problemOf(evaluator.scorePairs!([pair('x')])), expected);
    }
  });

  it('names only its own settings if the endpoint rejects the request', async () => {
    const server = await chatServer((_, response) => json(response, 400, { error: 'no' }));
    for (const [kind, expected] of [
      ['vqascore', /rejects the request.*"seed" to null in the evaluator file\. .*lower "alternatives"\.$/s],
      ['likelihood', /rejects the request.*"seed" to null in the evaluator file\.$/s],
    ] as const) {
      const evaluator = await open(kind, server);
      await evaluator.consent!.give();
      const problem = await problemOf(evaluator.scorePairs!([pair('x')]));
      assert.match(problem, expected);
      assert.doesNotMatch(problem, /"format"/);
    }
  });

  it('is checked before anything is sent', async () => {
    const server = await chatServer((_, response) => json(response, 200, completion('Yes')));
    for (const [kind, said, expected] of [
      ['vqascore', { template: 'Is it so?' }, /"template": the template does not contain \{caption\}/],
      ['vqascore', { answer: 'Yes please' }, /"answer": expected one word/],
      ['vqascore', { alternatives: 0 }, /"alternatives": expected 1 or more/],
      ['likelihood', { template: '{caption}' }, /must not contain \{caption\}/],
      ['vqascore', { endpoint: 'vscode.lm' }, /return no log-probabilities/],
    ] as const)
      assert.match(await problemOf(open(kind, server, said)), expected);
    assert.equal(server.asked.length, 0);
  });
});
