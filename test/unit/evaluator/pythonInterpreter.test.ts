import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { findInterpreter, named, ofEnvironment } from '../../../src/evaluator/python/interpreter';
import { parsePythonReference, portable } from '../../../src/evaluator/python/reference';
import { cleanUp, scratch } from './fixtures';

type Surroundings = NonNullable<Parameters<typeof findInterpreter>[1]>;

function on(
  platform: NodeJS.Platform,
  files: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = platform === 'win32' ? 'C:\\project' : '/project',
): Surroundings {
  const exists = (path: string): boolean =>
    files.some((file) => file === path || file.startsWith(path + (platform === 'win32' ? '\\' : '/')));
  return { env, platform, cwd, exists, isFolder: (path) => exists(path) && !files.includes(path) };
}

describe('the interpreter', () => {
  const venvs = ['/a/bin/python', '/b/bin/python', '/project/.venv/bin/python'];

  it('is the first of: this run’s, the file’s, the editor’s, the variable’s, the active one, the local one, python3', () => {
    const env = { CAPTIOUS_PYTHON: 'python3.12', VIRTUAL_ENV: '/a', CONDA_PREFIX: '/b' };
    const choice = { asked: '/x/python', file: '/y/python', usual: ['/z/python'] };
    const at = (said: typeof choice | object, around: Surroundings): string =>
      findInterpreter(said, around).argv.join(' ');
    assert.equal(at(choice, on('linux', venvs, env)), '/x/python');
    assert.equal(at({ ...choice, asked: undefined }, on('linux', venvs, env)), '/y/python');
    assert.equal(at({ usual: ['/z/python'] }, on('linux', venvs, env)), '/z/python');
    assert.equal(at({}, on('linux', venvs, env)), 'python3.12');
    assert.equal(at({}, on('linux', venvs, { ...env, CAPTIOUS_PYTHON: '' })), '/a/bin/python');
    assert.equal(at({}, on('linux', venvs, { CONDA_PREFIX: '/b' })), '/b/bin/python');
    assert.equal(at({}, on('linux', venvs)), '/project/.venv/bin/python');
    assert.equal(at({}, on('linux', [])), 'python3');
    assert.equal(at({}, on('win32', [])), 'py -3');
  });

  it('is found in environments of venv, and of conda on Windows', () => {
    const venv = on('win32', ['C:\\env\\Scripts\\python.exe'], { VIRTUAL_ENV: 'C:\\env' });
    assert.deepEqual(findInterpreter({}, venv).argv, ['C:\\env\\Scripts\\python.exe']);
    const conda = on('win32', ['C:\\conda\\envs\\clip\\python.exe'], {
      CONDA_PREFIX: 'C:\\conda\\envs\\clip\\',
    });
    assert.deepEqual(findInterpreter({}, conda).argv, ['C:\\conda\\envs\\clip\\python.exe']);
  });

  it('is run by conda for conda:NAME', () => {
    const run = ['run', '--no-capture-output'];
    assert.deepEqual(named('conda:clip', on('linux', [])), ['conda', ...run, '-n', 'clip', 'python']);
    assert.deepEqual(named('conda:./env', on('linux', [], { CONDA_EXE: '/opt/conda' })), [
      '/opt/conda',
      ...run,
      '-p',
      '/project/env',
      'python',
    ]);
    assert.deepEqual(named('conda:clip', on('win32', [])), ['conda.exe', ...run, '-n', 'clip', 'python']);
  });

  it("can be a command, a path, or an environment's folder", () => {
    assert.deepEqual(named('python3.9', on('linux', [])), ['python3.9']);
    assert.deepEqual(named('.venv', on('linux', ['/project/.venv/bin/python'])), [
      '/project/.venv/bin/python',
    ]);
    assert.deepEqual(named('./env', on('linux', ['/project/env/bin/python3'])), ['/project/env/bin/python3']);
    assert.deepEqual(named('./env/bin/python', on('linux', ['/project/env/bin/python'])), [
      '/project/env/bin/python',
    ]);
    assert.throws(() => named('./empty', on('linux', ['/project/empty/x'])), CaptiousError);
  });

  it('follows the Python extension, through conda on Windows', () => {
    const folder = 'C:\\conda\\envs\\clip';
    const conda = { executable: `${folder}\\python.exe`, type: 'Conda', folder };
    assert.deepEqual(ofEnvironment(conda, { env: { CONDA_EXE: 'C:\\conda.exe' }, platform: 'win32' }), [
      'C:\\conda.exe',
      'run',
      '--no-capture-output',
      '-p',
      folder,
      'python',
    ]);
    assert.deepEqual(ofEnvironment({ ...conda, type: 'Venv' }, { env: {}, platform: 'win32' }), [
      `${folder}\\python.exe`,
    ]);
    assert.equal(ofEnvironment({ type: 'Conda', folder }, { env: {}, platform: 'linux' }), undefined);
  });
});

describe('a reference to Python', () => {
  afterEach(cleanUp);
  const parse = (ref: string) => parsePythonReference(ref, (path) => path.replace(/^\./, '/here'));

  it('contains a file, an object and arguments', () => {
    const found = parse(
      'python:./m.py:Metric?k=2&tag=007&device=cuda&half=true&weights=./w.pt&references=./r.json',
    )!;
    assert.equal(found.id, 'm:Metric');
    assert.deepEqual(found.said, {
      file: '/here/m.py',
      object: 'Metric',
      args: { k: 2, tag: '007', device: 'cuda', half: true, weights: '/here/w.pt' },
      references: '/here/r.json',
    });
    assert.deepEqual(parse(found.absolute), found, 'and is the same from anywhere');
    assert.equal(parse('python:/a/my_metric.py')!.id, 'my_metric');
  });

  it('has portable arguments that differ if they select other results', () => {
    const folder = scratch();
    mkdirSync(join(folder, 'b'));
    for (const name of ['w.pt', 'b/w.pt']) writeFileSync(join(folder, name), '');
    assert.deepEqual(
      portable({ weights: './b/w.pt', k: 2 }, folder),
      portable({ k: 2, weights: join(folder, 'w.pt') }, '/'),
    );
    for (const [one, other] of [
      ['/v1/score', '/v2/score'],
      ['./a/*.json', './b/*.json'],
      ['./a/none', './b/none'],
      ['/high', 'high'],
      [{ a: { k: 1 } }, { a: [['k', 1]] }],
      [{ a: {} }, { a: [] }],
    ])
      assert.notDeepEqual(
        JSON.stringify(portable({ x: one }, folder)),
        JSON.stringify(portable({ x: other }, folder)),
      );
  });

  it('contains an adapter and its model', () => {
    const found = parse('open_clip:ViT-B-32?pretrained=./x.pt')!;
    assert.deepEqual(found.said, {
      adapter: 'open_clip',
      args: { model: 'ViT-B-32', pretrained: '/here/x.pt' },
    });
    assert.deepEqual(parse(found.absolute), found);
    assert.equal(found.id, 'open_clip:ViT-B-32:x.pt');
    assert.equal(parse('transformers:./folder')!.id, 'transformers:folder');
    assert.equal(parse('starter'), undefined);
  });

  it('is rejected without a Python file or a model', () => {
    for (const ref of ['python:', 'python:./m.txt', 'python:./m.py:9', 'open_clip:'])
      assert.throws(() => parse(ref), CaptiousError, ref);
  });
});
