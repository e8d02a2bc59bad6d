import assert from 'node:assert/strict';
import { appendFile, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Calibration } from '../../../../src/probe/invariance/calibration/calibration';
import { captious } from '../captious';

describe('calibrate on changed image files', function () {
  this.timeout(240_000);
  const images = ['--images', resolve('samples/images')];
  let folder: string;
  let dataset: string;
  let report: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-plain-'));
    const clip = resolve('test/fixtures/models/clip');
    dataset = join(folder, 'captions.json');
    await copyFile('samples/captions.json', dataset);
    await copyFile('samples/instances.json', join(folder, 'instances.json'));
    const few = ['--limit', '24', '--no-spread'];
    const audit = ['audit', dataset, ...images, ...few, '--probe', 'invariance', '--evaluator', clip];
    const made = await captious(folder, ...audit, '--out', folder);
    assert.equal(made.code, 0, made.err);
    report = join(folder, 'invariance.clip.report.json');
  });
  after(() => rm(folder, { recursive: true }));

  const calibrated = async (...more: string[]) => {
    const { code, out, err } = await captious(folder, 'calibrate', report, '--json', ...more);
    assert.equal(code, 0, err);
    return JSON.parse(out) as { chosen: string; fits: Calibration[]; files?: string };
  };

  it('scores the saved copies like other files, so raw scores change as in the audit', async () => {
    const { fits, chosen, files } = await calibrated(...images);
    assert.equal(files, undefined);
    for (const { options, plain, heldOut } of fits) {
      assert.ok(plain !== undefined && plain.heldOut.images === heldOut.images);
      assert.ok(plain.heldOut.families.some(({ family }) => family === 'vflip'));
      for (const { family, before } of plain.heldOut.families) {
        const altered = heldOut.families.find((one) => one.family === family)!;
        assert.ok(Math.abs(before - altered.before) < 1e-5, `${family}: ${before}, ${altered.before}`);
      }
      if (options.estimator === 'signed') assert.equal(plain.heldOut.total.after, plain.heldOut.total.before);
    }
    const left = fits.filter(({ options }) => options.estimator !== 'signed');
    const least = Math.min(...left.map(({ plain }) => plain!.dev.total.after));
    assert.equal(left.find(({ options }) => options.estimator === chosen)?.plain?.dev.total.after, least);
  });

  it('says so if there is no such measurement', async () => {
    // Without an image folder, the images are not found.
    for (const more of [['--files', '0'], []]) {
      const { fits, files } = await calibrated(...more);
      assert.ok(files !== undefined);
      assert.ok(fits.every(({ plain }) => plain === undefined));
    }
  });

  it('fails if the user asked for a measurement that is not possible', async () => {
    const asked = ['calibrate', report, '--json', '--files', '3'];
    assert.equal((await captious(folder, ...asked, ...images)).code, 0);
    assert.equal((await captious(folder, ...asked)).code, 2);
    await appendFile(dataset, '\n');
    assert.equal((await captious(folder, ...asked, ...images)).code, 2);
  });
});
