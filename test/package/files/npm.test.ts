import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const samples = 'node_modules/captious/samples/captions.json';

describe('the npm package', function () {
  this.timeout(300_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-npm-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('installs and audits in an empty folder and an empty home', () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const run = (cwd: string, ...words: string[]) =>
      execFileSync('npm', words, {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, HOME: home, USERPROFILE: home },
        shell: process.platform === 'win32',
      });
    const packed = run('.', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
    const [{ filename, files }] = JSON.parse(packed) as { filename: string; files: { path: string }[] }[];
    const paths = files.map(({ path }) => path);
    // The skill file for assistants is the only document in the package.
    assert.deepEqual(
      paths.filter((path) => /^(src|test|docs|webview|media)\/|extension|\.map$|\.pyc$/.test(path)),
      ['docs/assistant.md'],
    );
    run(folder, 'init', '--yes');
    run(folder, 'install', '--ignore-scripts', '--prefer-offline', join(folder, filename));
    const audit = ['audit', samples, '--probe', 'lgip', '--evaluator', 'starter', '--limit', '2'];
    run(folder, 'exec', '--', 'captious', ...audit, '--out', 'reports');
    const report = JSON.parse(readFileSync(join(folder, 'reports/lgip.starter.report.json'), 'utf8')) as {
      metrics: { id: string }[];
    };
    assert.ok(report.metrics.length > 10);
    assert.ok(existsSync(join(folder, 'reports/lgip.starter.rows.jsonl')));
    const metrics = ['metrics', samples, '--references', samples, '--evaluator', 'meteor'];
    assert.match(run(folder, 'exec', '--', 'captious', ...metrics), /meteor +\d+ +1\.0000/, 'needs WordNet');
    // This command needs the font and PDFKit, which are separate files in the package.
    const paper = ['paper', 'reports/lgip.starter.report.json', '--to', 'pdf', '--out', 'pdf'];
    run(folder, 'exec', '--', 'captious', ...paper);
    assert.match(readFileSync(join(folder, 'pdf/lgip.changes.pdf'), 'latin1'), /^%PDF-[^]*Arimo-Regular/);
  });
});
