import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Parts, partsOf, runIdeally } from './idealSessions';
import { Skipped } from './needs';
import { median, type Section } from './report';
import { environment, makeModels, torchPython } from './torchModels';

interface Case {
  probe: string;
  data: string;
  /** The image folder. Undefined if the probe compares only texts. */
  images?: string;
  /** The largest number of examples for each model. By default, the starter gets all. */
  limits: { starter?: number; large: number };
}

interface Measured {
  wall: number;
  raw: number;
  items: number;
  /** The parts of the audit's time, in the round whose time is closest to the median. */
  parts: Parts;
}

/** A limit that is larger than every dataset. */
const all = 100_000;
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
    const results: { name: string; found: Record<'starter' | 'large', Measured> }[] = [];
    for (const each of await cases(folder)) {
      const name = `${each.probe}, ${each.images === undefined ? 'texts' : 'images'}`;
      const measure = (evaluator: string, limit: number): Promise<Measured> =>
        measured({ ...each, evaluator, limit }, { folder, rounds, threads });
      const starter = await measure('starter', each.limits.starter ?? all);
      results.push({ name, found: { starter, large: await measure(large, each.limits.large) } });
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
  await writeFile(few, JSON.stringify(firstImages(coco, 60)));
  return [
    { probe: 'visla', data: join(shared, 'visla/Generic_VISLA.tsv'), limits: { large: 400 } },
    { probe: 'sugarcrepe', data: join(shared, 'sugar-crepe/replace_obj.json'), limits: { large: 600 } },
    { probe: 'lgip', data: coco, images, limits: { large: 150 } },
    { probe: 'rococo', data: coco, images, limits: { starter: 600, large: 60 } },
    { probe: 'prsm', data: coco, images, limits: { large: 150 } },
    { probe: 'invariance', data: few, images, limits: { large: 60 } },
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
  { probe, data, images, limit, evaluator }: Omit<Case, 'limits'> & { limit: number; evaluator: string },
  { folder, rounds, threads }: { folder: string; rounds: number; threads: number },
): Promise<Measured> {
  const log = join(folder, 'sessions.jsonl');
  const walls: number[] = [];
  const raws: number[] = [];
  const parts: Parts[] = [];
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
    items = towers.reduce((sum, tower) => sum + tower.items, 0);
  }
  const wall = median(walls);
  const nearest = walls.reduce(
    (best, one, i) => (Math.abs(one - wall) < Math.abs(walls[best] - wall) ? i : best),
    0,
  );
  return { wall, raw: median(raws), items, parts: parts[nearest] };
}

function sectionOf(
  results: readonly { name: string; found: Record<'starter' | 'large', Measured> }[],
  rounds: number,
  threads: number,
  load: number,
): Section {
  const models = { starter: 'starter', large: 'ViT-B/32' } as const;
  const sizes = ['starter', 'large'] as const;
  const cells = ({ wall, raw, items, parts }: Measured): (string | number)[] => [
    items,
    raw.toFixed(1),
    wall.toFixed(1),
    (raw / wall).toFixed(2),
    ...[parts.start, parts.open, parts.encode, parts.busy, parts.end].map((part) => part.toFixed(2)),
  ];
  return {
    id: 'efficiency',
    title: 'Efficiency of every probe',
    notes: [
      'Each audit starts with an empty cache, and is measured from the start of the process to its end.',
      `Raw: only session.run, once for each item that the audit encodes, on prepared tensors in batches of 32 sorted by length, on ${threads} threads.`,
      'Start: until the process of the model starts. Open: until the first batch runs. Encode: until the last batch is done; graph busy is the share of it during which a process with the model runs a graph. End: intervals and writing.',
      'Efficiency is raw divided by audit. It contains the start of the program, opening the model, decoding and altering images, statistics and writing.',
      `ViT-B/32 has random weights and gets the first part of each dataset. Medians of ${rounds} rounds, load ${load.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after.`,
    ],
    columns: [
      'probe',
      'model',
      'items',
      'raw (s)',
      'audit (s)',
      'efficiency',
      'start (s)',
      'open (s)',
      'encode (s)',
      'graph busy',
      'end (s)',
    ],
    rows: results.flatMap(({ name, found }) =>
      sizes.map((size) => [name, models[size], ...cells(found[size])]),
    ),
    data: results,
    targets: results.flatMap(({ name, found }) => [
      { what: `${name}, starter`, value: found.starter.raw / found.starter.wall, atLeast: 0.8 },
      { what: `${name}, large`, value: found.large.raw / found.large.wall, atLeast: 0.9 },
    ]),
  };
}
