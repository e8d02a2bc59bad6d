import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median, type Section } from './report';

interface Scored {
  score: number;
  each: number[];
}

/** Times CIDEr of 1,195 captions, each against the other four of its image, from the files to the scores. */
export function benchCider(rounds: number): Section {
  const python = [process.env.CAPTIOUS_TEST_PYTHON, resolve('.venv/bin/python')].find(
    (path) => path !== undefined && spawnSync(path, ['-c', 'import pycocoevalcap']).status === 0,
  );
  const coco = [resolve('../shared/data/coco/captions.json'), resolve('samples/captions.json')].find(
    existsSync,
  )!;
  const title = 'CIDEr of a caption file';
  const skipped = (why: string): Section => ({
    ...{ id: 'cider', title, notes: [`Skipped: ${why}.`], columns: [], rows: [], data: null, targets: [] },
  });
  if (python === undefined) return skipped('.venv has no pycocoevalcap (or CAPTIOUS_TEST_PYTHON names none)');
  if (spawnSync('java', ['-version']).status !== 0)
    return skipped("there is no Java, which pycocoevalcap's tokenizer needs");
  const folder = mkdtempSync(join(tmpdir(), 'captious-cider-'));
  try {
    const files = leaveOneOut(coco, folder);
    const cli = [
      resolve('dist/cli.js'),
      'metrics',
      files[0],
      '--references',
      files[1],
      '--evaluator',
      'cider',
    ];
    const seconds: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
    let [own, other]: (Scored | undefined)[] = [];
    // The first round only fills the system's cache, and does not count.
    for (let round = -1; round < rounds; round++) {
      const theirs = timed(python, [resolve('test/bench/cider.py'), ...files]);
      const ours = timed(process.execPath, [...cli, '--json']);
      other = JSON.parse(theirs.output) as Scored;
      own = scoresIn(ours.output);
      if (round < 0) continue;
      seconds.theirs.push(theirs.seconds);
      seconds.ours.push(ours.seconds);
    }
    if (own === undefined || other === undefined) throw new Error('Nothing was scored.');
    const apart = Math.max(...own.each.map((one, i) => Math.abs(one - other.each[i])));
    const ratios = seconds.theirs.map((one, i) => one / seconds.ours[i]);
    const row = (name: string, list: readonly number[], { score }: Scored): (string | number)[] => [
      name,
      median(list).toFixed(2),
      Math.min(...list).toFixed(2),
      score.toFixed(6),
    ];
    return {
      id: 'cider',
      title,
      notes: [
        `${own.each.length} captions, each against the other four of its image: whole processes, from both files to the score of every caption, medians of ${rounds} rounds in turns.`,
        'Captious also computes a confidence interval with 10,000 resamples.',
      ],
      columns: ['', 'seconds', 'fastest', 'CIDEr'],
      rows: [
        row('pycocoevalcap', seconds.theirs, other),
        row('captious metrics --evaluator cider', seconds.ours, own),
      ],
      data: { seconds, apart },
      targets: [
        { what: 'speed relative to pycocoevalcap', value: median(ratios), atLeast: 10 },
        { what: 'greatest difference of a score, in millionths', value: apart * 1e6, atMost: 1 },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes each caption as a candidate of its own image, with the others as references. */
function leaveOneOut(path: string, folder: string): string[] {
  const { annotations } = JSON.parse(readFileSync(path, 'utf8')) as {
    annotations: { image_id: number; caption: string }[];
  };
  const images = Map.groupBy(annotations, ({ image_id }) => image_id);
  const candidates: Record<string, string> = {};
  const references: Record<string, string[]> = {};
  for (const [image, own] of images)
    own.forEach(({ caption }, i) => {
      const name = `${image}-${i}.jpg`;
      candidates[name] = caption;
      references[name] = own.filter((_, j) => j !== i).map((other) => other.caption);
    });
  return Object.entries({ candidates, references }).map(([name, table]) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(table));
    return file;
  });
}

function timed(command: string, args: readonly string[]): { seconds: number; output: string } {
  const since = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  return { seconds: (performance.now() - since) / 1000, output: stdout.slice(stdout.indexOf('{')) };
}

function scoresIn(output: string): Scored {
  const { metrics, captions } = JSON.parse(output) as {
    metrics: { systems: { value: number }[] }[];
    captions: { scores: { cider: number[] } }[];
  };
  return { score: metrics[0].systems[0].value, each: captions.map(({ scores }) => scores.cider[0]) };
}
