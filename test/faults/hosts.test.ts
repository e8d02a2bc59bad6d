import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { captious, filesIn, model, scratch } from './command';

/** Whether tests can run a process with another host name and separate process ids. Prints a message if not. */
function canUnshare(): boolean {
  const able = spawnSync('unshare', [...another, 'true']).status === 0;
  if (!able) console.log('      (left out: this machine lets no test make namespaces)');
  return able;
}

const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const another = [...user, '--pid', '--uts', '--fork', '--mount-proc', '--kill-child'];

describe('two hosts with one folder', function () {
  this.timeout(180_000);
  const place = scratch();
  const dataset = (): string => place.in('captions.tsv');
  const auditTo = (out: string, seed = 1): string[] => [
    ...['audit', dataset(), '--probe', 'visla', '--evaluator', model('bert-cls')],
    ...['--seed', String(seed), '--out', out],
  ];

  /** Starts a run with another host name and separate process ids. The run's process id is low, such as 40. */
  function elsewhere(out: string): ChildProcess {
    const script = 'hostname elsewhere; for i in $(seq 30); do /bin/true; done; "$@" & wait $!';
    const command = [process.execPath, resolve('dist/cli.js'), ...auditTo(out)];
    return spawn('unshare', [...another, 'sh', '-c', script, 'sh', ...command], {
      stdio: 'ignore',
      env: { ...process.env, CAPTIOUS_HOME: place.in(`home of ${out.split('/').at(-1)}`) },
    });
  }

  async function parts(out: string): Promise<string[]> {
    return existsSync(out) ? (await readdir(out)).filter((name) => name.endsWith('.part')) : [];
  }

  /** Resolves when the run's checkpoint has results. */
  async function inTheMiddle(out: string): Promise<void> {
    for (const end = Date.now() + 60_000; Date.now() < end; await wait(20)) {
      const names = await parts(out);
      const journal = names.find((name) => name.startsWith('.journal'));
      if (journal !== undefined && (await readFile(join(out, journal), 'utf8')).split('\n').length > 2)
        return;
    }
    throw new Error('The run wrote nothing within a minute.');
  }

  before(async function () {
    if (!canUnshare()) return this.skip();
    const lines = Array.from(
      { length: 4000 },
      (_, i) => `${i}.jpg\ta cat number ${i} sits\tcat ${i} is sitting there\ta dog number ${i} sits`,
    );
    await writeFile(dataset(), `filename\tcaption\tsecond positive\tnegative_caption\n${lines.join('\n')}\n`);
  });

  it('leaves unfinished rows of the other host alone, and both runs complete', async () => {
    const out = place.in('shared');
    const other = elsewhere(out);
    const ended = once(other, 'exit');
    await inTheMiddle(out);
    const { code, err } = await captious(auditTo(out, 2), { home: place.home, limitMs: 120_000 });
    assert.equal(code, 0, err);
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual(await parts(out), []);
  });

  it('resumes after SIGKILL on the other host with identical bytes, once its heartbeat is overdue', async () => {
    const whole = place.in('whole');
    assert.equal((await captious(auditTo(whole), { home: place.home, limitMs: 120_000 })).code, 0);
    const out = place.in('killed');
    const other = elsewhere(out);
    await inTheMiddle(out);
    other.kill('SIGKILL');
    await once(other, 'exit');
    const left = await parts(out);
    assert.ok(left.length >= 2, left.join());
    const early = await captious([...auditTo(out, 2), '--limit', '5'], { home: place.home });
    assert.equal(early.code, 0, early.err);
    assert.deepEqual(await parts(out), left);
    const overdue = new Date(Date.now() - 150_000);
    for (const name of left) await utimes(join(out, name), overdue, overdue);
    const { code, err } = await captious(auditTo(out), { home: place.home, limitMs: 120_000 });
    assert.equal(code, 0, err);
    assert.deepEqual(await parts(out), []);
    assert.match(err, /This run resumes after/);
    assert.deepEqual(await filesIn(out), await filesIn(whole));
  });
});
