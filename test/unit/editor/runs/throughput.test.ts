import assert from 'node:assert/strict';
import type * as speed from '../../../../src/editor/runs/throughput';
import { bundle } from '../bundle';

describe('the estimate of a run', function () {
  this.timeout(60_000);
  let throughput: speed.Throughput;
  let load: (vscode: object) => typeof speed;

  before(async () => {
    load = await bundle(`export * from './src/editor/runs/throughput';`);
  });

  beforeEach(() => {
    const kept = new Map<string, unknown>();
    const memory = {
      get: (key: string, otherwise: unknown) => kept.get(key) ?? otherwise,
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    const t = (text: string, value: number) => text.replace('{0}', String(value));
    const { Throughput } = load({ l10n: { t } });
    throughput = new Throughput(memory as unknown as ConstructorParameters<typeof Throughput>[0]);
  });

  /** 220 examples with 1,600 requests in 44 seconds. */
  const run = { asked: 1600, done: 1600, fromStore: 0, examples: 220, seconds: 44 };
  const estimate = (examples: number, evaluator = 'a', probes = [{ id: 'lgip' }]) =>
    throughput.estimate(evaluator, probes, examples);

  it('of the same evaluator and probe is its last duration per example', async () => {
    assert.equal(estimate(220), undefined);
    await throughput.learn(['a'], [{ id: 'lgip' }], run);
    assert.equal(estimate(220), 'less than a minute');
    assert.equal(estimate(220 * 30), 'about 22 min');
    assert.equal(throughput.estimate('a', [{ id: 'lgip' }], undefined), undefined);
  });

  it('counts the time of the requests that the cache answered, and learns nothing from a cached run', async () => {
    await throughput.learn(['a'], [{ id: 'lgip' }], { ...run, fromStore: 400, seconds: 33 });
    assert.equal(estimate(220 * 30), 'about 22 min');
    await throughput.learn(['a'], [{ id: 'lgip' }], { ...run, fromStore: 1590, seconds: 1 });
    assert.equal(estimate(220 * 30), 'about 22 min');
  });

  it('of another probe comes from the speed of the evaluator and the requests of the probe', async () => {
    await throughput.learn(['a'], [{ id: 'lgip' }], run);
    assert.equal(estimate(220, 'a', [{ id: 'visla' }]), undefined);
    // Four requests per example.
    await throughput.learn(['b'], [{ id: 'visla' }], {
      ...run,
      asked: 400,
      done: 400,
      examples: 100,
      seconds: 1,
    });
    // 100,000 × 4 requests at 1,600 in 44 s.
    assert.equal(estimate(100_000, 'a', [{ id: 'visla' }]), 'about 3 h');
    assert.equal(estimate(100_000, 'c', [{ id: 'visla' }]), undefined);
  });

  it('tells runs of several draws apart', async () => {
    await throughput.learn(['a'], [{ id: 'lgip', draws: 5 }], run);
    assert.equal(estimate(220, 'a', [{ id: 'lgip' }]), undefined);
    assert.equal(throughput.estimate('a', [{ id: 'lgip', draws: 5 }], 220), 'less than a minute');
  });

  it('learns nothing from several probes or evaluators, or from a run without examples', async () => {
    await throughput.learn(['a', 'b'], [{ id: 'lgip' }], run);
    await throughput.learn(['a'], [{ id: 'lgip' }, { id: 'visla' }], run);
    await throughput.learn(['a'], [{ id: 'lgip' }], { ...run, examples: 0 });
    assert.equal(estimate(220), undefined);
  });
});
