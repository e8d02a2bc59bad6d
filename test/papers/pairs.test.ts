import { english } from '../../src/base/english';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from '../../src/report/report';

const data = resolve('../shared/data');
const images = join(data, 'coco/images');

/** Three SugarCrepe splits: the number of all rows, and of the rows with one of the 239 images. */
const splits: Record<string, [number, number]> = {
  replace_obj: [1652, 44],
  swap_obj: [245, 10],
  add_att: [692, 12],
};

describe('pairs and triplets with the available images, by the starter encoder', function () {
  this.timeout(300_000);
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'captious-papers-'));
  });
  after(() => rm(home, { recursive: true }));

  function audit(context: Mocha.Context, file: string, probe: string, images: string): Report {
    for (const needed of [file, images]) {
      if (existsSync(needed)) continue;
      console.log(`      skipped: ${needed} is not there`);
      context.skip();
    }
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [
        'dist/cli.js',
        ...['audit', file, '--probe', probe, '--evaluator', 'starter', '--images', images, '--json'],
      ],
      { encoding: 'utf8', env: { ...process.env, CAPTIOUS_HOME: home }, maxBuffer: 1 << 26 },
    );
    assert.equal(status, 0, stderr);
    return (JSON.parse(stdout) as Report[])[0];
  }

  const of = (report: Report, id: string) =>
    report.metrics.find((metric) => metric.id === id && !metric.slice)!;

  for (const [split, [all, withImage]] of Object.entries(splits)) {
    it(`SugarCrepe ${split}: ${withImage} of ${all} rows with their image, all of them as texts`, function () {
      const report = audit(this, join(data, `sugar-crepe/${split}.json`), 'sugarcrepe', images);
      assert.deepEqual([report.dataset.examples, report.dataset.skipped], [all, 0]);
      const own = of(report, `sugarcrepe.${split}`);
      assert.deepEqual([own.n, of(report, `sugarcrepe.${split}.textSimilarity`).n], [withImage, all]);
      assert.ok(own.value! > 0 && own.value! < 1 && own.ci !== undefined);
      assert.match(
        report.warnings.map(english).join(),
        new RegExp(`^Pairs without an image: ${all - withImage}\\.`),
      );
    });
  }

  it('VISLA with images: 31 of the 973 generic rows, in both settings', function () {
    const report = audit(this, join(data, 'visla/Generic_VISLA.tsv'), 'visla', images);
    assert.deepEqual(
      ['visla.t2t', 'visla.i2t', 'visla.i2t.p1n', 'visla.i2t.p2n', 'visla.both'].map(
        (id) => of(report, id).n,
      ),
      [973, 31, 31, 31, 31],
    );
    assert.ok(of(report, 'visla.i2t').ci !== undefined);
  });

  it('VISLA with images: every sample triplet', function () {
    const report = audit(this, resolve('samples/triplets.tsv'), 'visla', resolve('samples/images'));
    assert.equal(report.dataset.skipped, 0);
    assert.equal(of(report, 'visla.i2t').n, report.dataset.examples);
    assert.equal(of(report, 'visla.both').n, report.dataset.examples);
    console.log(
      `      ${report.dataset.examples} triplets, T2T ${of(report, 'visla.t2t').value!.toFixed(4)}, I2T ${of(report, 'visla.i2t').value!.toFixed(4)}`,
    );
  });
});
