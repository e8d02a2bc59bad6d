import assert from 'node:assert/strict';
import { parseShard } from '../../../../src/audit/shard/shard';
import { CaptiousError } from '../../../../src/base/errors';
import { saying } from '../../../sentence';

describe('--shard', () => {
  function refuses(text: string, env: NodeJS.ProcessEnv, words: RegExp): void {
    assert.throws(
      () => parseShard(text, env),
      (error) => error instanceof CaptiousError && words.test(error.describe()),
    );
  }

  it('is I/N, counted from 1', () => {
    assert.deepEqual(parseShard('3/8', {}), { index: 3, count: 8 });
    for (const text of ['0/8', '9/8', '1/0', '1/100001']) refuses(text, {}, saying('shard.numberOutOfRange'));
    for (const text of ['3', '', '-1/8', '3/8/9', '1.5/2', 'auto/'])
      refuses(text, {}, saying('shard.formExpected'));
  });

  it('auto reads a Slurm array with any start and step', () => {
    const array = { SLURM_ARRAY_TASK_COUNT: '4', SLURM_ARRAY_TASK_MIN: '5', SLURM_ARRAY_TASK_STEP: '2' };
    assert.deepEqual(parseShard('auto', { ...array, SLURM_ARRAY_TASK_ID: '5' }), { index: 1, count: 4 });
    assert.deepEqual(parseShard('auto', { ...array, SLURM_ARRAY_TASK_ID: '11' }), { index: 4, count: 4 });
    refuses('auto', { ...array, SLURM_ARRAY_TASK_ID: '6' }, saying('shard.taskNumbersUneven'));
    refuses('auto', { ...array, SLURM_ARRAY_TASK_ID: '99' }, saying('shard.taskNumbersUneven'));
    // Slurm counts only this array's four tasks, but there are eight shards.
    refuses('auto/8', { ...array, SLURM_ARRAY_TASK_ID: '5' }, saying('shard.taskCountDiffers', 4, 8));
  });

  it('auto reads the index of Kubernetes and AWS Batch, which count from 0', () => {
    assert.deepEqual(parseShard('auto/8', { JOB_COMPLETION_INDEX: '0' }), { index: 1, count: 8 });
    refuses('auto', { JOB_COMPLETION_INDEX: '0' }, saying('shard.shardCountUnset'));
    const batch = { AWS_BATCH_JOB_ARRAY_INDEX: '9', AWS_BATCH_JOB_ARRAY_SIZE: '10' };
    assert.deepEqual(parseShard('auto', batch), { index: 10, count: 10 });
    refuses('auto/8', { JOB_COMPLETION_INDEX: '8' }, saying('shard.numberOutOfRange'));
    refuses('auto', {}, saying('shard.schedulerMissing'));
  });
});
