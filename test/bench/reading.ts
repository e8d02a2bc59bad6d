import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { Random } from '../../src/base/random';
import { type Section, median } from './report';

const megabyte = 1e6;
const fileSize = 200 * megabyte;
/** The largest acceptable memory in MB, for datasets of any size. */
const memoryLimit = 400;
const words =
  'a red truck parked by two dogs near the old stone bridge while children play with green balls'.split(' ');

interface Taken {
  examples: number;
  wall: number;
  processor: number;
  peak: number;
}

interface Sort {
  name: string;
  file: string;
  row: (i: number, caption: () => string) => string;
  before: string;
  between: string;
  after: string;
  /** The simple code to compare with, which does not record captions' places. */
  rival?: 'readline' | 'parse';
  /** The lowest acceptable speed relative to the rival. */
  atLeast?: number;
}

const sorts: Sort[] = [
  {
    name: 'JSON lines',
    file: 'rows.jsonl',
    row: (i, caption) =>
      JSON.stringify({ image: name(i), caption: caption(), label: i % 2, relation: 'near' }),
    before: '',
    between: '\n',
    after: '\n',
    rival: 'readline',
    atLeast: 0.25,
  },
  {
    name: 'JSON list on one line',
    file: 'rows.json',
    row: (i, caption) => JSON.stringify({ image: name(i), caption: Array.from({ length: 10 }, caption) }),
    before: '[',
    between: ', ',
    after: ']',
    rival: 'parse',
    atLeast: 0.4,
  },
  {
    name: 'tab-separated',
    file: 'rows.tsv',
    row: (i, caption) => [name(i), caption(), caption(), caption()].join('\t'),
    before: 'filename\tcaption\tsecond positive\tnegative_caption\n',
    between: '\n',
    after: '\n',
  },
];

function name(i: number): string {
  return `${String(i).padStart(12, '0')}.jpg`;
}

/** Writes distinct rows. Every run writes the same rows. Returns the number of rows. */
function write(path: string, { row, before, between, after }: Sort): number {
  const random = new Random('reading', path.length);
  const caption = (): string => `${Array.from({ length: 11 }, () => random.pick(words)).join(' ')}.`;
  const file = openSync(path, 'w');
  let written = writeSync(file, before);
  let rows = 0;
  while (written < fileSize) {
    const part: string[] = [];
    for (let i = 0; i < 1000; i++) part.push((rows > 0 ? between : '') + row(rows++, caption));
    written += writeSync(file, part.join(''));
  }
  writeSync(file, after);
  closeSync(file);
  return rows;
}

function read(program: string, way: string, path: string, heap: number): Taken {
  const run = spawnSync(process.execPath, [`--max-old-space-size=${heap}`, program, way, path], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`Reading ${path} failed: ${run.stderr}`);
  return JSON.parse(run.stdout) as Taken;
}

/** Reads large files with Captious in a heap of 128 MB, and with simple code in a heap of 4 GB. */
export function benchReading(rounds: number): Section {
  const folder = mkdtempSync(join(tmpdir(), 'captious-reading-'));
  // Bundled as in the extension, because a loader would double the time of small functions.
  const program = join(folder, 'reading.js');
  buildSync({
    entryPoints: [join(__dirname, 'readingChild.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    external: ['onnxruntime-node', 'sharp'],
    logLevel: 'error',
  });
  try {
    const measured = sorts.map((sort) => {
      const path = join(folder, sort.file);
      const rows = write(path, sort);
      const size = statSync(path).size / megabyte;
      const ours = Array.from({ length: rounds }, () => read(program, 'captious', path, 128));
      if (ours.some(({ examples }) => examples !== rows)) throw new Error(`${sort.name}: rows were lost`);
      const theirs =
        sort.rival === undefined
          ? []
          : Array.from({ length: rounds }, () => read(program, sort.rival!, path, 4096));
      rmSync(path);
      const speed = (taken: Taken[], clock: 'wall' | 'processor'): number =>
        size / median(taken.map((one) => one[clock]));
      return {
        sort,
        wall: speed(ours, 'wall'),
        processor: speed(ours, 'processor'),
        peak: Math.max(...ours.map(({ peak }) => peak)) / megabyte,
        rival: theirs.length === 0 ? undefined : speed(theirs, 'processor'),
        rivalPeak: theirs.length === 0 ? undefined : Math.max(...theirs.map(({ peak }) => peak)) / megabyte,
      };
    });
    return {
      id: 'reading',
      title: 'Reading datasets',
      notes: [
        `Files of ${fileSize / megabyte} MB, speed in MB/s, median of ${rounds}. Every example and every caption is read with its place in the file.`,
        `Captious has a heap of 128 MB. The rival has 4 GB: readline with JSON.parse for lines, JSON.parse of the whole file for a list.`,
        `It records no places, reports no broken rows and keeps nothing.`,
      ],
      columns: ['what', 'wall', 'processor', 'rival, processor', 'peak, MB', 'rival, peak, MB'],
      rows: measured.map(({ sort, wall, processor, rival, peak, rivalPeak }) => [
        sort.name,
        ...[wall, processor].map((value) => value.toFixed(0)),
        rival?.toFixed(0) ?? '',
        peak.toFixed(0),
        rivalPeak?.toFixed(0) ?? '',
      ]),
      data: measured.map(({ sort, ...figures }) => ({ name: sort.name, ...figures })),
      targets: measured.flatMap(({ sort, processor, rival, peak }) => [
        ...(sort.atLeast === undefined || rival === undefined
          ? []
          : [
              {
                what: `${sort.name}, speed relative to the rival, processor time`,
                value: processor / rival,
                atLeast: sort.atLeast,
              },
            ]),
        { what: `${sort.name}, peak memory in MB`, value: peak, atMost: memoryLimit },
      ]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
