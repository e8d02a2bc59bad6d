import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs, python, root } from './support';

describe('the Python module with the libraries of notebooks', function () {
  needs(this, python);
  this.timeout(1_800_000);
  let home: string;
  before(() => (home = mkdtempSync(join(tmpdir(), 'captious-api-'))));
  after(() => home === undefined || rmSync(home, { recursive: true, force: true }));

  const run = (...args: string[]) =>
    spawnSync(python!, args, {
      cwd: join(__dirname, 'api'),
      encoding: 'utf8',
      env: { ...process.env, CAPTIOUS_HOME: home, PYTHONDONTWRITEBYTECODE: '1' },
    });

  it('audits what each library holds, and runs the notebook of the samples', () => {
    const { status, stderr } = run('-m', 'unittest', '-v', 'test_libraries');
    assert.equal(status, 0, stderr);
    // A test is skipped where its libraries are not installed, and says so.
    for (const [, why] of stderr.matchAll(/skipped '(not installed: [^']+)'/g)) console.log(`      ${why}`);
  });

  for (const checker of ['mypy', 'pyright'])
    it(`is typed for ${checker}`, function () {
      if (run('-c', `import ${checker}, pandas`).status !== 0) {
        console.log(`      not installed: ${checker}`);
        this.skip();
      }
      const files = readdirSync(join(root, 'python/captious'))
        .filter((name) => /^_.*\.py$/.test(name) && name !== '__main__.py')
        .map((name) => join(root, 'python/captious', name));
      const options =
        checker === 'mypy'
          ? ['--strict', '--allow-untyped-calls', '--allow-subclassing-any', '--follow-imports=silent']
          : ['--pythonpath', python!];
      const { status, stdout } = spawnSync(
        python!,
        ['-m', checker, ...options, join(__dirname, 'api/typed.py'), ...files],
        {
          encoding: 'utf8',
          env: { ...process.env, MYPYPATH: join(root, 'python'), PYTHONPATH: join(root, 'python') },
        },
      );
      assert.equal(status, 0, stdout);
    });
});
