import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import { family, memoryOf } from '../faults/command';

const usage = `npm run bench:scale -- [--images N] [--captions N] [--sizes N]

Runs LGIP over N generated images (40000) with N captions each (5) and a small encoder with random weights. The last of N
sizes (5) has all images; each other size has half as many as the next. Prints the time and memory of each size and how
linear the time is. Then kills a run over the largest size at half of its rows and prints how long the resumed run takes;
both must write the same bytes. Needs a build. Processor time excludes other work on the machine.`;

const model = resolve('test/fixtures/models/clip');

/** A distinct image of 8 × 8 pixels. */
function imageBytes(number: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.from('00000008000000080802000000', 'hex');
  const pixels = Buffer.alloc(8 * 25);
  for (let i = 0; i < pixels.length; i++) {
    if (i % 25 > 0) pixels[i] = (Math.imul(number + 1, 2654435761) >>> ((i % 4) * 8)) ^ i;
  }
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

const animals = ['cat', 'dog', 'horse', 'bird', 'sheep', 'cow', 'bear', 'elephant'];
const colours = ['red', 'blue', 'green', 'yellow', 'black', 'white', 'brown'];
const places = ['on a table', 'near a bus', 'in a park', 'beside a bench', 'under a tree', 'behind a car'];

/** A distinct caption with an object, a colour and a number to flip. */
function caption(image: number, which: number): string {
  const at = image * 5 + which;
  const pick = (list: readonly string[], step: number): string => list[Math.floor(at / step) % list.length];
  return `Two ${pick(colours, 1)} ${pick(animals, 7)}s ${pick(places, 56)} at house ${image} by door ${which}.`;
}

function write(folder: string, name: string, imageCount: number, captions: number): string {
  const path = join(folder, name);
  const lines: string[] = [];
  for (let image = 0; image < imageCount; image++) {
    for (let which = 0; which < captions; which++)
      lines.push(JSON.stringify({ image: `${image}.png`, caption: caption(image, which) }));
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

interface Measured {
  code: number | null;
  seconds: number;
  /** Processor seconds of all processes. */
  processor: number;
  /** Memory of all processes in MB, measured about five times a second. */
  memory: number[];
}

/** Processor seconds of a process and its descendants. Children that have ended count, too. */
function processorOf(pid: number): number {
  let ticks = 0;
  for (const one of family(pid)) {
    try {
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1].split(' ');
      for (const field of one === pid ? [11, 12, 13, 14] : [11, 12]) ticks += Number(fields[field]);
    } catch {
      // The process has ended.
    }
  }
  return ticks / 100;
}

/** Runs an audit and measures it. `stop` is called after each measurement, and may return a signal to end the run. */
async function run(
  data: string,
  home: string,
  out: string,
  stop?: (pid: number) => NodeJS.Signals | undefined,
): Promise<Measured> {
  const since = performance.now();
  const child = spawn(
    process.execPath,
    ['dist/cli.js', 'audit', data, '--probe', 'lgip', '--evaluator', model, '--out', out],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CAPTIOUS_HOME: home } },
  );
  const memory: number[] = [];
  let processor = 0;
  let code: number | null | undefined;
  child.on('exit', (ended) => (code = ended));
  while (code === undefined) {
    await wait(200);
    const kb = memoryOf(child.pid!);
    if (kb > 0) memory.push(kb / 1024);
    processor = Math.max(processor, processorOf(child.pid!));
    // Sends only one signal, because a second one would end the process before its last message.
    const signal = code === undefined && !child.killed && stop?.(child.pid!);
    if (signal) child.kill(signal);
  }
  return { code, seconds: (performance.now() - since) / 1000, processor, memory };
}

/** The path and size of the run's rows file, which may be incomplete. Ignores the file names in `but`. */
function rowsIn(out: string, but: readonly string[] = []): { path: string; bytes: number } | undefined {
  try {
    const name = readdirSync(out).find((one) => one.includes('rows.jsonl') && !but.includes(one));
    return name === undefined ? undefined : { path: join(out, name), bytes: statSync(join(out, name)).size };
  } catch {
    // The folder does not exist yet, or the file was just renamed.
    return undefined;
  }
}

/** Whether the file `whole` starts with the content of the file `path`. */
async function begins(path: string, whole: string): Promise<boolean> {
  const end = statSync(path).size - 1;
  const [one, other] = await Promise.all(
    [createReadStream(path), createReadStream(whole, { end })].map(async (stream) => {
      const hash = createHash('sha256');
      for await (const piece of stream) hash.update(piece as Buffer);
      return hash.digest('hex');
    }),
  );
  return one === other;
}

function rSquared(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const cross = mean(xs.map((x, i) => (x - mx) * (ys[i] - my)));
  return cross ** 2 / (mean(xs.map((x) => (x - mx) ** 2)) * mean(ys.map((y) => (y - my) ** 2)));
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/**
 * The maximum of the memory, and its medians in the second and the last quarter of the run. The medians are about
 * equal if memory does not grow.
 */
function context(memory: readonly number[]): string {
  const quarter = memory.length >> 2;
  const [early, late] = [middle(memory.slice(quarter, 2 * quarter + 1)), middle(memory.slice(-quarter - 1))];
  return `memory at most ${Math.max(...memory).toFixed(0)} MB, second quarter ${early.toFixed(0)} MB, last ${late.toFixed(0)} MB`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      images: { type: 'string', default: '40000' },
      captions: { type: 'string', default: '5' },
      sizes: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  });
  const [images, captions, sizes] = [values.images, values.captions, values.sizes].map(Number);
  if (values.help || !(captions >= 1) || !(sizes >= 1) || !(images >= 2 ** (sizes - 1))) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  console.log(
    `${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0].toFixed(1)} at the start`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'captious-scale-'));
  try {
    mkdirSync(join(folder, 'images'));
    for (let image = 0; image < images; image++)
      writeFileSync(join(folder, 'images', `${image}.png`), imageBytes(image));
    const counts: number[] = [];
    const walls: number[] = [];
    const processors: number[] = [];
    for (let size = 1; size <= sizes; size++) {
      const imageCount = Math.round(images / 2 ** (sizes - size));
      const data = write(folder, `${imageCount}.jsonl`, imageCount, captions);
      const [home, out] = [join(folder, 'home'), join(folder, 'out')];
      const { code, seconds, processor, memory } = await run(data, home, out);
      if (code !== 0) throw new Error(`The run over ${imageCount} images ended with ${code}.`);
      const rows = rowsIn(out)!;
      counts.push(imageCount * captions);
      walls.push(seconds);
      processors.push(processor);
      console.log(
        `${imageCount} images × ${captions}: ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of the processor, ` +
          `${((imageCount * captions) / seconds).toFixed(0)} captions/s, ${context(memory)}, ` +
          `rows ${(rows.bytes / 1e6).toFixed(1)} MB, load ${loadavg()[0].toFixed(1)}`,
      );
      rmSync(home, { recursive: true });
      if (size === sizes) await resume(folder, data, rows);
      rmSync(out, { recursive: true });
    }
    if (sizes > 1)
      console.log(
        `time against captions: R² = ${rSquared(counts, processors).toFixed(4)} by the processor's clock, ` +
          `${rSquared(counts, walls).toFixed(4)} by the wall's`,
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kills a run after half of its rows, resumes it, and interrupts the resumed run soon after. */
async function resume(folder: string, data: string, whole: { path: string; bytes: number }): Promise<void> {
  const [home, out] = [join(folder, 'home-killed'), join(folder, 'out-killed')];
  let reached = 0;
  const first = await run(data, home, out, () => {
    reached = rowsIn(out)?.bytes ?? 0;
    return reached >= whole.bytes / 2 ? 'SIGKILL' : undefined;
  });
  console.log(
    `killed at ${((100 * reached) / whole.bytes).toFixed(0)} % after ${first.seconds.toFixed(1)} s: ${context(first.memory)}`,
  );
  const left = readdirSync(out);
  const since = performance.now();
  let back = NaN;
  const again = await run(data, home, out, () => {
    const bytes = rowsIn(out, left)?.bytes ?? 0;
    // The new file starts with the earlier rows, so more bytes than before mean that the run writes new rows.
    if (Number.isNaN(back) && bytes > reached) back = (performance.now() - since) / 1000;
    return bytes > reached + whole.bytes / 20 ? 'SIGINT' : undefined;
  });
  const rows = rowsIn(out)!;
  const same = await begins(rows.path, whole.path);
  console.log(
    `resumed: first new row after ${back.toFixed(1)} s, stopped at ` +
      `${((100 * rows.bytes) / whole.bytes).toFixed(0)} % after ${again.seconds.toFixed(1)} s, exit ${again.code}: ` +
      `${context(again.memory)}, rows ${same ? 'the same as' : 'NOT those'} of the whole run, load ${loadavg()[0].toFixed(1)} at the end`,
  );
  if (!same) process.exitCode = 1;
}

void main();
