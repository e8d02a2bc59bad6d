import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCider } from './cider';
import { benchEfficiency } from './efficiency';
import { benchEncoding } from './encoding';
import { holds, keep, markdown, type Section } from './report';
import { benchLgip } from './lgip';
import { benchPython } from './python';
import { benchReading } from './reading';
import { benchRows } from './rows';
import { benchStartUp } from './startUp';
import { benchStatistics } from './stats';
import { benchRanking, benchStability } from './ranking';
import { benchPanel } from './panel';
import { benchStore } from './store';

const usage = `npm run bench -- [SECTION…] [--rounds N] [--threads N]

Sections: encoding, statistics, store, ranking, stability, reading, rows, start-up, cider, panel, python, lgip and efficiency, all by default but the
last three, which need the environment of npm run test:python; start-up, cider and panel need a build, and the panel two whole editors; cider is
skipped unless .venv has pycocoevalcap and there is Java. Prints a Markdown page, writes it and JSON under out/bench/.
Example: npm run bench -- encoding --rounds 9`;

const withTorch = ['python', 'lgip', 'efficiency'];

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
  const chosen =
    positionals.length === 0 ? Object.keys(known).filter((id) => !withTorch.includes(id)) : positionals;
  if (values.help || !(rounds >= 1) || !(threads >= 1) || chosen.some((id) => !(id in known))) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const sections: Section[] = [];
  for (const id of chosen) sections.push(await known[id]());
  keep(sections);
  console.log(markdown(sections));
  if (!sections.every(({ targets }) => targets.every(holds))) process.exitCode = 1;
}

void main();
