import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captious as run } from '../../../../unit/cli/captious';
import { saying } from '../../../../sentence';

interface Outcome {
  fittedOn: string[];
  heldOut: string[];
  share: number;
  trials: { share: number; clean: number; stressed: number }[];
  comparisons: { probe: string; differences: { metric: string; n: number }[] }[];
}

describe('captious repair', function () {
  this.timeout(120_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-repair-'))));
  after(() => rm(folder, { recursive: true }));

  const captious = (...args: string[]) => run(join(folder, 'home'), ...args);

  const repair = (out: string, ...more: string[]) =>
    captious(
      'repair',
      'samples/captions.json',
      '--evaluator',
      'test/fixtures/models/clip',
      '--out',
      join(folder, out),
      ...['--rank', '2', '--epochs', '4'],
      ...more,
    );

  it('repairs an evaluator and audits both on held-out images', async () => {
    const { code, out, err } = await repair('first', '--probe', 'rococo', '--json');
    assert.equal(code, 0, err);
    const made = JSON.parse(out) as Outcome;
    assert.ok(made.heldOut.length > 0);
    assert.deepEqual(
      made.heldOut.filter((name) => made.fittedOn.includes(name)),
      [],
    );
    const kept = JSON.parse(await readFile(join(folder, 'first/held-out.json'), 'utf8')) as {
      images: { file_name: string }[];
    };
    assert.deepEqual(
      kept.images.map(({ file_name: name }) => name),
      made.heldOut,
    );
    const [{ differences }] = made.comparisons;
    assert.equal(differences.find(({ metric }) => metric === 'rococo.i2t.r1')?.n, made.heldOut.length);
    assert.equal(made.trials[0].share, 0);

    const audit = await captious(
      ...['audit', 'samples/captions.json', '--probe', 'lgip', '--evaluator', join(folder, 'first')],
      ...['--limit', '5', '--out', join(folder, 'reports')],
    );
    assert.equal(audit.code, 0, audit.err);
    assert.match(audit.out + audit.err, saying('evaluator.repairedEmbeddings'));
  });

  it('gives the same evaluator again, to the bit, and another for another seed', async () => {
    const maps = async (out: string): Promise<Buffer[]> =>
      Promise.all(['text', 'image'].map((tower) => readFile(join(folder, out, `${tower}.npy`))));
    // `--cost 1` allows any cost, so that the repair changes something and the seed matters.
    const loose = ['--probe', 'none', '--cost', '1'];
    for (const [out, seed] of [
      ['one', '1'],
      ['again', '1'],
      ['other', '2'],
    ]) {
      const { code, err } = await repair(out, '--seed', seed, ...loose);
      assert.equal(code, 0, err);
    }
    assert.deepEqual(await maps('again'), await maps('one'));
    const shares = await Promise.all(
      ['one', 'other'].map(async (out) => await readFile(join(folder, out, 'evaluator.json'), 'utf8')),
    );
    assert.notEqual(shares[0], shares[1]);
  });

  it('says what is missing or invalid', async () => {
    const said = async (...args: string[]) => {
      const { code, err } = await captious('repair', ...args);
      assert.equal(code, 2);
      return err;
    };
    const out = ['--out', join(folder, 'never')];
    assert.match(await said('samples/captions.json', ...out), /--evaluator is missing/);
    assert.match(
      await said('samples/captions.json', '--evaluator', 'test/fixtures/models/bert-cls', ...out),
      saying('repair.needsDualEncoder', 'bert-cls'),
    );
    assert.match(
      await said('samples/captions.json', '--evaluator', 'test/fixtures/models/clip', ...out, '--cost', 'x'),
      /--cost x/,
    );
    assert.match(
      await said(
        'samples/captions.json',
        '--evaluator',
        'test/fixtures/models/clip',
        ...out,
        '--held-out',
        '0.9',
        '--fit-on',
        'x',
      ),
      /column=value/,
    );
  });
});
