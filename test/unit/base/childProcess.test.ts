import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child, type Exit, lastWordFd, Service } from '../../../src/base/childProcess';
import { count, object } from '../../../src/base/shape';
import { until } from '../../until';

/** A process that answers the request "pid". After the request "hang", it is blocked and confirms no cancel. */
const script = `process.on('message', ({ type, id, name }) => {
  if (type !== 'ask') return;
  if (name === 'pid') return process.send({ type: 'answer', id, answer: { pid: process.pid } });
  process.send({ type: 'step', id });
  setTimeout(() => { for (;;); }, 20);
});`;
const requests = {
  pid: { ask: object({}), answer: object({ pid: count }) },
  hang: { ask: object({}), answer: object({}) },
};

describe('a service', () => {
  let folder: string;
  let service: Service<typeof requests>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-service-'));
    writeFileSync(join(folder, 'child.js'), script);
    service = new Service(() => ({
      script: join(folder, 'child.js'),
      requests,
      lost: ({ signal }) => new Error(`ended by ${signal}`),
      graceMs: 300,
    }));
  });
  afterEach(async () => {
    await service.close(0);
    rmSync(folder, { recursive: true });
  });

  it('starts a new process for a request that follows a cancel which the old one ignores', async () => {
    const { pid } = await service.ask('pid', {});
    const stop = new AbortController();
    let steps = 0;
    const hung = service.ask('hang', {}, { signal: stop.signal, step: () => steps++ });
    const rejected = assert.rejects(hung, { kind: 'interrupted' });
    await until(() => steps > 0);
    stop.abort();
    const next = service.ask('pid', {});
    await rejected;
    assert.notEqual((await next).pid, pid);
  });

  it('keeps its process if the cancel is confirmed', async () => {
    const { pid } = await service.ask('pid', {});
    const stop = new AbortController();
    const asked = assert.rejects(service.ask('pid', {}, { signal: stop.signal }), { kind: 'interrupted' });
    stop.abort();
    await asked;
    assert.equal((await service.ask('pid', {})).pid, pid);
  });
});

describe('the cause of the end of a process', function () {
  this.timeout(30_000);

  /** Runs the code in a process that a caller waits for, and returns how it ended. */
  async function endOf(code: string, execArgv: string[] = []): Promise<Exit> {
    const folder = mkdtempSync(join(tmpdir(), 'captious-end-'));
    const script = join(folder, 'child.js');
    writeFileSync(script, `process.on('message', () => { ${code} });`);
    const exits: Exit[] = [];
    const child = new Child({
      script,
      execArgv,
      requests,
      lost: (how) => {
        exits.push(how);
        return new Error('ended');
      },
    });
    await assert.rejects(child.calls.ask('pid', {}));
    rmSync(folder, { recursive: true });
    return exits[0];
  }

  const cause = { code: 'memory', values: ['4.0'] };
  const write = `require('fs').writeSync(${lastWordFd}, '${JSON.stringify(cause)}');`;

  it('is its last word, whatever its standard error says', async () => {
    const exit = await endOf(`${write} console.error('heap limit'); process.kill(process.pid, 'SIGKILL');`);
    assert.deepEqual(exit.cause, cause);
    assert.equal(exit.words, 'heap limit');
  });

  it('is a full heap', async () => {
    const exit = await endOf('for (const all = []; ; ) all.push({});', ['--max-old-space-size=20']);
    assert.deepEqual(exit.cause, { code: 'heap', values: [] });
  });

  it('is unknown if the process only exits', async () => {
    const { code, cause } = await endOf('process.exit(3);');
    assert.deepEqual([code, cause], [3, undefined]);
  });

  it('is a last word that cannot be read, whatever its standard error says', async () => {
    const unclear = ['{"code":"memory","val', '{"code":"else","values":[]}', 'heap limit'];
    for (const word of unclear) {
      const last = `require('fs').writeSync(${lastWordFd}, ${JSON.stringify(word)});`;
      const exit = await endOf(`${last} console.error('heap limit'); process.exit(3);`);
      assert.deepEqual(exit.cause, { code: 'unreadable', values: [word] });
      assert.deepEqual([exit.code, exit.words], [3, 'heap limit']);
    }
  });
});
