import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Report } from '../../src/report/report';
import { captious, filesIn, model, scratch } from './command';

/** Whether tests can run a process with another host name and separate process ids. Prints a message if not. */
function canUnshare(): boolean {
  const able = spawnSync('unshare', [...another, 'true']).status === 0;
  if (!able) console.log('      (left out: this machine lets no test make namespaces)');
  return able;
}

const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const another = [...user, '--pid', '--uts', '--fork', '--mount-proc', '--kill-child'];

const hosts = ['ahead', 'killed', 'steady'] as const;

describe('three hosts with one home and one report folder', function () {
  this.timeout(300_000);
  const place = scratch();
  const shared = (): string => place.in('shared');
  const auditTo = (out: string, host: string, ...more: string[]): string[] => [
    ...['audit', place.in(`${host}.tsv`), '--probe', 'visla', '--evaluator', model('bert-cls')],
    ...['--out', out, ...more],
  ];

  /** Starts an audit on a host with its own name, process ids, mount of the shared folder, and clock. */
  function on(host: (typeof hosts)[number]): ChildProcess {
    const mounted = place.in(`mount of ${host}`);
    const script = `hostname ${host}; mount --bind "$1" "$2"; shift 2; "$@" & wait $!`;
    const hook = host === 'ahead' ? ['--require', place.in('clock.cjs')] : [];
    const command = [
      process.execPath,
      ...hook,
      resolve('dist/cli.js'),
      ...auditTo(join(mounted, 'out'), host),
    ];
    return spawn(
      'unshare',
      [...another, '--mount', 'sh', '-c', script, 'sh', shared(), mounted, ...command],
      {
        stdio: 'ignore',
        env: { ...process.env, CAPTIOUS_HOME: join(mounted, 'home') },
      },
    );
  }

  before(async function () {
    if (!canUnshare()) return this.skip();
    for (const folder of ['shared', 'shared/out', ...hosts.map((host) => `mount of ${host}`)])
      await mkdir(place.in(folder));
    // Half of the captions are the same for all hosts, so that they read each other's results.
    for (const host of hosts) {
      const text = Array.from({ length: 1500 }, (_, i) => {
        const where = i % 2 === 0 ? 'a house' : `the house of ${host}`;
        return `${i}.jpg\ta cat number ${i} sits in ${where}\tin ${where} sits cat ${i}\ta dog ${i} is in ${where}`;
      });
      await writeFile(
        place.in(`${host}.tsv`),
        `filename\tcaption\tsecond positive\tnegative_caption\n${text.join('\n')}\n`,
      );
    }
    const hour = 3_600_000;
    await writeFile(
      place.in('clock.cjs'),
      `const real = Date.now; Date.now = () => real() + ${hour}; const RealDate = Date;
       globalThis.Date = class extends RealDate { constructor(...of) { super(...(of.length > 0 ? of : [RealDate.now()])); } };`,
    );
  });

  it('lose nothing, delete nothing of each other, and write the same bytes, if one is killed and a clock is ahead', async () => {
    const out = join(shared(), 'out');
    const runs = new Map(hosts.map((host) => [host, on(host)]));
    const ended = hosts.filter((host) => host !== 'killed').map((host) => once(runs.get(host)!, 'exit'));
    for (const end = Date.now() + 120_000; Date.now() < end; await wait(20))
      if ((await marked(out, 'killed')) !== undefined) break;
    runs.get('killed')!.kill('SIGKILL');
    await once(runs.get('killed')!, 'exit');
    const left = await marked(out, 'killed');
    assert.ok(left !== undefined, 'the killed run wrote a checkpoint');
    for (const one of ended) assert.deepEqual(await one, [0, null]);

    // A later run of another dataset on this host finds the silent files of the killed host.
    const silent = new Date(Date.now() - 400_000);
    for (const name of left) await utimes(join(out, name), silent, silent);
    const home = join(shared(), 'home');
    const early = await captious(auditTo(out, 'steady', '--limit', '5', '--seed', '9'), { home });
    assert.equal(early.code, 0, early.err);
    const parts = (await readdir(out)).filter((name) => name.endsWith('.part'));
    assert.deepEqual(parts.sort(), left.sort());

    const { code, err } = await captious(auditTo(out, 'killed'), { home, limitMs: 240_000 });
    assert.equal(code, 0, err);
    assert.equal((await captious(auditTo(out, 'steady'), { home, limitMs: 240_000 })).code, 0);
    for (const host of hosts) {
      const alone = place.in(`alone ${host}`);
      const { code, err } = await captious(auditTo(alone, host), {
        home: place.in(`home ${host}`),
        limitMs: 240_000,
      });
      assert.equal(code, 0, err);
      assert.equal(await rowsOf(out, host), await rowsOf(alone, host), host);
    }
  });

  /** The unfinished files of a host's run, once its checkpoint has results. */
  async function marked(out: string, host: string): Promise<string[] | undefined> {
    for (const name of (await readdir(out)).filter((one) => one.startsWith('.journal'))) {
      const [first, ...marks] = (await readFile(join(out, name), 'utf8').catch(() => '')).split('\n');
      if (!first.includes(`"host":"${host}"`) || marks.length < 2) continue;
      const { parts } = JSON.parse(first.slice(9)) as { parts: string[] };
      return [name, ...parts];
    }
    return undefined;
  }

  /** The rows of the report on a host's dataset. */
  async function rowsOf(folder: string, host: string): Promise<string> {
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.report.json'))) {
      const report = JSON.parse(await readFile(join(folder, name), 'utf8')) as Report;
      if (report.dataset.path === place.in(`${host}.tsv`)) return readFile(join(folder, report.rows), 'utf8');
    }
    throw new Error(`There is no report of ${host} in ${folder}.`);
  }
});

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
    assert.deepEqual(await parts(out), left, 'the files of the other host stay');
    assert.match(err, /This run resumes after/);
    for (const name of left) await rm(join(out, name));
    assert.deepEqual(await filesIn(out), await filesIn(whole));
  });
});
