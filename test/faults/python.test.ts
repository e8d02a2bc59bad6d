import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { say } from '../../src/base/say';
import type { Evaluator } from '../../src/evaluator/evaluator';
import { openEvaluator, type OpenOptions } from '../../src/evaluator/open';
import { cleanUp, scratch, valueOf } from '../unit/evaluator/fixtures';
import { needsPython, pythonFixtures } from '../unit/evaluator/pythonFixtures';
import { until } from '../until';

const rounds = 20;
const script = join(pythonFixtures, 'hashing.py');
const dataset = resolve('samples/triplets.tsv');

function isAlive(pid: number): boolean {
  try {
    // A zombie (a process that has ended but was not reaped) does not count as alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('evaluators in Python under failure', function () {
  needsPython(this);
  this.timeout(600_000);
  const opened: Evaluator[] = [];
  const named = process.env.CAPTIOUS_PYTHON;
  // A .venv of this checkout would need consent.
  before(() => {
    process.env.CAPTIOUS_PYTHON = named ?? 'python3';
  });
  after(() => {
    if (named === undefined) delete process.env.CAPTIOUS_PYTHON;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((evaluator) => evaluator.close()));
    await cleanUp();
  });

  async function open(ref: string, options: OpenOptions = {}): Promise<Evaluator> {
    const evaluator = await openEvaluator(ref, { home: scratch(), ...options });
    opened.push(evaluator);
    return evaluator;
  }

  it(`answers the same after each of ${rounds} kills of the worker`, async () => {
    const mark = join(scratch(), 'pid');
    const { embedTexts } = await open(`python:${script}:Slow?mark=${mark}`);
    const texts = ['a dog', 'a cat'];
    const expected = (await embedTexts!(texts)).map(valueOf);
    for (let i = 0; i < rounds; i++) {
      const call = embedTexts!(texts);
      const pid = Number(readFileSync(mark, 'utf8'));
      process.kill(pid, 'SIGKILL');
      assert.deepEqual((await call).map(valueOf), expected);
      assert.ok(!isAlive(pid));
      assert.notEqual(Number(readFileSync(mark, 'utf8')), pid);
    }
  });

  for (const both of [false, true])
    it(`leaves no process behind after ${rounds} kills of ${both ? 'both' : 'the parent'}, and resumes`, async () => {
      const [home, out] = [scratch(), scratch()];
      const mark = join(scratch(), 'pid');
      const audit = (): ReturnType<typeof spawn> =>
        spawn(
          process.execPath,
          [
            ...['dist/cli.js', 'audit', dataset, '--probe', 'visla', '--python', 'python3', '--json'],
            ...['--evaluator', `python:${script}:Slow?mark=${mark}`, '--out', out],
          ],
          { env: { ...process.env, CAPTIOUS_HOME: home }, stdio: ['ignore', 'pipe', 'ignore'] },
        );
      for (let i = 0; i < rounds; i++) {
        rmSync(mark, { force: true });
        const parent = audit();
        await until(() => existsSync(mark));
        const worker = Number(readFileSync(mark, 'utf8'));
        parent.kill('SIGKILL');
        if (both) process.kill(worker, 'SIGKILL');
        await until(() => !isAlive(worker));
      }
      const last = audit();
      let written = '';
      last.stdout!.on('data', (piece: Buffer) => (written += piece.toString()));
      assert.equal(await new Promise((done) => last.once('close', done)), 0);
      const [report] = JSON.parse(written) as { dataset: { examples: number } }[];
      assert.equal(report.dataset.examples, 32);
    });

  it('says that a module was edited when the worker has to be started again', async () => {
    const folder = scratch();
    const path = join(folder, 'metric.py');
    const write = (factor: number): void =>
      writeFileSync(
        path,
        `import os\nclass Evaluator:\n  def embed_texts(self, texts):\n    if "crash" in texts: os.abort()\n    return [[${factor}.0, len(t)] for t in texts]\n`,
      );
    write(1);
    const { embedTexts } = await open(`python:${path}`);
    await embedTexts!(['a']);
    write(2);
    assert.deepEqual(Array.from(valueOf((await embedTexts!(['a']))[0])), [1, 1], 'what was loaded stays');
    for (const text of ['crash', 'a'])
      await assert.rejects(embedTexts!([text]), { what: say('python.fileChanged', 'metric.py') });
  });

  it('ends an import that hangs when it is cancelled, and leaves no process', async () => {
    const folder = scratch();
    const mark = join(folder, 'pid');
    const path = join(folder, 'metric.py');
    writeFileSync(
      path,
      `import os, time\nopen(${JSON.stringify(mark)}, "w").write(str(os.getpid()))\ntime.sleep(3600)\n`,
    );
    const stop = new AbortController();
    const opening = assert.rejects(open(`python:${path}`, { signal: stop.signal }), {
      what: say('base.cancelled'),
    });
    await until(() => existsSync(mark) && readFileSync(mark, 'utf8') !== '');
    const worker = Number(readFileSync(mark, 'utf8'));
    stop.abort();
    await opening;
    await until(() => !isAlive(worker));
  });

  it('says so if the interpreter vanishes after a crash', async () => {
    const folder = scratch();
    const python = join(folder, 'python');
    writeFileSync(python, '#!/bin/sh\nexec python3 "$@"\n', { mode: 0o755 });
    const { embedTexts } = await open(`python:${script}:Faulty`, { python: { asked: python } });
    await embedTexts!(['a']);
    rmSync(python);
    assert.equal(valueOf((await embedTexts!(['ab']))[0])[0], 2, 'a process that runs needs it no longer');
    await assert.rejects(embedTexts!(['crash']), { what: say('python.notStarted', python) });
  });
});
