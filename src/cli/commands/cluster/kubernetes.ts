import { CaptiousError } from '../../../base/errors';
import type { Call } from '../../arguments';
import { checked, type Plan } from './plan';

/**
 * One Indexed Job for each group of evaluators, and one Job for the merge. The jobs are written as JSON, which
 * escapes special characters in names.
 */
export function kubernetesJobs(call: Call, plan: Plan): object[] {
  const { container } = checked(call, 'container', /^[\w./:@-]+$/);
  const { claim } = checked(call, 'claim', /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/);
  if (container === undefined || claim === undefined)
    throw new CaptiousError('usage', 'Kubernetes needs --container and --claim.', {
      remedy:
        '--container is an image that contains Captious. --claim is a volume claim that is mounted at the folder of --out. All pods must be able to write to it (ReadWriteMany).',
    });
  const job = (name: string, args: readonly string[], indexed: object): object => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: { 'app.kubernetes.io/name': 'captious' } },
    spec: {
      ...indexed,
      template: {
        spec: {
          restartPolicy: 'OnFailure',
          terminationGracePeriodSeconds: 60,
          containers: [
            {
              name: 'captious',
              image: container,
              command: ['captious', ...args],
              resources: resourcesOf(plan),
              volumeMounts: [{ name: 'shared', mountPath: plan.out }],
            },
          ],
          volumes: [{ name: 'shared', persistentVolumeClaim: { claimName: claim } }],
        },
      },
    },
  });
  const { shards, audits, merge } = plan;
  const indexed = {
    completionMode: 'Indexed',
    completions: shards,
    parallelism: shards,
    backoffLimit: 3 * shards,
  };
  return [
    ...audits.map(([name, ...args], group) =>
      job(`captious-${group}`, [name, `--shard=auto/${shards}`, ...args], indexed),
    ),
    job('captious-merge', merge, { backoffLimit: 3 }),
  ];
}

function resourcesOf({ cpus, memory, gpus }: Plan): object {
  // In Slurm, G means 1024³ bytes. Kubernetes calls this unit Gi.
  const amount = memory?.replace(/([KMGT])i?$/, (_, unit: string) => `${unit}i`);
  const limits = {
    ...(amount === undefined ? {} : { memory: amount }),
    ...(gpus === undefined ? {} : { 'nvidia.com/gpu': gpus.split(':').pop() }),
  };
  return { ...(cpus === undefined ? {} : { requests: { cpu: String(cpus) } }), limits };
}
