import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captious as run } from '../../captious';

describe('captious export of rows', function () {
  this.timeout(60_000);
  let folder: string;
  let report: string;
  const captious = (...args: string[]) => run(join(folder, 'home'), ...args);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'captious-rows-'));
    const audit = ['audit', 'samples/captions.json', '--probe', 'lgip', '--limit', '3'];
    const { code, err } = await captious(
      ...audit,
      '--evaluator',
      'test/fixtures/models/clip',
      '--out',
      folder,
    );
    assert.equal(code, 0, err);
    report = join(folder, 'lgip.clip.report.json');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has the unchanged image files on request', async () => {
    const image = readFileSync('samples/images/000000012280.jpg');
    for (const form of ['parquet', 'arrow', 'webdataset']) {
      const [plain, full] = [join(folder, `plain.${form}`), join(folder, `full.${form}`)];
      assert.equal((await captious('export', report, '--to', form, '--out', plain)).code, 0);
      assert.equal(readFileSync(plain).includes(image), false);
      const images = ['--images', 'samples/images'];
      const { code, err } = await captious('export', report, '--to', form, '--out', full, ...images);
      assert.deepEqual([code, err.trim()], [0, `wrote ${full}`]);
      // Parquet's compression copies what does not repeat, but in pieces.
      const start = form === 'parquet' ? image.subarray(200, 260) : image;
      assert.equal(readFileSync(full).includes(start), true, form);
    }
  });

  it('writes a folder for --out DIR/, and for several reports', async () => {
    const one = `${join(folder, 'one')}/`;
    const { code, out, err } = await captious('export', report, '--to', 'parquet', '--out', one, '--json');
    assert.equal(code, 0, err);
    assert.equal((JSON.parse(out) as { files: string[] }).files.length, 2);
    assert.deepEqual(readdirSync(join(one, 'lgip')), ['rows-00000-of-00001.parquet']);
    const again = await captious('export', report, '--to', 'parquet', '--out', one);
    assert.equal(again.code, 2);
    const two = join(folder, 'two');
    assert.equal((await captious('export', report, report, '--to', 'webdataset', '--out', two)).code, 0);
    assert.deepEqual(
      readdirSync(join(two, 'lgip')),
      [0, 1].map((i) => `rows-0000${i}-of-00002.tar`),
    );
    const nowhere = await captious('export', report, report, '--to', 'arrow');
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.err, /--out DIR/);
  });
});
