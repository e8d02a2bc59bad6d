import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { versions } from '../../src/base/files/versions';
import { mergeShards } from '../../src/audit/shard/merge';
import { type Manifest, writeManifest } from '../../src/audit/shard/manifest';
import { keepHeapSmall } from '../../src/base/heap';
import { resolveOptions } from '../../src/probe/list';
import { visla } from '../../src/probe/visla/visla';
import { peakMemory } from './peak';

const usage = `npm run bench:merge -- [--shards N] [--rows N,…]

Writes N shards (1000) of VISLA as a run with a fake evaluator leaves them, five rows for each image, and merges them. Prints
processor time, memory and size for each number of rows (1000000,3000000,10000000).`;

const info: Manifest['evaluators'][number]['info'] = {
  id: 'fake',
  name: 'fake',
  kind: 'text-encoder',
  sha256: 'ab'.repeat(32),
  scores: ['text-text'],
  precision: 'float32',
  provider: 'cpu',
  scale: { name: 'cosine' },
  prefix: '',
  notes: [],
};

/** A row whose cosines are computed from its number. */
/** An empty file of answers. */
function noAnswers(folder: string): { file: string; bytes: number; sha256: string } {
  const file = 'visla.fake.answers.jsonl';
  closeSync(openSync(join(folder, file), 'w'));
  return { file, bytes: 0, sha256: createHash('sha256').digest('hex') };
}

function row(number: number): string {
  const place = { line: number + 2, column: 1, offset: 180 * number, length: 170 };
  const [a, b, c] = [7, 13, 29].map((step) => ((number * step * 7919) % 100_003) / 100_003);
  const right = a > Math.max(b, c);
  const captions = {
    p1: `A man rides a brown horse near house ${number} in the morning.`,
    p2: `Near house ${number}, in the morning, a man rides a brown horse.`,
    n: `A man rides a black horse near house ${number} in the morning.`,
  };
  const edits = { p1p2: 40, p1n: 5, p2n: 41 };
  return JSON.stringify({
    example: String(number),
    row: number,
    place,
    image: `${Math.floor(number / 5)}.jpg`,
    ...captions,
    swapped: false,
    characters: edits,
    words: { p1p2: 11, p1n: 1, p2n: 12 },
    t2t: { p1p2: a, p1n: b, p2n: c, right, tie: false },
  });
}

async function writeShards(folder: string, shards: number, rows: number): Promise<number> {
  let size = 0;
  for (let index = 1; index <= shards; index++) {
    const name = `shard-00000000-${String(index).padStart(String(shards).length, '0')}-of-${shards}`;
    mkdirSync(join(folder, name), { recursive: true });
    const file = 'visla.fake.shard.jsonl';
    const path = join(folder, name, file);
    const out = openSync(path, 'w');
    const hash = createHash('sha256');
    let lines = 0;
    let text = '';
    const flush = (): void => {
      hash.update(text);
      writeSync(out, text);
      text = '';
    };
    // Images are distributed over the shards. All rows of an image are in one shard.
    for (let image = index - 1; image * 5 < rows; image += shards) {
      for (let i = 0; i < 5; i++, lines++) text += `[${image * 5 + i},${row(image * 5 + i)}]\n`;
      if (text.length > 1 << 20) flush();
    }
    flush();
    closeSync(out);
    const bytes = statSync(path).size;
    size += bytes;
    const rowsFile = { file, bytes, sha256: hash.digest('hex') };
    await writeManifest(join(folder, name), {
      schema: 'captious/shard@5',
      shard: { index, count: shards },
      dataset: { path: join(folder, 'triplets.tsv'), sha256: 'cd'.repeat(32), format: 'visla' },
      images: [],
      seed: 42,
      versions: versions(),
      evaluators: [
        {
          reference: 'fake',
          info,
          can: { measureTexts: false, embedTexts: true, embedImages: false, scorePairs: false },
          open: false,
          failures: [],
        },
      ],
      probes: [
        {
          probe: 'visla',
          options: resolveOptions(visla, {}),
          parts: [
            {
              rows: rowsFile,
              lines,
              examples: lines,
              leftOut: [],
              answers: noAnswers(join(folder, name)),
              cuts: [],
              partlyFound: { count: 0, first: [] },
            },
          ],
        },
      ],
      store: [],
    });
  }
  return size;
}

async function merge(folder: string): Promise<void> {
  keepHeapSmall();
  const before = process.cpuUsage();
  const { signal } = new AbortController();
  await mergeShards({ folders: [folder], out: join(folder, 'merged'), home: join(folder, 'home'), signal });
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(JSON.stringify({ seconds: (user + system) / 1e6, megabytes: peakMemory() / 2 ** 20 }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      shards: { type: 'string', default: '1000' },
      rows: { type: 'string', default: '1000000,3000000,10000000' },
      merge: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(`${usage}\n`);
  if (values.merge !== undefined) return merge(values.merge);
  process.stdout.write('| rows | shards | size | merge, processor | per million rows | memory |\n');
  process.stdout.write('| ---: | ---: | ---: | ---: | ---: | ---: |\n');
  for (const rows of values.rows.split(',').map(Number)) {
    const folder = mkdtempSync(join(tmpdir(), 'captious-merge-'));
    try {
      const size = await writeShards(folder, Number(values.shards), rows);
      const child = spawnSync(process.execPath, ['--import', 'tsx', __filename, '--merge', folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { seconds, megabytes } = JSON.parse(String(child.stdout)) as {
        seconds: number;
        megabytes: number;
      };
      process.stdout.write(
        `| ${rows.toLocaleString('en')} | ${values.shards} | ${(size / 1e9).toFixed(2)} GB | ${seconds.toFixed(0)} s | ` +
          `${((seconds / rows) * 1e6).toFixed(1)} s | ${megabytes.toFixed(0)} MB |\n`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

void main();
