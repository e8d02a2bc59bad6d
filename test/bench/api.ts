import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pythonWith, Skipped } from './needs';
import { median, type Section } from './report';
import { childTime, type Seconds } from './loop';

const cli = resolve('dist/cli.js');
const coco = resolve('../shared/data/coco');
const data = existsSync(coco) ? coco : resolve('samples');
const towers = resolve('test/fixtures/python/hashing.py');

const script = `
import importlib.util, sys, captious
data, images, out, evaluator = sys.argv[1:]
if evaluator != "starter":
    spec = importlib.util.spec_from_file_location("hashing", evaluator)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    evaluator = module.Towers()
report = captious.audit(data, "lgip", evaluator, images=images, out=out, progress=False)
assert report.value("lgip.pr") is not None and report.to_dict()["dataset"]["skipped"] == 0`;

/** The same audit by captious.audit in Python and by the command line, in turns, each from an empty store. */
export function benchApi(rounds: number): Section {
  if (!existsSync(cli)) throw new Skipped(`${cli} is not there: npm run build`);
  const python = pythonWith('hashlib');
  const folder = mkdtempSync(join(tmpdir(), 'captious-api-'));
  const files = [join(data, 'captions.json'), join(data, 'images')];
  const timed = (command: string, args: string[]): Seconds => {
    for (const name of ['out', 'home']) rmSync(join(folder, name), { recursive: true, force: true });
    const since = { wall: performance.now() / 1000, cpu: childTime() };
    const env = {
      ...{ ...process.env, CAPTIOUS_HOME: join(folder, 'home'), CAPTIOUS_PYTHON: python },
      ...{ PYTHONPATH: resolve('python'), PYTHONDONTWRITEBYTECODE: '' },
    };
    const { status, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return { wall: performance.now() / 1000 - since.wall, cpu: childTime() - since.cpu };
  };
  const out = join(folder, 'out');
  const sides = (named: string, held: string): (() => Seconds)[] => [
    () =>
      timed(process.execPath, [
        ...[cli, 'audit', files[0], '--probe=lgip', `--images=${files[1]}`],
        ...[`--out=${out}`, `--evaluator=${named}`],
      ]),
    () => timed(python, ['-c', script, ...files, out, held]),
  ];
  try {
    const kinds = [
      { name: 'starter', found: inTurns(sides('starter', 'starter'), rounds) },
      { name: 'object in Python', found: inTurns(sides(`python:${towers}:Towers`, towers), rounds) },
    ];
    return sectionOf(kinds, rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first round fills the system's cache and is left out. The side that starts alternates. */
function inTurns(sides: readonly (() => Seconds)[], rounds: number): Seconds[][] {
  const found = sides.map((): Seconds[] => []);
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const at = (round + 1 + turn) % sides.length;
      const seconds = sides[at]();
      if (round >= 0) found[at].push(seconds);
    }
    process.stderr.write(`\rround ${round + 1} of ${rounds} `);
  }
  process.stderr.write('\n');
  return found;
}

function sectionOf(kinds: readonly { name: string; found: Seconds[][] }[], rounds: number): Section {
  const ratio = ([theirs, ours]: Seconds[][], key: keyof Seconds): number =>
    median(ours.map((one, i) => one[key] / theirs[i][key]));
  const of = (list: readonly Seconds[], key: keyof Seconds): string =>
    median(list.map((one) => one[key])).toFixed(2);
  return {
    id: 'api',
    title: 'The Python module',
    notes: [
      `LGIP over ${data === coco ? '1,195 captions of 239 COCO images' : 'the captions of the samples'}, by the command line and by captious.audit, from the start of the process to its end, each from an empty store. Medians of ${rounds} rounds in which both alternate; ratios within a round; load ${loadavg()[0].toFixed(1)}.`,
      'The object is two encoders that hash pixels and texts, so that nearly all time is that of Captious: by its file for the command line, and as an object for the module.',
    ],
    columns: ['', 'wall (s)', 'processor (s)', 'ratio, wall', 'ratio, processor'],
    rows: kinds.flatMap(({ name, found }) => [
      [`${name}, command line`, of(found[0], 'wall'), of(found[0], 'cpu'), '1.00', '1.000'],
      [
        ...[`${name}, captious.audit`, of(found[1], 'wall'), of(found[1], 'cpu')],
        ...[ratio(found, 'wall').toFixed(2), ratio(found, 'cpu').toFixed(3)],
      ],
    ]),
    data: kinds,
    targets: kinds.map(({ name, found }) => ({
      what: `processor time of captious.audit relative to the command line, ${name}`,
      value: ratio(found, 'cpu'),
      atMost: 1.05,
    })),
  };
}
