import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { build } from 'esbuild';
import { writeBatch } from '../../../src/audit/batch/writeBatch';
import { writeVariants } from '../../../src/audit/variants';
import { readReport } from '../../../src/report/report';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { readRows } from '../../../src/report/rows';
import { imagesPath } from '../evaluator/fixtures';

/** More rounds for a long test: CAPTIOUS_ROUNDS=100. */
const rounds = Number(process.env.CAPTIOUS_ROUNDS ?? 4);
const together = 8;
const { signal } = new AbortController();

describe('processes that write into one folder at the same time', function () {
  this.timeout(60_000 + rounds * 5_000);
  let folder: string;
  let datasets: string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-parallel-'));
    datasets = Array.from({ length: together }, (_, i) => join(folder, `data ${i}`, 'captions.tsv'));
    for (const [i, path] of datasets.entries()) {
      await mkdir(join(path, '..'));
      const line = `a.jpg\ta cat sits in house ${i}\tin house ${i} sits a cat\ta dog sits in house ${i}`;
      await writeFile(path, `filename\tcaption\tsecond positive\tnegative_caption\n${line}\n`);
    }
  });
  after(() => rm(folder, { recursive: true }));

  it(`lose no report of ${rounds} times ${together} audits, and mix no rows`, async () => {
    const script = join(folder, 'child.cjs');
    // Captious reads its version from the package.json above its code.
    await copyFile('package.json', join(folder, 'package.json'));
    await build({
      entryPoints: [join(import.meta.dirname, 'parallelChild.ts')],
      bundle: true,
      platform: 'node',
      outfile: script,
      external: ['onnxruntime-*', 'sharp'],
      logLevel: 'silent',
    });
    const children = datasets.map((dataset, i) => {
      const args = [script, dataset, join(folder, `home ${i}`)];
      return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    });
    try {
      const lines = children.map((child) => createInterface(child.stdout));
      for (let round = 0; round < rounds; round++)
        await oneRound(join(folder, `out ${round}`), children, lines);
    } finally {
      for (const child of children) child.kill();
    }
  });

  async function oneRound(out: string, children: ChildProcess[], lines: Interface[]): Promise<void> {
    const answers = lines.map(
      (answer) =>
        new Promise<string>((resolve, reject) => {
          answer.once('line', resolve);
          answer.once('close', () => reject(new Error('A child process has ended.')));
        }),
    );
    for (const { stdin } of children) stdin!.write(`${out}\n`);
    const paths = await Promise.all(answers);
    assert.equal(new Set(paths).size, together);
    for (const [i, path] of paths.entries()) {
      const report = await readReport(path);
      assert.equal(report.dataset.path, datasets[i]);
      const leftOut = new LeftOutRows();
      for await (const row of readRows(path, report, leftOut))
        assert.match(JSON.stringify(row), new RegExp(`house ${i}`));
      assert.equal(leftOut.words(report.rows), undefined);
    }
    assert.equal((await readdir(out)).length, 2 * together, 'only reports and rows remain');
  }

  it('lose no list of variants', async () => {
    const out = join(folder, 'variants');
    const written = await Promise.all(
      datasets.map((dataset) =>
        writeVariants({ dataset, probe: 'visla', kinds: ['text-text'], out, signal }),
      ),
    );
    assert.equal(new Set(written.map(({ path }) => path)).size, together);
    assert.deepEqual(
      (await readdir(out)).sort(),
      written.flatMap(({ path, manifest }) => [basename(path), manifest.pairs]).sort(),
    );
  });

  it('lose no batch of requests', async () => {
    const out = join(folder, 'batches');
    await mkdir(out);
    const evaluator = join(folder, 'judge.evaluator.json');
    await writeFile(
      evaluator,
      JSON.stringify({ kind: 'judge', endpoint: 'http://127.0.0.1:9/v1', model: 'm' }),
    );
    const dataset = join(folder, 'described.json');
    await writeFile(dataset, JSON.stringify([{ image: 'wide.png', captions: ['A red truck near 2 dogs.'] }]));
    const request = { evaluator, dataset, probes: ['lgip'], images: [imagesPath], out, signal };
    const homes = datasets.slice(4).map((_, i) => join(folder, `home of batch ${i}`));
    const written = await Promise.all(homes.map((home) => writeBatch({ ...request, home })));
    const names = written.flatMap(({ path, manifest }) => [basename(path!), ...manifest!.files]);
    assert.equal(new Set(names).size, 2 * homes.length);
    assert.deepEqual((await readdir(out)).sort(), names.sort());
  });
});
