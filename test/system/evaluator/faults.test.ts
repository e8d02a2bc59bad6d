import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Engines } from '../../../src/evaluator/native/engines';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import { turns, until } from '../../until';
import { nextStep } from '../../unit/callEvents';
import {
  cleanUp,
  copyOf,
  editJson,
  modelsPath,
  open,
  openPath,
  scratch,
  valueOf,
} from '../../unit/evaluator/fixtures';
import { findSaid, say } from '../../../src/base/say';

function pidOf(evaluator: Evaluator): number | undefined {
  return (evaluator as Evaluator & { engines: Engines }).engines.pids[0];
}

/** Whether the process still runs. Linux keeps an ended process in state Z until a parent collects it. */
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const gone = (pid: number): Promise<void> => until(() => !alive(pid));

describe('a faulty model', () => {
  afterEach(cleanUp);

  it('with invalid rows: a problem of that text only', async () => {
    const evaluator = await open('odd-table');
    const rows = await evaluator.embedTexts!(['one', 'nan', 'two', 'infinite', 'zero', 'three']);
    assert.deepEqual(
      rows.map((row) => (row.ok ? [...row.value] : row.problem)),
      [
        [1, 0, 0, 0],
        say('native.notFinite'),
        [0, 2, 0, 0],
        say('native.notFinite'),
        say('native.onlyZeros'),
        [0, 0, -3, 0],
      ],
    );
  });

  it('whose tokenizer returns no tokens: a problem, and no call', async () => {
    const evaluator = await open('odd-table');
    assert.deepEqual(await evaluator.measureTexts!(['', ' ']), [
      { tokens: 0, cut: false },
      { tokens: 0, cut: false },
    ]);
    const rows = await evaluator.embedTexts!(['', ' ']);
    assert.ok(rows.every((row) => !row.ok && findSaid(row.problem, 'model.noToken')));
    assert.equal(pidOf(evaluator), undefined);
  });

  it('that never finishes is stopped after the deadline, with its process', async () => {
    const evaluator = await open('odd-endless', { engine: { stepDeadlineMs: 2000 } });
    const call = evaluator.embedTexts!(['one two']);
    const pid = pidOf(evaluator);
    await assert.rejects(call, (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.equal(error.kind, 'interrupted');
      assert.deepEqual(error.what, say('native.modelStalled', 2));
      return true;
    });
    await gone(pid!);
  });

  const withReplace = (pattern: object, content: string, times: number): string => {
    const folder = copyOf('bert-cls');
    editJson(join(folder, 'tokenizer.json'), (json) => {
      const step = { type: 'Replace', pattern, content };
      json.normalizer = { type: 'Sequence', normalizers: new Array(times).fill(step) };
    });
    return folder;
  };
  const endless = (): string => withReplace({ Regex: '(a+)+$' }, '', 1);
  const text = `${'a'.repeat(60)}!`;

  it('whose tokenizer never finishes is stopped after the deadline', async () => {
    const evaluator = await openPath(endless(), { engine: { stepDeadlineMs: 2000 } });
    await assert.rejects(evaluator.measureTexts!([text]), {
      kind: 'interrupted',
      what: say('native.modelStalled', 2),
    });
  });

  it('whose tokenizer never finishes can be cancelled and closed', async () => {
    const evaluator = await openPath(endless());
    await evaluator.measureTexts!(['b']);
    const stop = new AbortController();
    const call = assert.rejects(evaluator.measureTexts!([text], stop.signal), { kind: 'interrupted' });
    // The process receives the text before the cancel.
    await turns(1);
    stop.abort();
    await call;
    const other = assert.rejects(evaluator.embedTexts!([text]), { kind: 'interrupted' });
    await evaluator.close();
    await other;
  });

  it('whose tokenizer grows a text without end fails, without growing this process', async () => {
    const evaluator = await openPath(withReplace({ String: 'a' }, 'a'.repeat(10_000), 4));
    const before = process.memoryUsage.rss();
    await assert.rejects(evaluator.measureTexts!([text]), { kind: 'evaluator' });
    assert.ok(process.memoryUsage.rss() - before < 100 << 20);
  });

  it('that never finishes can be cancelled', async () => {
    const evaluator = await open('odd-endless');
    const stop = new AbortController();
    const loaded = nextStep();
    const call = assert.rejects(evaluator.embedTexts!(['one two'], stop.signal), { kind: 'interrupted' });
    const pid = pidOf(evaluator);
    await loaded;
    stop.abort();
    await call;
    await gone(pid!);
  });

  it('that never finishes can be closed', async () => {
    const evaluator = await open('odd-endless');
    const loaded = nextStep();
    const call = assert.rejects(evaluator.embedTexts!(['one two']), { kind: 'interrupted' });
    await loaded;
    await evaluator.close();
    await call;
  });

  it('does not outlive the program that started it, even if that was killed while the model ran', async function () {
    if (process.platform === 'win32') this.skip();
    const source = `
      import { nextStep } from ${JSON.stringify(join(__dirname, '../../unit/callEvents'))};
      import { openEvaluator } from ${JSON.stringify(join(__dirname, '../../../src/evaluator/open'))};
      void openEvaluator(${JSON.stringify(join(modelsPath, 'odd-endless'))}, { home: ${JSON.stringify(scratch())} })
        .then(async (evaluator) => {
          const loaded = nextStep();
          void evaluator.embedTexts!(['one two']);
          await loaded;
          process.stdout.write(String((evaluator as unknown as { engines: { pids: number[] } }).engines.pids[0]));
        });`;
    const script = join(scratch(), 'parent.ts');
    writeFileSync(script, source);
    const parent: ChildProcess = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(parent.stdout!, 'data')) as [Buffer];
    const pid = Number(said.toString());
    assert.ok(alive(pid));
    parent.kill('SIGKILL');
    await gone(pid);
  });

  it('does not outlive a program that ended before the process of the model was ready', async () => {
    const ended = spawn(process.execPath, ['--eval', '']);
    await once(ended, 'exit');
    const script = join(__dirname, '../../../src/evaluator/native/main.ts');
    const child = fork(script, [String(ended.pid)], { execArgv: ['--require', require.resolve('tsx/cjs')] });
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  });

  it('whose output has an unexpected rank: names the file and the shapes', async () => {
    const evaluator = await open('odd-rank');
    await assert.rejects(evaluator.embedTexts!(['one two', 'two one']), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.equal(error.kind, 'evaluator');
      assert.ok(error.at!.endsWith(join('odd-rank', 'onnx', 'model.onnx')));
      assert.deepEqual(
        error.what,
        say('native.outputShapeWrong', 'last_hidden_state', 'float32', '2, 2', 3, 2),
      );
      return true;
    });
    // The process still answers, so it was not replaced.
    const pid = pidOf(evaluator);
    await assert.rejects(evaluator.embedTexts!(['one two']), { kind: 'evaluator' });
    assert.equal(pidOf(evaluator), pid);
  });

  it('that fails at a token without a row: names its input', async () => {
    const path = copyOf('odd-table');
    editJson(join(path, 'tokenizer.json'), (json) => {
      (json.model as { vocab: Record<string, number> }).vocab.far = 99;
    });
    const evaluator = await openPath(path);
    await assert.rejects(evaluator.embedTexts!(['far far']), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.ok(findSaid(error.what, 'native.modelFailed'));
      assert.deepEqual(error.details.remedy, say('native.checkInputsOfModel', 'input_ids int64[1, 2]'));
      return true;
    });
    valueOf((await evaluator.embedTexts!(['one']))[0]);
  });

  it('whose file vanished between opening and use: names the file', async () => {
    const path = copyOf('odd-table');
    const evaluator = await openPath(path);
    rmSync(join(path, 'onnx'), { recursive: true });
    assert.ok(!existsSync(join(path, 'onnx')));
    await assert.rejects(evaluator.embedTexts!(['one']), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.ok(findSaid(error.what, 'native.modelNotLoaded'));
      assert.match(error.at!, /model\.onnx$/);
      return true;
    });
  });

  it('on an unavailable provider: uses no other one', async function () {
    const evaluator = await open('odd-table', {
      provider: process.platform === 'darwin' ? 'cuda' : 'coreml',
    });
    await assert.rejects(evaluator.embedTexts!(['one']), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      const provider = findSaid(findSaid(error.what, 'native.modelNotLoaded'), 'native.providerSuffix');
      assert.match(String(provider?.values[0]), /^(cuda|coreml)$/);
      assert.deepEqual(error.details.remedy, say('model.useCpuProvider'));
      return true;
    });
  });

  it('lets the program end without being closed', async () => {
    const script = join(scratch(), 'forgetful.ts');
    writeFileSync(
      script,
      `import { openEvaluator } from ${JSON.stringify(join(__dirname, '../../../src/evaluator/open'))};
       void openEvaluator(${JSON.stringify(join(modelsPath, 'odd-table'))}, { home: ${JSON.stringify(scratch())} })
         .then((evaluator) => evaluator.embedTexts!(['one']));`,
    );
    const parent = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), script], {
      stdio: 'inherit',
    });
    after(() => parent.kill('SIGKILL'));
    const [code] = (await once(parent, 'exit')) as [number | null];
    assert.equal(code, 0);
  });
});
