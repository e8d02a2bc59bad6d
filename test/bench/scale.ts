import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import { family, memoryOf } from '../faults/command';

const usage = `npm run bench:scale -- [--images N] [--captions N] [--sizes N] [--killed N]

LGIP over N generated photos (40000) of N captions each (5) with a small encoder of random weights, in so many sizes (5) up
to that. Prints seconds and memory of each, how straight the line is, and how long a run over --killed photos (as many as
--images) takes that was killed at half to be there again. Needs a build. By the processor's clock other work does not count.`;

const model = resolve('test/fixtures/models/clip');

/** A picture of 8×8 that is like no other. */
function picture(number: number): Buffer {
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

/** Like no other, and with an object, a colour and a number to be flipped. */
function caption(photo: number, which: number): string {
  const at = photo * 5 + which;
  const pick = (list: readonly string[], step: number): string => list[Math.floor(at / step) % list.length];
  return `Two ${pick(colours, 1)} ${pick(animals, 7)}s ${pick(places, 56)} at house ${photo} by door ${which}.`;
}

function write(folder: string, name: string, photos: number, captions: number): string {
  const path = join(folder, name);
  const lines: string[] = [];
  for (let photo = 0; photo < photos; photo++) {
    for (let which = 0; which < captions; which++)
      lines.push(JSON.stringify({ image: `${photo}.png`, caption: caption(photo, which) }));
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

interface Measured {
  code: number | null;
  seconds: number;
  /** Of all processes, by the processor's clock. */
  processor: number;
  /** Of all processes, once a fifth of a second, in MB. */
  memory: number[];
}

/** Seconds a family of processes has had of the processor, those that ended and were waited for too. */
function processorOf(pid: number): number {
  let ticks = 0;
  for (const one of family(pid)) {
    try {
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1].split(' ');
      for (const field of one === pid ? [11, 12, 13, 14] : [11, 12]) ticks += Number(fields[field]);
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks / 100;
}

/** `stop` is asked after each look and may end the run. */
async function run(
  data: string,
  home: string,
  out: string,
  stop?: (pid: number) => boolean,
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
    if (code === undefined && stop?.(child.pid!)) child.kill('SIGKILL');
  }
  return { code, seconds: (performance.now() - since) / 1000, processor, memory };
}

/** How many bytes of rows are written by now, to other files than those. */
function written(out: string, but: readonly string[] = []): number {
  try {
    return Math.max(
      0,
      ...readdirSync(out).map((name) =>
        name.includes('rows.jsonl') && !but.includes(name) ? statSync(join(out, name)).size : 0,
      ),
    );
  } catch {
    return 0;
  }
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

/** Middle of the second quarter and of the last: the same where memory is flat. */
function course(memory: readonly number[]): string {
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
      killed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [images, captions, sizes] = [values.images, values.captions, values.sizes].map(Number);
  const killed = Number(values.killed ?? images);
  if (values.help || !(images >= sizes) || !(captions >= 1) || !(sizes >= 1) || !(killed >= 0)) {
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
    for (let photo = 0; photo < Math.max(images, killed); photo++)
      writeFileSync(join(folder, 'images', `${photo}.png`), picture(photo));
    const counts: number[] = [];
    const walls: number[] = [];
    const processors: number[] = [];
    let bytesEach = 0;
    for (let size = 1; size <= sizes; size++) {
      const photos = Math.round((images * size) / sizes);
      const data = write(folder, `${photos}.jsonl`, photos, captions);
      const [home, out] = [join(folder, 'home'), join(folder, 'out')];
      const { code, seconds, processor, memory } = await run(data, home, out);
      if (code !== 0) throw new Error(`The run over ${photos} photos ended with ${code}.`);
      const bytes = written(out);
      bytesEach = bytes / (photos * captions);
      counts.push(photos * captions);
      walls.push(seconds);
      processors.push(processor);
      console.log(
        `${photos} photos × ${captions}: ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of the processor, ` +
          `${((photos * captions) / seconds).toFixed(0)} captions/s, ${course(memory)}, ` +
          `rows ${(bytes / 1e6).toFixed(1)} MB, load ${loadavg()[0].toFixed(1)}`,
      );
      rmSync(home, { recursive: true });
      rmSync(out, { recursive: true });
    }
    if (sizes > 1)
      console.log(
        `time against captions: R² = ${rSquared(counts, processors).toFixed(4)} by the processor's clock, ` +
          `${rSquared(counts, walls).toFixed(4)} by the wall's`,
      );
    if (killed > 0) await resume(folder, killed, captions, bytesEach);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kills a run at half of its rows and lets it go on. */
async function resume(folder: string, photos: number, captions: number, bytesEach: number): Promise<void> {
  const data = write(folder, `${photos}.jsonl`, photos, captions);
  const [home, out] = [join(folder, 'home-killed'), join(folder, 'out-killed')];
  const bytes = bytesEach * photos * captions;
  let reached = 0;
  const first = await run(data, home, out, () => (reached = written(out)) >= bytes / 2);
  console.log(
    `killed at ${((100 * reached) / bytes).toFixed(0)} % of ${photos} photos × ${captions} ` +
      `after ${first.seconds.toFixed(1)} s: ${course(first.memory)}`,
  );
  let back = NaN;
  const left = readdirSync(out);
  const since = performance.now();
  const again = await run(data, home, out, () => {
    if (Number.isNaN(back) && written(out, left) >= reached) back = (performance.now() - since) / 1000;
    return false;
  });
  console.log(
    `there again after ${back.toFixed(1)} s, done after ${again.seconds.toFixed(1)} s, exit ${again.code}: ` +
      `${course(again.memory)}, rows ${(written(out) / 1e6).toFixed(1)} MB, load ${loadavg()[0].toFixed(1)} at the end`,
  );
}

void main();
