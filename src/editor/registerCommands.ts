import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../base/errors';
import type { CommandParts } from './commands';
import { Experiments } from './experiment/experiments';
import { showError } from './runs/following';
import { commandIds, type CommandId, type Run } from './commandIds';

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
