import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { runBenchmark } from '../../../../src/audit/benchmark/run';
import { Looks } from '../../../../src/audit/benchmark/looks';
import { distance } from '../../../../src/probe/benchmark/images/alike';
import { type Fault, faultMetrics } from '../../../../src/probe/benchmark/faultNames';
import type { BenchmarkRow } from '../../../../src/probe/benchmark/row';
import { metricOf } from '../../../../src/probe/metric';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { readRows } from '../../../../src/report/rows';
import { archive, file, header } from '../../dataset/archives';
import { scratchFolder } from '../../dataset/support';
import { drawing } from './drawing';

const scratch = scratchFolder();
const { signal } = new AbortController();
const home = join(scratch.path, 'home');

function folder(name: string): string {
  const path = join(scratch.path, name);
  mkdirSync(path);
  return path;
}

/** A file with a caption for each image. */
function pairs(path: string, images: readonly string[], caption = 'a dog sleeps on a sofa'): string {
  const lines = images.map((image, i) =>
    JSON.stringify({ image, caption: `${caption} ${i}`, negative: `a cat sleeps on a sofa ${i}` }),
  );
  writeFileSync(path, lines.join('\n'));
  return path;
}

async function checked(dataset: string, more: { images?: string[]; against?: string[] } = {}) {
  const out = `${dataset} reports`;
  const { report, path } = await runBenchmark({ dataset, out, home, seed: 42, signal, ...more });
  const rows: BenchmarkRow[] = [];
  for await (const row of readRows(path, report, new LeftOutRows())) rows.push(row as BenchmarkRow);
  const count = (fault: Fault) => metricOf(report.metrics, faultMetrics[fault])?.value;
  return { rows, count };
}

describe('images of a benchmark', function () {
  this.timeout(60_000);

  it('are compared with earlier ones, and counted if they cannot be decoded', async () => {
    const own = folder('copies');
    const first = await drawing(own, 'first.png', 1);
    await drawing(own, 'second.png', 2);
    copyFileSync(first, join(own, 'copy.png'));
    await sharp(first).resize(200, 150).jpeg({ quality: 60 }).toFile(join(own, 'small.jpg'));
    writeFileSync(join(own, 'broken.png'), readFileSync(first).subarray(0, 2000));
    const names = ['first.png', 'second.png', 'copy.png', 'small.jpg', 'broken.png', 'none.png', 'first.png'];
    const { rows, count } = await checked(pairs(join(own, 'pairs.jsonl'), names));
    assert.deepEqual(
      rows.map(({ faults, earlierImage }) => [faults, earlierImage]),
      [
        [undefined, undefined],
        [undefined, undefined],
        [['sameImage'], 'first.png'],
        [['similarImage'], 'first.png'],
        [['corruptImage'], undefined],
        [['missingImage'], undefined],
        [undefined, undefined],
      ],
    );
    const counts = ['sameImage', 'similarImage', 'corruptImage', 'missingImage'] as const;
    assert.deepEqual(counts.map(count), [1, 1, 1, 1]);
  });

  it('are not searched if none lies next to the dataset', async () => {
    const { count } = await checked(pairs(join(folder('bare'), 'pairs.jsonl'), ['a.png', 'b.png']));
    assert.deepEqual(
      [count('missingImage'), count('corruptImage'), count('sameImage')],
      [undefined, undefined, undefined],
    );
  });

  it('are read from inside a tar archive', async () => {
    const own = folder('inside');
    const [first, second] = [await drawing(own, 'a.png', 1), await drawing(own, 'b.png', 2)];
    const parts = [first, second, first].flatMap((path, i) => {
      const bytes = i === 1 ? readFileSync(path).subarray(0, 900) : readFileSync(path);
      const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
      const row = { caption: `a dog runs ${i}`, negative_caption: `a cat runs ${i}` };
      return [header(`${i}.png`, bytes.length), bytes, padding, file(`${i}.json`, JSON.stringify(row))];
    });
    const path = join(folder('archive'), 'pairs.tar');
    writeFileSync(path, archive(...parts));
    const { rows, count } = await checked(path);
    assert.deepEqual(
      rows.map(({ image, faults, earlierImage }) => [image, faults, earlierImage]),
      [
        ['0.png', undefined, undefined],
        ['1.png', ['corruptImage'], undefined],
        ['2.png', ['sameImage'], '0.png'],
      ],
    );
    assert.deepEqual([count('sameImage'), count('corruptImage'), count('missingImage')], [1, 1, undefined]);
  });

  it('leak if another file has them under another name, but not for the name alone', async () => {
    const [own, other] = [folder('own images'), folder('other images')];
    await drawing(own, 'picture-1.png', 1);
    await drawing(own, 'picture-2.png', 2);
    await drawing(other, 'picture-2.png', 3);
    copyFileSync(join(own, 'picture-1.png'), join(other, 'training.png'));
    const train = pairs(
      join(other, 'train.jsonl'),
      ['training.png', 'picture-2.png'],
      'two men ride a horse',
    );
    const { rows, count } = await checked(
      pairs(join(own, 'pairs.jsonl'), ['picture-1.png', 'picture-2.png']),
      { against: [train] },
    );
    assert.deepEqual(
      rows.map(({ leaks }) => leaks),
      [{ leakedImage: train }, undefined],
    );
    assert.deepEqual([count('leak'), count('leakedImage'), count('leakedCaption')], [1, 1, 0]);
  });
});

describe('leaks of a benchmark', () => {
  it('are between the splits of its own file', async () => {
    const lines = [
      ['train', 'a dog sleeps on a sofa'],
      ['train', 'two men ride a horse'],
      ['test', 'A dog sleeps on a sofa.'],
    ].map(([split, caption], i) =>
      JSON.stringify({ image: `${i}.png`, caption, negative: 'something that is quite wrong', split }),
    );
    const { rows, count } = await checked(scratch.write('splits.jsonl', lines.join('\n')));
    assert.deepEqual(
      rows.map(({ leaks }) => leaks),
      [{ leakedCaption: 'test' }, undefined, { leakedCaption: 'train' }],
    );
    assert.equal(count('leak'), 2);
  });
});

describe('what an image shows', function () {
  this.timeout(60_000);
  const looks = new Looks(signal);
  after(() => looks.close());

  it('is known by its pixels, upright by EXIF, and is nearly the same for a copy', async () => {
    const own = folder('looks');
    const path = await drawing(own, 'own.png', 5);
    const turned = join(own, 'turned.png');
    await sharp(path).rotate(90).withMetadata({ orientation: 8 }).toFile(turned);
    const bytes = await sharp(path).modulate({ brightness: 1.1 }).jpeg().toBuffer();
    const plain = await sharp({ create: { width: 50, height: 50, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const [first, upright, bright, red, none] = await looks.of([
      { name: 'own', path },
      { name: 'turned', path: turned },
      { name: 'bright', bytes },
      { name: 'plain', bytes: plain },
      { name: 'none', path: join(own, 'none.png') },
    ]);
    assert.equal(first!.pixels, upright!.pixels);
    assert.notEqual(first!.pixels, bright!.pixels);
    assert.ok(distance(first!.pattern, bright!.pattern) <= 4);
    assert.deepEqual([red!.pattern.length, none], [0, undefined]);
  });

  it('is not read after a cancel', async () => {
    const cancelled = new Looks(AbortSignal.abort());
    await assert.rejects(cancelled.of([{ name: 'own', path: join(scratch.path, 'looks', 'own.png') }]));
    await cancelled.close();
  });
});
