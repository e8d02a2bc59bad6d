import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Skipped } from './needs';
import { median, type Section } from './report';

const cli = resolve('dist/cli.js');
const coco = resolve('../shared/data/coco');

interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: number[];
  }[];
  samples: number[];
  timeDeltas: number[];
}

/** Times an audit that finds all of its scores in the store, and shows which parts of the program take the time. */
export function benchWarmRun(rounds: number): Section {
  if (!existsSync(coco)) throw new Skipped(`the COCO images are not at ${coco}`);
  const folder = mkdtempSync(join(tmpdir(), 'captious-warm-'));
  const audit = (...node: string[]): number => {
    rmSync(join(folder, 'out'), { recursive: true, force: true });
    const since = performance.now();
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        ...[...node, cli, 'audit', join(coco, 'captions.json'), '--probe=lgip', '--evaluator=starter'],
        ...[`--images=${join(coco, 'images')}`, `--out=${join(folder, 'out')}`],
      ],
      { env: { ...process.env, CAPTIOUS_HOME: join(folder, 'home') }, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return (performance.now() - since) / 1000;
  };
  try {
    const first = audit();
    const seconds = Array.from({ length: rounds }, () => audit());
    audit('--cpu-prof', `--cpu-prof-dir=${join(folder, 'profile')}`);
    const parts = partsOf(join(folder, 'profile'));
    return {
      id: 'warm',
      title: 'A run from a full store',
      notes: [
        'LGIP over 1,195 captions of 239 COCO images with the starter. The first run encodes everything, and the others find all scores in the store.',
        `Medians of ${rounds} runs, from the start of the process to its end; load ${loadavg()[0].toFixed(1)}. The parts are shares of the samples of one more run, which was profiled: each sample counts for the innermost function that belongs to a part.`,
      ],
      columns: ['', 'seconds', 'share'],
      rows: [
        ['first run', first.toFixed(2), ''],
        ['run from the full store', median(seconds).toFixed(2), '1.00'],
        ...parts.map(([part, share]) => [part, (share * median(seconds)).toFixed(2), share.toFixed(2)]),
      ],
      data: { first, seconds, parts },
      targets: [{ what: 'seconds of a run from a full store', value: median(seconds), atMost: 1 }],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The part of the program to which a file belongs. The first matching pattern counts. */
const rooms: [RegExp, string][] = [
  [/^src\/stats\//, 'intervals'],
  [/wink|^src\/perturb\/text\/tag/, 'tagger'],
  [/^src\/perturb\//, 'variants'],
  [/^src\/probe\//, 'probe'],
  [/^src\/bench\//, 'store and queue'],
  [/^src\/base\/files\/|^src\/dataset\/images|^src\/audit\/resume/, 'states and hashes of files'],
  [/^src\/dataset\//, 'reading the dataset'],
  [/^src\/report\/|^src\/rows\//, 'writing the report and its rows'],
  [/^src\/audit\//, 'the audit itself'],
  [/^src\/cli\//, 'the command line'],
];

/**
 * The parts with at least 1 % of the profiled time and their shares, largest first. Comments in the bundle name the
 * file of each line.
 */
function partsOf(folder: string): [string, number][] {
  const files: string[] = [];
  let file = '';
  for (const line of readFileSync(cli, 'utf8').split('\n')) {
    file = /^\s*\/\/ ((?:src|node_modules)\/\S+)$/.exec(line)?.[1] ?? file;
    files.push(file);
  }
  const [name] = readdirSync(folder);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const partOf = (id: number): string => {
    const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
    if (/^\((garbage|idle)/.test(functionName)) return functionName;
    if (/^node:internal\/(modules|process)/.test(url)) return 'loading the program';
    const own = url.endsWith('cli.js') ? files[lineNumber] : url;
    const room = rooms.find(([pattern]) => pattern.test(own))?.[1];
    const caller = callers.get(id);
    return room ?? (caller === undefined ? 'other' : partOf(caller));
  };
  const total = timeDeltas.reduce((sum, one) => sum + one, 0);
  const shares = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const part = partOf(id);
    shares.set(part, (shares.get(part) ?? 0) + timeDeltas[i] / total);
  }
  return [...shares].filter(([, share]) => share >= 0.01).sort(([, a], [, b]) => b - a);
}
