import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAudit } from '../../src/audit/run';
import { keepHeapSmall } from '../../src/base/heap';
import type { Evaluator } from '../../src/evaluator/evaluator';
import type { Outcome } from '../../src/base/outcome';
import { peakMemory } from './peak';

const usage = `npm run bench:memory -- [--probe lgip|visla] [--examples N] [--json]

Runs a probe (visla) over N generated examples (1000000), five for each image, with a fake evaluator: embeddings of four numbers,
made from the text. Prints the time, the memory of the process along the way, and how much it grows for each example. An
example of visla has three captions; an example of lgip has one caption and about 14 variants.`;

const animals = ['cat', 'dog', 'horse', 'bird', 'sheep', 'cow', 'bear', 'elephant'];
const colours = ['red', 'blue', 'green', 'yellow', 'black', 'white', 'brown'];
const places = ['on a table', 'near a bus', 'in a park', 'beside a bench', 'under a tree', 'behind a car'];

function lgipLine(number: number): string {
  const pick = (list: readonly string[], step: number): string =>
    list[Math.floor(number / step) % list.length];
  const where = `${pick(places, 56)} at house ${Math.floor(number / 5)} by door ${number % 5}`;
  const caption = `Two ${pick(colours, 1)} ${pick(animals, 7)}s ${where}.`;
  return JSON.stringify({ image: `${Math.floor(number / 5)}.jpg`, caption });
}

function vislaLine(number: number): string {
  const at = `near house ${number} in the morning`;
  const captions = [
    `A man rides a brown horse ${at}.`,
    `In the morning, a man rides a brown horse near house ${number}.`,
    `A man rides a black horse ${at}.`,
  ];
  return [`${Math.floor(number / 5)}.jpg`, ...captions].join('\t');
}

const datasets: Record<string, { name: string; head: string; line: (number: number) => string }> = {
  lgip: { name: 'captions.jsonl', head: '', line: lgipLine },
  visla: {
    name: 'triplets.tsv',
    head: 'filename\tcaption\tsecond positive\tnegative_caption\n',
    line: vislaLine,
  },
};

function write(path: string, { head, line }: (typeof datasets)[string], count: number): void {
  const file = openSync(path, 'w');
  let text = head;
  for (let number = 0; number < count; number++) {
    text += `${line(number)}\n`;
    if (text.length > 1 << 20 || number === count - 1) {
      writeSync(file, text);
      text = '';
    }
  }
  closeSync(file);
}

function vector(text: string): Outcome<Float32Array> {
  const hash = createHash('sha256').update(text).digest();
  return { ok: true, value: Float32Array.from([0, 4, 8, 12], (at) => hash.readInt32LE(at) / 2 ** 31) };
}

const fake: Evaluator = {
  info: {
    id: 'fake',
    name: 'fake',
    kind: 'dual-encoder',
    sha256: 'ab'.repeat(32),
    scores: ['text-text', 'image-text'],
    dimension: 4,
    precision: 'float32',
    provider: 'cpu',
    scale: { name: 'cosine' },
    prefix: '',
    notes: [],
    textKey: 'fake',
    imageKey: 'fake',
  },
  knowsImage: () => true,
  embedTexts: (texts) => Promise.resolve(texts.map(vector)),
  embedImages: (images) => Promise.resolve(images.map(({ source }) => vector(source.name))),
  close: () => Promise.resolve(),
};

interface Mark {
  examples: number;
  megabytes: number;
}

/** What `--json` prints. */
export interface MemoryRun {
  marks: Mark[];
  seconds: number;
  /** Seconds of all cores together. */
  processor: number;
  /** The peak memory in megabytes. */
  peak: number;
  /** Bytes for each example. */
  growth: number;
}

/** Bytes per example: the slope of a line through the measurements after the first quarter, when caches are full. */
function slope(marks: readonly Mark[], count: number): number {
  const late = marks.filter(({ examples }) => examples > count / 4);
  const mean = (of: (mark: Mark) => number): number =>
    late.reduce((sum, mark) => sum + of(mark), 0) / late.length;
  const [x, y] = [mean(({ examples }) => examples), mean(({ megabytes }) => megabytes)];
  const cross = mean((mark) => (mark.examples - x) * (mark.megabytes - y));
  return (1e6 * cross) / mean((mark) => (mark.examples - x) ** 2);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      probe: { type: 'string', default: 'visla' },
      examples: { type: 'string', default: '1000000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [dataset, count] = [datasets[values.probe], Number(values.examples)];
  if (values.help || dataset === undefined || !(count >= 1000)) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const tell = (line: string): void => {
    if (!values.json) console.log(line);
  };
  keepHeapSmall();
  const folder = mkdtempSync(join(tmpdir(), 'captious-memory-'));
  try {
    const path = join(folder, dataset.name);
    write(path, dataset, count);
    const load = (): string => loadavg()[0].toFixed(1);
    tell(`${availableParallelism()} cores, Node ${process.versions.node}, load ${load()} at the start`);
    const marks: Mark[] = [];
    const started = performance.now();
    await runAudit({
      dataset: path,
      probes: [values.probe],
      evaluators: [fake],
      out: join(folder, 'out'),
      home: join(folder, 'home'),
      signal: new AbortController().signal,
      onEvent: (event) => {
        if (event.type !== 'progress') return;
        const { examples } = event.progress;
        if (examples < (marks.at(-1)?.examples ?? 0) + count / 40) return;
        const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
        const [all, heap, arrays] = [rss, heapUsed, arrayBuffers].map((bytes) => bytes / 1e6);
        marks.push({ examples, megabytes: all });
        if (marks.length % 5 === 0)
          tell(
            `${examples} examples, ${((performance.now() - started) / 1000).toFixed(0)} s: ` +
              `${all.toFixed(0)} MB, of which heap ${heap.toFixed(0)} and arrays ${arrays.toFixed(0)}`,
          );
      },
    });
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const run: MemoryRun = {
      marks,
      seconds: (performance.now() - started) / 1000,
      processor: (userCPUTime + systemCPUTime) / 1e6,
      peak: peakMemory() / 1e6,
      growth: slope(marks, count),
    };
    tell(
      `${count} examples: ${run.seconds.toFixed(0)} s, ${run.processor.toFixed(0)} s of processor time, at most ${run.peak.toFixed(0)} MB, ` +
        `${run.growth.toFixed(0)} bytes more for each example, load ${load()} at the end`,
    );
    if (values.json) console.log(JSON.stringify(run));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
