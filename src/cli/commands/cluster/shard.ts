import { runShard, type ShardRequest } from '../../../audit/shard/runShard';
import { shardName } from '../../../audit/shard/shard';
import { usageError } from '../../../base/errors';
import type { Values } from '../../arguments';
import { Listener, reportOptions } from '../../reports';
import { print, printJson } from '../../terminal';

/** Measures one shard. Only the merge computes metrics. */
export async function auditShard(values: Values, request: ShardRequest): Promise<number> {
  const needless = Object.keys(reportOptions).find((name) => name !== 'json' && values[name] !== undefined);
  if (needless !== undefined)
    throw usageError(
      `--${needless} needs a report, but a shard writes no report.`,
      `Pass --${needless} to "captious merge".`,
    );
  if (values.workers !== undefined)
    throw usageError(
      '--shard and --workers cannot be combined.',
      'To run one shard, omit --workers. To run all shards on this machine, omit --shard.',
    );
  const listener = new Listener();
  try {
    const { folder, manifest } = await runShard({ ...request, onEvent: (event) => listener.hear(event) });
    listener.done();
    const { shard, probes } = manifest;
    if (values.json) printJson({ folder, ...shard, probes: probes.map(({ probe }) => probe) });
    else print(`Shard ${shardName(shard)} is complete: ${folder}`);
    return 0;
  } finally {
    listener.done();
  }
}
