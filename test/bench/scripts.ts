import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { childTime, type Seconds } from './loop';
import { median, type Section } from './report';
import { type Row, rowsIn, type Trial, trials, Workplace } from './scriptTrials';
import { makeModels, torchPython } from './torchModels';

interface Result {
  probe: string;
  counts: Record<string, number>;
  /** The seconds of each round. */
  script: Seconds[];
  workers: number;
  converted: Seconds[];
  /** The checkpoint through Python, for one probe only. */
  python: Seconds[];
  numbers: Apart;
}

/** How many numbers of two lists of rows were compared, and their largest difference. */
interface Apart {
  compared: number;
  largest: number;
}

/** How many times as fast as the script the audit of each probe has to be. */
const targets: Record<string, number> = { lgip: 5, visla: 3, prsm: 3, rococo: 3, invariance: 3 };

/** Compares the time of whole audits, from start to last file, with researchers' scripts for the same items. */
export async function benchScripts(rounds: number, probes = Object.keys(trials)): Promise<Section> {
  const [load] = loadavg();
  const folder = await mkdtemp(join(tmpdir(), 'captious-scripts-'));
  const place = new Workplace(folder, torchPython());
  try {
    await makeModels(place.python, folder, ['of_open_clip']);
    const converted = place.at('onnx');
    place.captious('convert', place.checkpoint, `--out=${converted}`, `--python=${place.python}`);
    const results: Result[] = [];
    for (const probe of probes) {
      const trial = trials[probe](place, converted);
      results.push({
        probe,
        ...(await compared(place, trial, converted, probe === 'lgip' ? rounds : 0, rounds)),
      });
    }
    return sectionOf(results, rounds, load);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compared(
  place: Workplace,
  trial: Trial,
  converted: string,
  viaPython: number,
  rounds: number,
): Promise<Omit<Result, 'probe'>> {
  const timed = async (run: () => void): Promise<Seconds> => {
    // Each audit starts with an empty home, so nothing is cached.
    for (const name of ['home', 'audit']) await rm(place.at(name), { recursive: true, force: true });
    const since = { wall: performance.now() / 1000, cpu: childTime() };
    run();
    return { wall: performance.now() / 1000 - since.wall, cpu: childTime() - since.cpu };
  };
  const scripts = new Map<number, Seconds[]>(
    [0, ...(trial.hasImages ? [2] : [])].map((workers) => [workers, []]),
  );
  const [onnx, python]: Seconds[][] = [[], []];
  let counts = {};
  for (let round = 0; round < rounds; round++) {
    for (const [workers, seconds] of scripts)
      seconds.push(await timed(() => (counts = place.script(trial, workers))));
    // After the first round, only the faster number of workers runs.
    for (const [workers, [first]] of scripts)
      if ([...scripts.values()].some(([other]) => other.wall < first.wall)) scripts.delete(workers);
    if (round < viaPython) python.push(await timed(() => place.audit(trial, place.checkpoint)));
    onnx.push(await timed(() => place.audit(trial, converted)));
  }
  if (trial.alters) place.script(trial, 0, '--written');
  const audited = rowsIn(place.at('audit'));
  await rm(place.at('scored'), { recursive: true, force: true });
  const [[workers, script]] = scripts;
  const numbers = apart(audited, trial.rows(place.at('scores.jsonl')));
  return { counts, script, workers, converted: onnx, python, numbers };
}

/** A percentage of a score, which a score near 0 makes large. */
const percentage = 'change';
/** The fields that say which row it is, where the script's row has them. */
const identity = ['kind', 'example', 'image', 'caption', 'source', 'text'];

/** Compares the numbers that rows of the same identity have in the same place. */
function apart(audited: readonly Row[], scripted: readonly Row[]): Apart {
  const found = { compared: 0, largest: 0 };
  const visit = (one: unknown, other: unknown, key: string): void => {
    if (typeof one === 'number' && typeof other === 'number') {
      // Equal whole numbers, such as those of rows, show nothing about scores.
      if (key === percentage || (Number.isInteger(one) && one === other)) return;
      found.compared++;
      found.largest = Math.max(found.largest, Math.abs(one - other));
    } else if (['text', 'images'].includes(key) && one !== other) {
      throw new Error(`The script has ${String(one)} where the audit has ${String(other)}.`);
    } else if (one !== null && typeof one === 'object' && other !== null && typeof other === 'object') {
      for (const [name, value] of Object.entries(one)) visit(value, (other as Row)[name], name);
    }
  };
  if (audited.length !== scripted.length)
    throw new Error(`The script has ${scripted.length} rows, and the audit ${audited.length}.`);
  const left = [...audited];
  for (const row of scripted) {
    const at = left.findIndex((own) => identity.every((name) => !(name in row) || row[name] === own[name]));
    if (at < 0) throw new Error(`The audit lacks the row ${JSON.stringify(row).slice(0, 200)}.`);
    visit(row, left.splice(at, 1)[0], '');
  }
  return found;
}

function middle(list: readonly Seconds[], key: keyof Seconds): number {
  return median(list.map((one) => one[key]));
}

function sectionOf(results: readonly Result[], rounds: number, load: number): Section {
  const rows = results.flatMap(({ probe, converted, python, ...rest }) => [
    { name: probe, own: converted, ...rest, atLeast: targets[probe] },
    ...(python.length === 0 ? [] : [{ name: `${probe}, through Python`, own: python, ...rest, atLeast: 2 }]),
  ]);
  return {
    id: 'scripts',
    title: 'Whole audits, against Python scripts',
    notes: [
      `ViT-B/32 with random weights, as captious convert exports it, or as a checkpoint through Python. ${rounds} rounds in turn, each from the start of the process to the last file, from an empty cache.`,
      'The scripts are test/bench/scripts.py: the same texts and images, each once, in batches of 32 in file order, padded and resized by open_clip. Images come from a DataLoader with no worker or two; the faster one of the first round counts.',
      'Wordings and altered captions are made for the script beforehand. It alters images by Pillow, and has no intervals, tests or report, which the audit has.',
      'RoCOCO gets the altered captions from a file, and does not compute the influence of words.',
      'Difference: the largest between numbers of the rows of both, scores or, in PRSM, correlations and overlaps of rankings, and hits in RoCOCO. For it, the script reads the images that Captious altered, because Pillow rotates and blurs in another way.',
      `Load ${load.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after.`,
    ],
    columns: [
      'audit',
      'images',
      'texts',
      'script (s)',
      'processor (s)',
      'workers',
      'Captious (s)',
      'processor (s)',
      'times as fast',
      'by processor',
      'numbers',
      'difference',
    ],
    rows: rows.map(({ name, own, counts, script, workers, numbers }) => [
      name,
      counts.images,
      counts.texts,
      ...(['wall', 'cpu'] as const).map((key) => middle(script, key).toFixed(1)),
      workers,
      ...(['wall', 'cpu'] as const).map((key) => middle(own, key).toFixed(1)),
      ...(['wall', 'cpu'] as const).map((key) => (middle(script, key) / middle(own, key)).toFixed(2)),
      numbers.compared,
      numbers.largest.toExponential(0),
    ]),
    data: results,
    targets: rows.map(({ name, script, own, atLeast }) => ({
      what: `${name}: speed relative to the script`,
      value: middle(script, 'wall') / middle(own, 'wall'),
      atLeast,
    })),
  };
}
