import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * A script that runs before the command line. At the first read of the file `name`, it writes the file `mark` as a
 * trace and sends SIGINT to its own process, as Ctrl+C does.
 */
const preload = `
const fs = require('node:fs');
const { CAPTIOUS_TEST_FILE: name, CAPTIOUS_TEST_MARK: mark } = process.env;
let file;
const { openSync, readSync, writeFileSync } = fs;
fs.openSync = (path, ...rest) => {
  const opened = openSync(path, ...rest);
  if (String(path).endsWith(name)) file = opened;
  return opened;
};
fs.readSync = (from, ...rest) => {
  if (from === file && !fs.existsSync(mark)) {
    writeFileSync(mark, '');
    process.kill(process.pid, 'SIGINT');
  }
  return readSync(from, ...rest);
};
`;

/**
 * A script that runs before the command line. A thread waits until the process has worked for `CAPTIOUS_TEST_AFTER`
 * milliseconds, then sends SIGINT to it. At the exit, the script writes how long the process has worked since then.
 * All times are processor times, because the machine may be busy.
 */
const stopwatch = `
const { isMainThread, Worker } = require('node:worker_threads');
if (isMainThread && process.argv[1].endsWith('cli.js')) {
  const signalled = new Int32Array(new SharedArrayBuffer(4));
  const worked = () => Math.round((process.cpuUsage().user + process.cpuUsage().system) / 1000);
  process.once('exit', () =>
    require('node:fs').writeFileSync(process.env.CAPTIOUS_TEST_MARK, String(worked() - signalled[0])),
  );
  const thread = new Worker(
    \`const { workerData: signalled } = require('node:worker_threads');
    const worked = \${worked};
    const timer = setInterval(() => {
      if (worked() < process.env.CAPTIOUS_TEST_AFTER) return;
      clearInterval(timer);
      signalled[0] = worked();
      process.kill(process.pid, 'SIGINT');
    }, 10);\`,
    { eval: true, workerData: signalled, execArgv: [] },
  );
  thread.unref();
}
`;

/** A single image with 5,000 captions of 200 words. */
function manyCaptions(): string {
  const words = 'a poor woman and two happy men on the left of a red bus are near her old dog'.split(' ');
  const captions = Array.from({ length: 5000 }, (_, i) =>
    Array.from({ length: 200 }, (__, k) => words[(k * 7 + i) % words.length]).join(' '),
  );
  return JSON.stringify([{ image: '0.jpg', captions }]);
}

/** Captions just below the length at which texts are no longer parsed. */
function longCaptions(count: number): string {
  const pieces = [
    'and the man who is on the bench with this woman is looking at the dog ',
    ...['a dog, ', 'two dogs and ', '. ', `${'a'.repeat(250)} `, 'A red dog sits. '],
  ];
  const rows = Array.from({ length: count }, (_, i) => {
    const piece = pieces[i % pieces.length];
    return `${i}.jpg\tA dog ${i} ${piece
      .repeat(Math.ceil(9900 / piece.length))
      .slice(0, 9900)
      .trim()}\n`;
  });
  return `image\tcaption\n${rows.join('')}`;
}

describe('Ctrl+C', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-interrupts-'));
    writeFileSync(join(folder, 'preload.cjs'), preload);
    writeFileSync(
      join(folder, 'triplets.tsv'),
      'filename\tcaption\tsecond positive\tnegative_caption\n1.jpg\ta red bus\tthe bus is red\ta blue bus\n',
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const [model, file] of [
    ['clip', '/config.json'],
    ['clip', '/preprocessor_config.json'],
    ['clip', '/tokenizer_config.json'],
    ['bert-dense', '/modules.json'],
    ['bert-dense', '2_Dense/config.json'],
  ])
    it(`while reading ${model}/${file.replace(/^\//, '')}: exits with 3, and writes no report`, async () => {
      const mark = join(folder, 'interrupted');
      cpSync(resolve('test/fixtures/models', model), join(folder, 'model'), { recursive: true });
      const args = ['audit', join(folder, 'triplets.tsv'), '--probe', 'visla', '--out', join(folder, 'out')];
      const child = spawn(
        process.execPath,
        [
          '--require',
          join(folder, 'preload.cjs'),
          'dist/cli.js',
          ...args,
          '--evaluator',
          join(folder, 'model'),
        ],
        {
          env: {
            ...process.env,
            CAPTIOUS_HOME: join(folder, 'home'),
            CAPTIOUS_TEST_FILE: file,
            CAPTIOUS_TEST_MARK: mark,
          },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      let err = '';
      child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
      const code = await new Promise<number | null>((done) => child.on('close', done));
      assert.ok(existsSync(mark), `${file} was not read: ${err}`);
      assert.equal(code, 3, err);
      assert.doesNotMatch(err, /defect|^ +at /m);
      assert.ok(!existsSync(join(folder, 'out/visla.model.report.json')));
    });

  for (const [what, args] of [
    ['mine', ['mine', '--how', 'rules', '--out', 'out.json']],
    ['audit --probe lgip', ['audit', '--probe', 'lgip', '--evaluator', 'clip', '--out', 'out']],
    ['audit --probe prsm', ['audit', '--probe', 'prsm', '--evaluator', 'clip', '--out', 'out']],
    [
      'audit --probe rococo',
      [
        'audit',
        '--probe',
        'rococo',
        '--text-only',
        '--evaluator',
        'clip',
        '--voters',
        'clip',
        '--out',
        'out',
      ],
    ],
    ['variants --probe lgip', ['variants', '--probe', 'lgip', '--kinds', 'image-text', '--out', 'out']],
  ] as const)
    it(`in ${what} of captions at the longest length: exits with 3 within a second of work`, async () => {
      cpSync(resolve('test/fixtures/pictures/quality75.jpg'), join(folder, 'photo.jpg'));
      writeFileSync(join(folder, 'long.tsv'), longCaptions(2000));
      for (let i = 0; i < 2000; i++) linkSync(join(folder, 'photo.jpg'), join(folder, `${i}.jpg`));
      await stopsSoon('long.tsv', args, 3000);
    });

  for (const [what, args, after] of [
    ['audit --probe lgip', ['audit', '--probe', 'lgip', '--evaluator', 'clip', '--out', 'out'], 3000],
    [
      'audit --probe invariance',
      ['audit', '--probe', 'invariance', '--evaluator', 'clip', '--out', 'out'],
      1000,
    ],
    ['variants --probe lgip', ['variants', '--probe', 'lgip', '--kinds', 'image-text', '--out', 'out'], 3000],
    ['mine', ['mine', '--how', 'rules', '--out', 'out.json'], 3000],
  ] as const)
    it(`in ${what} of one image with 5,000 captions: exits with 3 within a second of work`, async () => {
      cpSync(resolve('test/fixtures/pictures/quality75.jpg'), join(folder, '0.jpg'));
      writeFileSync(join(folder, 'many.json'), manyCaptions());
      await stopsSoon('many.json', args, after);
    });

  /** Sends SIGINT after this many milliseconds of work. Checks how much the command works from then on. */
  async function stopsSoon(dataset: string, args: readonly string[], after: number): Promise<void> {
    const mark = join(folder, 'ms');
    writeFileSync(join(folder, 'stopwatch.cjs'), stopwatch);
    const [command, ...rest] = args.map((arg) => {
      if (arg.startsWith('out')) return join(folder, arg);
      const model = resolve('test/fixtures/models', arg);
      return existsSync(model) ? model : arg;
    });
    const child = spawn(
      process.execPath,
      [
        ...['--require', join(folder, 'stopwatch.cjs'), 'dist/cli.js'],
        ...[command, join(folder, dataset), ...rest],
      ],
      {
        env: {
          ...process.env,
          CAPTIOUS_HOME: join(folder, 'home'),
          CAPTIOUS_TEST_AFTER: String(after),
          CAPTIOUS_TEST_MARK: mark,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let err = '';
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
    const code = await new Promise<number | null>((done) => child.on('close', done));
    assert.equal(code, 3, err);
    const ms = Number(readFileSync(mark, 'utf8'));
    assert.ok(ms < 1000, `it worked for ${ms} ms after the signal`);
  }
});
