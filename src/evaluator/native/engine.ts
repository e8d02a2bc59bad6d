import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Requests } from '../../base/calls';
import { type Exit, Service } from '../../base/childProcess';
import type { CaptiousError } from '../../base/errors';
import { type JobAnswer, type JobAsk, type JobName, nativeRequests } from '../../protocol/native';
import { whyModelEnded } from './lost';
import { mostMemory } from './memory';

export interface EngineOptions {
  /** Milliseconds until a process that ignores a cancel is killed. */
  killAfterMs?: number;
  /** The most milliseconds for a step, such as loading a graph, running a batch or decoding an image. */
  stepDeadlineMs?: number;
  /** Creates the error that callers get when the process ends. The default error is about the model. */
  lost?: (how: Exit) => CaptiousError;
}

/**
 * Calls a child process for jobs such as running graphs or decoding images. The first call starts the process.
 * After a crash, the next call starts a new process.
 */
export class Engine {
  private readonly service: Service<Requests>;
  private readonly killAfterMs: number;
  private readonly stallMs: number;
  private closed = false;

  constructor({ killAfterMs = 600, stepDeadlineMs = 120_000, lost = whyModelEnded }: EngineOptions = {}) {
    this.killAfterMs = killAfterMs;
    this.stallMs = stepDeadlineMs;
    this.service = new Service(() => {
      // Throws if the user set an invalid memory limit, before a process starts with the limit.
      mostMemory();
      return {
        ...sessionScript(),
        // The child does not inherit debugger or loader options, nor does a model set its own options. ONNX Runtime
        // would report its use to Microsoft, and keep a device id in the home folder.
        env: { NODE_OPTIONS: '', ORT_LOAD_CONFIG_FROM_MODEL: '0', ORT_DISABLE_TELEMETRY: '1' },
        requests: nativeRequests,
        lost,
        graceMs: killAfterMs,
        oneAtATime: true,
      };
    });
  }

  /** The process id of the child, or undefined if no child runs. */
  get pid(): number | undefined {
    return this.service.pid;
  }

  async run<K extends JobName>(name: K, ask: JobAsk<K>, signal?: AbortSignal): Promise<JobAnswer<K>> {
    if (this.closed) throw new Error('The evaluator is closed.');
    const { stallMs } = this;
    // The service checks the answer on arrival, but the compiler cannot see that its type fits `name`.
    return (await this.service.ask(name, ask, { signal, stallMs })) as JobAnswer<K>;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.service.close(this.killAfterMs);
  }
}

/** After a build, the script is next to the bundle. From source, tsx loads main.ts. */
function sessionScript(): { script: string; execArgv: string[] } {
  if (!__filename.endsWith('.ts')) return { script: join(__dirname, 'session.js'), execArgv: [] };
  // Tests name a bundle as new as the source, because tsx takes three times as long to start.
  const built = process.env.CAPTIOUS_TEST_SESSION;
  if (built !== undefined) return { script: built, execArgv: [] };
  const { resolve } = createRequire(__filename);
  const imports = pathToFileURL(resolve('tsx')).href;
  return {
    script: join(__dirname, 'main.ts'),
    execArgv: ['--require', resolve('tsx/cjs'), '--import', imports],
  };
}
