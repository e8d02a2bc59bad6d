/** A scheduler's task. A new attempt, on the same or another host, starts only after the previous one has ended. */
export interface Task {
  id: string;
  attempt: number;
}

/** The scheduler's task that this process runs. Undefined without a scheduler that numbers attempts. */
export function taskOf(env: NodeJS.ProcessEnv): Task | undefined {
  const { SLURM_JOB_ID, SLURM_ARRAY_JOB_ID, SLURM_ARRAY_TASK_ID, SLURM_CLUSTER_NAME, SLURM_RESTART_COUNT } =
    env;
  if (SLURM_JOB_ID !== undefined) {
    const id = [SLURM_CLUSTER_NAME ?? '', SLURM_ARRAY_JOB_ID ?? SLURM_JOB_ID, SLURM_ARRAY_TASK_ID ?? ''];
    return { id: `slurm ${id.join(' ')}`, attempt: Number(SLURM_RESTART_COUNT ?? 0) };
  }
  const { AWS_BATCH_JOB_ID, AWS_BATCH_JOB_ATTEMPT } = env;
  if (AWS_BATCH_JOB_ID === undefined) return undefined;
  return { id: `aws ${AWS_BATCH_JOB_ID}`, attempt: Number(AWS_BATCH_JOB_ATTEMPT ?? 1) };
}

/** Whether `other` is an earlier attempt of the task `own`, and has therefore ended. */
export function replaces(own: Task | undefined, other: Task | undefined): boolean {
  return own !== undefined && other !== undefined && own.id === other.id && own.attempt > other.attempt;
}
