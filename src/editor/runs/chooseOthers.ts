import { basename } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, usageError } from '../../base/errors';
import { fullDate } from '../dates';
import { pick } from '../notify';
import { dateOf, type RunRecord } from './runRecord';
import type { Runs } from './runs';
import { labelOf } from './runsView';

/** The most runs to compare with the first run. Every pair is compared row by row, so more runs would be slow. */
const mostOthers = 11;

export async function chooseOthers(runs: Runs, first: RunRecord): Promise<RunRecord[]> {
  const others = runs.all.filter(
    (record) =>
      record !== first &&
      record.state === 'done' &&
      record.probes.some((probe) => first.probes.includes(probe)),
  );
  if (others.length === 0)
    throw usageError(
      vscode.l10n.t('There is no other finished run with the same probe.'),
      vscode.l10n.t('Audit the dataset with another evaluator first.'),
    );
  const chosen = await pick(
    others.map((record, i) => ({
      label: labelOf(record),
      picked: i === 0,
      description: record.figure,
      detail: `${basename(record.dataset)} · ${fullDate(dateOf(record))}`,
      record,
    })),
    {
      title: vscode.l10n.t('Select the runs to compare with "{0}"', labelOf(first)),
      canPickMany: true,
      matchOnDetail: true,
    },
  );
  const records = (chosen ?? []).map(({ record }) => record);
  if (records.length <= mostOthers) return records;
  throw new CaptiousError('usage', vscode.l10n.t('A comparison shows up to {0} runs.', mostOthers + 1));
}
