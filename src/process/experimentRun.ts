/* Runs one dataset of an experiment file for the editor, which queues one run for each dataset and seed. */
import type { AuditEvent } from '../audit/events';
import type { AuditRequest } from '../audit/request';
import { usageError } from '../base/errors';
import { say } from '../base/say';
import { readExperiment } from '../experiment/check';
import { writeOutputs } from '../experiment/finish';
import { planOf } from '../experiment/plan';
import { cellsOf, runExperiment } from '../experiment/run';
import { tableForms } from '../experiment/shape';
import type { AuditOrder } from '../protocol/runner';

export interface Host extends Pick<AuditRequest, 'consent' | 'secret' | 'editor' | 'python' | 'signal'> {
  onEvent: (event: AuditEvent) => void;
  /** Announces a report, also an unchanged one. */
  onReport: (path: string) => void;
}

export async function runDataset(
  {
    out,
    home,
    experiment,
  }: Pick<AuditOrder, 'out' | 'home'> & { experiment: NonNullable<AuditOrder['experiment']> },
  { onReport, ...host }: Host,
): Promise<void> {
  const { file, run, all } = experiment;
  const whole = await planOf(await readExperiment(file), run, home);
  const groups = whole.groups.filter((group) => group.out === out);
  if (groups.length === 0)
    throw usageError(say('process.datasetLeftExperiment'), say('process.startExperimentAgain'), file);
  // Tables are about all datasets of the run, so "captious run" writes them.
  const outputs = whole.outputs.filter((form) => !(tableForms as readonly string[]).includes(form));
  const plan = { ...whole, groups, outputs };
  const cells = cellsOf(plan);
  await runExperiment({ plan, home, all, ...host }, cells);
  for (const { state, report } of cells) if (state !== 'failed') onReport(report!);
  await writeOutputs(plan, cells, host.signal);
  const failed = cells.find(({ error }) => error !== undefined)?.error;
  if (failed !== undefined) throw failed;
}
