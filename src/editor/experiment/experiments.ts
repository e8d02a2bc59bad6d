import { basename } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, usageError } from '../../base/errors';
import { flag, object, optional, text } from '../../base/shape';
import type { Reader } from '../../process/readerClient';
import type { ExperimentLayout } from '../../protocol/experiment';
import { documentOf } from '../activeFile';
import { localized } from '../messages';
import { codeLens, pick, showInformation, showStatus } from '../notify';
import type { Panels } from '../panel/panel';
import { knownPython } from '../python/interpreters';
import { begin, showError } from '../runs/following';
import type { RunRecord } from '../runs/runRecord';
import type { RunOrder, Runs } from '../runs/runs';
import * as settings from '../settings';
import { lensLevel } from '../text/textSettings';
import { needTrust } from '../trust';
import { experimentLenses } from './experimentLenses';

const pattern = '**/captious.{json,yaml,yml}';
const given = object({ run: optional(text), all: optional(flag) });

export interface ExperimentParts {
  runs: Runs;
  reader: Reader;
  panels: Panels;
  memory: vscode.Memento;
  log: vscode.LogOutputChannel;
}

/** Experiment files in the editor: the lenses above their runs, and what the lenses do. */
export class Experiments implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly parts: ExperimentParts) {
    this.subscriptions = [
      this.changed,
      parts.runs.onDidChange(() => this.changed.fire()),
      vscode.languages.registerCodeLensProvider({ scheme: 'file', pattern }, this),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (lensLevel() === 'off') return [];
    const layout = await this.layoutOf(document);
    const lenses = experimentLenses(layout, document.uri.toString(), (out) => this.newest(out) !== undefined);
    return lenses.map(({ line, title, icon, command }) =>
      codeLens(
        new vscode.Range(line, 0, line, 0),
        { title: localized(title), command: command?.id ?? '', arguments: command?.arguments },
        icon,
      ),
    );
  }

  /** Queues a run for each dataset and seed. Resolves when all have ended. */
  async run(target: unknown, options: unknown): Promise<unknown> {
    needTrust();
    const { document, run, all } = await this.target(target, options);
    // Runs read the file from disk.
    if (document.isDirty) await document.save();
    const file = document.uri.fsPath;
    const { groups } = await this.named(document, run);
    const experiment = { file, all, ...(run === undefined ? {} : { run }) };
    const python = await knownPython(this.parts.memory, document.uri);
    const orders = groups.map((group) => ({ ...group, experiment, python }));
    return orders.length === 1 ? begin(this.parts, orders[0]) : this.runAll(document, run, orders);
  }

  /** Does not open a panel for each dataset, but offers the results at the end. */
  private async runAll(
    document: vscode.TextDocument,
    run: string | undefined,
    orders: readonly RunOrder[],
  ): Promise<RunRecord[]> {
    const name = basename(document.uri.fsPath);
    const started: Promise<RunRecord>[] = [];
    for (const order of orders) started.push((await this.parts.runs.start(order)).ended);
    showStatus(vscode.l10n.t('Runs of {0} in the queue: {1}', name, orders.length), 5000);
    const records = await Promise.all(started);
    const failed = records.find(({ state }) => state === 'failed');
    if (failed?.problem !== undefined) showError(new Error(failed.problem), this.parts.log);
    else if (records.every(({ state }) => state === 'done')) {
      const open = vscode.l10n.t('Open Results');
      void showInformation(vscode.l10n.t('{0}: all runs are done.', name), open).then((answer) =>
        answer === open ? this.open(document.uri, run === undefined ? {} : { run }) : undefined,
      );
    }
    return records;
  }

  /** Opens the newest results of a run. If it has several datasets or seeds, asks which. */
  async open(target: unknown, options: unknown): Promise<void> {
    const { document, run } = await this.target(target, options);
    const { groups, hasSeries } = await this.named(document, run);
    const found = groups.flatMap(({ dataset, seed, out }) => {
      const record = this.newest(out);
      const description = seed === undefined ? undefined : `seed ${seed}`;
      return record === undefined ? [] : [{ label: basename(dataset), description, record, out }];
    });
    const chosen =
      found.length > 1
        ? await pick(found, { title: vscode.l10n.t('Select the results to open') })
        : found.at(0);
    if (chosen === undefined) return;
    // The board shows checkpoints as a series. Its values open the reports.
    if (hasSeries === true)
      await vscode.commands.executeCommand('captious.board', vscode.Uri.file(chosen.out));
    else await this.parts.panels.show({ run: chosen.record.id, compare: [] });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** A failed run may have reports, too. */
  private newest(out: string): RunRecord | undefined {
    return this.parts.runs.all.find(
      ({ state, reports, ...record }) =>
        record.out === out && reports.length > 0 && state !== 'queued' && state !== 'running',
    );
  }

  private async target(target: unknown, options: unknown) {
    const uri = typeof target === 'string' ? vscode.Uri.parse(target, true) : target;
    const document = await documentOf(uri);
    if (document === undefined || !/[\\/]captious\.(json|ya?ml)$/.test(document.uri.fsPath))
      throw usageError(
        vscode.l10n.t('Open an experiment file first.'),
        vscode.l10n.t('Its name is captious.json or captious.yaml.'),
      );
    const { run, all = false } = given(options ?? {}, 'options');
    return { document, run, all };
  }

  private layoutOf(document: vscode.TextDocument): Promise<ExperimentLayout> {
    const ask = { path: document.uri.fsPath, text: document.getText(), home: settings.home() };
    return this.parts.reader.ask('experiment', ask);
  }

  private async named(document: vscode.TextDocument, run: string | undefined) {
    const { runs } = await this.layoutOf(document);
    const found = runs.find(({ name }) => name === run);
    if (found === undefined)
      throw new CaptiousError('usage', vscode.l10n.t('The file has no run "{0}".', run!));
    if (found.problem !== undefined) throw new CaptiousError('input', found.problem);
    return found;
  }
}
