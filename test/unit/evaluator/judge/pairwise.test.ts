import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAudit } from '../../../../src/audit/run';
import type { CaptiousError } from '../../../../src/base/errors';
import { requestOf } from '../../../../src/evaluator/evaluator';
import { openEvaluator } from '../../../../src/evaluator/open';
import { type Asked, type ChatServer, chatServer, closeServers, completion, json } from '../chatServer';
import { cleanUp, imageItem, imagesPath, scratch } from '../fixtures';
import { findSaid, say } from '../../../../src/base/say';

/** The two captions of a request, in the order of the request. */
function captionsOf({ body }: Asked): [string, string] {
  const { content } = body.messages[1];
  const text = typeof content === 'string' ? content : content.find(({ type }) => type === 'text')!.text!;
  const found = [...text.matchAll(/lines that read (caption-\w+)\.\n\1\n([^]*?)\n\1/g)].map(
    ([, , own]) => own,
  );
  assert.equal(found.length, 2);
  return found as [string, string];
}

type Judge = (first: string, second: string) => 0 | 1 | 2;

const answering =
  (judge: Judge): ChatServer['answer'] =>
  (asked, response) =>
    json(response, 200, completion(JSON.stringify({ better: judge(...captionsOf(asked)) })));

/** Prefers the caption with fewer wrong words. "blue", "cat" and "three" are wrong in these tests. */
const honest: Judge = (first, second) => {
  const [a, b] = [first, second].map((text) => (text.match(/blue|cat|three/g) ?? []).length);
  return a === b ? 0 : a < b ? 1 : 2;
};

afterEach(async () => {
  await closeServers();
  await cleanUp();
});

describe('a pairwise judge', function () {
  this.timeout(60_000);
  let server: ChatServer;
  const use = async (judge: Judge): Promise<void> => {
    server = await chatServer(answering(judge));
  };

  async function audit(probe: string, entries: object[], said: object = {}, home = scratch()) {
    const folder = scratch();
    const [dataset, evaluator] = [join(folder, 'data.json'), join(folder, 'far.evaluator.json')];
    writeFileSync(dataset, JSON.stringify(entries));
    const file = { kind: 'judge', ask: 'pairwise', endpoint: server.url, model: 'tiny', ...said };
    writeFileSync(evaluator, JSON.stringify(file));
    for (let i = 0; i < 5; i++) copyFileSync(join(imagesPath, 'wide.png'), join(folder, `wide${i}.png`));
    const [{ report, path }] = await runAudit({
      ...{ dataset, evaluators: [evaluator], out: join(folder, 'out'), home },
      probes: [probe],
      images: [imagesPath],
      signal: new AbortController().signal,
      consent: () => Promise.resolve(true),
    });
    const lines = readFileSync(join(path, '..', report.rows), 'utf8')
      .trim()
      .split('\n');
    return {
      report,
      rows: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>),
      metric: (id: string) => report.metrics.find((one) => one.id === id && one.slice === undefined)!,
    };
  }
  /** The two captions of each request after the canary's two requests. */
  const compared = (): [string, string][] => server.asked.slice(2).map(captionsOf);

  const captions = ['A red truck near 2 dogs and a large house.', 'A red bus near 4 dogs and a small house.'];
  const lgip = [{ image: 'wide.png', captions }];

  it('compares each variant with its caption in both orders, and asks nothing twice', async () => {
    await use((first, second) => (captions.includes(first) ? 1 : captions.includes(second) ? 2 : 0));
    const home = scratch();
    const { rows, metric } = await audit('lgip', lgip, {}, home);
    const asked = compared().map((pair) => pair.join(' | '));
    const variants = rows.flatMap(({ text, variants }) =>
      (variants as { text: string; score: number }[]).map((variant) => ({
        caption: text as string,
        ...variant,
      })),
    );
    assert.ok(variants.length > 4);
    const expected = variants.flatMap(({ caption, text }) => [
      `${caption} | ${text}`,
      `${text} | ${caption}`,
    ]);
    assert.deepEqual(asked.sort(), [...new Set(expected)].sort());
    assert.deepEqual(new Set(rows.map(({ score }) => score)), new Set([0.5]));
    assert.deepEqual(new Set(variants.map(({ score }) => score)), new Set([0]));
    assert.equal(metric('lgip.pr').value, 1);
    const [first, consistent] = [metric('judge.first'), metric('judge.consistent')];
    assert.deepEqual([first.value, consistent.value, consistent.n], [0.5, 1, asked.length / 2]);
    const before = server.asked.length;
    await audit('lgip', lgip, {}, home);
    assert.equal(server.asked.length, before);
  });

  it('measures position bias: always the first caption is a tie for every pair', async () => {
    await use(() => 1);
    const other = { image: 'tall.png', captions: ['A green boat near 3 people and a tall tower.'] };
    const { rows, metric } = await audit('lgip', [...lgip, other]);
    assert.ok(
      rows.every(({ variants }) => (variants as { score: number }[]).every(({ score }) => score === 0.5)),
    );
    assert.equal(metric('lgip.pr').value, 0);
    assert.equal(metric('judge.first').value, 1);
    assert.equal(metric('judge.consistent').value, 0);
    assert.equal(metric('judge.first').images, 2);
    // Two images are too few for an interval.
    assert.equal(metric('judge.first').ci, undefined);
  });

  it('gives a bias between both an interval over images', async () => {
    // Biased on two of five images, whatever the order in which the requests arrive.
    await use((first, second) => (/boat/.test(first) ? 1 : honest(first, second)));
    const biased = ['A red boat near 2 people and a tall tower.'];
    const { metric } = await audit(
      'lgip',
      Array.from({ length: 5 }, (_, i) => ({ image: `wide${i}.png`, captions: i < 2 ? biased : captions })),
    );
    const { value, ci, n: pairs } = metric('judge.first');
    assert.ok(value! > 0.5 && value! < 1, String(value));
    assert.ok(pairs > 4 && ci !== undefined && ci[0] < value! && value! < ci[1]);
  });

  it('decides triplets and pairs by direct comparisons with the wrong caption', async () => {
    await use(honest);
    const triplets = await audit('visla', [
      { image: 'wide.png', caption: 'A red car.', paraphrase: 'A car that is red.', negative: 'A blue car.' },
      { image: 'wide.png', caption: 'Two dogs.', paraphrase: 'A pair of dogs.', negative: 'A cat.' },
    ]).catch((error: CaptiousError) => assert.fail(error.describe()));
    assert.equal(triplets.metric('visla.i2t').value, 1);
    assert.ok(compared().every(([a, b]) => [a, b].some((text) => /blue|cat/.test(text))));
    assert.equal(compared().length, 8);
  });

  it('shows the first of its two requests as it is sent', async () => {
    await use(honest);
    const file = join(scratch(), 'far.evaluator.json');
    writeFileSync(
      file,
      JSON.stringify({ kind: 'judge', ask: 'pairwise', endpoint: server.url, model: 'tiny', repeats: 2 }),
    );
    const evaluator = await openEvaluator(file, { home: scratch() });
    const [left, against] = [imageItem('wide.png'), captions[1]];
    const want = { left, right: { kind: 'text', text: captions[0] }, against } as const;
    const request = await requestOf(evaluator, want);
    // Both captions, in the order of the alphabet, and no number of a repeat.
    assert.match(
      request!,
      /^\[system\]\nYou compare[^]*\n\n\[user\]\n\[image: PNG[^]*small house\.[^]*large house\./,
    );
    assert.doesNotMatch(request!.replace(/\n/g, ''), /\p{Cc}/u);
    assert.equal(await requestOf(evaluator, { ...want, against: captions[0] }), undefined);
    assert.equal(server.asked.length, 0);
    await evaluator.close();
  });

  it('may ask several times, and reports both the spread and the bias', async () => {
    await use(honest);
    const { metric } = await audit('lgip', lgip, { repeats: 2 });
    assert.equal(metric('judge.same').value, 1);
    assert.ok(metric('judge.first').value !== null);
  });

  it('leaves out examples of probes that compare no captions of an image', async () => {
    await use(honest);
    const { report } = await audit('invariance', lgip);
    assert.equal(server.asked.length, 0);
    assert.ok(report.dataset.leftOut?.some(({ reason }) => findSaid(reason, 'judge.noOtherCaption')));
  });

  it('rejects a caption that orders its own preference by the canary test', async () => {
    await use((first) => (/Note to the grader/.test(first) ? 1 : 2));
    const { report } = await audit('lgip', lgip);
    const obeys = report.evaluator.notes.map((note) => findSaid(note, 'judge.canaryObeys')).find(Boolean);
    assert.deepEqual(obeys?.values, [say('judge.canaryScores', 0, 1)]);
  });

  it('uses an answer that names no caption only if the second one is valid', async () => {
    let calls = 0;
    server = await chatServer((_, response) =>
      json(response, 200, completion(calls++ % 2 === 0 ? '{"better": 3}' : '{"better": 0}')),
    );
    const { metric } = await audit('lgip', lgip);
    assert.equal(metric('judge.consistent').value, 1);
    assert.equal(metric('judge.first').value, 0.5);
  });

  it('is of the kind judge, without references', async () => {
    await use(honest);
    for (const [said, expected] of [
      [{ kind: 'fleur' }, 'judge.kindCannotCompare'],
      [{ kind: 'judge', prompt: 'clair' }, 'judge.comparingExcludesPrompt'],
    ] as const) {
      const path = join(scratch(), 'far.evaluator.json');
      writeFileSync(path, JSON.stringify({ ...said, ask: 'pairwise', endpoint: server.url, model: 'tiny' }));
      const what = say('evaluator.keyProblem', 'ask', say(expected));
      await assert.rejects(openEvaluator(path, { home: scratch() }), { what });
    }
  });
});
