import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import * as vscode from 'vscode';

const id = 'captious.captious';
/** An extension of the editor itself, whose code is 725 kB. */
const rival = 'vscode.git';
const rounds = 10;
const mostMs = 50;
const mostBytes = 300_000;

interface Mark {
  name: string;
  startTime: number;
}

/**
 * The editor's own measurement of calling `activate`. It also measures loading the code, but only once and with an
 * empty disk cache.
 */
function activationTime(): number {
  const { MonacoPerformanceMarks } = globalThis as unknown as {
    MonacoPerformanceMarks: { getMarks(): Mark[] };
  };
  const at = (step: string): number => {
    const mark = MonacoPerformanceMarks.getMarks().find(({ name }) => name === `code/extHost/${step}/${id}`);
    assert.ok(mark, `the editor did not mark ${step}`);
    return mark.startTime;
  };
  return at('didActivateExtension') - at('willActivateExtension');
}

/** What loads before the first command: the processor time in ms of each round, and the files with their sizes. */
class Loading {
  readonly times: number[] = [];
  readonly files = new Map<string, number>();
  private readonly main: string;
  private readonly load: NodeJS.Require;

  constructor({ extensionPath, packageJSON }: vscode.Extension<unknown>) {
    this.load = createRequire(join(extensionPath, 'package.json'));
    const { main } = packageJSON as { main: string };
    this.main = this.load.resolve(join(extensionPath, main));
  }

  get least(): number {
    return Math.min(...this.times);
  }

  get median(): number {
    return [...this.times].sort((a, b) => a - b)[Math.floor(this.times.length / 2)];
  }

  get bytes(): number {
    return [...this.files.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Loads the code anew. Other programs affect the processor time less than the time that passes. */
  round(): void {
    const before = this.cached().map((name) => [name, this.load.cache[name]] as const);
    this.forget();
    const since = process.cpuUsage();
    this.load(this.main);
    const { user, system } = process.cpuUsage(since);
    this.times.push((user + system) / 1000);
    for (const name of this.cached()) this.files.set(basename(name), statSync(name).size);
    this.forget();
    for (const [name, module] of before) this.load.cache[name] = module;
  }

  private cached(): string[] {
    const folder = dirname(this.main) + sep;
    return Object.keys(this.load.cache).filter((name) => name.startsWith(folder) && this.load.cache[name]);
  }

  private forget(): void {
    for (const name of this.cached()) this.load.cache[name] = undefined;
  }
}

describe('activation', () => {
  it('takes at most 50 ms, loads at most 300 kB, and loads faster than an extension of the editor', async () => {
    const [extension, other] = [id, rival].map((one) => vscode.extensions.getExtension(one));
    assert.ok(extension !== undefined && other !== undefined);
    await extension.activate();
    const [own, git] = [new Loading(extension), new Loading(other)];
    for (let round = 0; round < rounds; round++) for (const one of [own, git]) one.round();
    const activating = activationTime();
    const [loaded, rivals] = [own, git].map(
      ({ least, median, bytes }) => `${least.toFixed(1)} ms (median ${median.toFixed(1)}), ${bytes} bytes`,
    );
    console.log(`[captious test]       activate() ${activating} ms; loading ${loaded}; ${rival}: ${rivals}`);
    assert.ok(own.files.size > 1 && own.bytes <= mostBytes, [...own.files].join(' '));
    assert.ok(own.least < 0.6 * git.least, `loading took ${loaded}; ${rival}: ${rivals}`);
    // On the machine of docs/bench.md, Git loads in about 32 ms. On a slower one, the limit is higher.
    const allowed = Math.max(mostMs, (mostMs / 32) * git.least);
    // `activate` is measured once, in time that passes, which other programs lengthen.
    const took = own.least + activating / Math.max(1, loadavg()[0] / cpus().length);
    assert.ok(took < allowed, `activation took ${took} ms, allowed were ${allowed.toFixed(0)} ms`);
  });

  it('has registered every command it contributes', async () => {
    const { packageJSON } = vscode.extensions.getExtension(id)!;
    const { contributes } = packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).filter((command) => !known.has(command)),
      [],
    );
  });
});
