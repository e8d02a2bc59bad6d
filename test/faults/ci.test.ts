import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Report } from '../../src/report/report';
import { scratch } from './command';

/** The `run:` script that contains `word`, as GitHub Actions passes it to the shell. */
function step(page: string, word: string): string {
  const block = /^( *)(?:- )?run: ([>|])\n((?:\1 .*\n|\n)+)/gm;
  for (const [, , style, body] of page.matchAll(block)) {
    if (!body.includes(word)) continue;
    return style === '>'
      ? body
          .trim()
          .split(/\s*\n\s*/)
          .join(' ')
      : body;
  }
  throw new Error(`docs/ci.md has no step with ${word}.`);
}

describe('the example of a gate in docs/ci.md', function () {
  this.timeout(300_000);
  const place = scratch();
  const page = readFileSync('docs/ci.md', 'utf8');

  function shell(script: string, more: NodeJS.ProcessEnv = {}): { status: number | null; said: string } {
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
      cwd: place.path,
      encoding: 'utf8',
      env: { ...process.env, CAPTIOUS_HOME: '.captious', ...more },
    });
    return { status, said: `${stdout}${stderr}` };
  }

  const reportIn = (folder: string): Report =>
    JSON.parse(readFileSync(place.in(join(folder, 'lgip.encoder.report.json')), 'utf8')) as Report;
  const figure = (report: Report, id: string): number =>
    report.metrics.find((metric) => metric.id === id && metric.slice === undefined)!.value!;

  before(() => {
    mkdirSync(place.in('captious'));
    mkdirSync(place.in('data'));
    symlinkSync(resolve('dist'), place.in('captious/dist'), 'junction');
    cpSync('samples/captions.json', place.in('data/captions.json'));
    cpSync('samples/images', place.in('data/photos'), { recursive: true });
    cpSync('models/starter', place.in('encoder'), { recursive: true });
  });

  it('runs as written: the gate follows the metrics, and the baseline passes against itself', () => {
    const audit = step(page, '--fail-on');
    const toBaseline = audit
      .replace(/ --fail-on ".*?"/, '')
      .replace(/ --baseline \S+/, '')
      .replace('--out reports', '--out baseline');
    const first = shell(toBaseline);
    assert.equal(first.status, 0, first.said);

    const { status, said } = shell(audit);
    const report = reportIn('reports');
    const fails = figure(report, 'lgip.pr.object') < 0.7 || figure(report, 'lgip.inv') > 0.1;
    assert.equal(status, fails ? 1 : 0, said);
    assert.doesNotMatch(said, /worse than/);

    const never = shell(audit.replace(/ --fail-on ".*?"/, ' --fail-on "lgip.pr.object > 1"'));
    assert.equal(never.status, 0, never.said);
    const always = shell(audit.replace(/ --fail-on ".*?"/, ' --fail-on "lgip.pr.object <= 1"'));
    assert.equal(always.status, 1, always.said);
  });

  it('exports the inputs of later steps', () => {
    const { status, said } = shell(step(page, '--to sarif'), { GITHUB_STEP_SUMMARY: 'summary.md' });
    assert.equal(status, 0, said);
    assert.deepEqual(
      readdirSync(place.in('reports')).filter(
        (name) => !name.includes('.report.') && !name.includes('.rows.'),
      ),
      ['lgip.encoder.junit.xml', 'lgip.encoder.sarif'],
    );
    assert.equal(
      (JSON.parse(readFileSync(place.in('reports/lgip.encoder.sarif'), 'utf8')) as { version: string })
        .version,
      '2.1.0',
    );
    assert.ok(existsSync(place.in('summary.md')));
  });
});
