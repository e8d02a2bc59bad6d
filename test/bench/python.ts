import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBench } from '../../src/bench/createBench';
import type { Evaluator } from '../../src/evaluator/evaluator';
import { openEvaluator } from '../../src/evaluator/open';
import type { Item } from '../../src/protocol/item';
import { distinctCaptions } from './captions';
import { Loop, type Seconds } from './loop';
import { median, type Section } from './report';
import { environment, makeModels, imageFiles, torchPython } from './torchModels';

const imageBatch = 32;
const textBatch = 128;
/** Captions per block. The loop and Captious alternate by block, so that other programs slow both equally. */
const textBlock = 256;
const wordings = 6;

/**
 * Compares Captious's Python worker with two loops: a bare one over the same model, and one over pairs. The complete
 * comparison has 6,000 `texts` and 239 images.
 */
export async function benchPython(
  rounds: number,
  texts = Number(process.env.CAPTIOUS_BENCH_TEXTS ?? 512),
): Promise<Section> {
  const python = torchPython();
  Object.assign(process.env, environment);
  const [load] = loadavg();
  const folder = await mkdtemp(join(tmpdir(), 'captious-python-bench-'));
  try {
    await makeModels(python, folder, ['of_clip', 'of_open_clip']);
    const images = imageFiles().slice(0, Math.ceil((239 * texts) / 6000));
    const captions = distinctCaptions(texts);
    const weights = join(folder, 'vit-b-32.pt');
    const overhead = await against(
      {
        python,
        args: ['bare', { weights }],
        ref: `open_clip:ViT-B-32?pretrained=${weights}`,
      },
      blocksOf(captions, textBlock).map((texts, i, { length }) => {
        const own = images.slice(
          Math.floor((images.length * i) / length),
          Math.floor((images.length * (i + 1)) / length),
        );
        return {
          order: { images: batches(own, imageBatch), texts: batches(sorted(texts), textBatch) },
          run: (evaluator) => embedded(evaluator, own, texts),
        };
      }),
    );
    const pairs = images.flatMap((path, i) =>
      captions.slice(wordings * i, wordings * (i + 1)).map((text): [string, string] => [path, text]),
    );
    const clip = join(folder, 'clip');
    const loader = await against(
      { python, args: ['loader', { folder: clip }], ref: `transformers:${clip}` },
      Array.from({ length: rounds }, () => ({
        order: { pairs },
        run: (evaluator: Evaluator) => scored(evaluator, pairs),
      })),
    );
    return sectionOf(
      {
        ...{ images: images.length, captions: captions.length, pairs: pairs.length },
        ...{ rounds, load: [load, loadavg()[0]] },
      },
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

interface Block {
  order: object;
  run: (evaluator: Evaluator) => Promise<void>;
}

/** Runs the loop and Captious in turns, in processes that stay open. The first block runs twice, but counts once. */
async function against(
  { python, args, ref }: { python: string; args: [name: string, said: object]; ref: string },
  blocks: readonly Block[],
): Promise<Rivals> {
  const loop = new Loop(python, ...args);
  const evaluator = await openEvaluator(ref, { python: { asked: python } });
  const found: Rivals = { theirs: [], ours: [] };
  try {
    await loop.ready();
    for (const [i, { order, run }] of [blocks[0], ...blocks].entries()) {
      const theirs = await loop.run(order);
      // The processor time includes the loop's process, but that process is idle during the evaluator's blocks.
      const started = { wall: performance.now() / 1000, cpu: processorTime(process.pid) };
      await run(evaluator);
      const ours = {
        wall: performance.now() / 1000 - started.wall,
        cpu: processorTime(process.pid) - started.cpu,
      };
      if (i === 0) continue;
      found.theirs.push(theirs);
      found.ours.push(ours);
      process.stderr.write(`\rblock ${i} of ${blocks.length} `);
    }
    process.stderr.write('\n');
  } finally {
    loop.end();
    await evaluator.close();
  }
  return found;
}

/** Processor seconds of a process and its descendants, from /proc. */
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

function sorted(texts: readonly string[]): string[] {
  return [...texts].sort((a, b) => a.length - b.length);
}

function blocksOf<T>(items: readonly T[], size: number): T[][] {
  const count = Math.max(1, Math.round(items.length / size));
  return Array.from({ length: count }, (_, i) =>
    items.slice(Math.floor((items.length * i) / count), Math.floor((items.length * (i + 1)) / count)),
  );
}

function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(size * i, size * (i + 1)),
  );
}

function sectionOf(
  counts: { images: number; captions: number; pairs: number; rounds: number; load: number[] },
  overhead: Rivals,
  loader: Rivals,
): Section {
  const of = (list: readonly Seconds[], key: keyof Seconds): number =>
    list.reduce((sum, one) => sum + one[key], 0);
  const spread = (list: readonly Seconds[], base: readonly Seconds[], key: keyof Seconds): string => {
    const ratios = list.map((one, i) => one[key] / base[i][key]);
    return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  };
  const row = (what: string, list: readonly Seconds[], base: readonly Seconds[]): (string | number)[] => [
    what,
    of(list, 'wall').toFixed(2),
    of(list, 'cpu').toFixed(2),
    (of(list, 'wall') / of(base, 'wall')).toFixed(2),
    (of(list, 'cpu') / of(base, 'cpu')).toFixed(3),
    spread(list, base, 'wall'),
    spread(list, base, 'cpu'),
  ];
  return {
    id: 'python',
    title: 'Evaluators in Python',
    notes: [
      `Sums over blocks in which both sides alternate, after a warm-up; models are open already. Load of the machine (1 minute): ${counts.load.map((one) => one.toFixed(1)).join(' at the start, ')} at the end.`,
      `Bare loop: open_clip's ViT-B-32 over the batches that the worker gets, ${counts.images} images and ${counts.captions} captions; both decode the images.`,
      `Loop over pairs: transformers' CLIP (random weights, three layers) over ${counts.pairs} pairs, ${counts.rounds} times, in a DataLoader with batches of 32; each image has ${wordings} captions.`,
      'Ratios are to the loop above.',
    ],
    columns: [
      '',
      'wall (s)',
      'processor (s)',
      'ratio, wall',
      'ratio, processor',
      'per block, wall',
      'per block, processor',
    ],
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
