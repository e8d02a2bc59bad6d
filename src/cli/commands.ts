import type { Command } from './arguments';

/** Each command loads only its own code, because loading everything takes longer than some commands run. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import('./commands/audit')).auditCommand,
  merge: async () => (await import('./commands/cluster/merge')).mergeCommand,
  submit: async () => (await import('./commands/cluster/submit')).submitCommand,
  inspect: async () => (await import('./commands/inspect')).inspectCommand,
  probes: async () => (await import('./commands/probes')).probesCommand,
  evaluators: async () => (await import('./commands/evaluators')).evaluatorsCommand,
  python: async () => (await import('./commands/python')).pythonCommand,
  bench: async () => (await import('./commands/bench/bench')).benchCommand,
  convert: async () => (await import('./commands/convert')).convertCommand,
  fetch: async () => (await import('./commands/fetch')).fetchCommand,
  compare: async () => (await import('./commands/results/compare')).compareCommand,
  paper: async () => (await import('./commands/results/paper')).paperCommand,
  power: async () => (await import('./commands/results/power')).powerCommand,
  board: async () => (await import('./commands/results/board')).boardCommand,
  metrics: async () => (await import('./commands/metrics')).metricsCommand,
  estimate: async () => (await import('./commands/estimate')).estimateCommand,
  scatter: async () => (await import('./commands/scatter')).scatterCommand,
  calibrate: async () => (await import('./commands/calibrate')).calibrateCommand,
  repair: async () => (await import('./commands/repair/repair')).repairCommand,
  check: async () => (await import('./commands/check/check')).checkCommand,
  agreement: async () => (await import('./commands/results/agreement')).agreementCommand,
  flips: async () => (await import('./commands/flips')).flipsCommand,
  export: async () => (await import('./commands/results/export')).exportCommand,
  variants: async () => (await import('./commands/exchange/variants')).variantsCommand,
  alter: async () => (await import('./commands/exchange/alter')).alterCommand,
  scores: async () => (await import('./commands/scores')).scoresCommand,
  requests: async () => (await import('./commands/exchange/requests')).requestsCommand,
  answers: async () => (await import('./commands/exchange/answers')).answersCommand,
  embeddings: async () => (await import('./commands/exchange/embeddings')).embeddingsCommand,
  decisions: async () => (await import('./commands/exchange/decisions')).decisionsCommand,
  mine: async () => (await import('./commands/mine')).mineCommand,
  triplets: async () => (await import('./commands/triplets')).tripletsCommand,
  mcp: async () => (await import('./commands/mcp')).mcpCommand,
  demo: async () => (await import('./commands/demo')).demoCommand,
};

export const commandNames: readonly string[] = Object.keys(loaders);

export async function commandNamed(name: string): Promise<Command | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]() : undefined;
}

export function allCommands(): Promise<Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}
