import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Parts, partsOf, type Processor, processorOf, runIdeally } from './idealSessions';
import { Skipped } from './needs';
import { median, type Section } from './report';
import { environment, makeModels, torchPython } from './torchModels';

interface Result {
  name: string;
  marginal: number;
  found: Record<Size, Both>;
}

interface Case {
  probe: string;
  data: string;
  /** The image folder. Undefined if the probe compares only texts. */
  images?: string;
  /** The number of examples of the smaller audit. The larger one has three times as many. */
  limits: Record<Size, number>;
  /** The least share of the graph's time in the time of further items. */
  marginal: number;
}

type Size = 'starter' | 'large';

interface Measured {
  wall: number;
  raw: number;
  items: number;
  /** The parts of the audit's time and its processor time, in the round whose time is closest to the median. */
  parts: Parts;
  processor: Processor & { raw: number };
}

/** The audits of N and of 3 N examples. */
type Both = [small: Measured, large: Measured];

const models: Record<Size, { name: string; fixed: number }> = {
  starter: { name: 'starter', fixed: 1 },
  large: { name: 'ViT-B/32', fixed: 1.5 },
};
const sizes = ['starter', 'large'] as const;
const shared = resolve('../shared/data');

/**
 * Compares the time of a whole audit with bare ONNX sessions for the same items. The audit starts with an
 * empty cache and includes its process's start and end.
 */
export async function benchEfficiency(rounds: number, threads: number): Promise<Section> {
  if (!existsSync(shared)) throw new Skipped(`the published datasets are not at ${shared}`);
  const folder = await mkdtemp(join(tmpdir(), 'captious-efficiency-'));
  const [load] = loadavg();
  try {
    const large = join(folder, 'onnx');
    await makeModels(torchPython(), folder, ['of_open_clip']);
    const checkpoint = `open_clip:ViT-B-32?pretrained=${join(folder, 'vit-b-32.pt')}`;
    execFileSync(
      process.execPath,
      ['dist/cli.js', 'convert', checkpoint, `--out=${large}`, `--python=${torchPython()}`],
      { env: environment, stdio: 'ignore' },
    );
    const results: Result[] = [];
    for (const each of await cases(folder)) {
      const measure = async (evaluator: string, limit: number): Promise<Both> => {
        const run = (limit: number): Promise<Measured> =>
          measured({ ...each, evaluator, limit }, { folder, rounds, threads });
        return [await run(limit), await run(3 * limit)];
      };
      const found = {
        starter: await measure('starter', each.limits.starter),
        large: await measure(large, each.limits.large),
      };
      const name = `${each.probe}, ${each.images === undefined ? 'texts' : 'images'}`;
      results.push({ name, marginal: each.marginal, found });
    }
    return sectionOf(results, rounds, threads, load);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function cases(folder: string): Promise<Case[]> {
  const images = join(shared, 'coco/images');
  const coco = join(shared, 'coco/captions.json');
  const few = join(folder, 'few.json');
  await writeFile(few, JSON.stringify(firstImages(coco, 90)));
  const [visla, sugarcrepe] = ['visla/Generic_VISLA.tsv', 'sugar-crepe/replace_obj.json'].map((path) =>
    join(shared, path),
  );
  return [
    { probe: 'visla', data: visla, limits: { starter: 324, large: 200 }, marginal: 0.92 },
    { probe: 'sugarcrepe', data: sugarcrepe, limits: { starter: 550, large: 300 }, marginal: 0.92 },
    { probe: 'lgip', data: coco, images, limits: { starter: 79, large: 75 }, marginal: 0.85 },
    { probe: 'rococo', data: coco, images, limits: { starter: 79, large: 30 }, marginal: 0.8 },
    { probe: 'prsm', data: coco, images, limits: { starter: 79, large: 75 }, marginal: 0.85 },
    { probe: 'invariance', data: few, images, limits: { starter: 30, large: 30 }, marginal: 0.8 },
  ];
}

function firstImages(path: string, count: number): unknown {
  const { images, annotations } = JSON.parse(readFileSync(path, 'utf8')) as {
    images: { id: number }[];
    annotations: { image_id: number }[];
  };
  const chosen = images.slice(0, count);
  const ids = new Set(chosen.map(({ id }) => id));
  return { images: chosen, annotations: annotations.filter(({ image_id }) => ids.has(image_id)) };
}

async function measured(
  {
    probe,
    data,
    images,
    limit,
    evaluator,
  }: Omit<Case, 'limits' | 'marginal'> & { limit: number; evaluator: string },
  { folder, rounds, threads }: { folder: string; rounds: number; threads: number },
): Promise<Measured> {
  const log = join(folder, 'sessions.jsonl');
  const walls: number[] = [];
  const raws: number[] = [];
  const parts: Parts[] = [];
  const processor: Measured['processor'][] = [];
  let items = 0;
  for (let round = 0; round < rounds; round++) {
    for (const name of ['home', 'out', 'sessions.jsonl'])
      await rm(join(folder, name), { recursive: true, force: true });
    const began = performance.now();
    execFileSync(
      process.execPath,
      [
        `--import=${resolve('test/bench/sessionLog.mjs')}`,
        'dist/cli.js',
        'audit',
        data,
        `--probe=${probe}`,
        `--evaluator=${evaluator}`,
        `--limit=${limit}`,
        `--out=${join(folder, 'out')}`,
        ...(images === undefined ? [] : [`--images=${images}`]),
      ],
      {
        env: { ...process.env, CAPTIOUS_HOME: join(folder, 'home'), CAPTIOUS_SESSION_LOG: log },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    walls.push((performance.now() - began) / 1000);
    parts.push(partsOf(log));
    const towers = Object.values(await runIdeally(log, threads));
    raws.push(towers.reduce((sum, { seconds }) => sum + seconds, 0));
    const raw = towers.reduce((sum, tower) => sum + tower.processor, 0);
    processor.push({ ...processorOf(log), raw });
    items = towers.reduce((sum, tower) => sum + tower.items, 0);
  }
  const wall = median(walls);
  const nearest = walls.reduce(
    (best, one, i) => (Math.abs(one - wall) < Math.abs(walls[best] - wall) ? i : best),
    0,
  );
  return { wall, raw: median(raws), items, parts: parts[nearest], processor: processor[nearest] };
}

/** The seconds that do not depend much on the number of items: all but encoding. */
function fixedCost([{ parts }]: Both): number {
  return parts.start + parts.open + parts.end;
}

/** For further items, the graph's time alone divided by the audit's. */
function marginalEfficiency([small, large]: readonly Pick<Measured, 'raw' | 'wall'>[]): number {
  return (large.raw - small.raw) / (large.wall - small.wall);
}

function sectionOf(results: readonly Result[], rounds: number, threads: number, load: number): Section {
  const cells = (both: Both): (string | number)[] => {
    const [{ items, parts }, large] = both;
    const { main, models: own, threads: further, raw } = large.processor;
    return [
      `${items}; ${large.items}`,
      ...[large.raw, large.wall].map((seconds) => seconds.toFixed(1)),
      fixedCost(both).toFixed(2),
      marginalEfficiency(both).toFixed(2),
      ...[parts.start, parts.open, parts.end, large.parts.busy].map((part) => part.toFixed(2)),
      ...[main, own, further, raw].map((seconds) => seconds.toFixed(1)),
    ];
  };
  return {
    id: 'efficiency',
    title: 'Efficiency of every probe',
    notes: [
      'Each audit starts with an empty cache, and is measured from the start of the process to its end, once with N examples and once with 3 N.',
      `Raw: only session.run, once for each item that the larger audit encodes, on prepared tensors in batches of 32 sorted by length, on ${threads} threads.`,
      'Fixed: start (until the process of the model starts), open (until the first batch runs) and end (intervals and writing), of the smaller audit. Graph busy: the share of the time from the first batch to the last in which a process with the model runs a graph, in the larger one.',
      'Marginal: the raw seconds of the further items divided by the seconds that they add to the audit. A growing end is part of it.',
      'The last columns are processor seconds of the larger audit: of the command line, of the processes with a model, the part of the latter in threads that decode, alter and resize images (Linux only), and of the raw session. They include time in which threads of ONNX Runtime wait for each other in a loop.',
      `ViT-B/32 has random weights and gets the first part of each dataset. Medians of ${rounds} rounds, load ${load.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after.`,
    ],
    columns: [
      'probe',
      'model',
      'items',
      'raw (s)',
      'audit (s)',
      'fixed (s)',
      'marginal',
      'start (s)',
      'open (s)',
      'end (s)',
      'graph busy',
      'command line',
      'models',
      'of it threads',
      'raw',
    ],
    rows: results.flatMap(({ name, found }) =>
      sizes.map((size) => [name, models[size].name, ...cells(found[size])]),
    ),
    data: results,
    targets: results.flatMap(({ name, marginal, found }) =>
      sizes.flatMap((size) => [
        {
          what: `${name}, ${models[size].name}: fixed cost (s)`,
          value: fixedCost(found[size]),
          atMost: models[size].fixed,
        },
        {
          what: `${name}, ${models[size].name}: marginal efficiency`,
          value: marginalEfficiency(found[size]),
          atLeast: marginal,
        },
      ]),
    ),
  };
}
