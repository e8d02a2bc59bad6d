/* Runs the cells of an experiment, datasets × seeds × probes × evaluators, one dataset after the other. */
import type { AuditEvent } from '../audit/events';
import { ofCell } from '../audit/matrix/matrix';
import { nothingAudited } from '../audit/output/nothingAudited';
import type { AuditRequest } from '../audit/request';
import { runAudit } from '../audit/run';
import { throwIfCancelled } from '../base/errors';
import { Fingerprints } from '../base/files/fingerprints';
import { storeFolder } from '../base/files/home';
import { basename } from 'node:path';
import type { Group, Plan } from './plan';
import type { Part, Cell } from './parts';
import { ExperimentState } from './state';
import type { Matrix, AuditCell } from '../audit/matrix/cell';

export interface ExperimentRequest {
  plan: Plan;
  home: string;
  signal: AbortSignal;
  /** Finds out what would run, and runs nothing. */
  dry?: boolean;
  /** Makes every report again. */
  all?: boolean;
  /** Only the cells of this part of the experiment. */
  part?: Part;
  /** Called when the state of a cell is known. */
  onCell?: (cell: Cell) => void;
  onEvent?: (event: AuditEvent) => void;
  consent?: AuditRequest['consent'];
  secret?: AuditRequest['secret'];
  editor?: AuditRequest['editor'];
  python?: AuditRequest['python'];
}

/** Throws only if the user cancels the run. `cells` then has the finished ones. */
export async function runExperiment(given: ExperimentRequest, cells: readonly Cell[]): Promise<void> {
  const request = { ...given, consent: given.consent && askingOnce(given.consent) };
  const { plan, home, signal } = request;
  const fingerprints = new Fingerprints(storeFolder(home));
  const state = new ExperimentState(plan.out, fingerprints, request.part);
  try {
    for (const group of plan.groups) {
      throwIfCancelled(signal);
      const own = cells.filter((cell) => cell.group === group);
      if (own.length === 0) continue;
      await runGroup(request, group, own, state);
    }
  } finally {
    await fingerprints.flush();
  }
}

/** The user who declines is not asked again for the next dataset. Given consent is stored. */
function askingOnce(consent: NonNullable<AuditRequest['consent']>): NonNullable<AuditRequest['consent']> {
  const declined = new Set<string>();
  return async (terms, runs, endpoint) => {
    if (declined.has(endpoint)) return false;
    const given = await consent(terms, runs, endpoint);
    if (!given) declined.add(endpoint);
    return given;
  };
}

/** The cells of a plan in the order in which they run. */
export function cellsOf({ groups, evaluators }: Plan): Cell[] {
  return groups.flatMap((group) =>
    group.probes.flatMap((probe) =>
      evaluators.map((evaluator): Cell => ({ group, probe, evaluator, state: 'waiting' })),
    ),
  );
}

async function runGroup(
  request: ExperimentRequest,
  group: Group,
  cells: readonly Cell[],
  state: ExperimentState,
): Promise<void> {
  const { signal, onCell } = request;
  const settle = (cell: Cell, settled: Partial<Cell>): void => {
    Object.assign(cell, settled);
    onCell?.(cell);
  };
  const found = ({ probe, ref }: AuditCell): Cell | undefined =>
    cells.find((cell) => cell.probe === probe && cell.evaluator === ref);
  const named = (own: AuditCell): Cell => found(own)!;
  const matrix: Matrix = {
    async isDone(own, key) {
      // Another part makes this report.
      if (found(own) === undefined) return true;
      const report = request.all === true ? undefined : await state.find(key, group.out);
      if (report !== undefined) settle(named(own), { state: 'unchanged', report });
      else if (request.dry === true) onCell?.(named(own));
      return report !== undefined || request.dry === true;
    },
    async done(own, finished) {
      const { path, report } = finished.written;
      if (report.dataset.examples === 0) {
        settle(named(own), { state: 'failed', report: path, error: nothingAudited(finished.written) });
        return;
      }
      await state.add(group.out, finished);
      settle(named(own), { state: 'done', report: path });
    },
    failed(own, error) {
      const cell = found(own);
      if (cell !== undefined) settle(cell, { state: 'failed', error });
    },
  };
  try {
    await runAudit({ ...auditOf(request, group), matrix });
  } catch (thrown) {
    const error = ofCell(thrown, signal);
    for (const cell of cells) if (cell.state === 'waiting') settle(cell, { state: 'failed', error });
  }
}

function auditOf(request: ExperimentRequest, group: Group): AuditRequest {
  const { plan, home, signal, consent, onEvent, secret, editor } = request;
  const { file, sha256, run, evaluators, series, options, settings } = plan;
  const { batch, threads, provider, precision, python, spread } = settings;
  const { dataset, seed, draws, out, probes, images, references, limit, map } = group;
  return {
    ...{
      dataset: dataset.path,
      probes,
      evaluators,
      options,
      images,
      references,
      limit,
      seed,
      draws,
      map,
      out,
    },
    ...{ home, signal, onEvent, threads, provider, precision, spread, batchSize: batch, namedIn: file },
    ...{ secret, editor, python: { ...request.python, asked: python } },
    checkpoints: new Map(series.flat().map(({ ref, step, pattern }) => [ref, { pattern, step }])),
    experiment: { file: basename(file), sha256, ...(run === undefined ? {} : { run }) },
    consent,
  };
}
