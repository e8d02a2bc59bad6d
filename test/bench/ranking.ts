import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { Random } from '../../src/base/random';
import { Ranker } from '../../src/evaluator/ranking/ranking';
import type { Rows } from '../../src/evaluator/ranking/rows';
import { dimension, images, perImage, type RankingRun } from './rankingRun';
import { pythonWith } from './needs';
import { median, type Section } from './report';

const altered = 25_000;

/**
 * Ranks captions, true and altered, for each image. Compares the time with NumPy's product of the same matrices.
 * The measured code is bundled, because loading TypeScript sources would add to the measured memory.
 */
export async function benchRanking(rounds: number): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'captious-ranking-bench-'));
  try {
    const random = gaussians();
    const imageRows = { count: images, dimension, data: random(images * dimension) };
    const captions = captionsOf(imageRows, random);
    await writeFile(join(folder, 'photos.f32'), Buffer.from(imageRows.data.buffer));
    await writeFile(join(folder, 'captions.f32'), Buffer.from(captions.data.buffer));
    await build({
      entryPoints: { rankingRun: 'test/bench/rankingRun.ts', session: 'src/evaluator/native/main.ts' },
      bundle: true,
      platform: 'node',
      external: ['onnxruntime-node', 'sharp'],
      outdir: folder,
      logLevel: 'error',
    });
    await copyFile('dist/ranking.wasm', join(folder, 'ranking.wasm'));
    await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');

    const numpy: number[] = [];
    const runs: RankingRun[] = [];
    for (let round = 0; round < rounds; round++) {
      numpy.push(...numpyTimes(folder));
      const localized = execFileSync(process.execPath, [join(folder, 'rankingRun.js'), folder], {
        encoding: 'utf8',
      });
      runs.push(JSON.parse(localized) as RankingRun);
    }
    const ours = runs.map(({ seconds }) => seconds);
    const sending = runs.map((run) => run.sending);
    const memory = Math.max(...runs.map(({ parent, child }) => (parent ?? NaN) + (child ?? NaN))) / 1e6;
    return {
      id: 'ranking',
      title: 'Ranking',
      notes: [
        `${images} images against ${captions.count} captions of ${dimension} numbers in float32: the top 10 of each image, and the`,
        `rank of each of its ${perImage} true captions, compared with NumPy's matrix product alone. Rounds are interleaved.`,
        `NumPy ${numpyVersion()}.`,
      ],
      columns: ['', 'median (s)', 'best (s)'],
      rows: [
        ['NumPy, product alone', median(numpy).toFixed(2), Math.min(...numpy).toFixed(2)],
        ['product, top 10 and ranks', median(ours).toFixed(2), Math.min(...ours).toFixed(2)],
        ['sending the embeddings', median(sending).toFixed(2), Math.min(...sending).toFixed(2)],
      ],
      data: { numpy, runs },
      targets: [
        { what: 'time relative to NumPy', value: median(ours) / median(numpy), atMost: 1.2 },
        ...(Number.isNaN(memory)
          ? []
          : [{ what: 'peak memory of both processes together, MB', value: memory, atMost: 600 }]),
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Ranks 50,000 images for each of four wordings of 1,000 queries, and compares the complete rankings. */
export async function benchStability(): Promise<Section> {
  const ranker = new Ranker();
  try {
    const random = gaussians();
    const queries = { count: 4000, dimension, data: random(4000 * dimension) };
    for (let at = 0; at < queries.data.length; at++) {
      const row = Math.floor(at / dimension);
      if (row % 4 !== 0) queries.data[at] = 0.5 * queries.data[at] + queries.data[at - (row % 4) * dimension];
    }
    const started = performance.now();
    const asked = await ranker.hold(queries);
    const gallery = await ranker.hold({ count: 50_000, dimension, data: random(50_000 * dimension) });
    const pairs: number[] = [];
    for (let first = 0; first < 4000; first += 4) {
      for (let a = 0; a < 4; a++) for (let b = a + 1; b < 4; b++) pairs.push(first + a, first + b);
    }
    const answer = await ranker.stability({
      queries: asked,
      gallery,
      families: Int32Array.from({ length: 1001 }, (_, f) => 4 * f),
      pairs: Int32Array.from(pairs),
      sizes: Int32Array.of(100, 1000),
      top: 10,
    });
    const seconds = (performance.now() - started) / 1000;
    if (!answer.rho.every((rho) => rho > 0)) throw new Error('Wordings that lie close should agree.');
    return {
      id: 'stability',
      title: 'Stability of rankings',
      notes: [
        '1,000 queries in four wordings against 50,000 images: complete rankings, all six pairs, overlap of the first 100 and 1,000.',
      ],
      columns: ['', 'seconds'],
      rows: [['from sending the embeddings to the answer', seconds.toFixed(1)]],
      data: { seconds },
      targets: [{ what: 'seconds', value: seconds, atMost: 60 }],
    };
  } finally {
    await ranker.close();
  }
}

/** Normally distributed random numbers, the same in each run. */
function gaussians(): (count: number) => Float32Array<ArrayBuffer> {
  const random = new Random('ranking bench');
  return (count) => {
    const out = new Float32Array(count);
    for (let i = 0; i < count; i += 2) {
      const radius = Math.sqrt(-2 * Math.log(1 - random.bits() / 2 ** 32));
      const angle = 2 * Math.PI * (random.bits() / 2 ** 32);
      out[i] = radius * Math.cos(angle);
      out[i + 1] = radius * Math.sin(angle);
    }
    return out;
  };
}

/** Embeddings of the images' captions, then of altered captions: each is its image's embedding plus noise. */
function captionsOf(
  imageRows: Rows,
  random: (count: number) => Float32Array<ArrayBuffer>,
): Rows & { data: Float32Array<ArrayBuffer> } {
  const count = images * perImage + altered;
  const data = random(count * dimension);
  for (let row = 0; row < count; row++) {
    const image = Math.floor((row % (images * perImage)) / perImage) * dimension;
    for (let k = 0; k < dimension; k++)
      data[row * dimension + k] = 3 * data[row * dimension + k] + imageRows.data[image + k];
  }
  return { count, dimension, data };
}

function numpyVersion(): string {
  return execFileSync(pythonWith('numpy'), ['-c', 'import numpy; print(numpy.__version__)'], {
    encoding: 'utf8',
  }).trim();
}

/** The times of two matrix products in NumPy, after an untimed one. */
function numpyTimes(folder: string): number[] {
  const program = `
import sys, time, numpy
a, b = (numpy.fromfile(sys.argv[1] + name, 'f4').reshape(-1, ${dimension}) for name in ('/photos.f32', '/captions.f32'))
for turn in range(3):
    start = time.perf_counter()
    c = a @ b.T
    if turn: print(time.perf_counter() - start)
`;
  const lines = execFileSync(pythonWith('numpy'), ['-c', program, folder], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return lines.map(Number);
}
