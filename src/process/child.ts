import { type ChildProcess, fork } from 'node:child_process';
import { messageOf } from '../base/errors';

const wordsKept = 4000;

export interface ChildHandlers<In> {
  check: (value: unknown, at: string) => In;
  onMessage: (message: In) => void;
  /** Called once, however it ended; `words` is the end of what it wrote to standard error. */
  onExit: (how: { code: number | null; signal: NodeJS.Signals | null; words: string }) => void;
}

/** A process of Captious beside the extension host, spoken to in checked messages. */
export class Child<In, Out> {
  private readonly process: ChildProcess;
  private killer: NodeJS.Timeout | undefined;
  private words = '';
  private over = false;

  constructor(script: string, handlers: ChildHandlers<In>) {
    this.process = fork(script, [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // In the desktop editor the executable is Electron, which must be told to be Node.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.words = (this.words + chunk.toString()).slice(-wordsKept);
    });
    this.process.on('message', (value) => {
      try {
        handlers.onMessage(handlers.check(value, ''));
      } catch (error) {
        this.words += `\n${messageOf(error)}`;
        this.process.kill('SIGKILL');
      }
    });
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      if (this.over) return;
      this.over = true;
      clearTimeout(this.killer);
      handlers.onExit({ code, signal, words: this.words.trim() });
    };
    this.process.once('error', (error) => {
      this.words += `\n${error.message}`;
      end(null, null);
    });
    this.process.once('close', end);
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  send(message: Out): void {
    // A process that is gone tells so through `onExit`.
    if (this.process.connected) this.process.send(message as object, () => undefined);
  }

  /** Ends it in any case, after `graceMs` at the latest. */
  killAfter(graceMs: number): void {
    this.killer ??= setTimeout(() => this.process.kill('SIGKILL'), graceMs);
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}
