import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writePieces } from '../../src/report/output';
import { tableWriters } from '../../src/report/table/forms';
import type { Table, TableCell } from '../../src/report/table/table';
import { Skipped } from './needs';
import { median, type Section } from './report';

const cli = resolve('dist/cli.js');
const model = resolve('test/fixtures/models/clip');
const imageFolder = resolve('samples/images');
const images = 2000;
/** The largest acceptable difference of two layouts, as a share of the slowest. */
const apart = 0.1;

interface Taken {
  wall: number;
  processor: number;
  peak: number;
}

/** Times an audit of the same images and captions from JSON with files, Parquet, Arrow and a tar archive. */
export async function benchLayouts(rounds: number): Promise<Section> {
  if (!existsSync('/proc/self/stat'))
    throw new Skipped('processor time and memory of child processes come from /proc');
  const folder = mkdtempSync(join(tmpdir(), 'captious-layouts-'));
  try {
    const paths = await write(folder);
    const layouts = Object.keys(paths);
    const taken = new Map<string, Taken[]>(layouts.map((layout) => [layout, []]));
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? layouts : layouts.toReversed();
      for (const layout of order) taken.get(layout)!.push(await audit(paths[layout], folder));
    }
    const measured = layouts.map((layout) => {
      const own = taken.get(layout)!;
      return {
        layout,
        wall: images / median(own.map(({ wall }) => wall)),
        processor: images / median(own.map(({ processor }) => processor)),
        peak: Math.max(...own.map(({ peak }) => peak)),
      };
    });
    const rates = measured.map(({ processor }) => processor);
    return {
      id: 'layouts',
      title: 'Layouts of a dataset',
      notes: [
        `An audit of ${images} images with a right and a wrong caption each (SugarCrepe, empty store) from a JSON file with image files, and from Parquet, Arrow and a tar archive with the same images inside. The encoder is a CLIP of a few neurons, so that reading, decoding and resizing take most of the time.`,
        `Images a second from the start of the process to its end, medians of ${rounds}, in an order that alternates. Processor time and memory are those of all processes of the run. The target is on processor time, because other programs on the machine delay single runs.`,
      ],
      columns: ['layout', 'images/s', 'images/s of processor time', 'peak, MB'],
      rows: measured.map(({ layout, wall, processor, peak }) => [
        layout,
        wall.toFixed(0),
        processor.toFixed(0),
        (peak / 1e6).toFixed(0),
      ]),
      data: { measured, taken: Object.fromEntries(taken) },
      targets: [
        {
          what: 'slowest relative to fastest, processor time',
          value: Math.min(...rates) / Math.max(...rates),
          atLeast: 1 - apart,
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the dataset in each layout. Returns the paths. */
async function write(folder: string): Promise<Record<string, string>> {
  const files = readdirSync(imageFolder)
    .filter((name) => name.endsWith('.jpg'))
    .sort();
  const imageFiles = join(folder, 'json', 'images');
  mkdirSync(imageFiles, { recursive: true });
  const entries = Array.from({ length: images }, (_, i) => {
    const name = `${String(i).padStart(6, '0')}.jpg`;
    const bytes = numbered(readFileSync(join(imageFolder, files[i % files.length])), i);
    writeFileSync(join(imageFiles, name), bytes);
    return {
      name,
      bytes: () => readFileSync(join(imageFiles, name)),
      captions: ['red', 'blue'].map((colour) => `A ${colour} dog and two men near house ${i}.`),
    };
  });
  const paths = { JSON: join(folder, 'json', 'captions.json') } as Record<string, string>;
  writeFileSync(
    paths.JSON,
    JSON.stringify(
      entries.map(({ name, captions: [caption, wrong] }) => ({
        image: name,
        caption,
        negative_caption: wrong,
      })),
    ),
  );
  const endings = { parquet: 'Parquet', arrow: 'Arrow', webdataset: 'tar' } as const;
  for (const [form, layout] of Object.entries(endings) as [keyof typeof endings, string][]) {
    async function* rows(): AsyncGenerator<TableCell[]> {
      for (const { name, bytes, captions } of entries)
        yield await Promise.resolve([{ bytes: bytes(), path: name }, ...captions]);
    }
    const table: Table = {
      columns: new Map([
        ['image', 'image'],
        ['caption', 'string'],
        ['negative_caption', 'string'],
      ]),
      rows: rows(),
      notes: {},
      createdBy: 'benchmark',
    };
    mkdirSync(join(folder, form));
    paths[layout] = join(folder, form, `captions.${form}`);
    await writePieces(paths[layout], tableWriters[form](table));
  }
  return paths;
}

/** The JPEG file with a comment, so that no two images have the same bytes and equal pixels cost the same. */
function numbered(jpeg: Buffer, i: number): Buffer {
  const comment = Buffer.from(`......${i}`);
  comment.writeUInt16BE(0xfffe, 0);
  comment.writeUInt16BE(comment.length - 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}

async function audit(path: string, folder: string): Promise<Taken> {
  const home = join(folder, 'home');
  rmSync(home, { recursive: true, force: true });
  const [before, since] = [childTicks(), performance.now()];
  const args = ['audit', path, '--probe=sugarcrepe', `--evaluator=${model}`, `--out=${join(home, 'out')}`];
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, CAPTIOUS_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let [text, peak] = ['', 0];
  child.stderr.on('data', (piece) => (text += String(piece)));
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(child.pid!))), 100);
  const code = await new Promise((done) => child.once('close', done));
  clearInterval(watch);
  if (code !== 0) throw new Error(text);
  const { rowCount, dataset } = JSON.parse(
    readFileSync(join(home, 'out', 'sugarcrepe.clip.report.json'), 'utf8'),
  ) as {
    rowCount: number;
    dataset: { examples: number };
  };
  if (rowCount !== images || dataset.examples !== images) throw new Error(`${path}: ${rowCount} rows`);
  return {
    wall: (performance.now() - since) / 1000,
    processor: (childTicks() - before) / ticksPerSecond,
    peak,
  };
}

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout || 100);

/** The processor time of all ended children of this process and of theirs. */
function childTicks(): number {
  const fields = statOf('self');
  return Number(fields[13]) + Number(fields[14]);
}

/** The fields of /proc/PID/stat after the name, which may contain spaces. */
function statOf(pid: string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
}

/** The resident memory of a process and its children in bytes. */
function memoryOf(pid: number): number {
  let sum = 0;
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    sum += Number(kilobytes ?? 0) * 1024;
    for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' '))
      if (child !== '') sum += memoryOf(Number(child));
  } catch {
    // The process has ended.
  }
  return sum;
}
