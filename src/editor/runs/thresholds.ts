import { distinctNames } from '../../base/text/distinctPaths';
import * as vscode from 'vscode';
import { wordsOf } from '../../base/errors';
import { groupedBy } from '../../base/lists';
import { metricText } from '../../base/pValue';
import { say, together, type Words } from '../../base/say';
import { chooseFrom } from '../../base/text/nearest';
import { reportViews } from '../../probe/views';
import { type Gate, parseGate, unscored } from '../../report/gate';
import type { Report } from '../../report/report';
import type { RunRecord } from './runRecord';
import type { RunOrder, Runs } from './runs';
import { labelOf } from './runsView';
import * as settings from '../settings';
import { localized, trouble } from '../messages';
import { inert, inertLines, testMessage } from '../notify';

/** Shows runs with thresholds as tests. A test checks existing reports or repeats the audit. */
export class Thresholds implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('captious', 'Captious');
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly runs: Runs) {
    const { Run } = vscode.TestRunProfileKind;
    this.controller.createRunProfile(
      vscode.l10n.t('Check existing reports'),
      Run,
      (request, token) => this.run(request, token, (run, record, items) => this.judgeNow(run, record, items)),
      true,
    );
    this.controller.createRunProfile(vscode.l10n.t('Audit again'), Run, (request, token) =>
      this.run(request, token, (...judged) => this.auditAgain(...judged)),
    );
    this.controller.resolveHandler = async (item) => {
      if (item === undefined) await this.list();
    };
    this.controller.refreshHandler = () => this.list();
    this.subscriptions = [
      this.controller,
      runs.onDidChange((record) => {
        if (record === undefined || record.state === 'done') void this.list();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('captious.thresholds')) void this.list();
      }),
    ];
    void this.list();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Builds the tree of tests: the datasets, their runs, and the thresholds for each run's probes. */
  private async list(): Promise<void> {
    await this.runs.load();
    const datasets = new Map<string, vscode.TestItem>();
    const nameOf = distinctNames(this.runs.all.map(({ dataset }) => dataset));
    const seen = new Set<string>();
    for (const record of this.runs.all) {
      if (record.state !== 'done') continue;
      const key = keyOf(record);
      // If several runs have the same dataset, probes, evaluators and settings, shows only the newest.
      if (seen.has(key)) continue;
      seen.add(key);
      const own = this.gates(record.dataset).filter(({ text }) => concerns(text, record.probes));
      if (own.length === 0) continue;
      const uri = vscode.Uri.file(record.dataset);
      let dataset = datasets.get(record.dataset);
      if (dataset === undefined) {
        dataset = this.controller.createTestItem(record.dataset, inert(nameOf(record.dataset)), uri);
        datasets.set(record.dataset, dataset);
      }
      const item = this.controller.createTestItem(key, inert(labelOf(record)), uri);
      for (const gate of own)
        item.children.add(this.controller.createTestItem(`${key} ${gate.text}`, gate.text, uri));
      dataset.children.add(item);
    }
    this.controller.items.replace([...this.mistakes(), ...datasets.values()]);
  }

  /** The thresholds that no run can have as a test, each with the reason. */
  private mistakes(): vscode.TestItem[] {
    const folders = [...new Set(this.runs.all.map(({ dataset }) => dataset))];
    const texts = [undefined, ...folders.map((path) => vscode.Uri.file(path))].flatMap(settings.thresholds);
    return [...new Set(texts)].flatMap((text) => {
      const why = mistakeIn(text);
      if (why === undefined) return [];
      const item = this.controller.createTestItem(`mistake ${text}`, inert(text));
      item.error = inertLines(localized(why));
      return [item];
    });
  }

  private gates(dataset: string): Gate[] {
    return settings
      .thresholds(vscode.Uri.file(dataset))
      .flatMap((text) => (mistakeIn(text) === undefined ? [parseGate(text)] : []));
  }

  private async run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    judge: Judge,
  ): Promise<void> {
    const excluded = new Set(request.exclude);
    const leaves = leavesOf(request.include ?? [...this.controller.items].map(([, item]) => item));
    const wanted = groupedBy(
      leaves.filter((leaf) => !excluded.has(leaf)),
      (leaf) => leaf.parent!.id,
    );
    const run = this.controller.createTestRun(request);
    for (const leaf of leaves) run.enqueued(leaf);
    for (const [key, items] of wanted) {
      const before = this.runs.all.find((record) => record.state === 'done' && keyOf(record) === key);
      if (token.isCancellationRequested || before === undefined) {
        for (const item of items) run.skipped(item);
        continue;
      }
      for (const item of items) run.started(item);
      try {
        await judge(run, before, items, token);
      } catch (error) {
        for (const item of items) run.errored(item, testMessage(trouble(error)));
      }
    }
    run.end();
  }

  private async judgeNow(
    run: vscode.TestRun,
    record: RunRecord,
    items: readonly vscode.TestItem[],
  ): Promise<void> {
    const gates = this.gatesByText(record);
    const reports = await this.runs.reportsOf(record);
    for (const item of items) tell(run, item, gates.get(item.label), reports, 0);
  }

  private gatesByText({ dataset }: RunRecord): Map<string, Gate> {
    return new Map(this.gates(dataset).map((gate) => [gate.text, gate]));
  }

  private async auditAgain(
    run: vscode.TestRun,
    before: RunRecord,
    items: readonly vscode.TestItem[],
    token: vscode.CancellationToken,
  ): Promise<void> {
    const begun = Date.now();
    const gates = this.gatesByText(before);
    const { record, ended } = await this.runs.start(orderOf(before));
    const stop = token.onCancellationRequested(() => this.runs.cancel(record));
    try {
      await ended;
      const reports = await this.runs.reportsOf(record);
      for (const item of items) {
        const took = Date.now() - begun;
        if (record.state === 'interrupted') run.skipped(item);
        else if (record.state !== 'done')
          run.errored(item, testMessage(record.problem ?? record.state), took);
        else tell(run, item, gates.get(item.label), reports, took);
      }
    } finally {
      stop.dispose();
    }
  }
}

type Judge = (
  run: vscode.TestRun,
  record: RunRecord,
  items: readonly vscode.TestItem[],
  token: vscode.CancellationToken,
) => Promise<void>;

function tell(
  run: vscode.TestRun,
  item: vscode.TestItem,
  gate: Gate | undefined,
  reports: readonly Report[],
  took: number,
): void {
  if (gate === undefined) {
    run.skipped(item);
    return;
  }
  try {
    const values = byEvaluator(reports).map((own) => valuesIn(gate.text, own));
    run.appendOutput(`${values.join('\r\n')}\r\n`, undefined, item);
    const lost = reports.reduce((sum, report) => sum + unscored(report), 0);
    const failing = byEvaluator(reports).filter((own) => !gate.holds(own));
    if (lost > 0)
      run.failed(item, testMessage(vscode.l10n.t('Examples that could not be scored: {0}', lost)), took);
    else if (failing.length === 0) run.passed(item, took);
    else {
      const measured = failing.map((own) => valuesIn(gate.text, own)).join('\n');
      const words = vscode.l10n.t('Expected {0}, but measured:', gate.text);
      run.failed(item, testMessage(`${words}\n${measured}`), took);
    }
  } catch (error) {
    run.errored(item, testMessage(trouble(error)), took);
  }
}

/** One evaluator's values of the metrics in a condition, such as "starter: a = 0.7000 [0.5900, 0.7900], n = 60". */
function valuesIn(expression: string, reports: readonly Report[]): string {
  const names = new Set(namesIn(expression).map((name) => name.replace(/\.(low|high)$/, '')));
  const values = reports
    .flatMap(({ metrics }) => metrics)
    .filter(({ id, slice }) => slice === undefined && names.has(id))
    .map(({ id, value, ci, n }) => {
      const ends = ci === undefined ? '' : ` [${ci.map((end) => metricText(id, end, ci)).join(', ')}]`;
      return `${id} = ${value === null ? '–' : metricText(id, value, ci)}${ends}, n = ${n}`;
    });
  return `${reports[0].evaluator.name}: ${values.join('; ')}`;
}

/** Groups reports by evaluator, because a threshold applies to all reports of one evaluator together. */
function byEvaluator(reports: readonly Report[]): Report[][] {
  return [...groupedBy(reports, ({ evaluator }) => evaluator.id).values()];
}

function orderOf(record: RunRecord): RunOrder {
  const { dataset, probes, evaluators, images, seed, draws, limit, options, python, out, experiment } =
    record;
  return { dataset, probes, evaluators, images, seed, draws, limit, options, python, out, experiment };
}

function keyOf({ dataset, probes, evaluators, seed, draws, limit, options }: RunRecord): string {
  return JSON.stringify([
    dataset,
    probes,
    evaluators,
    seed ?? null,
    draws ?? null,
    limit ?? null,
    options ?? null,
  ]);
}

/** Why a threshold is a mistake, whatever the runs are: its form, or a metric of no probe. */
function mistakeIn(text: string): Words | undefined {
  let metrics: ReadonlySet<string>;
  try {
    ({ metrics } = parseGate(text));
  } catch (error) {
    return wordsOf(error);
  }
  const known = reportViews().map(({ id }) => id);
  const lost = [...metrics].find((metric) => !known.includes(probeOf(metric)));
  if (lost === undefined) return undefined;
  return together(say('editor.thresholdUnknown', lost), chooseFrom(probeOf(lost), known));
}

function probeOf(metric: string): string {
  return metric.split('.')[0];
}

function namesIn(expression: string): string[] {
  return expression.match(/[A-Za-z][\w.@+-]*/g) ?? [];
}

/** Whether all metrics in the expression belong to these probes. */
function concerns(expression: string, probes: readonly string[]): boolean {
  const names = namesIn(expression);
  return names.length > 0 && names.every((name) => probes.includes(probeOf(name)));
}

function leavesOf(items: readonly vscode.TestItem[]): vscode.TestItem[] {
  return items.flatMap((item) =>
    item.children.size === 0
      ? item.parent
        ? [item]
        : []
      : leavesOf([...item.children].map(([, child]) => child)),
  );
}
