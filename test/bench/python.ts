import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { createBench } from '../../src/bench/createBench';
import type { Evaluator } from '../../src/evaluator/evaluator';
import { openEvaluator } from '../../src/evaluator/open';
import type { Item } from '../../src/protocol/item';
import { median, type Section } from './report';

interface Seconds {
  wall: number;
  /** Processor time of all processes together. */
  cpu: number;
}

const imageBatch = 32;
const textBatch = 128;
const wordings = 6;
/** Lets a torch and a torchvision of different builds work together. */
const environment = { ...process.env, PYTHONPATH: resolve('test/python/site') };

/**
 * Compares the worker with the same model in a bare loop, and Captious with a loop over pairs. The whole
 * comparison takes 6,000 `texts`.
 */
export async function benchPython(
  rounds: number,
  texts = Number(process.env.CAPTIOUS_BENCH_TEXTS ?? 512),
): Promise<Section> {
  const python = [
    process.env.CAPTIOUS_TEST_PYTHON,
    resolve('.cache/python/bin/python'),
    resolve('.venv/bin/python'),
  ].find((path) => path !== undefined && existsSync(path));
  if (python === undefined)
    throw new Error('npm run test:python makes the environment that this section needs.');
  Object.assign(process.env, environment);
  const folder = await mkdtemp(join(tmpdir(), 'captious-python-bench-'));
  try {
    await makeModels(python, folder);
    const images = photos().slice(0, Math.ceil((239 * texts) / 6000));
    const captions = captionsOf(texts);
    const weights = join(folder, 'vit-b-32.pt');
    const overhead = await against(
      {
        python,
        args: ['bare', JSON.stringify({ weights })],
        rounds,
        ref: `open_clip:ViT-B-32?pretrained=${weights}`,
      },
      { images: batches(images, imageBatch), texts: batches(sorted(captions), textBatch) },
      (evaluator) => embedded(evaluator, images, captions),
    );
    const pairs = images.flatMap((path, i) =>
      captions.slice(wordings * i, wordings * (i + 1)).map((text): [string, string] => [path, text]),
    );
    const clip = join(folder, 'clip');
    const loader = await against(
      { python, args: ['loader', JSON.stringify({ folder: clip })], rounds, ref: `transformers:${clip}` },
      { pairs },
      (evaluator) => scored(evaluator, pairs),
    );
    return sectionOf(
      { images: images.length, captions: captions.length, pairs: pairs.length, rounds },
      overhead,
      loader,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Rivals {
  theirs: Seconds[];
  ours: Seconds[];
}

/** Runs both in turns, in processes that stay open. The first round of each does not count. */
async function against(
  { python, args, rounds, ref }: { python: string; args: string[]; rounds: number; ref: string },
  order: object,
  run: (evaluator: Evaluator) => Promise<void>,
): Promise<Rivals> {
  const loop = new Loop(
    spawn(python, [resolve('test/bench/loops.py'), ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: environment,
    }),
  );
  const evaluator = await openEvaluator(ref, { python: { asked: python } });
  const found: Rivals = { theirs: [], ours: [] };
  try {
    await loop.ready();
    for (let round = 0; round <= rounds; round++) {
      const theirs = await loop.run(order);
      const started = { wall: performance.now() / 1000, cpu: processorTime(process.pid) };
      await run(evaluator);
      const ours = {
        wall: performance.now() / 1000 - started.wall,
        cpu: processorTime(process.pid) - started.cpu,
      };
      // The loop is a child process, too, but does nothing meanwhile.
      if (round > 0) {
        found.theirs.push(theirs);
        found.ours.push(ours);
      }
    }
  } finally {
    loop.end();
    await evaluator.close();
  }
  return found;
}

class Loop {
  private readonly lines: AsyncIterator<string>;

  constructor(private readonly child: ChildProcess) {
    const reader: Interface = createInterface({ input: child.stdout! });
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

/** Seconds that a process and all its descendants have used, as Linux counts them. */
function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = (Number(fields[11]) + Number(fields[12])) / 100;
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children.reduce((sum, child) => sum + processorTime(Number(child)), own);
}

async function embedded(
  evaluator: Evaluator,
  images: readonly string[],
  captions: readonly string[],
): Promise<void> {
  const bench = createBench();
  const items: Item[] = [...images.map(image), ...captions.map((text): Item => ({ kind: 'text', text }))];
  const rows = await bench.embeddings(evaluator, items);
  if (!rows.every(({ ok }) => ok)) throw new Error('Some items have no embedding.');
  await bench.close();
}

async function scored(evaluator: Evaluator, pairs: readonly [string, string][]): Promise<void> {
  const bench = createBench();
  const scores = await bench.scores(
    evaluator,
    pairs.map(([path, text]) => ({ left: image(path), right: { kind: 'text', text } })),
  );
  if (!scores.every(({ ok }) => ok)) throw new Error('Some pairs have no score.');
  await bench.close();
}

function image(path: string): Item {
  return { kind: 'image', source: { name: path, path }, transforms: [] };
}

/** The 239 images of COCO if they exist here, otherwise the samples, repeated. */
function photos(): string[] {
  const folder = [resolve('../shared/data/coco/images'), resolve('samples/images')].find(existsSync)!;
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Distinct captions made from those of the samples, because captions of probes are distinct, too. */
function captionsOf(count: number): string[] {
  const lines = readFileSync('samples/captions.jsonl', 'utf8').trim().split('\n');
  const captions = lines.map((line) => (JSON.parse(line) as { caption: string }).caption);
  return Array.from({ length: count }, (_, i) => `${captions[i % captions.length]} ${i}`);
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort((a, b) => a.length - b.length);
}

function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(size * i, size * (i + 1)),
  );
}

async function makeModels(python: string, folder: string): Promise<void> {
  const script = join(folder, 'make.py');
  const models = readFileSync('test/python/models.py', 'utf8').split('OUT.mkdir(')[0];
  // The models of the tests without their own scores.
  await writeFile(
    script,
    `${models}\nPAIRS = PAIRS[:2]\nOUT.mkdir(parents=True, exist_ok=True)\nof_clip()\nof_open_clip()\n`,
  );
  const pairs = photos()
    .slice(0, 2)
    .map((path) => ({ image: path, text: 'a dog' }));
  await writeFile(join(folder, 'pairs.json'), JSON.stringify(pairs));
  execFileSync(python, [script, folder, resolve('test/fixtures/models'), join(folder, 'pairs.json')], {
    env: environment,
    stdio: 'ignore',
  });
}

function sectionOf(
  counts: { images: number; captions: number; pairs: number; rounds: number },
  overhead: Rivals,
  loader: Rivals,
): Section {
  const of = (list: readonly Seconds[], key: keyof Seconds): number => median(list.map((one) => one[key]));
  const row = (what: string, list: readonly Seconds[], base: readonly Seconds[]): (string | number)[] => [
    what,
    of(list, 'wall').toFixed(2),
    of(list, 'cpu').toFixed(2),
    (of(list, 'wall') / of(base, 'wall')).toFixed(2),
    (of(list, 'cpu') / of(base, 'cpu')).toFixed(2),
  ];
  return {
    id: 'python',
    title: 'Evaluators in Python',
    notes: [
      `Medians of ${counts.rounds} alternating rounds after a warm-up; models are open already.`,
      `Bare loop: open_clip's ViT-B-32 over the batches that the worker gets, ${counts.images} images and ${counts.captions} captions; both decode the images.`,
      `Loop over pairs: transformers' CLIP (random weights, three layers) over ${counts.pairs} pairs in a DataLoader with batches of 32; each image has ${wordings} captions.`,
      'Ratios are to the loop above.',
    ],
    columns: ['', 'wall (s)', 'processor (s)', 'ratio, wall', 'ratio, processor'],
    rows: [
      row('bare loop', overhead.theirs, overhead.theirs),
      row('Captious, python', overhead.ours, overhead.theirs),
      row('loop over pairs with a DataLoader', loader.theirs, loader.theirs),
      row('Captious, python', loader.ours, loader.theirs),
    ],
    data: { counts, overhead, loader },
    targets: [
      {
        what: 'processor time relative to the bare loop',
        value: of(overhead.ours, 'cpu') / of(overhead.theirs, 'cpu'),
        atMost: 1.05,
      },
      {
        what: 'processor time relative to the loop over pairs',
        value: of(loader.ours, 'cpu') / of(loader.theirs, 'cpu'),
        atMost: 1,
      },
    ],
  };
}
