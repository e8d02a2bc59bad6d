import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cannotWrite } from '../../src/base/files/cannotWrite';
import { canMount, captious, filesIn, model, scratch, withDisk } from './command';

const samples = 'samples/captions.json';

/** Makes distinct captions. With enough captions, a test can interrupt their encoding. */
function manyTriplets(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, i) => `${i}.jpg\ta cat number ${i} sits\tcat ${i} is sitting there\ta dog number ${i} sits`,
  );
  return `filename\tcaption\tsecond positive\tnegative_caption\n${lines.join('\n')}\n`;
}

/** Resolves after the first embeddings are on disk. */
async function somethingKept(home: string): Promise<void> {
  const store = join(home, 'store');
  for (const end = Date.now() + 30_000; Date.now() < end; await wait(20)) {
    if (existsSync(store) && readdirSync(store).some((name) => name.endsWith('.keys'))) return;
  }
  throw new Error('Nothing was kept within half a minute.');
}

/** Checks that the error names the file and the system's code, and ends with the remedy for them. */
function namesFile(err: string, path: string, code: string): void {
  const line = err.split('\n').find((one) => one.startsWith('captious: ')) ?? '';
  assert.ok(line.startsWith(`captious: ${path}: `), err);
  assert.ok(line.includes(code), err);
  assert.ok(line.endsWith(` ${cannotWrite(path, { code }).remedy}`), err);
}

/** The lines that name a file or folder at their start. */
const linesOn = (err: string, path: string): string[] =>
  err.split('\n').filter((line) => line.startsWith(`${path}: `));

describe('faults of the process and the disk', function () {
  this.timeout(120_000);
  const place = scratch();
  let reference: Record<string, string>;

  const auditTo = (out: string): string[] => [
    'audit',
    samples,
    '--probe',
    'lgip',
    '--evaluator',
    model('clip'),
    '--out',
    out,
  ];

  before(async () => {
    const { code, err } = await captious(auditTo(place.in('reference')), { home: place.home });
    assert.equal(code, 0, err);
    reference = await filesIn(place.in('reference'));
    assert.equal(Object.keys(reference).length, 2);
  });

  describe('the disk', () => {
    it('a full disk under the store: one warning, the same report', async function () {
      if (!canMount()) return this.skip();
      const home = place.in('full-home');
      await mkdir(home);
      const out = place.in('full-home-out');
      const { code, err } = await captious(auditTo(out), { home, through: withDisk(home, 'size=64k') });
      assert.equal(code, 0, err);
      assert.equal(linesOn(err, join(home, 'store')).length, 1, err);
      assert.deepEqual(await filesIn(out), reference);
    });

    it('a read-only disk under the store: one warning, the same report', async function () {
      if (!canMount()) return this.skip();
      const home = place.in('read-only-home');
      await mkdir(home);
      const through = withDisk(home, 'size=1m', `mount -o remount,ro '${home}' &&`);
      const { code, err } = await captious(auditTo(place.in('read-only-out')), { home, through });
      assert.equal(code, 0, err);
      assert.equal(linesOn(err, join(home, 'store')).length, 1, err);
      assert.deepEqual(await filesIn(place.in('read-only-out')), reference);
    });

    it('a full disk under the report: exits with 3, asks to free space, leaves no files there, resumes from the store', async function () {
      if (!canMount()) return this.skip();
      const out = place.in('full-out');
      const home = place.in('home-of-full-out');
      await mkdir(out);
      const { code, err } = await captious(auditTo(out), { home, through: withDisk(out, 'size=64k') });
      assert.equal(code, 3, err);
      namesFile(err, join(out, 'lgip.clip.rows.jsonl'), 'ENOSPC');
      assert.doesNotMatch(err, /\.part$/m, 'what could not be finished was left behind');
      const again = await captious(auditTo(out), { home });
      assert.equal(again.code, 0);
      assert.deepEqual(await filesIn(out), reference);
    });

    it('a read-only report folder: exits with 2, names it and the remedy', async function () {
      if (!canMount()) return this.skip();
      const out = place.in('read-only-reports');
      await mkdir(out);
      const through = withDisk(out, 'size=1m', `mount -o remount,ro '${out}' &&`);
      const { code, err } = await captious(auditTo(out), { home: place.home, through });
      assert.equal(code, 2, err);
      namesFile(err, join(out, 'lgip.clip.rows.jsonl'), 'EROFS');
    });

    for (const [name, options, readOnly] of [
      ['full', 'size=24k', false],
      ['read-only', 'size=1m', true],
    ] as const)
      it(`a ${name} home with the reports in it: names the file and CAPTIOUS_HOME`, async function () {
        if (!canMount()) return this.skip();
        const home = place.in(`${name}-home-of-reports`);
        await mkdir(home);
        const through = withDisk(home, options, readOnly ? `mount -o remount,ro '${home}' &&` : '');
        const { code, err } = await captious(auditTo('').slice(0, -2), { home, through });
        assert.equal(code, readOnly ? 2 : 3, err);
        const line = err.split('\n').find((one) => one.startsWith(`captious: ${join(home, 'runs')}`));
        assert.match(line ?? err, /CAPTIOUS_HOME/);
      });

    it('a full disk under an export: exits with 3, no partial file', async function () {
      if (!canMount()) return this.skip();
      const target = place.in('full-export');
      await mkdir(target);
      const report = join(place.in('reference'), 'lgip.clip.report.json');
      const file = join(target, 'rows.csv');
      const { code, err } = await captious(['export', report, '--to', 'csv', '--out', file], {
        home: place.home,
        through: withDisk(target, 'size=32k'),
      });
      assert.equal(code, 3, err);
      namesFile(err, file, 'ENOSPC');
      assert.doesNotMatch(err, /^\.?rows\.csv/m);
    });

    it('standard output that accepts no more data: exits with at most 2, without a stack trace', async function () {
      if (!existsSync('/dev/full')) return this.skip();
      const report = join(place.in('reference'), 'lgip.clip.report.json');
      const { code, err } = await captious(['export', report, '--to', 'csv'], {
        home: place.home,
        through: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'],
      });
      assert.equal(code, 2, err);
      assert.match(err, /ENOSPC/);
      assert.doesNotMatch(err, /^\s+at /m);
    });

    it('a limit on file size, such as a quota: exits with 3, asks to free space', async function () {
      if (process.platform === 'win32') return this.skip();
      const out = place.in('limited');
      const { code, err } = await captious(auditTo(out), {
        home: place.home,
        through: ['sh', '-c', `trap '' XFSZ; ulimit -f 40; exec "$@"`, 'sh'],
      });
      assert.equal(code, 3, err);
      namesFile(err, join(out, 'lgip.clip.rows.jsonl'), 'EFBIG');
      assert.deepEqual(await readdir(out), []);
    });
  });

  describe('concurrent commands', () => {
    it('three commands on one store and one report folder: each writes the same report', async () => {
      const home = place.in('shared-home');
      const runs = await Promise.all([1, 2, 3].map(() => captious(auditTo(place.in('shared')), { home })));
      for (const { code, err } of runs) assert.equal(code, 0, err);
      assert.deepEqual(await filesIn(place.in('shared')), reference);
      const warm = await captious(auditTo(place.in('shared-warm')), { home });
      assert.equal(warm.code, 0);
      assert.deepEqual(await filesIn(place.in('shared-warm')), reference);
    });
  });

  describe('the clock', () => {
    for (const [name, jump] of [
      ['forward a day at every look', 86_400_000],
      ['back an hour at every look', -3_600_000],
    ] as const) {
      it(`that jumps ${name}: the same report`, async () => {
        const hook = place.in(`clock${jump}.cjs`);
        await writeFile(
          hook,
          `const real = Date.now; let off = 0; Date.now = () => real() + (off += ${jump});`,
        );
        const out = place.in(`clock${jump}`);
        const { code, err } = await captious(auditTo(out), {
          home: place.in(`clock-home${jump}`),
          node: ['--require', hook],
        });
        assert.equal(code, 0, err);
        assert.deepEqual(await filesIn(out), reference);
      });
    }
  });

  describe('files that change during a run', () => {
    it('the dataset: exits with 3, says so, writes no report', async () => {
      const data = place.in('changing.tsv');
      await writeFile(data, manyTriplets(8000));
      const out = place.in('changing');
      const home = place.in('changing-home');
      const { code, err } = await captious(
        ['audit', data, '--probe', 'visla', '--evaluator', model('bert-cls'), '--out', out],
        {
          home,
          meanwhile: async () => {
            await somethingKept(home);
            await appendFile(data, 'x.jpg\tone\ttwo\tthree\n');
          },
        },
      );
      assert.equal(code, 3, err);
      assert.ok(err.includes(`captious: ${data}: `), err);
      assert.deepEqual(await readdir(out), []);
    });

    it('the model: exits with 3, says so, stores no result of the changed model', async () => {
      const data = place.in('steady.tsv');
      await writeFile(data, manyTriplets(8000));
      const folder = place.in('changing-model');
      await cp(model('bert-cls'), folder, { recursive: true });
      const graph = join(folder, 'onnx', 'model.onnx');
      const other = Buffer.from(await readFile(graph));
      // Changes a number in the middle of the weights. The file keeps its size, but the model differs.
      other[Math.floor(other.length / 2)] ^= 0x3f;
      const out = place.in('changing-model-out');
      const home = place.in('changing-model-home');
      const { code, err } = await captious(
        ['audit', data, '--probe', 'visla', '--evaluator', folder, '--out', out],
        {
          home,
          meanwhile: async () => {
            await somethingKept(home);
            await writeFile(join(folder, 'new.onnx'), other);
            await rename(join(folder, 'new.onnx'), graph);
          },
        },
      );
      assert.equal(code, 3, err);
      assert.ok(err.includes(`captious: ${graph}: `), err);
      // Rows from before the change may stay for a resumed run.
      assert.deepEqual(
        (await readdir(out)).filter((name) => !name.endsWith('.part')),
        [],
      );
      // Restores the first model. Stored results and new results must both come from this model.
      await cp(join(model('bert-cls'), 'onnx', 'model.onnx'), graph);
      const audit = ['audit', data, '--probe', 'visla', '--evaluator', folder, '--out'];
      assert.equal((await captious([...audit, place.in('kept')], { home })).code, 0);
      assert.equal(
        (await captious([...audit, place.in('afresh')], { home: place.in('fresh-home') })).code,
        0,
      );
      const [kept, afresh] = [await filesIn(place.in('kept')), await filesIn(place.in('afresh'))];
      assert.ok(Object.keys(kept).every((name) => kept[name] === afresh[name]));
    });
  });
});
