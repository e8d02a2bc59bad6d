import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { reportOf } from '../report/reportOf';
import { captious, type Ended } from './captious';
import { sentence, saying } from '../../sentence';

const triplets =
  'filename\tcaption\tsecond positive\tnegative_caption\n' +
  '1.jpg\ta red bus\tthe bus is red\ta blue bus\n' +
  '2.jpg\ttwo dogs\ta pair of dogs\tthree dogs\n' +
  '3.jpg\ta cat sits\ta sitting cat\ta dog sits\n';

describe('errors of the system or of a file', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-system-'));
    await writeFile(join(folder, 'triplets.tsv'), triplets);
  });
  after(() => rm(folder, { recursive: true }));

  const run = (...args: string[]): Promise<Ended> => captious(join(folder, 'home'), ...args);

  function saidSo({ code, err }: Ended, what: RegExp): void {
    assert.equal(code, 2, err);
    assert.match(err, what);
    assert.doesNotMatch(err, /defect|^ +at /m);
  }

  it('without a home folder and a user name: suggests CAPTIOUS_HOME', function () {
    if (process.getuid?.() !== 0) {
      console.log('      skipped: only root can run a process as a user that does not exist');
      this.skip();
    }
    chmodSync(folder, 0o755);
    const { stderr, status } = spawnSync(process.execPath, [resolve('dist/cli.js'), 'evaluators'], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      uid: 54_321,
      gid: 54_321,
      encoding: 'utf8',
    });
    saidSo(
      { code: status, out: '', err: stderr },
      new RegExp(`HOME: ${saying('base.noHomeFolder').source}\\. .*CAPTIOUS_HOME`),
    );
  });

  it('EIO while reading a dataset: names the file', async function () {
    if (!existsSync('/proc/self/mem')) this.skip();
    const ended = await run('inspect', '/proc/self/mem');
    saidSo(ended, /\/proc\/self\/mem: .*(EIO|refused|cannot be read|not a)/);
  });

  it('missing temporary folder: names it and TMPDIR', async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = join(folder, 'missing');
    try {
      const captions = join(folder, 'captions.jsonl');
      await writeFile(captions, '{"image": "a.jpg", "caption": "a cat"}\n');
      const ended = await run(
        'flips',
        captions,
        captions,
        '--evaluator',
        resolve('test/fixtures/models/clip'),
      );
      saidSo(
        ended,
        new RegExp(`missing: ${sentence('base.noTemporaryFolder', 'ENOENT.*').slice(0, -1)}.*TMPDIR`),
      );
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });

  describe('scores from another program', () => {
    async function variants(name: string): Promise<{ manifest: string; pairs: string; keys: string[] }> {
      const out = join(folder, name);
      const { code, err } = await run(
        ...[
          'variants',
          join(folder, 'triplets.tsv'),
          '--probe',
          'visla',
          '--out',
          out,
          '--kinds',
          'text-text',
        ],
      );
      assert.equal(code, 0, err);
      const names = await readdir(out);
      const pairs = join(
        out,
        names.find((one) => one.endsWith('.pairs.jsonl'))!,
      );
      const keys = (await readFile(pairs, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { key: string }).key);
      return {
        manifest: join(
          out,
          names.find((one) => one.endsWith('.variants.json'))!,
        ),
        pairs,
        keys,
      };
    }

    it('too large for sums: names the line', async () => {
      const { manifest, keys } = await variants('large');
      const scores = join(folder, 'large.jsonl');
      const lines = keys.map((key, i) => JSON.stringify({ key, score: i % 2 === 0 ? 1e308 : -1e308 }));
      await writeFile(scores, lines.join('\n'));
      const ended = await run('scores', manifest, scores, '--out', join(folder, 'large-out'));
      saidSo(ended, new RegExp(`large\\.jsonl:1: ${saying('evaluator.scoreTooExtreme').source}`));
      assert.match(ended.err, /1e\+308.*−1e\+50/);
      await writeFile(scores, lines.join('\n').replaceAll('e+308', 'e+50'));
      const most = await run('scores', manifest, scores, '--out', join(folder, 'large-out'), '--json');
      assert.equal(most.code, 0, most.err);
    });

    it('for pairs with a broken line: names the line', async () => {
      const { manifest, pairs, keys } = await variants('broken');
      const scores = join(folder, 'broken.jsonl');
      await writeFile(scores, keys.map((key) => JSON.stringify({ key, score: 0.5 })).join('\n'));
      const text = await readFile(pairs, 'utf8');
      for (const broken of ['{"key": "', '[]', 'null', '{"key": 7}']) {
        await writeFile(pairs, text.replace(/\n.*\n/, `\n${broken}\n`));
        const ended = await run('scores', manifest, scores, '--out', join(folder, 'broken-out'));
        saidSo(
          ended,
          new RegExp(
            `pairs\\.jsonl:2: ${sentence('audit.lineNotPair')} ${sentence('audit.rewriteVariants')}`,
          ),
        );
      }
    });
  });

  it('a header without rows: exits with 2, writes no report', async () => {
    const path = join(folder, 'header.tsv');
    await writeFile(path, 'filename\tcaption\tsecond positive\tnegative_caption\n');
    const out = join(folder, 'header-out');
    const model = resolve('test/fixtures/models/clip');
    const ended = await run('audit', path, '--probe', 'visla', '--evaluator', model, '--out', out);
    saidSo(ended, new RegExp(`header\\.tsv: ${sentence('audit.noExamples')}`));
    assert.deepEqual(await readdir(out), []);
    const variants = await run('variants', path, '--probe', 'visla', '--out', out);
    saidSo(
      variants,
      new RegExp(`header\\.tsv: ${sentence('audit.noExamples')} ${sentence('audit.checkFileComplete')}`),
    );
    assert.deepEqual(await readdir(out), []);
  });

  it('a probe without pairs for a file: writes no variants', async () => {
    const path = join(folder, 'alone.jsonl');
    await writeFile(path, '{"image": "a.jpg", "caption": "a cat"}\n');
    const out = join(folder, 'alone-out');
    const ended = await run('variants', path, '--probe', 'lgip', '--kinds', 'text-text', '--out', out);
    saidSo(ended, new RegExp(sentence('audit.noPairsWithReasons', 'lgip', 'text-text', '1 × .*')));
    assert.deepEqual(await readdir(out), []);
  });

  it('scores of an invariance audit without their range: asks for it', async () => {
    const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#4080c0' } })
      .png()
      .toBuffer();
    await writeFile(join(folder, 'sky.png'), image);
    const path = join(folder, 'sky.jsonl');
    await writeFile(path, '{"image": "sky.png", "caption": "a blue sky"}\n');
    const out = join(folder, 'sky-out');
    const written = await run('variants', path, '--probe', 'invariance', '--out', out, '--json');
    assert.equal(written.code, 0, written.err);
    const { path: manifest } = JSON.parse(written.out) as { path: string };
    const pairs = await readFile(manifest.replace(/variants\.json$/, 'pairs.jsonl'), 'utf8');
    const scores = join(folder, 'sky.scores.jsonl');
    const keys = pairs
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { key: string }).key);
    await writeFile(scores, keys.map((key, i) => JSON.stringify({ key, score: i / keys.length })).join('\n'));
    saidSo(
      await run('scores', manifest, scores, '--out', out),
      /The option --scale is missing.*--scale 0\.\.1/,
    );
    for (const [given, range] of [
      ['--scale=0..1', sentence('invariance.flipRiskRange', '0 to 1')],
      ['--scale=-1..1', sentence('invariance.flipRiskRange', '-1 to 1')],
      ['--range=-1,1', sentence('invariance.flipRiskRange', '-1 to 1')],
      ['--scale=none', sentence('invariance.flipRiskUnbounded')],
    ]) {
      const {
        code,
        out: printed,
        err,
      } = await run('scores', manifest, scores, '--out', out, given, '--json');
      assert.equal(code, 0, err);
      assert.ok(printed.includes(range), given);
    }
    saidSo(await run('scores', manifest, scores, '--scale=1..0'), /--scale 1\.\.0: expected two numbers/);
  });

  it('compares 300,000 metrics', async () => {
    const metrics = Array.from({ length: 300_000 }, (_, i) => ({ id: `visla.m${i}`, value: i, n: 1 }));
    const paths: string[] = [];
    await mkdir(join(folder, 'many'));
    for (const sha256 of ['aa', 'bb']) {
      const path = join(folder, 'many', `${sha256}.report.json`);
      const dataset = { ...reportOf().dataset, sha256 };
      await writeFile(path, JSON.stringify(reportOf({ metrics, dataset })));
      paths.push(path);
    }
    const { code, out, err } = await run('compare', ...paths);
    assert.equal(code, 0, err);
    assert.ok(out.includes('visla.m299999'));
  });
});
