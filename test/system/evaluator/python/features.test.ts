import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { scoreAgain } from '../../../../src/audit/again';
import { runAudit } from '../../../../src/audit/run';
import type { Consent } from '../../../../src/evaluator/evaluator';
import { openEvaluator } from '../../../../src/evaluator/open';
import { checkPython } from '../../../../src/evaluator/python/check';
import type { Row } from '../../../../src/probe/metric';
import type { VislaRow } from '../../../../src/probe/visla/row';
import { OpenEvaluators } from '../../../../src/service/openEvaluators';
import { WhatIf } from '../../../../src/service/whatIf';
import { captious } from '../../../unit/cli/captious';
import { cleanUp, modelsPath, scratch } from '../../../unit/evaluator/fixtures';
import { needsPython, pythonFixtures } from '../../../unit/evaluator/pythonFixtures';
import type { WrittenReport } from '../../../../src/audit/output/writtenReport';

const root = join(__dirname, '../../../..');
const samples = join(root, 'samples');
const images = join(samples, 'images');
const python = `python:${join(pythonFixtures, 'hashing.py')}`;
const image = '000000012280.jpg';

function audit(
  dataset: string,
  probe: string,
  ref: string,
  home: string,
  limit = 8,
  out = scratch(),
): Promise<WrittenReport[]> {
  return runAudit({
    dataset,
    probes: [probe],
    evaluators: [ref],
    images: [images],
    home,
    out,
    limit,
    signal: new AbortController().signal,
  });
}

/** Consents to running the code, as in the editor's dialog. */
async function consent(home: string): Promise<void> {
  const allow = (asked: Consent): Promise<void> => asked.give();
  const evaluator = await openEvaluator(`${python}:Towers`, { home, allow, python: { confirm: true } });
  await evaluator.close();
}

const rowsOf = ({ path, report }: WrittenReport): Row[] =>
  readFileSync(join(path, '..', report.rows), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

describe('what works with encoders and scorers works with Python, too:', function () {
  needsPython(this);
  this.timeout(120_000);
  afterEach(cleanUp);

  for (const object of ['Towers', 'Pairs'])
    it(`winoground with ${object}`, async () => {
      const [one, other] = readdirSync(images);
      const folder = scratch();
      const entry = {
        image_0: one,
        image_1: other,
        caption_0: 'a dog behind a man',
        caption_1: 'a man behind a dog',
      };
      writeFileSync(join(folder, 'pairs.jsonl'), `${JSON.stringify(entry)}\n`.repeat(2));
      const [written] = await audit(
        join(folder, 'pairs.jsonl'),
        'winoground',
        `${python}:${object}`,
        scratch(),
      );
      assert.equal(written.report.dataset.examples, 2);
      assert.equal(rowsOf(written).length, 2);
    });

  it('reports of one class with other arguments are kept side by side', async () => {
    const [home, out] = [scratch(), scratch()];
    for (const salt of ['one', 'other', 'one'])
      await audit(join(samples, 'triplets.tsv'), 'visla', `${python}:Towers?salt=${salt}`, home, 4, out);
    assert.equal(readdirSync(out).filter((name) => name.endsWith('.report.json')).length, 2);
  });

  it('what-if gives an existing caption the score of the report', async () => {
    const home = scratch();
    const dataset = join(scratch(), 'triplets.tsv');
    writeFileSync(
      dataset,
      `filename\tcaption\tsecond positive\tnegative_caption\n${image}\ta red bus\tthe bus is red\ta blue bus\n`,
    );
    const [written] = await audit(dataset, 'visla', `${python}:Towers`, home);
    const [row] = rowsOf(written) as unknown as VislaRow[];
    await consent(home);
    const whatIf = new WhatIf();
    try {
      const answer = await whatIf.answer(
        { report: written.path, text: row.n, others: [row.p1] },
        { kind: 'image', source: { name: image, path: join(images, image) }, transforms: [] },
        home,
        [`${python}:Towers`],
      );
      assert.deepEqual([answer.problem, answer.image], [undefined, row.i2t!.n]);
      assert.deepEqual(answer.others, [{ image: row.i2t!.p1, text: row.t2t!.p1n }]);
    } finally {
      await whatIf.close();
    }
  });

  it('an edited caption is scored again as in an audit', async () => {
    const home = scratch();
    const file = join(scratch(), 'edited.jsonl');
    const lines = ['a red bus and two dogs', 'three cats on a green sofa'];
    writeFileSync(file, lines.map((caption) => `${JSON.stringify({ image, caption })}\n`).join(''));
    const [written] = await audit(file, 'lgip', `${python}:Towers`, home);
    await consent(home);
    const evaluators = new OpenEvaluators();
    try {
      const { rows } = await scoreAgain({
        report: written.report,
        file,
        lines: [2],
        ...(await evaluators.of(written.report.evaluator, home, [`${python}:Towers`])),
        images: [images],
        signal: new AbortController().signal,
      });
      const own = rowsOf(written).filter(({ row }) => row === 1);
      // The rows of all draws, because the caption is in each.
      assert.equal(own.length, 5);
      assert.deepEqual(JSON.parse(JSON.stringify(rows)), own);
    } finally {
      await evaluators.close();
    }
  });

  it('a repaired evaluator is fitted, and audited with consent', async () => {
    const [home, out] = [scratch(), join(scratch(), 'repaired')];
    const dataset = join(samples, 'captions.json');
    const options = ['--evaluator', `${python}:Towers`, '--rank', '2', '--epochs', '2', '--cost', '1'];
    const fitted = await captious(home, 'repair', dataset, ...options, '--probe', 'lgip', '--out', out);
    assert.equal(fitted.code, 0, fitted.err);
    const again = [
      'audit',
      dataset,
      '--probe',
      'lgip',
      '--evaluator',
      out,
      '--limit',
      '3',
      '--out',
      scratch(),
    ];
    const denied = await captious(scratch(), ...again);
    assert.equal(denied.code, 2, 'a file names the code');
    assert.match(denied.err, /consent/);
    const audited = await captious(home, ...again, '--yes');
    assert.equal(audited.code, 0, audited.err);
    assert.match(audited.out + audited.err, /multiplied by one matrix/);
  });

  for (const ref of [
    `${python}:Pairs`,
    `clipscore:${python}:Towers`,
    `clipscore:${join(modelsPath, 'clip')}`,
  ])
    it(`an invariance report of ${basename(ref)} is calibrated, and the correction opens the same evaluator`, async () => {
      const [home, file] = [scratch(), join(scratch(), 'calibrated.evaluator.json')];
      const [written] = await audit(join(samples, 'captions.json'), 'invariance', ref, home, 20);
      const fitted = await captious(home, 'calibrate', written.path, '--files', '0', '--out', file);
      assert.equal(fitted.code, 0, fitted.err);
      assert.equal((JSON.parse(readFileSync(file, 'utf8')) as { encoder: string }).encoder, ref);
      const dataset = join(samples, 'captions.json');
      const options = ['--evaluator', file, '--limit', '3', '--out', scratch(), '--yes'];
      const audited = await captious(home, 'audit', dataset, '--probe', 'invariance', ...options);
      assert.equal(audited.code, 0, audited.err);
    });
});

describe('what runs in the user’s Python', function () {
  needsPython(this);

  it('has the syntax of Python 3.9, and the version of Captious', () => {
    const check = `
import ast, pathlib, sys
for path in pathlib.Path("python/captious").rglob("*.py"):
    ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 9))
sys.path.insert(0, "python")
sys.dont_write_bytecode = True
import captious
print(captious.__version__)`;
    const { status, stdout, stderr } = spawnSync('python3', ['-c', check], { cwd: root, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.equal(stdout.trim(), version);
  });
});

describe('Python 3.9 to 3.13', function () {
  needsPython(this);
  this.timeout(120_000);
  afterEach(cleanUp);

  const embedded = async (asked: string): Promise<number[]> => {
    const evaluator = await openEvaluator(`${python}:Towers`, { home: scratch(), python: { asked } });
    try {
      const [row] = await evaluator.embedTexts!(['ein Hund läuft']);
      assert.ok(row.ok);
      return Array.from(row.value);
    } finally {
      await evaluator.close();
    }
  };

  for (const version of ['3.9', '3.10', '3.11', '3.12', '3.13'])
    it(`${version} runs the worker`, async function () {
      const asked = installed(version);
      if (asked === undefined) {
        console.log(`      skipped: no Python ${version} on the PATH or in pyenv`);
        this.skip();
      }
      assert.deepEqual(await embedded(asked), await embedded('python3'));
      const found = await checkPython({ asked });
      assert.ok(found.python.startsWith(`${version}.`), found.python);
    });
});

/** The interpreter of this version from PATH or pyenv. Returns undefined if none is installed. */
function installed(version: string): string | undefined {
  const all = join(homedir(), '.pyenv', 'versions');
  const own = (existsSync(all) ? readdirSync(all) : [])
    .filter((name) => name.startsWith(`${version}.`))
    .map((name) => join(all, name, 'bin', 'python'));
  return [`python${version}`, ...own].find((path) => spawnSync(path, ['--version']).status === 0);
}
