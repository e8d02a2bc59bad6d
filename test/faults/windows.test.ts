import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runInside } from '../e2e/inside';
import { captious, model, scratch } from './command';

/** Makes distinct rows. With enough rows, the audits of both windows and of the command overlap. */
function manyTriplets(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, i) => `${i}.jpg\ta cat number ${i} sits\tcat ${i} is sitting there\ta dog number ${i} sits`,
  );
  return `filename\tcaption\tsecond positive\tnegative_caption\n${lines.join('\n')}\n`;
}

async function rowsIn(folder: string): Promise<string> {
  const name = (await readdir(folder)).find((one) => one.endsWith('.rows.jsonl'));
  assert.ok(name !== undefined, `no rows in ${folder}`);
  return readFile(join(folder, name), 'utf8');
}

describe('two windows of the editor and a command on one store', function () {
  this.timeout(600_000);
  const place = scratch();

  it('each writes the same rows, each time, and so does a fourth run from their cache', async () => {
    const workspace = place.in('workspace');
    await mkdir(workspace);
    const data = join(workspace, 'many.tsv');
    await writeFile(data, manyTriplets(3000));
    const audit = (out: string): string[] => [
      ...['audit', data, '--probe', 'visla', '--evaluator', model('bert-cls'), '--out', out],
    ];
    const alone = await captious(audit(place.in('alone')), { home: place.in('home-alone') });
    assert.equal(alone.code, 0, alone.err);
    const reference = await rowsIn(place.in('alone'));

    const home = place.in('home');
    const windows = ['one', 'two'].map(async (name) => {
      const results = place.in(name);
      await mkdir(results);
      const env = { CAPTIOUS_RESULTS: results };
      const code = await runInside({ tests: 'test/inside/share', workspace: [workspace], home, name, env });
      assert.equal(code, 0, `the window ${name}`);
    });
    let done = false;
    const all = Promise.all(windows).finally(() => (done = true));
    // Windows open slowly, so the first command waits until one has created the store.
    const store = join(home, 'store');
    while (!done && !existsSync(store)) await wait(50);
    let runs = 0;
    for (; !done; runs++) {
      const { code, err } = await captious(audit(place.in(`beside${runs}`)), { home });
      assert.equal(code, 0, err);
      assert.equal(await rowsIn(place.in(`beside${runs}`)), reference, `run ${runs} beside the windows`);
    }
    await all;
    assert.ok(runs > 0, 'no command line ran while the windows did');
    for (const name of ['one', 'two'])
      for (let run = 0; run < 3; run++)
        assert.equal(
          await rowsIn(place.in(join(name, `run${run}`))),
          reference,
          `run ${run} of the window ${name}`,
        );
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async (name) =>
        (await readFile(place.in(join(name, 'times')), 'utf8')).trim().split(/\s+/).map(Number),
      ),
    );
    assert.ok(
      Math.max(one[0], two[0]) < Math.min(one.at(-1)!, two.at(-1)!),
      'the windows were not open together',
    );
    const after = await captious(audit(place.in('after')), { home });
    assert.equal(after.code, 0, after.err);
    assert.equal(await rowsIn(place.in('after')), reference);
  });
});
