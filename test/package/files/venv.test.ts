import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../../src/report/report';
import { environmentWith } from '../environment';
import { wheel } from '../wheel';

const windows = process.platform === 'win32';

describe('the wheel in an environment of its own, without Node.js on the PATH', function () {
  this.timeout(300_000);
  let folder: string;
  let bin: string;
  let site: string;

  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'captious wheel ü-'));
    const made = environmentWith(wheel, join(folder, 'env'));
    if (typeof made === 'string') {
      console.log(`      skipped: ${made}`);
      this.skip();
    }
    ({ bin, site } = made);
    mkdirSync(join(folder, 'home'));
    mode(0o555);
  });
  after(() => {
    if (site !== undefined) mode(0o755);
    rmSync(folder, { recursive: true });
  });

  /** Captious must not write into its own folders, which may belong to another user. */
  function mode(bits: number): void {
    const own = join(site, 'captious');
    if (!existsSync(own)) return;
    for (const entry of readdirSync(own, { recursive: true, withFileTypes: true }))
      if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), bits);
    chmodSync(own, bits);
  }

  function call(program: string, ...args: string[]): string {
    const { status, stdout, stderr, error } = spawnSync(join(bin, program), args, {
      cwd: folder,
      env: {
        PATH: bin,
        HOME: join(folder, 'home'),
        ...(windows ? { SystemRoot: process.env.SystemRoot, LOCALAPPDATA: join(folder, 'home') } : {}),
      },
      encoding: 'utf8',
    });
    if (error !== undefined) throw error;
    assert.equal(status, 0, stderr + stdout);
    return stdout;
  }

  const samples = (name: string): string => join(site, 'captious/_engine/samples', name);
  const reportAt = (path: string): Report => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Report;

  it('shows the demonstration', () => {
    const reports = JSON.parse(call('captious', 'demo', '--json')) as Report[];
    assert.ok(reports.length > 2);
    for (const { metrics } of reports) assert.ok(metrics.length > 5);
  });

  it('audits, also as "python -m captious", and writes PDF', () => {
    const audit = [
      'audit',
      samples('captions.json'),
      '--probe',
      'lgip',
      '--evaluator',
      'starter',
      '--limit',
      '2',
    ];
    call('captious', ...audit, '--out', 'one');
    call('python', '-m', 'captious', ...audit, '--out', 'two');
    const [one, two] = ['one', 'two'].map((name) => reportAt(`${name}/lgip.starter.report.json`));
    assert.ok(one.metrics.length > 10);
    assert.deepEqual(one.metrics, two.metrics);
    call('captious', 'paper', 'one/lgip.starter.report.json', '--to', 'pdf', '--out', 'pdf');
    assert.match(readFileSync(join(folder, 'pdf/lgip.changes.pdf'), 'latin1'), /^%PDF-[^]*Arimo-Regular/);
  });

  it('runs evaluators in Python in the same environment, which has the module captious', () => {
    writeFileSync(
      join(folder, 'metric.py'),
      `import sys, captious
class Evaluator:
    images = "raw"
    def score(self, images, texts):
        return [len(text) / 1000 for text in texts]
    def info(self):
        return {"weights": [], "name": captious.__version__ + " " + sys.prefix}
`,
    );
    const audit = ['audit', samples('captions.json'), '--probe', 'lgip', '--limit', '2', '--out', 'python'];
    call('captious', ...audit, '--evaluator', 'python:./metric.py');
    const { name } = reportAt('python/lgip.metric.report.json').evaluator;
    assert.match(name, /^\d+\.\d+\.\d+ .*env$/);
  });

  it('audits an object of a Python program, with this Node.js and engine', () => {
    writeFileSync(
      join(folder, 'program.py'),
      `import sys, captious
class Model:
    images = "raw"
    def score(self, images, texts):
        return [len(text) / 1000 for text in texts]
captious.audit(sys.argv[1], probe="lgip", evaluator=Model(), limit=2, out="program")
`,
    );
    call('python', 'program.py', samples('captions.json'));
    const [name] = readdirSync(join(folder, 'program')).filter((one) => one.endsWith('.report.json'));
    assert.ok(reportAt(`program/${name}`).metrics.length > 10);
  });
});
