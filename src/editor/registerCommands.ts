import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../base/errors';
import type { CommandParts } from './commands';
import { Experiments } from './experiment/experiments';
import { showError } from './runs/following';

/** The commands whose code loads when one of them first runs. */
export const commandIds = [
  'captious.audit',
  'captious.checkBenchmark',
  'captious.auditSamples',
  'captious.runExperiment',
  'captious.openExperiment',
  'captious.rescore',
  'captious.showResults',
  'captious.chooseImages',
  'captious.openPanel',
  'captious.rerun',
  'captious.resume',
  'captious.cancel',
  'captious.delete',
  'captious.reveal',
  'captious.compare',
  'captious.export',
  'captious.exportForPaper',
  'captious.setKey',
  'captious.openSample',
  'captious.openWalkthrough',
  'captious.openReport',
  'captious.openReportAsText',
  'captious.newEvaluator',
  'captious.addEvaluator',
  'captious.newTriplets',
  'captious.newPreferences',
  'captious.showLog',
  'captious.openSettings',
  'captious.newPythonEvaluator',
  'captious.selectPython',
  'captious.tryPythonEvaluator',
] as const;

type CommandId = (typeof commandIds)[number];
type Run = (...args: unknown[]) => unknown;
export type Add = (id: CommandId, run: Run) => void;

export function registerCommands(given: Omit<CommandParts, 'experiments'>): void {
  const { context, log } = given;
  const experiments = new Experiments({ ...given, memory: context.workspaceState });
  const parts: CommandParts = { ...given, experiments };
  let loading: Promise<ReadonlyMap<CommandId, Run>> | undefined;
  const loaded = () => (loading ??= load(parts));
  context.subscriptions.push(experiments);
  for (const id of commandIds)
    context.subscriptions.push(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          return await (await loaded()).get(id)!(...args);
        } catch (error) {
          log.error(error instanceof Error && !(error instanceof CaptiousError) ? error : messageOf(error));
          showError(error, log);
          return undefined;
        }
      }),
    );
}

async function load(parts: CommandParts): Promise<ReadonlyMap<CommandId, Run>> {
  const { addCommands } = await import('./commands');
  const runs = new Map<CommandId, Run>();
  addCommands((id, run) => runs.set(id, run), parts);
  return runs;
}
