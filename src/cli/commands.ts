import type { Command, CommandGroup } from './arguments';

type Loaders = Readonly<Record<string, () => Promise<Command>>>;

/** Each command loads only its own code, because loading everything takes longer than some commands run. */
const groups: Readonly<Record<string, Loaders>> = {
  audit: {
    demo: async () => (await import('./commands/demo')).demoCommand,
    probes: async () => (await import('./commands/probes')).probesCommand,
    audit: async () => (await import('./commands/audit')).auditCommand,
    run: async () => (await import('./commands/experiment/run')).runCommand,
    metrics: async () => (await import('./commands/metrics')).metricsCommand,
    variants: async () => (await import('./commands/exchange/variants')).variantsCommand,
    scores: async () => (await import('./commands/scores')).scoresCommand,
    requests: async () => (await import('./commands/exchange/requests')).requestsCommand,
    answers: async () => (await import('./commands/exchange/answers')).answersCommand,
    decisions: async () => (await import('./commands/exchange/decisions')).decisionsCommand,
    import: async () => (await import('./commands/exchange/import')).importCommand,
    mcp: async () => (await import('./commands/mcp')).mcpCommand,
  },
  results: {
    compare: async () => (await import('./commands/results/compare')).compareCommand,
    trend: async () => (await import('./commands/results/trend')).trendCommand,
    power: async () => (await import('./commands/results/power')).powerCommand,
    export: async () => (await import('./commands/results/export')).exportCommand,
    paper: async () => (await import('./commands/results/paper')).paperCommand,
    board: async () => (await import('./commands/results/board')).boardCommand,
    explain: async () => (await import('./commands/explain/explain')).explainCommand,
    scatter: async () => (await import('./commands/scatter')).scatterCommand,
    bestof: async () => (await import('./commands/results/bestof')).bestOfCommand,
    flips: async () => (await import('./commands/flips')).flipsCommand,
    estimate: async () => (await import('./commands/estimate')).estimateCommand,
  },
  datasets: {
    inspect: async () => (await import('./commands/inspect')).inspectCommand,
    benchmark: async () => (await import('./commands/benchmark')).benchmarkCommand,
    images: async () => (await import('./commands/exchange/images')).imagesCommand,
    mine: async () => (await import('./commands/mine')).mineCommand,
    triplets: async () => (await import('./commands/triplets')).tripletsCommand,
    alter: async () => (await import('./commands/exchange/alter')).alterCommand,
  },
  evaluators: {
    evaluators: async () => (await import('./commands/evaluators')).evaluatorsCommand,
    fetch: async () => (await import('./commands/fetch')).fetchCommand,
    convert: async () => (await import('./commands/convert')).convertCommand,
    optimize: async () => (await import('./commands/bench/optimize')).optimizeCommand,
    python: async () => (await import('./commands/python')).pythonCommand,
    embeddings: async () => (await import('./commands/exchange/embeddings')).embeddingsCommand,
    bench: async () => (await import('./commands/bench/bench')).benchCommand,
    parity: async () => (await import('./commands/bench/parity')).parityCommand,
    calibrate: async () => (await import('./commands/calibrate')).calibrateCommand,
    repair: async () => (await import('./commands/repair/repair')).repairCommand,
  },
  people: {
    check: async () => (await import('./commands/check/check')).checkCommand,
    agreement: async () => (await import('./commands/results/agreement')).agreementCommand,
  },
  cluster: {
    submit: async () => (await import('./commands/cluster/submit')).submitCommand,
    merge: async () => (await import('./commands/cluster/merge')).mergeCommand,
  },
};

/** The commands that `--help` lists without `--all`, in the order in which a new user needs them. */
export const firstCommands = [
  'demo',
  'inspect',
  'probes',
  'evaluators',
  'fetch',
  'audit',
  'compare',
  'power',
  'export',
  'paper',
] as const;

const loaders: Loaders = Object.assign({}, ...Object.values(groups)) as Loaders;

export const commandNames: readonly string[] = Object.keys(loaders);

export async function commandNamed(name: string): Promise<Command | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]() : undefined;
}

export function commandGroups(): Promise<CommandGroup[]> {
  return Promise.all(
    Object.entries(groups).map(async ([name, own]) => ({
      name,
      commands: await Promise.all(Object.values(own).map((load) => load())),
    })),
  );
}
