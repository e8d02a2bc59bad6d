import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { benchApi } from './api';
import { benchCider } from './cider';
import { benchEfficiency } from './efficiency';
import { benchEncoding } from './encoding';
import { benchExplain } from './explain';
import { benchExplainLarge } from './explainLarge';
import { benchImages } from './images';
import { benchLayouts } from './layouts';
import { benchMemory } from './memorySection';
import { Skipped } from './needs';
import { benchPython } from './python';
import { benchReading } from './reading';
import { holds, keep, markdown, type Section } from './report';
import { benchRows } from './rows';
import { benchScripts } from './scripts';
import { benchStartUp } from './startUp';
import { benchStatistics } from './stats';
import { benchRanking, benchStability } from './ranking';
import { benchPanel } from './panel';
import { benchStore } from './store';
import { benchWarmRun } from './warm';

const usage = `npm run bench -- [SECTION…] [--rounds N] [--threads N]

Without --rounds, most sections take five rounds, the long ones one to three, and ranking ten.

Sections: encoding, images, statistics, store, ranking, stability, reading, layouts, rows, start-up, warm, memory, cider, panel, python, api, scripts, efficiency, explain and explain-large, all by default.
A section that lacks something on this machine is skipped, and the page says what it lacks: images, python, scripts, efficiency and explain-large need the environment
of npm run test:python, ranking NumPy, statistics SciPy, cider pycocoevalcap and Java, warm and efficiency the published datasets. Models and editors come from
npm. Prints a Markdown page, writes it and JSON under out/bench/.
Example: npm run bench -- encoding --rounds 9`;

/** Default rounds: few for slow sections, many for ranking, because its times vary most. Other sections have 5. */
const usualRounds: Record<string, number> = {
  images: 3,
  ranking: 10,
  warm: 3,
  cider: 3,
  panel: 3,
  python: 3,
  api: 3,
  scripts: 2,
  efficiency: 1,
  explain: 3,
  'explain-large': 3,
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      threads: { type: 'string', default: String(availableParallelism()) },
      help: { type: 'boolean', default: false },
    },
  });
  const asked = values.rounds === undefined ? undefined : Number(values.rounds);
  const threads = Number(values.threads);
  const known: Record<string, (rounds: number) => Promise<Section>> = {
    encoding: (rounds) => benchEncoding(rounds, threads),
    images: (rounds) => benchImages(rounds, threads),
    statistics: (rounds) => Promise.resolve(benchStatistics(rounds)),
    store: (rounds) => benchStore(rounds),
    ranking: (rounds) => benchRanking(rounds),
    stability: () => benchStability(),
    reading: (rounds) => Promise.resolve(benchReading(rounds)),
    layouts: (rounds) => benchLayouts(rounds),
    rows: (rounds) => Promise.resolve(benchRows(rounds)),
    'start-up': (rounds) => Promise.resolve(benchStartUp(rounds)),
    warm: (rounds) => Promise.resolve(benchWarmRun(rounds)),
    memory: () => Promise.resolve(benchMemory()),
    cider: (rounds) => Promise.resolve(benchCider(rounds)),
    panel: (rounds) => benchPanel(rounds),
    python: (rounds) => benchPython(rounds),
    api: (rounds) => Promise.resolve(benchApi(rounds)),
    scripts: (rounds) => benchScripts(rounds),
    efficiency: (rounds) => benchEfficiency(rounds, threads),
    explain: (rounds) => benchExplain(rounds),
    'explain-large': (rounds) => benchExplainLarge(rounds, threads),
  };
  const chosen = positionals.length === 0 ? Object.keys(known) : positionals;
  if (values.help || !((asked ?? 1) >= 1) || !(threads >= 1) || chosen.some((id) => !(id in known))) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const sections: Section[] = [];
  for (const id of chosen) sections.push(await sectionOf(id, () => known[id](asked ?? usualRounds[id] ?? 5)));
  keep(sections);
  console.log(markdown(sections));
  if (!sections.every(({ targets }) => targets.every(holds))) process.exitCode = 1;
}

/** Runs a section. If the section fails, the other sections still run. */
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
