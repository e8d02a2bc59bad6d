import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { median, type Section } from './report';

const cli = resolve('dist/cli.js');

interface Starter {
  name: string;
  args: string[];
}

const starters: Starter[] = [
  { name: 'node -e 0', args: ['-e', '0'] },
  { name: 'captious --version', args: [cli, '--version'] },
  { name: 'captious inspect samples/triplets.tsv', args: [cli, 'inspect', 'samples/triplets.tsv'] },
  { name: 'import @huggingface/transformers', args: ['-e', 'require("@huggingface/transformers")'] },
];

/** Compares the time of a whole process of Captious with that of bare Node.js and of loading a common library. */
export function benchStartUp(rounds: number): Section {
  if (!existsSync(cli)) throw new Error(`${cli} is needed for this benchmark: npm run build.`);
  const home = mkdtempSync(join(tmpdir(), 'captious-start-'));
  const env = { ...process.env, CAPTIOUS_HOME: home };
  const seconds = starters.map((): number[] => []);
  try {
    // The first round fills the system's cache and is left out.
    for (let round = -1; round < rounds; round++) {
      for (let turn = 0; turn < starters.length; turn++) {
        const at = (Math.max(round, 0) + turn) % starters.length;
        const since = performance.now();
        const { status, stderr } = spawnSync(process.execPath, starters[at].args, { env, encoding: 'utf8' });
        if (status !== 0) throw new Error(`${starters[at].name}: ${stderr}`);
        if (round >= 0) seconds[at].push((performance.now() - since) / 1000);
      }
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const ratio = (a: number, b: number): number => median(seconds[a].map((one, i) => one / seconds[b][i]));
  return {
    id: 'start-up',
    title: 'Start-up',
    notes: [
      `Seconds from the start of the process to its exit, medians of ${rounds} interleaved rounds; ratios within a round.`,
      'Captious runs as shipped. The library is only loaded; no model is opened.',
    ],
    columns: ['', 'seconds', 'fastest', 'relative to node -e 0', 'relative to the library'],
    rows: starters.map(({ name }, i) => [
      name,
      median(seconds[i]).toFixed(3),
      Math.min(...seconds[i]).toFixed(3),
      ratio(i, 0).toFixed(2),
      ratio(i, 3).toFixed(2),
    ]),
    data: starters.map(({ name }, i) => ({ name, seconds: seconds[i] })),
    targets: [{ what: 'captious --version relative to loading the library', value: ratio(1, 3), atMost: 1 }],
  };
}
