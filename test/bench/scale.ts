import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import { memoryOf } from '../faults/command';

const usage = `npm run bench:scale -- [--images N] [--captions N] [--sizes N]

LGIP over N generated photos (40000) of N captions each (5) with a small encoder of random weights, in so many sizes (5) up
to that. Prints seconds and memory of each, how straight the line is, and how long a run takes that was killed at half to
be there again. Needs a build.`;

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
  /** Of all processes, once a fifth of a second, in MB. */
  memory: number[];
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
  let code: number | null | undefined;
  child.on('exit', (ended) => (code = ended));
  while (code === undefined) {
    await wait(200);
    const kb = memoryOf(child.pid!);
    if (kb > 0) memory.push(kb / 1024);
    if (code === undefined && stop?.(child.pid!)) child.kill('SIGKILL');
  }
  return { code, seconds: (performance.now() - since) / 1000, memory };
}

/** How many bytes of rows are written by now. */
function written(out: string): number {
  try {
    return Math.max(
      0,
      ...readdirSync(out).map((name) => (name.includes('rows.jsonl') ? statSync(join(out, name)).size : 0)),
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
  if (values.help || !(images >= sizes) || !(captions >= 1) || !(sizes >= 2)) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  console.log(
    `${cpus()[0]?.model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'captious-scale-'));
  try {
    mkdirSync(join(folder, 'images'));
    for (let photo = 0; photo < images; photo++)
      writeFileSync(join(folder, 'images', `${photo}.png`), picture(photo));
    const counts: number[] = [];
    const seconds: number[] = [];
    let bytes = 0;
    for (let size = 1; size <= sizes; size++) {
      const photos = Math.round((images * size) / sizes);
      const data = write(folder, `${photos}.jsonl`, photos, captions);
      const [home, out] = [join(folder, `home${photos}`), join(folder, `out${photos}`)];
      const { code, seconds: took, memory } = await run(data, home, out);
      if (code !== 0) throw new Error(`The run over ${photos} photos ended with ${code}.`);
      bytes = written(out);
      counts.push(photos * captions);
      seconds.push(took);
      const quarter = memory.length >> 2;
      const [early, late] = [
        middle(memory.slice(quarter, 2 * quarter + 1)),
        middle(memory.slice(-quarter - 1)),
      ];
      console.log(
        `${photos} photos × ${captions}: ${took.toFixed(1)} s, ${((photos * captions) / took).toFixed(0)} captions/s, ` +
          `memory at most ${Math.max(...memory).toFixed(0)} MB, second quarter ${early.toFixed(0)} MB, last ${late.toFixed(0)} MB, ` +
          `rows ${(bytes / 1e6).toFixed(1)} MB, load ${loadavg()[0].toFixed(1)}`,
      );
      if (size < sizes) rmSync(home, { recursive: true });
    }
    console.log(`time against captions: R² = ${rSquared(counts, seconds).toFixed(4)}`);

    const data = join(folder, `${images}.jsonl`);
    const [home, out] = [join(folder, 'home-killed'), join(folder, 'out-killed')];
    let reached = 0;
    await run(data, home, out, () => (reached = written(out)) >= bytes / 2);
    let back = NaN;
    const since = performance.now();
    const again = await run(data, home, out, () => {
      // The part of the killed run goes when the next one begins.
      if (Number.isNaN(back) && performance.now() - since > 400 && written(out) >= reached)
        back = (performance.now() - since) / 1000;
      return false;
    });
    console.log(
      `killed at ${((100 * reached) / bytes).toFixed(0)} % of the rows: there again after ${back.toFixed(1)} s, ` +
        `done after ${again.seconds.toFixed(1)} s, exit ${again.code}; load ${loadavg()[0].toFixed(1)} at the end`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
