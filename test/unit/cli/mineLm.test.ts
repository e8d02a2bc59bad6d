import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckSession } from '../../../src/sessions/check';
import { TripletSession } from '../../../src/sessions/triplets';
import { readAttributeFile } from '../../../src/probe/prsm/attributeFile';
import { captious } from './captious';
import { type ChatServer, chatServer, closeServers, completion, json } from '../evaluator/chatServer';
import { saying } from '../../sentence';

describe('mining with a language model from the command line', function () {
  this.timeout(120_000);
  let folder: string;
  let home: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-mine-lm-'));
    home = join(folder, 'home');
  });
  afterEach(closeServers);
  after(() => rm(folder, { recursive: true }));

  function start(...args: string[]) {
    const child = spawn(process.execPath, ['dist/cli.js', 'mine', ...args], {
      env: { ...process.env, CAPTIOUS_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (piece) => (out += String(piece)));
    child.stderr.on('data', (piece) => (err += String(piece)));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
    return { child, ended };
  }

  const promptOf = (asked: ChatServer['asked'][number]): string => {
    const { content } = asked.body.messages.at(-1)!;
    return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
  };

  it('asks for consent, resumes after SIGKILL without asking twice, and opens as candidates', async () => {
    const stuck: (() => void)[] = [];
    let isStuck = true;
    let whenStuck!: () => void;
    const reached = new Promise<void>((resolve) => (whenStuck = resolve));
    const answers = (prompt: string): string => {
      const animal = /A (dog|cat|cow) on a bed\./.exec(prompt)![1];
      if (!prompt.startsWith('You reword')) return '{"same": true}';
      return animal === 'dog' ? 'no JSON' : JSON.stringify([`On a bed there is a ${animal}.`]);
    };
    const server = await chatServer((asked, response) => {
      const prompt = promptOf(asked);
      const send = (): void => json(response, 200, completion(answers(prompt)));
      if (!isStuck || !prompt.includes('A cow')) return send();
      stuck.push(send);
      whenStuck();
    });
    const judge = join(folder, 'judge.evaluator.json');
    await writeFile(
      judge,
      JSON.stringify({ kind: 'judge', endpoint: server.url, model: 'tiny', concurrency: 1 }),
    );
    const pairs = join(folder, 'pairs.json');
    const animals = ['dog', 'cat', 'cow'];
    await writeFile(
      pairs,
      JSON.stringify(
        animals.map((animal) => ({
          filename: `${animal}.jpg`,
          caption: `A ${animal} on a bed.`,
          negative_caption: `A ${animal} under a bed.`,
        })),
      ),
    );
    const out = join(folder, 'lm.json');
    const args = [pairs, '--how', 'lm', '--judge', judge, '--out', out, '--json'];

    const refused = await captious(home, 'mine', ...args);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /3 captions, without images, .* at most 12 requests/);
    assert.match(refused.err, saying('remote.consentMissing'));
    assert.equal(server.asked.length, 0);

    const first = start(...args, '--yes');
    await reached;
    first.child.kill('SIGKILL');
    await first.ended;
    assert.equal(existsSync(out), false);
    const before = server.asked.map(promptOf).filter((prompt) => !prompt.includes('A cow'));
    assert.ok(before.length >= 2);

    isStuck = false;
    const second = await captious(home, 'mine', ...args);
    assert.equal(second.code, 0, second.err);
    const repeated = server.asked.map(promptOf).filter((prompt) => before.includes(prompt));
    assert.equal(repeated.length, before.length);
    const found = JSON.parse(second.out) as { how: string; both: number; leftOut: object[] };
    assert.equal(found.how, 'lm');
    assert.equal(found.both, 2);
    assert.deepEqual(found.leftOut, [{ reason: 'an answer is not in the expected format', count: 1 }]);
    const session = TripletSession.parse(await readFile(out, 'utf8'), out);
    assert.equal(session.origin.how, 'lm');
    assert.deepEqual(
      session.items.map(({ positives, negatives }) => [positives[0]?.text, negatives[0].text]),
      [
        [undefined, 'A dog under a bed.'],
        ['On a bed there is a cat.', 'A cat under a bed.'],
        ['On a bed there is a cow.', 'A cow under a bed.'],
      ],
    );
  });

  it('writes checked synonyms to a file that PRSM reads, and asks for nothing twice', async () => {
    const server = await chatServer((asked, response) => {
      const prompt = promptOf(asked);
      const isRequest = prompt.startsWith('You write synonyms');
      const synonyms = prompt.includes('JSON string: "old"') ? ['very old', 'aged'] : ['wet'];
      const same = prompt.includes('An aged man');
      json(response, 200, completion(isRequest ? JSON.stringify(synonyms) : JSON.stringify({ same })));
    });
    const judge = join(folder, 'synonyms.evaluator.json');
    await writeFile(judge, JSON.stringify({ kind: 'judge', endpoint: server.url, model: 'tiny' }));
    const captions = join(folder, 'captions.json');
    await writeFile(
      captions,
      JSON.stringify([
        { image: 'a.jpg', caption: 'An old man on a red horse.' },
        { image: 'b.jpg', caption: 'A happy child.' },
      ]),
    );
    const out = join(folder, 'people.attributes.json');
    const args = [captions, '--how', 'synonyms', '--judge', judge];
    const refused = await captious(home, 'mine', ...args, '--out', out);
    assert.equal(refused.code, 2, refused.err);
    assert.match(refused.err, /2 captions, without images, .* at most 8 requests/);
    assert.equal(server.asked.length, 0);

    const first = await captious(home, 'mine', ...args, '--out', out, '--json', '--yes');
    assert.equal(first.code, 0, first.err);
    assert.deepEqual(JSON.parse(first.out), {
      file: out,
      how: 'synonyms',
      attributes: 2,
      synonyms: 1,
      leftOut: [
        { reason: 'a synonym repeats the attribute', count: 1 },
        { reason: 'the model rejects a synonym', count: 1 },
      ],
    });
    const file = readAttributeFile(out);
    assert.deepEqual([...file.synonyms], [['old', 'aged']]);
    assert.match(await readFile(out, 'utf8'), /"example": "An aged man on a red horse\."/);

    const asked = server.asked.length;
    const second = await captious(home, 'mine', ...args);
    assert.equal(second.code, 0, second.err);
    assert.equal(server.asked.length, asked);
    const race = ['--how', 'rules', '--attributes', 'race', '--out', 'y.json'];
    const other = await captious(home, 'mine', captions, ...race);
    assert.match(other.err, /--attributes applies to --how synonyms only/);
  });

  it("writes PRSM's set P1, which the audit reads and people can check", async () => {
    const images = ['000000012280.jpg', '000000020247.jpg', '000000030213.jpg'];
    const said = ['A dog on a bed.', 'A cow in a field.', 'A red bus.'];
    const made: Record<string, string[]> = {
      'A dog on a bed.': ['On a bed there is a dog.', 'A dog is on two beds.', 'There is a dog on a bed.'],
      'A cow in a field.': ['In a field there is a cow.', 'A cow in a meadow.', 'There is a cow in a field.'],
    };
    const server = await chatServer((asked, response) => {
      const prompt = promptOf(asked);
      const own = said.find((text) => prompt.includes(text))!;
      const answer = prompt.startsWith('You reword')
        ? JSON.stringify(made[own] ?? [])
        : JSON.stringify({ same: !prompt.includes('meadow') });
      json(response, 200, completion(answer));
    });
    const judge = join(folder, 'paraphrases.evaluator.json');
    await writeFile(judge, JSON.stringify({ kind: 'judge', endpoint: server.url, model: 'tiny' }));
    const captions = join(folder, 'three.json');
    const entries = images.map((image, i) => ({
      image,
      caption: said[i],
      gender: i === 0 ? 'female' : 'male',
    }));
    await writeFile(
      captions,
      JSON.stringify([...entries, { image: images[0], caption: said[1], gender: 'male' }]),
    );
    const out = join(folder, 'paraphrased.json');
    const args = [captions, '--how', 'paraphrases', '--judge', judge, '--out', out, '--json'];
    const refused = await captious(home, 'mine', ...args);
    assert.match(refused.err, /3 captions, without images, .* at most 12 requests/);
    assert.equal(server.asked.length, 0);
    const { code, out: printed, err } = await captious(home, 'mine', ...args, '--yes');
    assert.equal(code, 0, err);
    const { captions: count, two, one, none, leftOut } = JSON.parse(printed) as Record<string, unknown>;
    assert.deepEqual([count, two, one, none], [4, 3, 0, 1]);
    assert.deepEqual(leftOut, [
      { reason: 'a positive has other numbers', count: 1 },
      { reason: 'the model rejects a positive', count: 1 },
    ]);
    // The caption that two images share is asked for once.
    assert.equal(server.asked.filter((one) => promptOf(one).startsWith('You reword')).length, 3);

    const reports = join(folder, 'prsm');
    const audit = await captious(
      home,
      ...['audit', out, '--probe', 'prsm', '--evaluator', 'test/fixtures/models/clip', '--out', reports],
      ...['--images', 'samples/images', '--set', 'prsm.sets=P1', '--set', 'prsm.groups=gender', '--json'],
    );
    assert.equal(audit.code, 0, audit.err);
    const [report] = JSON.parse(audit.out) as {
      warnings: string[];
      metrics: { id: string; slice?: object }[];
    }[];
    assert.ok(report.metrics.some(({ slice }) => JSON.stringify(slice ?? {}).includes('female')));
    const rows = (await readFile(join(reports, 'prsm.clip.rows.jsonl'), 'utf8')).trim().split('\n');
    const wordings = rows.flatMap(
      (row) => (JSON.parse(row) as { wordings: { label: string; text: string }[] }).wordings,
    );
    assert.deepEqual(
      wordings
        .filter(({ label }) => /^c/.test(label))
        .map(({ text }) => text)
        .slice(0, 2),
      ['On a bed there is a dog.', 'There is a dog on a bed.'],
    );

    const sample = join(folder, 'prsm.check.json');
    const drawn = await captious(
      home,
      'check',
      'sample',
      join(reports, 'prsm.clip.report.json'),
      '--out',
      sample,
      '--json',
    );
    assert.equal(drawn.code, 0, drawn.err);
    const session = CheckSession.parse(await readFile(sample, 'utf8'), sample);
    assert.equal(session.origin.probe, 'prsm');
    assert.ok(session.items.length >= 4);
    for (const [at, { changedOn, changed }] of session.items.entries()) {
      const isBad = changed.text.startsWith('On a bed');
      const [fair, poor] = ['fully' as const, isBad ? ('incorrect' as const) : ('fully' as const)];
      const sides = changedOn === 'left' ? { left: poor, right: fair } : { left: fair, right: poor };
      session.change(at, { ...sides, meaning: isBad ? 'different' : 'same' });
    }
    await writeFile(sample, session.toString());
    const merged = await captious(home, 'check', 'merge', sample, '--json');
    assert.equal(merged.code, 0, merged.err);
    const result = JSON.parse(merged.out) as {
      kinds: { family: string; items: number; valid: number }[];
      rejected: string[];
      valid: { family: string; estimate: number }[];
    };
    assert.ok(result.kinds.every(({ family }) => family === 'P1'));
    const items = result.kinds.reduce((sum, { items: own }) => sum + own, 0);
    assert.equal(items - result.kinds.reduce((sum, { valid }) => sum + valid, 0), 1);
    assert.equal(result.valid[0].family, 'P1');
    assert.deepEqual(result.rejected, ['On a bed there is a dog.']);
  });

  it('needs --judge with --how lm, and only there', async () => {
    const none = await captious(home, 'mine', 'x.json', '--how', 'lm', '--out', 'y.json');
    assert.match(none.err, /--how lm needs a language model\.[^]*--judge FILE/);
    const misused = ['--how', 'rules', '--judge', 'z.json', '--out', 'y.json'];
    const other = await captious(home, 'mine', 'x.json', ...misused);
    assert.match(other.err, /--judge applies to --how lm, paraphrases and synonyms only/);
    assert.deepEqual([none.code, other.code], [2, 2]);
  });
});
