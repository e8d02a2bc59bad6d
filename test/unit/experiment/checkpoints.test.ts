import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { readInside } from '../../../src/base/files/namedInside';
import { readExperiment } from '../../../src/experiment/check';
import { checkpointsOf, nameMatches } from '../../../src/experiment/checkpoints';
import { type Plan, planOf } from '../../../src/experiment/plan';
import { cellsOf } from '../../../src/experiment/run';

describe('checkpoints of an experiment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'captious-checkpoints-'));

  before(() => {
    for (const name of ['step_9', 'step_10', 'step_100', 'best'])
      mkdirSync(join(folder, 'ckpt2', name), { recursive: true });
    mkdirSync(join(folder, 'weights & more'));
    for (const name of [
      ...['captions.json', 'model.py', 'ckpt2/step_9.log', 'weights & more/run-2.pt'],
      ...['weights & more/run-10.pt', 'weights & more/run-2.txt', 'weights & more/epoch1*.pt'],
    ])
      writeFileSync(join(folder, name), '[]');
  });

  after(() => rmSync(folder, { recursive: true }));

  const found = (entry: string, step?: string): [string, number][] | undefined =>
    checkpointsOf(entry, folder, step)?.map((one) => [one.ref, one.step]);

  function codeOf(run: () => unknown): string | undefined {
    try {
      run();
    } catch (error) {
      assert.ok(error instanceof CaptiousError, String(error));
      return (error.what as { code?: string }).code;
    }
    return undefined;
  }

  it('are ordered by the step in the name that the pattern leaves open', () => {
    // The folder "ckpt2" has the same step for all, and step_9.log is no evaluator.
    const steps = [9, 10, 100];
    for (const [before, pattern] of [
      ['', './ckpt2/step_*'],
      ['clipscore:', './ckpt2/step_*'],
      ['refclipscore:', './ckpt2/step_*'],
      ['transformers:', './ckpt2/st*p_*'],
    ])
      assert.deepEqual(
        found(`${before}${pattern}`),
        steps.map((step) => [`${before}./ckpt2/step_${step}`, step]),
      );
    assert.deepEqual(
      found('ckpt2/step_*')?.map(([ref]) => ref),
      steps.map((step) => `./ckpt2/step_${step}`),
    );
    assert.deepEqual(
      found(`${folder}/*/step_*`),
      steps.map((step) => [`${folder}/ckpt2/step_${step}`, step]),
    );
  });

  it('may be a parameter, whose text is encoded', () => {
    const entry = 'python:model.py:Model?a=1&path=./weights+%26+more/run-*.pt&b=2';
    assert.deepEqual(found(entry, 'run-(\\d+)'), [
      ['python:model.py:Model?a=1&path=./weights%20%26%20more/run-2.pt&b=2', 2],
      ['python:model.py:Model?a=1&path=./weights%20%26%20more/run-10.pt&b=2', 10],
    ]);
  });

  it('are not looked for without an asterisk, or if a file has this name', () => {
    assert.equal(found('starter'), undefined);
    assert.equal(found('python:model.py:Model?prefix=%2A'), undefined);
    assert.equal(found('open_clip:ViT-B-32?pretrained=./weights+%26+more/epoch1*.pt'), undefined);
  });

  it('must exist, and have distinct steps', () => {
    assert.equal(
      codeOf(() => found('./ckpt3/step_*')),
      'experiment.patternWithoutMatch',
    );
    assert.equal(
      codeOf(() => found('./ckpt2/*')),
      'experiment.checkpointWithoutStep',
    );
    assert.equal(
      codeOf(() => found('a:b?path=weights+%26+more/run-*', 'run-(\\d+)')),
      'experiment.stepOfTwo',
    );
    assert.equal(
      codeOf(() => found('./ckpt2/step_*', '(')),
      'report.stepPatternInvalid',
    );
  });

  async function plan(evaluators: unknown[]): Promise<Plan> {
    const path = join(folder, 'captious.json');
    const keys = { datasets: ['captions.json'], probes: ['lgip', 'visla'], out: 'reports', evaluators };
    writeFileSync(path, JSON.stringify(keys));
    return planOf(await readExperiment(path), undefined, join(folder, 'home'));
  }

  it('are cells of the matrix, with their steps', async () => {
    const own = await plan([
      'starter',
      { kind: 'checkpoints', pattern: './ckpt2/step_*', step: 'step_(\\d+)' },
      'python:model.py?path=ckpt2/step_1*',
    ]);
    const [nine, ten, hundred] = ['./ckpt2/step_9', './ckpt2/step_10', './ckpt2/step_100'];
    assert.deepEqual(
      own.series.map((series) => series.map(({ ref, step }) => [ref, step])),
      [
        [
          [nine, 9],
          [ten, 10],
          [hundred, 100],
        ],
        [
          [`python:model.py?path=${ten}`, 10],
          [`python:model.py?path=${hundred}`, 100],
        ],
      ],
    );
    assert.equal(own.evaluators.length, 6);
    assert.equal(cellsOf(own).length, 12);
  });

  it('may be a path of an evaluator object, whose name then ends with the match', async () => {
    const weighted = { kind: 'clipscore', name: 'mine', encoder: './ckpt2/step_*', weight: 2, prefix: '* a' };
    const code = { kind: 'python', name: 'code', file: './model.py', args: { path: './ckpt2/step_1*' } };
    const adapted = { kind: 'cosine', name: 'b', encoder: 'open_clip:B?pretrained=./ckpt2/step_9*.log' };
    const own = await plan([weighted, code, adapted]);
    assert.deepEqual(
      own.series.map((series) => series.map(({ ref, step, pattern }) => [ref, step, pattern])),
      [
        [9, 10, 100].map((step) => [`./captious.json#mine-${step}`, step, 'mine']),
        [
          ['./captious.json#code-0', 10, 'code'],
          ['./captious.json#code-00', 100, 'code'],
        ],
        [['./captious.json#b-', 9, 'b']],
      ],
    );
    const file = join(folder, 'captious.json');
    assert.deepEqual(readInside(`${file}#mine-100`), {
      ...weighted,
      name: 'mine-100',
      encoder: './ckpt2/step_100',
    });
    assert.deepEqual(readInside(`${file}#code-00`), {
      ...{ ...code, name: 'code-00' },
      args: { path: './ckpt2/step_100' },
    });
    assert.deepEqual(readInside(`${file}#b-a b`), {
      ...{ ...adapted, name: 'b-a b', encoder: 'open_clip:B?pretrained=./ckpt2/step_9a%20b.log' },
    });
    for (const name of ['mine-..', 'min-9']) assert.throws(() => readInside(`${file}#${name}`));
  });

  it('are rejected with the place in the file', async () => {
    for (const evaluators of [
      ['starter', 'ckpt2/st*p'],
      ['starter', './ckpt2/step_9', './ckpt2/step_*'],
      [{ kind: 'checkpoints', pattern: './ckpt2/step_9', step: '(\\d+)' }],
      [{ kind: 'checkpoints', pattern: './ckpt2/step_*', steps: '(\\d+)' }],
      [{ kind: 'cosine', name: 'x', encoder: './*/step_*' }],
    ])
      await assert.rejects(plan(evaluators), (error) => {
        assert.ok(error instanceof CaptiousError);
        assert.match(error.at!, /captious\.json:1:\d+$/);
        return true;
      });
  });
});

describe('a pattern for names', () => {
  it('matches from the start to the end, each asterisk any text', () => {
    for (const [pattern, name, expected] of [
      ['step_*', 'step_1', true],
      ['step_*.pt', 'step_.pt', true],
      ['step_*', 'my_step_1', false],
      ['a*b*c', 'abc', true],
      ['a*b*c', 'a1b2c3c', true],
      ['a*b*c', 'acb', false],
      ['ab*bc', 'abc', false],
      ['*', '.hidden', false],
    ] as const)
      assert.equal(nameMatches(pattern, name), expected, `${pattern} ${name}`);
  });

  it('is matched at once, however many asterisks it has', () => {
    assert.equal(nameMatches(`${'*a'.repeat(60)}b`, 'a'.repeat(250)), false);
  }).timeout(1000);
});
