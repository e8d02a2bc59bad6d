import * as vscode from 'vscode';
import { basename } from 'node:path';
import { usageError } from '../base/errors';
import { count, list } from '../base/shape';
import { activeFile, documentOf } from './activeFile';
import { chooseOrder, chooseImages, needItems } from './runs/selectRun';
import { exportReport } from './panel/exporting';
import { openReportAsText } from './panel/reportEditor';
import { exportForPaper } from './panel/paper';
import type { Datasets } from './datasets';
import type { Experiments } from './experiment/experiments';
import type { HostAnswers } from './runs/hostAnswers';
import { addEvaluator, type AddParts, makeEvaluator } from './evaluators/addEvaluator';
import { newEvaluator } from './evaluators/newEvaluator';
import type { Throughput } from './runs/throughput';
import type { Panels } from './panel/panel';
import { begin, follow, offerUndo } from './runs/following';
import type { Reader } from '../process/readerClient';
import { dateOf, type RunRecord } from './runs/runRecord';
import { fullDate } from './dates';
import { isReportFile } from './text/runMarks';
import type { BesideMarks } from './text/besideMarks';
import type { Marks } from './text/marks';
import type { Rescoring } from './text/rescoring';
import { pickResult } from './text/resultPick';
import { revealLine } from './panel/reveal';
import type { RunOrder, Runs } from './runs/runs';
import { auditArguments } from './runs/auditArguments';
import { chooseDataset, chooseSplit } from './runs/chooseDataset';
import { chooseOthers } from './runs/chooseOthers';
import { labelOf, type RunNode } from './runs/runsView';
import { auditSamples, sampleFile } from './runs/samples';
import * as settings from './settings';
import { addPython } from './python/commands';
import { knownPython } from './python/interpreters';
import { needTrust } from './trust';
import { ask, confirm, pick, showStatus, withProgress } from './notify';
import { readJson } from '../base/files/readJson';
import type { Add } from './commandIds';

const kinds = { triplet: 'Captious: triplet', preference: 'Captious: preference' } as const;

/** Opens an untitled JSONL file with one entry. The Tab key moves between the fields of the entry. */
async function newFile(extension: vscode.Uri, kind: keyof typeof kinds): Promise<void> {
  const path = vscode.Uri.joinPath(extension, 'snippets/jsonl.json').fsPath;
  const snippets = (await readJson(path)) as Record<string, { body: string[] }>;
  const document = await vscode.workspace.openTextDocument({ language: 'jsonl', content: '' });
  const editor = await vscode.window.showTextDocument(document);
  await editor.insertSnippet(new vscode.SnippetString(`${snippets[kinds[kind]].body.join('\n')}\n`));
}

export interface CommandParts {
  context: vscode.ExtensionContext;
  runs: Runs;
  reader: Reader;
  throughput: Throughput;
  panels: Panels;
  filePanels: Panels;
  beside: BesideMarks;
  marks: Marks;
  rescoring: Rescoring;
  hostAnswers: HostAnswers;
  datasets: Datasets;
  experiments: Experiments;
  log: vscode.LogOutputChannel;
}

/** Gives `add` what each command does. */
export function addCommands(add: Add, parts: CommandParts): void {
  addAudits(add, parts);
  addRuns(add, parts);
  addOthers(add, parts);
  addPython(add, parts.context, (order) => begin(parts, order));
}

function addAudits(add: Add, parts: CommandParts): void {
  const { context, reader } = parts;
  add('captious.audit', async (uri, options) => {
    needTrust();
    const chosen = await chooseDataset(uri, parts.datasets);
    const dataset = chosen && (await chooseSplit(chosen));
    if (dataset === undefined) return undefined;
    const given = auditArguments(options);
    if (given === undefined) {
      const order = await chooseOrder(dataset, {
        reader,
        throughput: parts.throughput,
        memory: context.workspaceState,
        addEvaluator: () => addEvaluator(addParts(parts)),
        prepare: () => parts.runs.prepare(),
      });
      return order && begin(parts, order);
    }
    return begin(parts, {
      ...settings.draws(dataset),
      ...given,
      dataset: dataset.fsPath,
      images: given.images ?? settings.imageFolders(dataset),
      seed: given.seed ?? settings.seed(dataset),
      python: await knownPython(context.workspaceState, dataset),
    });
  });
  add('captious.checkBenchmark', async (uri) => {
    needTrust();
    const chosen = await chooseDataset(uri, parts.datasets);
    const dataset = chosen && (await chooseSplit(chosen));
    if (dataset === undefined) return undefined;
    await needItems(dataset, parts.reader);
    return begin(parts, benchmarkOrder(dataset));
  });
  add('captious.auditSamples', () => auditSamples(parts));
  add('captious.runExperiment', (uri, options) => parts.experiments.run(uri, options));
  add('captious.openExperiment', (uri, options) => parts.experiments.open(uri, options));
  add('captious.rescore', async (uri, lines) => {
    const document = await documentOf(typeof uri === 'string' ? vscode.Uri.parse(uri, true) : uri);
    if (document === undefined) return 0;
    const wanted = lines === undefined ? undefined : list(count)(lines, 'lines');
    const scored = await withProgress(
      { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Rescoring captions') },
      () => parts.rescoring.rescore(document, wanted),
    );
    if (scored === 0) showStatus(vscode.l10n.t('There are no edited captions to rescore.'), 5000);
    return scored;
  });
  add('captious.showResults', (uri, line) => pickResult(parts.marks, uri, line));
  add('captious.chooseImages', async (uri) => {
    needTrust();
    const dataset = await chooseDataset(uri, parts.datasets);
    if (dataset !== undefined) await chooseImages(dataset);
  });
}

/** No evaluator takes part. */
function benchmarkOrder(dataset: vscode.Uri): RunOrder {
  const images = settings.imageFolders(dataset);
  return {
    dataset: dataset.fsPath,
    probes: ['benchmark'],
    evaluators: [],
    images,
    seed: settings.seed(dataset),
  };
}

function addRuns(add: Add, parts: CommandParts): void {
  const { runs, reader, panels } = parts;
  add('captious.openPanel', (target, line, whatIf, evaluator, probe, index) => {
    const shown = {
      ...(typeof index === 'number' ? { index } : {}),
      ...(typeof line === 'number' ? { line, whatIf: whatIf === 'whatIf' } : {}),
      ...(typeof evaluator === 'string' ? { evaluator } : {}),
      ...(typeof probe === 'string' ? { probe } : {}),
    };
    if (!isReportFile(target)) return panels.show({ run: recordOf(runs, target).id, compare: [] }, shown);
    const report = vscode.Uri.file(parts.beside.reportBy(target, evaluator));
    return parts.filePanels.show({ run: report.toString(), compare: [] }, shown);
  });
  add('captious.rerun', (target) => {
    const { dataset, probes, evaluators, images, seed, draws, limit, options, python, out, experiment } =
      recordOf(runs, target);
    const order = { dataset, probes, evaluators, images, seed, draws, limit, options, python };
    return begin(parts, { ...order, out, experiment });
  });
  add('captious.resume', async (target) => {
    const record = recordOf(runs, target);
    const { ended } = await runs.resume(record);
    return follow(parts, record, ended);
  });
  add('captious.cancel', (target) => runs.cancel(recordOf(runs, target)));
  add('captious.delete', async (target, selected) => {
    const records = recordsOf(runs, target, selected);
    const remove = vscode.l10n.t('Delete');
    const question =
      records.length === 1
        ? vscode.l10n.t('Delete the run "{0}" and its reports?', labelOf(records[0]))
        : vscode.l10n.t('Delete {0} runs and their reports?', records.length);
    const what = records.map((record) =>
      vscode.l10n.t(
        '{0}: {1}, reports: {2}',
        labelOf(record),
        fullDate(dateOf(record)),
        record.reports.length,
      ),
    );
    const detail = [vscode.l10n.t('You can undo the deletion. The cache is kept.'), ...what].join('\n');
    if ((await confirm(question, detail, remove)) !== remove) return;
    for (const record of records) await runs.remove(record);
    offerUndo(runs, records);
  });
  add('captious.reveal', (target) => revealLine(vscode.Uri.file(recordOf(runs, target).dataset), undefined));
  add('captious.compare', async (target, selected) => {
    const records = recordsOf(runs, target, selected);
    const [first] = records;
    const others = records.length > 1 ? records.slice(1) : await chooseOthers(runs, first);
    if (others.length > 0) await panels.show({ run: first.id, compare: others.map(({ id }) => id) });
  });
  add('captious.export', async (target) => {
    const path =
      typeof target === 'string' && target.endsWith('.report.json') ? target : await reportOf(runs, target);
    if (path === undefined) return;
    const run = runs.all.find((record) => runs.reportPaths(record).includes(path));
    const others = run === undefined ? [] : runs.reportPaths(run).filter((other) => other !== path);
    await exportReport(reader, path, run?.images ?? settings.imageFolders(vscode.Uri.file(path)), others);
  });
  add('captious.exportForPaper', (target) => exportForPaper(reader, runs, target, recordOf));
}

function addOthers(add: Add, parts: CommandParts): void {
  const { context, filePanels, hostAnswers, log } = parts;
  add('captious.setKey', async () => {
    const name = await ask({
      title: vscode.l10n.t('Set a key for an evaluator'),
      prompt: vscode.l10n.t('Enter the name of the key: the value of "keyFrom" in the evaluator file.'),
      validateInput: (value) =>
        /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value)
          ? undefined
          : vscode.l10n.t(
              'Use only letters, digits and underscores. The first character must not be a digit.',
            ),
    });
    if (name !== undefined) await hostAnswers.askForKey(name);
  });
  add('captious.openSample', () => vscode.commands.executeCommand('vscode.open', sampleFile(context)));
  add('captious.openWalkthrough', () =>
    vscode.commands.executeCommand(
      'workbench.action.openWalkthrough',
      `${context.extension.id}#captious.start`,
      false,
    ),
  );
  add('captious.openReport', async (uri) => {
    const report = uri instanceof vscode.Uri ? uri : activeFile();
    if (report !== undefined) await filePanels.show({ run: report.toString(), compare: [] });
  });
  add('captious.openReportAsText', (uri) => openReportAsText(uri));
  add('captious.newEvaluator', () => makeEvaluator(addParts(parts)));
  add('captious.addEvaluator', () => addEvaluator(addParts(parts)));
  add('captious.newTriplets', () => newFile(context.extensionUri, 'triplet'));
  add('captious.newPreferences', () => newFile(context.extensionUri, 'preference'));
  add('captious.showLog', () => log.show());
  add('captious.openSettings', () =>
    vscode.commands.executeCommand('workbench.action.openSettings', '@ext:captious.captious'),
  );
}

function addParts({ context, reader, hostAnswers }: CommandParts): AddParts {
  const { extensionUri } = context;
  return { extensionUri, reader, newEvaluator: () => newEvaluator(extensionUri, hostAnswers) };
}

function recordOf(runs: Runs, target: unknown): RunRecord {
  const id = typeof target === 'string' ? target : idOf(target);
  const record = id === undefined ? runs.all.at(0) : runs.byId(id);
  if (record === undefined) {
    if (id !== undefined)
      throw usageError(
        vscode.l10n.t('Captious cannot find this run.'),
        vscode.l10n.t('Start a run with "Captious: Audit Dataset…".'),
      );
    throw usageError(
      vscode.l10n.t('There are no runs yet.'),
      vscode.l10n.t(
        'Start a run with "Captious: Audit Dataset…". Reports of the command line are not runs: click one in the Explorer to open it, and choose "Show Board…" in the menu of their folder to compare them.',
      ),
    );
  }
  return record;
}

function idOf(target: unknown): string | undefined {
  const node = target as RunNode | undefined;
  return node?.kind === 'run' ? node.record.id : undefined;
}

function recordsOf(runs: Runs, target: unknown, selected: unknown): RunRecord[] {
  const isRun = (node: unknown): boolean => typeof node === 'string' || idOf(node) !== undefined;
  const nodes = Array.isArray(selected) && selected.length > 1 ? selected.filter(isRun) : [target];
  const ids = new Set(nodes.map((node) => recordOf(runs, node).id));
  return [...ids].map((id) => recordOf(runs, id));
}

async function reportOf(runs: Runs, target: unknown): Promise<string | undefined> {
  const paths = runs.reportPaths(recordOf(runs, target));
  if (paths.length <= 1) return paths.at(0);
  const chosen = await pick(
    paths.map((path) => ({ label: basename(path, '.report.json'), path })),
    { title: vscode.l10n.t('Select a report to export') },
  );
  return chosen?.path;
}
