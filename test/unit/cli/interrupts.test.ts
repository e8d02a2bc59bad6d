import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
});
