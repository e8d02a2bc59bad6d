import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCider } from './cider';
import { benchEfficiency } from './efficiency';
import { benchEncoding } from './encoding';
import { benchImages } from './images';
import { benchLgip } from './lgip';
import { Skipped } from './needs';
import { benchPython } from './python';
import { benchReading } from './reading';
import { holds, keep, markdown, type Section } from './report';
import { benchRows } from './rows';
import { benchStartUp } from './startUp';
import { benchStatistics } from './stats';
import { benchRanking, benchStability } from './ranking';
import { benchPanel } from './panel';
import { benchStore } from './store';

const usage = `npm run bench -- [SECTION…] [--rounds N] [--threads N]

Sections: encoding, images, statistics, store, ranking, stability, reading, rows, start-up, cider, panel, python, lgip and efficiency, all by default.
A section that lacks something on this machine is skipped, and the page says what it lacks: images, python, lgip and efficiency need the environment
of npm run test:python, ranking NumPy, statistics SciPy, cider pycocoevalcap and Java, efficiency the published datasets. Models and editors come from
npm. Prints a Markdown page, writes it and JSON under out/bench/.
Example: npm run bench -- encoding --rounds 9`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      threads: { type: 'string', default: String(availableParallelism()) },
      help: { type: 'boolean', default: false },
    },
  });
  const [rounds, threads] = [Number(values.rounds), Number(values.threads)];
  const known: Record<string, () => Promise<Section>> = {
    encoding: () => benchEncoding(rounds, threads),
    images: () => benchImages(rounds, threads),
    statistics: () => Promise.resolve(benchStatistics(rounds)),
    store: () => benchStore(rounds),
    ranking: () => benchRanking(rounds),
    stability: () => benchStability(),
    reading: () => Promise.resolve(benchReading(rounds)),
    rows: () => Promise.resolve(benchRows(rounds)),
    'start-up': () => Promise.resolve(benchStartUp(rounds)),
    cider: () => Promise.resolve(benchCider(rounds)),
    panel: () => benchPanel(rounds),
    python: () => benchPython(rounds),
    lgip: () => benchLgip(rounds),
    efficiency: () => benchEfficiency(rounds, threads),
  };
  const chosen = positionals.length === 0 ? Object.keys(known) : positionals;
  if (values.help || !(rounds >= 1) || !(threads >= 1) || chosen.some((id) => !(id in known))) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const sections: Section[] = [];
  for (const id of chosen) sections.push(await sectionOf(id, known[id]));
  keep(sections);
  console.log(markdown(sections));
  if (!sections.every(({ targets }) => targets.every(holds))) process.exitCode = 1;
}

/** A failing section does not end the others. */
async function sectionOf(id: string, run: () => Promise<Section>): Promise<Section> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Skipped)) {
      console.error(error);
      process.exitCode = 1;
    }
    const note = error instanceof Skipped ? `Skipped: ${error.message}.` : `Failed: ${String(error)}`;
    return { id, title: id, notes: [note], columns: [], rows: [], data: null, targets: [] };
  }
}

void main();
