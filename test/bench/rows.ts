import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../src/base/random';
import { reportOf, sealOfText } from '../unit/report/reportOf';
import type { Answered, Way } from './rowsChild';
import { median, type Section } from './report';

const rows = 100_000;
const words = 'a red truck parked by two dogs near the old stone bridge while children play at a table'.split(
  ' ',
);

/** Writes a VISLA report with distinct rows. Returns its path. */
function write(folder: string): string {
  const report = reportOf({ probe: 'visla' });
  const path = join(folder, 'visla.starter.report.json');
  const random = new Random('rows', rows);
  const caption = (): string => `${Array.from({ length: 11 }, () => random.pick(words)).join(' ')}.`;
  const file = openSync(join(folder, report.rows), 'w');
  let offset = 0;
  for (let i = 0; i < rows; i++) {
    const [p1p2, p1n, p2n] = [0, 1, 2].map(() => random.below(1_000_000) / 1_000_000);
    const distances = { p1p2: random.below(40), p1n: random.below(40), p2n: random.below(40) };
    const place = { line: i + 2, column: 1, offset, length: 200 };
    offset += 200;
    const row = {
      ...{ example: String(i), row: i, place, image: `${i}.jpg`, p1: caption(), p2: caption(), n: caption() },
      ...{ swapped: false, characters: distances, words: distances },
      t2t: { p1p2, p1n, p2n, right: p1p2 > Math.max(p1n, p2n), tie: false },
    };
    writeSync(file, `${JSON.stringify(row)}\n`);
  }
  closeSync(file);
  writeFileSync(path, JSON.stringify({ ...report, ...sealOfText(readFileSync(join(folder, report.rows))) }));
  return path;
}

function answered(way: Way, path: string): Answered {
  const run = spawnSync(process.execPath, ['--import', 'tsx', join(__dirname, 'rowsChild.ts'), way, path], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`Asking the ${way} way failed: ${run.stderr}`);
  return JSON.parse(run.stdout) as Answered;
}

/** Compares the time of the panel's requests for a large report with the time to parse all rows. */
export function benchRows(rounds: number): Section {
  const folder = mkdtempSync(join(tmpdir(), 'captious-rows-'));
  try {
    const path = write(folder);
    const size = statSync(join(folder, reportOf({ probe: 'visla' }).rows)).size / 1e6;
    const written = new Set(readdirSync(folder));
    const ways: [string, Way, boolean][] = [
      ['Captious, first time (builds the index)', 'captious', true],
      ['Captious, after an audit (index exists)', 'captious', false],
      ['JSON.parse of every row', 'parse', false],
    ];
    const taken = ways.map((): Answered[] => []);
    for (let round = 0; round < rounds; round++)
      for (const [at, [, way, anew]] of ways.entries()) {
        if (anew) for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name));
        taken[at].push(answered(way, path));
      }
    if (taken.some((list) => list.some(({ total }) => total !== rows))) throw new Error('Rows were lost.');
    if (new Set(taken.flat().map(({ found }) => found)).size !== 1) throw new Error('They find other rows.');
    const ratio = (at: number, what: 'first' | 'search' | 'peak'): number =>
      median(taken[at].map((one, round) => one[what] / taken[2][round][what]));
    const cell = (at: number, what: 'first' | 'scroll' | 'search'): string =>
      median(taken[at].map((one) => one[what])).toFixed(3);
    return {
      id: 'rows',
      title: 'Rows',
      notes: [
        `A report of VISLA with ${rows.toLocaleString('en')} rows, ${size.toFixed(0)} MB; times in seconds, medians of ${rounds} interleaved processes each.`,
        'First: the first hundred rows, worst first. Scroll: a hundred rows from the middle. Search: the rows that contain a word.',
        'The rival reads the file, parses every row, sorts and filters the list in memory.',
      ],
      columns: [
        '',
        'first',
        'scroll',
        'search',
        'peak, MB',
        'first, relative to the rival',
        'peak, relative to the rival',
      ],
      rows: ways.map(([name], at) => [
        name,
        cell(at, 'first'),
        cell(at, 'scroll'),
        cell(at, 'search'),
        (median(taken[at].map(({ peak }) => peak)) / 1e6).toFixed(0),
        ratio(at, 'first').toFixed(2),
        ratio(at, 'peak').toFixed(2),
      ]),
      data: ways.map(([name], at) => ({ name, taken: taken[at] })),
      targets: [
        {
          what: 'first rows after an audit, time relative to the rival',
          value: ratio(1, 'first'),
          atMost: 1,
        },
        { what: 'peak memory relative to the rival', value: ratio(1, 'peak'), atMost: 1 },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
