import * as vscode from 'vscode';
import { usageError } from '../../base/errors';
import { metricNames, metricPrefix } from '../../evaluator/clipscore';
import { overlapMetrics, overlapNames } from '../../evaluator/overlap/overlap';
import { referencedIn, referencedMetrics } from '../../evaluator/overlap/names';
import type { EvaluatorEntry } from '../../protocol/service';
import { pick, separator } from '../notify';

interface MetricRow extends vscode.QuickPickItem {
  /** The name in references, such as "clipscore". */
  metric?: string;
  /** Whether it scores with an encoder, as in `clipscore:starter`. */
  needsEncoder?: boolean;
}

const names: Record<string, string> = {
  clipscore: 'CLIPScore',
  'pac-s': 'PAC-S',
  refclipscore: 'RefCLIPScore',
  'refpac-s': 'RefPAC-S',
};

/** All metrics that need no evaluator file: those of an encoder, then those of reference captions. */
export function metricRows(): MetricRow[] {
  const row = (metric: string, needsEncoder: boolean): MetricRow => ({
    label: names[metric] ?? (metric === 'cosine' ? vscode.l10n.t('Cosine') : metric),
    description: needsEncoder ? `${metric}:…` : metric,
    ...{ metric, needsEncoder },
  });
  return [
    separator(vscode.l10n.t('of an encoder')),
    ...metricNames.map((metric) => row(metric, true)),
    separator(vscode.l10n.t('of an encoder, with reference captions')),
    ...Object.keys(referencedMetrics).map((metric) => row(metric, true)),
    separator(vscode.l10n.t('of reference captions')),
    ...overlapMetrics.map((metric) => ({ ...row(metric, false), label: overlapNames[metric] })),
  ];
}

/** The encoders that can have a metric: they embed images and texts in one space, and are no metric themselves. */
export function encodersIn(entries: readonly EvaluatorEntry[]): EvaluatorEntry[] {
  return entries.filter(
    ({ id, problem, readsImages, abilities }) =>
      problem === undefined &&
      readsImages &&
      abilities.includes('ranking') &&
      metricPrefix(id) === '' &&
      referencedIn(id) === undefined,
  );
}

/** Lets the user choose a metric and its encoder. `needsReferences`: a sample cannot be scored without references. */
export async function chooseMetric(
  entries: () => Promise<readonly EvaluatorEntry[]>,
): Promise<{ reference: string; name: string; needsReferences: boolean } | undefined> {
  const chosen = await pick(metricRows(), {
    title: vscode.l10n.t('Metric'),
    placeHolder: vscode.l10n.t('Select a metric'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (chosen?.metric === undefined) return undefined;
  const { label, metric } = chosen;
  if (chosen.needsEncoder !== true) return { reference: metric, name: label, needsReferences: true };
  const encoders = encodersIn(await entries());
  if (encoders.length === 0)
    throw usageError(
      vscode.l10n.t('No encoder of images and texts is installed.'),
      vscode.l10n.t('Add one first: a model folder, or a known encoder to download.'),
    );
  const encoder = await pick(
    encoders.map(({ id, name, kind }) => ({ label: name, description: kind, id })),
    { title: label, placeHolder: vscode.l10n.t('Select the encoder'), ignoreFocusOut: true },
  );
  if (encoder === undefined) return undefined;
  return {
    reference: `${metric}:${encoder.id}`,
    name: vscode.l10n.t('{0} with {1}', label, encoder.label),
    needsReferences: Object.hasOwn(referencedMetrics, metric),
  };
}
