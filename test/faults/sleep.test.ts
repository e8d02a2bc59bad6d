import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { saying } from '../sentence';
import { cleanUp, modelsPath, scratch } from '../unit/evaluator/fixtures';

const deadlineMs = 5000;

/** A program that embeds texts until it receives input. Prints its model's process id and the number of calls. */
const source = (home: string): string => `
  import { openEvaluator } from ${JSON.stringify(join(__dirname, '../../src/evaluator/open'))};
  async function main(): Promise<void> {
    const evaluator = await openEvaluator(${JSON.stringify(join(modelsPath, 'bert-cls'))}, {
      home: ${JSON.stringify(home)},
      engine: { stepDeadlineMs: ${deadlineMs} },
    });
    const first = JSON.stringify(await evaluator.embedTexts!(['a cat']));
    console.log('model', (evaluator as unknown as { engines: { pids: number[] } }).engines.pids[0]);
    let ended = false;
    process.stdin.once('data', () => (ended = true));
    let calls = 0;
    for (; !ended; calls++) {
      if (JSON.stringify(await evaluator.embedTexts!(['a cat'])) !== first) throw new Error('Other numbers.');
    }
    console.log('calls', calls);
    await evaluator.close();
    process.exit(0);
  }
  main().catch((error: Error) => {
    console.log('failed', error.message);
    process.exit(1);
  });`;

describe('sleep and wake', function () {
  this.timeout(60_000);
  if (process.platform === 'win32') return;
  let parent: ChildProcess;
  let said: string;
  let model: number;

  async function says(word: RegExp): Promise<string> {
    for (const end = Date.now() + 30_000; Date.now() < end; await wait(20)) {
      const found = word.exec(said)?.[1];
      if (found !== undefined) return found;
    }
    throw new Error(`It said: ${said}`);
  }

  beforeEach(async () => {
    const script = join(scratch(), 'embedding.ts');
    writeFileSync(script, source(scratch()));
    parent = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    said = '';
    parent.stdout!.on('data', (piece: Buffer) => (said += piece.toString()));
    model = Number(await says(/model (\d+)/));
  });

  afterEach(async () => {
    for (const pid of [parent.pid!, model]) {
      try {
        process.kill(pid, 'SIGCONT');
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has ended.
      }
    }
    await cleanUp();
  });

  const stop = (pids: readonly number[], signal: NodeJS.Signals): void => {
    for (const pid of pids) process.kill(pid, signal);
  };

  /** Both orders of waking are tested, because the system decides which process wakes first. */
  for (const [name, which, ms] of [
    ['the program and its model, for twice the deadline', () => [parent.pid!, model], 2 * deadlineMs],
    ['the model and its program, for twice the deadline', () => [model, parent.pid!], 2 * deadlineMs],
    ['the program alone, for twice the deadline', () => [parent.pid!], 2 * deadlineMs],
    ['the model alone, for half the deadline', () => [model], deadlineMs / 2],
  ] as const) {
    it(`${name}: continues as if nothing had happened`, async () => {
      stop(which(), 'SIGSTOP');
      await wait(ms);
      stop(which(), 'SIGCONT');
      await wait(500);
      const exit = once(parent, 'exit') as Promise<[number | null]>;
      parent.stdin!.write('end');
      const [code] = await exit;
      assert.equal(code, 0, said);
      assert.ok(Number(await says(/calls (\d+)/)) > 0, said);
    });
  }

  it('the model alone, beyond the deadline: stops it and reports it', async () => {
    stop([model], 'SIGSTOP');
    const exit = once(parent, 'exit') as Promise<[number | null]>;
    assert.match(await says(/failed (.*)/), saying('native.modelStalled', 5));
    assert.equal((await exit)[0], 1);
    await wait(500);
    assert.throws(() => process.kill(model, 0), { code: 'ESRCH' });
  });
});
