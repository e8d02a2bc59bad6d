import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main, runInside } from '../e2e/inside';
import { median } from './report';

const usage = `npm run bench:cycles -- [--cycles N]

Opens a dataset, audits it, opens the panel and closes everything, N times (100) in one window of a real VS Code, and says what
memory and handles were then: those of the extension host, and of all processes with server and browser. Needs a build. The
exit code is 1 if the median of the last ten cycles has over five handles or processes more than the median of cycles 10 to 19,
or over a quarter more memory.`;

type Look = Record<string, number>;

/** The allowed number of additional handles or processes. Other parts of the window open and close a few. */
const handlesAside = 5;
const memoryAside = 1.25;

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: { cycles: { type: 'string', default: '100' }, help: { type: 'boolean', default: false } },
  });
  const cycles = Number(values.cycles);
  if (values.help || !(cycles >= 20)) {
    console.log(usage);
    return values.help ? 0 : 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'captious-cycles-'));
  const results = join(folder, 'looks');
  try {
    const code = await runInside({
      tests: 'test/inside/cycles',
      workspace: ['test/host/workspace'],
      deadlineMs: cycles * 30_000,
      env: {
        CAPTIOUS_CYCLES: String(cycles),
        CAPTIOUS_RESULTS: results,
        CAPTIOUS_TOP: String(process.pid),
      },
    });
    const looks = readFileSync(results, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Look);
    const shown = looks.filter(
      ({ cycle }) => cycle === 1 || cycle === 50 || cycle % Math.max(10, cycles / 10) === 0,
    );
    console.table(
      shown.map((one) =>
        Object.fromEntries(Object.entries(one).map(([name, value]) => [name, Math.round(value)])),
      ),
    );
    if (code !== 0 || looks.length < cycles) return 1;
    const around = (name: string, from: number): number =>
      median(looks.slice(from, from + 10).map((one) => one[name]));
    let held = true;
    for (const [name, most] of [
      ...['hostHandles', 'ownProcesses', 'allProcesses'].map(
        (one) => [one, around(one, 9) + handlesAside] as const,
      ),
      ...['hostMb', 'allMb'].map((one) => [one, around(one, 9) * memoryAside] as const),
    ]) {
      const last = around(name, cycles - 10);
      held &&= last <= most;
      console.log(`${name}: ${around(name, 9).toFixed(0)} in cycles 10 to 19, ${last.toFixed(0)} at the end`);
    }
    return held ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main(run);
