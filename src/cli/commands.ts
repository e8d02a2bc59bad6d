import type { Command } from './arguments';
import { agreementCommand } from './commands/results/agreement';
import { alterCommand } from './commands/exchange/alter';
import { auditCommand } from './commands/audit';
import { boardCommand } from './commands/results/board';
import { calibrateCommand } from './commands/calibrate';
import { checkCommand } from './commands/check';
import { compareCommand } from './commands/results/compare';
import { convertCommand } from './commands/convert';
import { decisionsCommand } from './commands/exchange/decisions';
import { demoCommand } from './commands/demo';
import { embeddingsCommand } from './commands/exchange/embeddings';
import { evaluatorsCommand } from './commands/evaluators';
import { exportCommand } from './commands/results/export';
import { fetchCommand } from './commands/fetch';
import { flipsCommand } from './commands/flips';
import { inspectCommand } from './commands/inspect';
import { mergeCommand } from './commands/cluster/merge';
import { submitCommand } from './commands/cluster/submit';
import { estimateCommand } from './commands/estimate';
import { scatterCommand } from './commands/scatter';
import { metricsCommand } from './commands/metrics';
import { mineCommand } from './commands/mine';
import { paperCommand } from './commands/results/paper';
import { powerCommand } from './commands/results/power';
import { probesCommand } from './commands/probes';
import { pythonCommand } from './commands/python';
import { repairCommand } from './commands/repair/repair';
import { scoresCommand } from './commands/scores';
import { tripletsCommand } from './commands/triplets';
import { variantsCommand } from './commands/exchange/variants';

export const commands: readonly Command[] = [
  auditCommand,
  mergeCommand,
  submitCommand,
  inspectCommand,
  probesCommand,
  evaluatorsCommand,
  pythonCommand,
  convertCommand,
  fetchCommand,
  compareCommand,
  paperCommand,
  powerCommand,
  boardCommand,
  metricsCommand,
  estimateCommand,
  scatterCommand,
  calibrateCommand,
  repairCommand,
  checkCommand,
  agreementCommand,
  flipsCommand,
  exportCommand,
  variantsCommand,
  alterCommand,
  scoresCommand,
  embeddingsCommand,
  decisionsCommand,
  mineCommand,
  tripletsCommand,
  demoCommand,
];
