import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { environment } from './torchModels';

export interface Seconds {
  wall: number;
  cpu: number;
}

/** Processor seconds of all processes that this process started and that have ended, from /proc. */
export function childTime(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** A loop of loops.py in a process that stays open. */
export class Loop {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(python: string, name: string, said: object) {
    this.child = spawn(python, [resolve('test/bench/loops.py'), name, JSON.stringify(said)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: environment,
    });
    const reader: Interface = createInterface({ input: this.child.stdout! });
    this.lines = reader[Symbol.asyncIterator]();
  }

  async ready(): Promise<void> {
    await this.line();
  }

  async run(order: object): Promise<Seconds> {
    this.child.stdin!.write(`${JSON.stringify(order)}\n`);
    return JSON.parse(await this.line()) as Seconds;
  }

  end(): void {
    this.child.stdin!.end();
  }

  private async line(): Promise<string> {
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error('The loop ended.');
    return value;
  }
}
