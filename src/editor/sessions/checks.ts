import { basename, dirname, extname, join } from 'node:path';
import * as vscode from 'vscode';
import { viewFor } from '../../probe/views';
import { checkedProbes, CheckSession } from '../../sessions/check';
import { type CaptiousError, inputError, usageError } from '../../base/errors';
import { activeFile } from '../activeFile';
import { hasVariants, type RunRecord } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import { labelOf, type RunNode } from '../runs/runsView';
import { type Opener, viewTypes } from '../onDemand';
import * as settings from '../settings';
import { needTrust } from '../trust';
import type { SessionParts } from './sessionView';
import { SessionViews } from './sessionViews';
import { CheckView } from './checkView';
import { ask, pick, showInformation } from '../notify';

const ending = '.check.json';
const reportEnding = '.report.json';
const defaultPerFamily = 20;

interface ChecksParts extends SessionParts {
  runs: Runs;
}

interface Source {
  /** The path of the report whose variants are sampled. */
  report: string;
  /** The start of a check file's path, before the annotator's name and the extension. */
  stem: string;
}

/** Opens human checks, one view per file. */
export class HumanChecks implements Opener {
  private readonly views: SessionViews<CheckSession>;

  constructor(private readonly parts: ChecksParts) {
    this.views = new SessionViews(parts, {
      ...{ type: viewTypes.humanCheck, ending, title: vscode.l10n.t('Check variants: your name') },
      parse: (content, path) => CheckSession.parse(content, path),
      view: (panel, path, session, startAt) => new CheckView(panel, path, session, parts, startAt),
    });
  }

  /** Opens a check for a check file, a report or a run. Without a target, uses the open file or asks for a run. */
  async open(target: unknown): Promise<void> {
    needTrust();
    const file = fileOf(target);
    if (file?.endsWith(ending)) return this.views.show(file);
    const source = file?.endsWith(reportEnding)
      ? { report: file, stem: file.slice(0, -reportEnding.length) }
      : await this.sourceOf(target);
    if (source === undefined) return;
    await this.views.begin(source.stem, (annotator, path) => this.create(source.report, annotator, path));
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.views.restore(panel, state);
  }

  dispose(): void {
    this.views.dispose();
  }

  private async sourceOf(target: unknown): Promise<Source | undefined> {
    const record = recordOf(target) ?? (await this.chooseRun());
    if (record === undefined) return undefined;
    const reports = this.parts.runs
      .reportPaths(record)
      .filter((path) => checkedProbes.some((probe) => basename(path).startsWith(`${probe}.`)));
    const name = (path: string): string => basename(path, reportEnding);
    const report =
      reports.length > 1
        ? (
            await pick(
              reports.map((path) => ({ label: name(path), path })),
              { title: vscode.l10n.t('Select the report with the variants to check') },
            )
          )?.path
        : reports.at(0);
    if (reports.length === 0) throw noReport();
    if (report === undefined) return undefined;
    const dataset = basename(record.dataset, extname(record.dataset));
    return { report, stem: join(dirname(record.dataset), `${dataset}.${name(report)}`) };
  }

  private async chooseRun(): Promise<RunRecord | undefined> {
    const audits = this.parts.runs.all.filter((run) => run.state === 'done' && hasVariants(run));
    if (audits.length === 0) throw noRun();
    if (audits.length === 1) return audits[0];
    const chosen = await pick(
      audits.map((record) => ({ label: labelOf(record), description: basename(record.dataset), record })),
      { title: vscode.l10n.t('Select the run with the variants to check') },
    );
    return chosen?.record;
  }

  /** Draws a sample of variants. Returns undefined if the user cancels. */
  private async create(report: string, annotator: string, path: string): Promise<CheckSession | undefined> {
    const perFamily = await askPerFamily();
    if (perFamily === undefined) return undefined;
    const seed = settings.seed(vscode.Uri.file(path));
    const { items, short, ...origin } = await this.parts.reader.ask('sample', { report, perFamily, seed });
    if (items.length === 0)
      throw inputError(
        vscode.l10n.t('This report has no variants to check.'),
        vscode.l10n.t('Select a run whose report has variants.'),
        report,
      );
    if (short.length > 0)
      void showInformation(
        vscode.l10n.t(
          'These families have fewer than {0} variants: {1}.',
          perFamily,
          short.map(({ family, items: found }) => `${family} (${found})`).join(', '),
        ),
      );
    return CheckSession.begin(items, { report, seed, ...origin }, annotator);
  }
}

async function askPerFamily(): Promise<number | undefined> {
  const given = await ask({
    title: vscode.l10n.t('Check variants: sample size'),
    prompt: vscode.l10n.t(
      'Number of variants from each family, such as vertical flips, wealth words or paraphrases.',
    ),
    value: String(defaultPerFamily),
    validateInput: (value) =>
      /^[1-9]\d{0,3}$/.test(value.trim()) ? undefined : vscode.l10n.t('Enter a number from 1 to 9999.'),
    ignoreFocusOut: true,
  });
  return given === undefined ? undefined : Number(given);
}

/** The probes whose variants people can judge, as the audit dialog names them. */
function titles(): string {
  return checkedProbes.map((id) => viewFor(id).title).join(', ');
}

function noRun(): CaptiousError {
  return usageError(
    vscode.l10n.t('There is no finished run with one of these probes: {0}.', titles()),
    vscode.l10n.t('Audit a dataset with one of these probes first.'),
  );
}

function noReport(): CaptiousError {
  return usageError(
    vscode.l10n.t('This run has no report of one of these probes: {0}.', titles()),
    vscode.l10n.t('Select a run of one of these probes.'),
  );
}

function fileOf(target: unknown): string | undefined {
  if (target instanceof vscode.Uri) return target.fsPath;
  if (target !== undefined) return undefined;
  const active = activeFile();
  return active?.scheme === 'file' ? active.fsPath : undefined;
}

function recordOf(target: unknown): RunRecord | undefined {
  const node = target as RunNode | undefined;
  return node?.kind === 'run' ? node.record : undefined;
}
