import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type CaptiousError, messageOf, usageError } from '../../base/errors';
import { list, object, text } from '../../base/shape';
import { type ScatterMemory, scatterMemory } from '../../protocol/scatter';
import { readReport } from '../../report/report';
import { axesOf, firstAxes, type ReportFile } from '../../report/scatter';
import { fullDate } from '../dates';
import { pick } from '../notify';
import { type Opener, viewTypes } from '../onDemand';
import { dateOf, type RunRecord } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import { labelOf, type RunNode } from '../runs/runsView';
import { ScatterView } from './scatterView';

export interface ScattersParts {
  extensionUri: vscode.Uri;
  runs: Runs;
  log: vscode.LogOutputChannel;
}

/** The arguments from a keybinding, a task or another extension. With them, the command asks no questions. */
const order = object({ reports: list(text) });

/** Opens views that compare evaluators' robustness with their agreement with people. */
export class Scatters implements Opener {
  constructor(private readonly parts: ScattersParts) {}

  async open(target: unknown, selected: unknown): Promise<void> {
    const reports = await this.reportsOf(target, selected);
    if (reports !== undefined) await this.show({ reports });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    try {
      await this.show(scatterMemory(state, ''), panel);
    } catch (error) {
      this.parts.log.warn(`A view of robustness and agreement could not be restored: ${messageOf(error)}`);
      panel.dispose();
    }
  }

  /** Reads the reports before it opens a tab. Reports that cannot be compared must not leave an empty tab. */
  private async show(memory: ScatterMemory, restored?: vscode.WebviewPanel): Promise<void> {
    const files = await Promise.all(
      memory.reports.map(async (path): Promise<ReportFile> => ({ path, report: await readReport(path) })),
    );
    const first = firstAxes(files);
    if (first === undefined) throw noneInSelection();
    const axes = axesOf(files);
    const panel =
      restored ??
      vscode.window.createWebviewPanel(viewTypes.scatter, 'Captious', vscode.ViewColumn.Active, {
        retainContextWhenHidden: true,
      });
    const { extensionUri, log } = this.parts;
    const view = new ScatterView(panel, {
      ...{ extensionUri, log, files },
      x: axes.find(({ key }) => key === memory.x) ?? first.x,
      y: axes.find(({ key }) => key === memory.y) ?? first.y,
    });
    panel.onDidDispose(() => view.dispose());
  }

  /** The paths of the selected reports, or of the selected runs' reports. Asks for runs if too few are selected. */
  private async reportsOf(target: unknown, selected: unknown): Promise<string[] | undefined> {
    if (typeof target === 'object' && target !== null && 'reports' in target)
      return order(target, '').reports;
    const nodes = Array.isArray(selected) && selected.length > 1 ? (selected as unknown[]) : [];
    const files = nodes.flatMap((node) =>
      node instanceof vscode.Uri && node.path.endsWith('.report.json') ? [node.fsPath] : [],
    );
    if (files.length > 0) return files;
    await this.parts.runs.load();
    const several = nodes.flatMap((node) => this.recordOf(node) ?? []);
    const records = several.length > 1 ? several : await this.chooseRuns();
    return records && this.inOrder(records);
  }

  /** The runs' reports, newest last, because the view uses an evaluator's last report of a metric. */
  private inOrder(records: readonly RunRecord[]): string[] {
    return [...records]
      .sort((a, b) => a.createdAt - b.createdAt)
      .flatMap((record) => this.parts.runs.reportPaths(record));
  }

  /** The finished run whose id or tree node is `node`. Undefined for unfinished runs and other values. */
  private recordOf(node: unknown): RunRecord | undefined {
    const own = node as RunNode | undefined;
    const record =
      typeof node === 'string' ? this.parts.runs.byId(node) : own?.kind === 'run' ? own.record : undefined;
    return record?.state === 'done' ? record : undefined;
  }

  private async chooseRuns(): Promise<RunRecord[] | undefined> {
    const done = this.parts.runs.all.filter(({ state }) => state === 'done');
    if (!done.some(({ probes }) => probes.includes('human'))) throw nothingInCommon();
    return pick(
      done.map((record) => ({
        label: labelOf(record),
        description: record.figure,
        detail: `${basename(record.dataset)} · ${fullDate(dateOf(record))}`,
        picked: true,
        record,
      })),
      { title: vscode.l10n.t('Select the runs to compare'), canPickMany: true },
    ).then((chosen) => chosen?.map(({ record }) => record));
  }
}

function noneInSelection(): CaptiousError {
  return usageError(
    vscode.l10n.t(
      'In this selection, no evaluator has both a report of the probe "People" and a report of another probe.',
    ),
    vscode.l10n.t(
      'Select more runs or reports. If you have no more, audit a file of ratings or preferences with the probe "People", and a dataset with another probe, such as LGIP. Use the same evaluators in both audits.',
    ),
  );
}

function nothingInCommon(): CaptiousError {
  return usageError(
    vscode.l10n.t('There is no finished run with the probe "People".'),
    vscode.l10n.t(
      'Audit a file of ratings or preferences with the probe "People", and a dataset with another probe, such as LGIP. Use the same evaluators in both audits.',
    ),
  );
}
