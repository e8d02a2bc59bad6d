import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { pythonWith, Skipped } from './needs';
import { median, type Section } from './report';

interface Scored {
  /** The time from captions to scores, without the start of the process. */
  seconds: number;
  score: number;
  each: number[];
}

interface Round {
  theirs: Scored & { whole: number };
  ours: Scored & { whole: number };
}

/** Compares Captious with pycocoevalcap: CIDEr of each caption against its image's other captions, and time. */
export function benchCider(rounds: number): Section {
  const python = pythonWith('pycocoevalcap');
  if (spawnSync('java', ['-version']).status !== 0)
    throw new Skipped("there is no Java, which pycocoevalcap's tokenizer needs");
  const folder = mkdtempSync(join(tmpdir(), 'captious-cider-'));
  try {
    const files = leaveOneOut(folder);
    // The measured code is bundled as in dist/, because tsx would wrap every function.
    const child = join(folder, 'child.js');
    buildSync({
      ...{ entryPoints: [resolve('test/bench/ciderChild.ts')], outfile: child },
      ...{ bundle: true, platform: 'node', target: 'node20', format: 'cjs' },
    });
    // The first round fills the system's cache and is left out.
    const measured = Array.from({ length: rounds + 1 }, () => roundOf(python, child, files)).slice(1);
    return sectionOf(measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function roundOf(python: string, child: string, files: readonly [string, string]): Round {
  const theirs = run(python, [resolve('test/bench/cider.py'), ...files]);
  const ours = run(process.execPath, [child, ...files]);
  const [captions, references] = files;
  const metrics = ['metrics', captions, '--references', references, '--evaluator', 'cider', '--json'];
  const command = run(process.execPath, [resolve('dist/cli.js'), ...metrics]);
  return {
    theirs: { ...(JSON.parse(theirs.output) as Scored), whole: theirs.seconds },
    ours: { ...(JSON.parse(ours.output) as Scored), whole: command.seconds },
  };
}

function run(program: string, args: readonly string[]): { seconds: number; output: string } {
  const since = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  return { seconds: (performance.now() - since) / 1000, output: stdout.slice(stdout.lastIndexOf('\n{') + 1) };
}

/** Writes each caption as the candidate of a separate image, with the image's other captions as references. */
function leaveOneOut(folder: string): [string, string] {
  const coco = resolve('../shared/data/coco/captions.json');
  const { annotations } = JSON.parse(
    readFileSync(existsSync(coco) ? coco : resolve('samples/captions.json'), 'utf8'),
  ) as { annotations: { image_id: number; caption: string }[] };
  const candidates: Record<string, string> = {};
  const references: Record<string, string[]> = {};
  annotations.forEach(({ image_id, caption }, i) => {
    const others = annotations.filter((other, j) => other.image_id === image_id && j !== i);
    candidates[`${i}.jpg`] = caption;
    references[`${i}.jpg`] = others.map((other) => other.caption);
  });
  const write = (name: string, table: object): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(table));
    return path;
  };
  return [write('candidates.json', candidates), write('references.json', references)];
}

function sectionOf(rounds: readonly Round[]): Section {
  const [{ ours, theirs }] = rounds;
  const of = (side: keyof Round, what: 'seconds' | 'whole'): string =>
    median(rounds.map((round) => round[side][what])).toFixed(3);
  const ratio = (what: 'seconds' | 'whole'): number =>
    median(rounds.map((round) => round.theirs[what] / round.ours[what]));
  return {
    id: 'cider',
    title: 'CIDEr of a caption file',
    notes: [
      `${ours.each.length} captions, each against the other four of its image; medians of ${rounds.length} rounds in turns, in new processes, ratios within a round.`,
      'End to end is from the captions to their scores: tokenisation, document frequencies and scoring. The whole command also starts the program, reads the files and, in Captious, computes an interval.',
    ],
    columns: ['', 'end to end (s)', 'whole command (s)', 'CIDEr'],
    rows: [
      ['pycocoevalcap', of('theirs', 'seconds'), of('theirs', 'whole'), theirs.score.toFixed(6)],
      ['Captious', of('ours', 'seconds'), of('ours', 'whole'), ours.score.toFixed(6)],
      ['ratio', ratio('seconds').toFixed(1), ratio('whole').toFixed(1), ''],
    ],
    data: rounds.map(({ ours, theirs }) => ({
      ours: { seconds: ours.seconds, whole: ours.whole },
      theirs: { seconds: theirs.seconds, whole: theirs.whole },
    })),
    targets: [
      { what: 'speed relative to pycocoevalcap, end to end', value: ratio('seconds'), atLeast: 10 },
      {
        what: 'greatest difference of a score, in millionths',
        value: Math.max(...ours.each.map((one, i) => Math.abs(one - theirs.each[i]))) * 1e6,
        atMost: 1,
      },
    ],
  };
}
