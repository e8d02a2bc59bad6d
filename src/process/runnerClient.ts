/* The processes of runs. The next one can start while the user still chooses, because its code takes long to load. */
import type { Serve } from '../base/calls';
import { Child, type Exit } from '../base/childProcess';
import { runnerRequests } from '../protocol/runner';

export type Runner = Child<typeof runnerRequests>;

/** Milliseconds after which a process that no run took ends. */
const unusedMs = 120_000;

interface RunnersParts {
  script: string;
  home: () => string;
  serve: Serve;
  lost: (how: Exit) => Error;
  unusedMs?: number;
}

/** The run of a process. */
export interface RunnerOwner {
  onMessage: (value: unknown) => void;
  onExit: (how: Exit) => void;
}

interface Started {
  child: Runner;
  home: string;
  giveTo: (owner: RunnerOwner) => void;
}

export class Runners {
  private ready: (Started & { timer: NodeJS.Timeout }) | undefined;

  constructor(private readonly parts: RunnersParts) {}

  /** The id of the process that no run has taken yet. */
  get pid(): number | undefined {
    return this.ready?.child.pid;
  }

  /** Starts the process of the next run, unless it has started. It reads and executes nothing before it is taken. */
  prepare(): void {
    const started = this.ready ?? this.start();
    clearTimeout(this.ready?.timer);
    const timer = setTimeout(() => this.dispose(), this.parts.unusedMs ?? unusedMs).unref();
    this.ready = { ...started, timer };
  }

  /** The process for a run: the one that is ready, or a new one. */
  take(owner: RunnerOwner): Runner {
    // The process knows the home folder of its start only.
    if (this.ready?.home !== this.parts.home()) this.dispose();
    const { child, giveTo } = this.ready ?? this.start();
    clearTimeout(this.ready?.timer);
    this.ready = undefined;
    giveTo(owner);
    return child;
  }

  /** Ends the process that no run took. */
  dispose(): void {
    clearTimeout(this.ready?.timer);
    this.ready?.child.kill();
    this.ready = undefined;
  }

  private start(): Started {
    const { script, serve, lost } = this.parts;
    const home = this.parts.home();
    let owner: RunnerOwner | undefined;
    const child: Runner = new Child({
      script,
      env: { CAPTIOUS_HOME: home },
      requests: runnerRequests,
      serve,
      onMessage: (value) => {
        if (owner === undefined) throw new Error('A process without a run sent a message.');
        owner.onMessage(value);
      },
      lost,
      onExit: (how) => {
        owner?.onExit(how);
        if (this.ready?.child === child) this.dispose();
      },
    });
    return { child, home, giveTo: (one) => (owner = one) };
  }
}
