import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const programs = ['slurmctld', 'slurmd', 'munged', 'sbatch', 'squeue', 'scontrol', 'sinfo'];

/** Why this machine cannot run a cluster; undefined if it can. */
export function whyNot(): string | undefined {
  const missing = programs.filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`], { env }).status !== 0,
  );
  if (missing.length === 0) return undefined;
  return `${missing.join(', ')} not found. On Debian and Ubuntu: apt-get install slurm-wlm munge`;
}

const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };

/** A Slurm cluster on this machine with two partitions. Jobs of `high` preempt jobs of `low`. */
export class Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'captious-slurm-'));
  readonly env = {
    ...env,
    SLURM_CONF: join(this.folder, 'slurm.conf'),
    CAPTIOUS_HOME: join(this.folder, 'home'),
  };
  private readonly nodes = ['n1', 'n2', 'n3'];

  start(): void {
    const { folder, nodes } = this;
    for (const name of ['state', 'log', 'run']) mkdirSync(join(folder, name));
    for (const node of nodes) mkdirSync(join(folder, `spool-${node}`));
    writeFileSync(join(folder, 'munge.key'), randomBytes(128), { mode: 0o600 });
    // The port is below those that the system assigns.
    const port = 20_000 + (process.pid % 5000) * 2;
    const [host] = hostname().split('.');
    writeFileSync(
      join(folder, 'slurm.conf'),
      `ClusterName=captious
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${port}
AuthType=auth/munge
AuthInfo=socket=${folder}/run/munge.socket
SlurmUser=${userInfo().username}
SlurmdUser=${userInfo().username}
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool-%n
SlurmctldPidFile=${folder}/run/slurmctld.pid
SlurmdPidFile=${folder}/run/slurmd-%n.pid
SlurmctldLogFile=${folder}/log/slurmctld.log
SlurmdLogFile=${folder}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,bf_interval=2,requeue_setup_env_fail
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
MpiDefault=none
KillWait=2
ReturnToService=2
NodeName=n[1-3] NodeHostname=${host} NodeAddr=127.0.0.1 Port=[${port + 1}-${port + 3}] CPUs=1 RealMemory=1000
PartitionName=low Nodes=n[1-3] Default=YES MaxTime=INFINITE PriorityTier=1
PartitionName=high Nodes=n[1-3] MaxTime=INFINITE PriorityTier=10 PreemptMode=off
`,
    );
    const munge = ['munge.socket', 'munged.pid', 'seed'].map((name) => join(folder, 'run', name));
    this.run('munged', [
      `--socket=${munge[0]}`,
      `--pid-file=${munge[1]}`,
      `--seed-file=${munge[2]}`,
      `--key-file=${folder}/munge.key`,
      `--log-file=${folder}/log/munged.log`,
      '--force',
    ]);
    this.run('slurmctld', ['-c']);
    for (const node of nodes) this.run('slurmd', ['-N', node]);
  }

  /** Returns the command's standard output. If the command fails, the error contains its standard error output. */
  run(command: string, args: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync(command, args, { env: this.env, encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** States of a job's tasks, by task number. */
  states(job: string): Map<string, { state: string; node: string }> {
    const lines = this.run('squeue', [
      '--noheader',
      '--array',
      '--states=all',
      `--jobs=${job}`,
      '--format=%K %T %N',
    ]);
    return new Map(
      lines.split('\n').map((line) => {
        const [task, state, node = ''] = line.trim().split(/ +/);
        return [task, { state, node }];
      }),
    );
  }

  stop(): void {
    for (const name of [...this.nodes.map((node) => `slurmd-${node}`), 'slurmctld', 'munged']) {
      try {
        const pid = Number(readFileSync(join(this.folder, 'run', `${name}.pid`), 'utf8'));
        process.kill(pid, 'SIGTERM');
        // The daemon writes its state before it ends. Signal 0 throws once the daemon has ended.
        for (let i = 0; i < 200; i++) {
          process.kill(pid, 0);
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
        }
      } catch {
        // The daemon has ended.
      }
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}
