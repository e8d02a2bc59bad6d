import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBench } from '../../../../src/bench/createBench';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { openEvaluator } from '../../../../src/evaluator/open';
import { readReferences } from '../../../../src/evaluator/overlap/references';
import type { Want } from '../../../../src/protocol/item';
import { type Asked, type ChatServer, chatServer, closeServers, completion, json } from '../chatServer';
import { cleanUp, imageItem, scratch } from '../fixtures';
import { findSaid, say } from '../../../../src/base/say';

const opened: Evaluator[] = [];

function file(name: string, content: unknown): string {
  const path = join(scratch(), name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const own = ['A red truck on a road.', 'A truck drives.', 'Some red vehicle.'];

async function judge(server: ChatServer, said: object): Promise<Evaluator> {
  const references = file('refs.json', { 'wide.png': own });
  const evaluator = await openEvaluator(
    file('mine.evaluator.json', { endpoint: server.url, model: 'tiny', ...said }),
    { home: scratch(), secret: () => 'sk-1', references: () => readReferences(references) },
  );
  opened.push(evaluator);
  await evaluator.consent!.give();
  return evaluator;
}

const want = (text: string, more: Partial<Want> = {}): Want => ({
  left: imageItem('wide.png'),
  right: { kind: 'text', text },
  ...more,
});

/** The instructions, the text and the number of images in a request to the judge. */
function read({ body }: Asked): { orders: string; text: string; images: number } {
  const [system, user] = body.messages;
  assert.ok(typeof system.content === 'string' && Array.isArray(user.content));
  return {
    orders: system.content,
    text: user.content.map(({ text = '' }) => text).join(''),
    images: user.content.filter(({ type }) => type === 'image_url').length,
  };
}

describe('a judge with references', () => {
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((evaluator) => evaluator.close()));
    await closeServers();
    await cleanUp();
  });

  it("asks CLAIR's question without the image, with each text in its own fence, and divides by 100", async () => {
    const server = await chatServer((_asked, response) => json(response, 200, completion('{"score":85}')));
    const evaluator = await judge(server, { kind: 'judge', prompt: 'clair' });
    const bench = createBench();
    const [outcome] = await bench.scores(evaluator, [want('A truck.')]);
    assert.deepEqual(outcome, { ok: true, value: 0.85 });
    const { orders, text, images } = read(server.asked.at(-1)!);
    assert.equal(images, 0);
    assert.match(orders, /from 0 to 100 how likely/);
    for (const [i, reference] of own.entries())
      assert.match(text, new RegExp(`Reference caption ${i + 1} stands [^]*\n${reference}\n`));
    assert.match(text, /The candidate caption, which you grade, stands [^]*\nA truck\.\n/);
    assert.equal(evaluator.info.scale.name === 'own' && evaluator.info.scale.high, 1);
    assert.deepEqual(evaluator.info.notes[0], say('judge.clair', 'tiny', say('judge.temperature', 0)));
    assert.ok(evaluator.info.notes.some((note) => findSaid(note, 'judge.canaryScores')));
    assert.ok(findSaid(evaluator.consent!.terms(1), 'judge.sendsCaptionsReferences'));
    await bench.close();
  });

  it('rejects an answer above 100 and gives no score', async () => {
    const server = await chatServer((_asked, response) => json(response, 200, completion('{"score":101}')));
    const [outcome] = await createBench().scores(await judge(server, { kind: 'judge', prompt: 'clair' }), [
      want('A truck.'),
    ]);
    const problem = say('judge.answerUnreadable', '{"score":101}');
    assert.deepEqual(outcome, { ok: false, problem });
  });

  it("shows RefFLEUR the image and the references, and smooths by the digits' probabilities", async () => {
    const server = await chatServer((_asked, response) =>
      json(response, 200, {
        choices: [
          {
            message: { content: '0.80' },
            logprobs: {
              content: ['0', '.', '8', '0'].map((token) => ({
                token,
                logprob: 0,
                top_logprobs:
                  token === '8'
                    ? [
                        { token: '8', logprob: Math.log(0.5) },
                        { token: '6', logprob: Math.log(0.5) },
                      ]
                    : [{ token, logprob: 0 }],
              })),
            },
          },
        ],
      }),
    );
    const evaluator = await judge(server, { kind: 'fleur', prompt: 'reffleur' });
    const [outcome] = await createBench().scores(evaluator, [want('A truck.')]);
    assert.ok(outcome.ok && Math.abs(outcome.value - 0.7) < 1e-9, JSON.stringify(outcome));
    const { orders, text, images } = read(server.asked.at(-1)!);
    assert.equal(images, 1);
    assert.match(orders, /from 0\.0 to 1\.0[^]*reference captions/);
    assert.match(text, /Reference caption 3 stands/);
  });

  it("uses the pair's references if any, never the caption itself, and sends equal questions once", async () => {
    const server = await chatServer((_asked, response) => json(response, 200, completion('{"score":50}')));
    const evaluator = await judge(server, { kind: 'judge', prompt: 'clair' });
    const bench = createBench();
    await bench.scores(evaluator, [want(own[0]), want(own[0]), want('A truck.', { references: ['A car.'] })]);
    const texts = server.asked.slice(2).map((asked) => read(asked).text);
    assert.equal(texts.length, 2);
    assert.equal(texts[0].split('Reference caption').length - 1, 2, 'the other two captions');
    assert.match(texts[1], /\nA car\.\n/);
    assert.doesNotMatch(texts[1], /vehicle/);
    const [none] = await bench.scores(evaluator, [want('A truck.', { references: [] })]);
    assert.deepEqual(none, { ok: false, problem: say('overlap.imageWithoutReferences') });
    await bench.close();
  });

  it('never gets the caption from which a variant was made', async () => {
    const server = await chatServer((_asked, response) => json(response, 200, completion('{"score":50}')));
    const evaluator = await judge(server, { kind: 'judge', prompt: 'clair' });
    const bench = createBench();
    const right = { kind: 'text', text: 'A blue truck on a road.', origin: own[0] } as const;
    await bench.scores(evaluator, [want(right.text, { right })]);
    await bench.close();
    const { text } = read(server.asked.at(-1)!);
    assert.equal(text.split('Reference caption').length - 1, 2);
    assert.ok(!text.includes(own[0]) && text.includes(own[1]) && text.includes(own[2]));
  });

  it('says which kind a prompt belongs to, and that it contains its own instructions', async () => {
    const server = await chatServer(() => assert.fail('nothing is sent'));
    await assert.rejects(judge(server, { kind: 'fleur', prompt: 'clair' }), {
      what: say('evaluator.keyProblem', 'prompt', say('judge.promptOfOtherKind', 'clair', 'judge')),
    });
    await assert.rejects(judge(server, { kind: 'judge', prompt: 'reffleur' }), {
      what: say('evaluator.keyProblem', 'prompt', say('judge.promptOfOtherKind', 'reffleur', 'fleur')),
    });
    await assert.rejects(judge(server, { kind: 'judge', prompt: 'clair', rubric: 'Be kind.' }), {
      what: say('evaluator.keyProblem', 'rubric', say('judge.promptExcludesRubric', 'clair')),
    });
    const path = file('a.evaluator.json', {
      kind: 'judge',
      prompt: 'clair',
      endpoint: server.url,
      model: 'm',
    });
    await assert.rejects(openEvaluator(path), { what: say('evaluator.needsReferences', path) });
  });
});
