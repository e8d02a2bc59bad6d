import { say } from '../../../../src/base/say';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBatch } from '../../../../src/audit/batch/readBatch';
import { writeBatch } from '../../../../src/audit/batch/writeBatch';
import { runAudit } from '../../../../src/audit/run';
import type { CaptiousError } from '../../../../src/base/errors';
import {
  type Asked,
  type ChatServer,
  chatServer,
  closeServers,
  completion,
  json,
} from '../../evaluator/chatServer';
import { cleanUp, imagesPath, scratch } from '../../evaluator/fixtures';
import { saying } from '../../../sentence';

const captions = Array.from({ length: 1 }, (_, i) => `A red truck near ${i + 2} dogs and a large house.`);

interface Line {
  custom_id: string;
  method: string;
  url: string;
  body: Asked['body'];
}

function answerTo(body: Asked['body']): object {
  // Equal requests get equal answers.
  const n = JSON.stringify([body.messages, body.seed]).length % 11;
  if (body.logprobs !== true) return completion(JSON.stringify({ score: n }));
  const top_logprobs = [
    { token: 'Yes', logprob: Math.log((n + 1) / 20) },
    { token: 'No', logprob: Math.log(0.3) },
  ];
  return completion('Yes', { logprobs: { content: [{ ...top_logprobs[0], top_logprobs }] } });
}

const result = ({ custom_id, body }: Line, status = 200): string =>
  JSON.stringify({
    id: `batch_req_${custom_id}`,
    custom_id,
    response: {
      status_code: status,
      request_id: 'r',
      body: status === 200 ? answerTo(body) : { error: { message: 'The server is tired.' } },
    },
    error: null,
  });

const kinds = {
  'judge with repeats': { kind: 'judge', repeats: 2, temperature: 0.5 },
  vqascore: { kind: 'vqascore' },
};

afterEach(async () => {
  await closeServers();
  await cleanUp();
});

for (const [name, said] of Object.entries(kinds))
  describe(`batches of a ${name}`, function () {
    this.timeout(60_000);
    let server: ChatServer;
    let request: { dataset: string; probes: string[]; images: string[]; signal: AbortSignal };
    let evaluator: string;
    let home: string;
    let out: string;

    beforeEach(async () => {
      server = await chatServer(({ body }, response) => json(response, 200, answerTo(body)));
      const folder = scratch();
      const dataset = join(folder, 'captions.json');
      writeFileSync(dataset, JSON.stringify([{ image: 'wide.png', captions }]));
      evaluator = join(folder, 'far.evaluator.json');
      writeFileSync(evaluator, JSON.stringify({ ...said, endpoint: server.url, model: 'tiny' }));
      const { signal } = new AbortController();
      request = { dataset, probes: ['lgip'], images: [imagesPath], signal };
      [home, out] = [scratch(), scratch()];
    });

    const write = (...limits: Parameters<typeof writeBatch>[1][]) =>
      writeBatch({ ...request, evaluator, out, home }, ...limits);
    const linesOf = ({ path, manifest }: Awaited<ReturnType<typeof write>>): Line[] => {
      assert.ok(path !== undefined && manifest !== undefined);
      const texts = manifest.files.map((file) => readFileSync(join(out, file), 'utf8'));
      return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line) as Line);
    };
    const results = (file: string, lines: readonly string[]): string => {
      const path = join(out, file);
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
      return path;
    };
    const audit = async (at: string) => {
      const consent = () => Promise.resolve(true);
      const [{ report, path }] = await runAudit({
        ...{ ...request, consent, home: at, out: scratch(), evaluators: [evaluator] },
      });
      return { report, rows: readFileSync(join(path, '..', report.rows), 'utf8') };
    };

    it('are the requests of an audit, and their answers give the same rows without a request', async () => {
      const online = await audit(scratch());
      const asked = server.asked.map(({ body }) => JSON.stringify(body));
      const batch = await write();
      assert.equal(server.asked.length, asked.length, 'nothing was sent');
      const lines = linesOf(batch);
      assert.deepEqual(lines.map(({ body }) => JSON.stringify(body)).sort(), [...new Set(asked)].sort());
      assert.equal(new Set(lines.map(({ custom_id }) => custom_id)).size, lines.length);
      assert.ok(lines.every(({ method, url }) => method === 'POST' && url === '/v1/chat/completions'));
      const file = results('all.jsonl', lines.map((line) => result(line)).reverse());
      const read = await readBatch(batch.path!, [file], home);
      assert.deepEqual([read.answered, read.imported, read.requestCount], Array(3).fill(lines.length));
      assert.deepEqual([read.failed, read.unanswered, read.foreign, read.repeated], [[], [], [], []]);
      assert.deepEqual(await write(), {}, 'no request is missing');
      const offline = await audit(home);
      assert.equal(server.asked.length, asked.length);
      assert.equal(offline.rows, online.rows);
      assert.deepEqual(offline.report.metrics, online.report.metrics);
      assert.deepEqual(offline.report.evaluator.notes, online.report.evaluator.notes);
    });

    it('resume: a second batch has only the requests without an answer', async () => {
      const first = await write();
      const lines = linesOf(first);
      const half = lines.slice(0, Math.floor(lines.length / 2));
      const [failing, ...silent] = lines.slice(half.length);
      const foreign = { ...half[0], custom_id: 'captious-of-another-batch' };
      const output = results('output.jsonl', [
        ...half.map((line) => result(line)),
        result(half[0]),
        result(foreign),
        result(half[1]).slice(0, 40),
      ]);
      const errors = results('errors.jsonl', [
        result(failing, 500),
        // The other file answers this request, so this error does not count.
        JSON.stringify({ custom_id: half[1].custom_id, response: null, error: { code: 'batch_expired' } }),
      ]);
      const read = await readBatch(first.path!, [output, errors], home);
      assert.deepEqual([read.answered, read.imported], [half.length, half.length]);
      assert.deepEqual(read.failed, [{ id: failing.custom_id, problem: '500: The server is tired.' }]);
      assert.deepEqual(
        read.unanswered,
        silent.map(({ custom_id }) => custom_id),
      );
      assert.deepEqual(read.repeated, [half[0].custom_id]);
      assert.deepEqual(read.foreign, [foreign.custom_id]);
      assert.deepEqual(read.unreadable, [
        { at: `${output}:${half.length + 3}`, problem: say('judge.lineNotJson') },
      ]);
      const again = await readBatch(first.path!, [output], home);
      assert.deepEqual([again.answered, again.imported], [half.length, 0]);

      const second = await write();
      assert.notEqual(second.path, first.path);
      assert.deepEqual(
        linesOf(second)
          .map(({ custom_id }) => custom_id)
          .sort(),
        [failing, ...silent].map(({ custom_id }) => custom_id).sort(),
      );
      const rest = results(
        'rest.jsonl',
        linesOf(second).map((line) => result(line)),
      );
      await readBatch(second.path!, [rest], home);
      assert.deepEqual(await write(), {});
      const { rows } = await audit(home);
      assert.equal(server.asked.length, 0);
      assert.equal(rows, (await audit(scratch())).rows);
    });

    it('leave out what an earlier audit has asked, and are split at the limits of a file', async () => {
      const whole = linesOf(await write());
      const limits = { requests: 4, bytes: 1e9 };
      const batch = await write(limits);
      const { files } = batch.manifest!;
      assert.equal(files.length, Math.ceil(whole.length / 4));
      assert.deepEqual(linesOf(batch).length, whole.length);
      const long = Math.max(...whole.map((line) => JSON.stringify(line).length));
      const small = await write({ requests: 1e6, bytes: 2.5 * long });
      for (const file of small.manifest!.files) assert.ok(readFileSync(join(out, file)).length <= 2.5 * long);
      await audit(home);
      assert.deepEqual(await write(), {});
    });
  });

describe('a batch', function () {
  this.timeout(60_000);

  it('never compares a caption with other candidates of its entry, also for the spread of the answers', async () => {
    const server = await chatServer((_, response) => json(response, 500, {}));
    const folder = scratch();
    const dataset = join(folder, 'triplets.tsv');
    const entries = [
      ['A red truck on a road.', 'On a road is a red truck.', 'A red boat on a road.'],
      ['A lorry is parked.', 'There is a parked lorry.', 'A lorry is moving.'],
    ];
    const columns = ['filename', 'caption', 'second positive', 'negative_caption'];
    const rows = [columns, ...entries.map((entry) => ['wide.png', ...entry])];
    writeFileSync(dataset, rows.map((row) => `${row.join('\t')}\n`).join(''));
    const evaluator = join(folder, 'far.evaluator.json');
    const said = { kind: 'judge', prompt: 'clair', repeats: 2, temperature: 0.5, model: 'tiny' };
    writeFileSync(evaluator, JSON.stringify({ ...said, endpoint: server.url }));
    const { signal } = new AbortController();
    const shared = { dataset, probes: ['visla'], images: [imagesPath], home: scratch(), signal };
    const out = scratch();
    const { path, manifest } = await writeBatch({ ...shared, evaluator, out });
    const lines = manifest!.files
      .flatMap((file) => readFileSync(join(out, file), 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line) as Line);
    const questions = lines.map(({ body }) => JSON.stringify(body.messages));
    const counts = questions.map((text) =>
      entries.map((entry) => entry.filter((caption) => text.includes(caption)).length).sort(),
    );
    // The canary sends two requests without captions. Each other request has one caption from one entry and, as
    // references, two captions from the other entry.
    const expected = Array.from({ length: 14 }, (_, i) => (i < 2 ? [0, 0] : [1, 2]));
    assert.deepEqual(counts.sort(), expected);
    const results = join(out, 'all.jsonl');
    writeFileSync(results, lines.map((line) => `${result(line)}\n`).join(''));
    await readBatch(path!, [results], shared.home);
    const consent = () => Promise.resolve(true);
    const [{ report }] = await runAudit({ ...shared, consent, evaluators: [evaluator], out: scratch() });
    assert.equal(server.asked.length, 0);
    assert.equal(report.metrics.find(({ id }) => id === 'judge.spread')?.n, 6);
  });

  it('needs a judge at an endpoint, and results in the form of OpenAI', async () => {
    const folder = scratch();
    const dataset = join(folder, 'captions.json');
    writeFileSync(dataset, JSON.stringify([{ image: 'wide.png', captions }]));
    const { signal } = new AbortController();
    const shared = {
      dataset,
      probes: ['lgip'],
      images: [imagesPath],
      home: scratch(),
      out: scratch(),
      signal,
    };
    const refused = (promise: Promise<unknown>, expected: RegExp): Promise<void> =>
      assert.rejects(promise, (error: CaptiousError) => expected.test(error.describe()));
    await refused(
      writeBatch({ ...shared, evaluator: 'starter' }),
      saying('audit.sendsNoRequests', 'starter'),
    );

    const evaluator = join(folder, 'far.evaluator.json');
    writeFileSync(
      evaluator,
      JSON.stringify({ kind: 'judge', endpoint: 'http://127.0.0.1:9/v1', model: 'tiny' }),
    );
    const { path } = await writeBatch({ ...shared, evaluator });
    await refused(readBatch(path!, [dataset], shared.home), saying('judge.noBatchResults'));
    await refused(
      readBatch(dataset, [dataset], shared.home),
      saying('audit.batchFileUnreadable', 'The value is not an object'),
    );
    await refused(
      readBatch(`${path!}.gone`, [dataset], shared.home),
      new RegExp(`${saying('audit.batchFileUnreadable').source}no such file`),
    );
  });
});
