import * as vscode from 'vscode';
import { list, object, optional, text } from '../../base/shape';
import type { Reader } from '../../process/readerClient';
import { readReport } from '../../report/report';
import { signalOf } from '../cancellation';
import { pick, withProgress } from '../notify';
import type { RunRecord } from '../runs/runRecord';
import type { Runs } from '../runs/runs';
import { needTrust } from '../trust';
import { announceFolder, selectFolder } from './exporting';

/** What a keybinding, a task or another extension passes. With these arguments, the command asks no questions. */
const order = object({
  reports: list(text),
  out: text,
  to: optional(list(text)),
  layout: optional(text),
});

/** What a panel passes: the paths of its reports, and the image folders of its runs. */
const shown = object({ reports: list(text), images: list(text) });

const has = (target: unknown, key: string): boolean =>
  typeof target === 'object' && target !== null && key in target;

function formsOf(): (vscode.QuickPickItem & { form: string })[] {
  return [
    {
      form: 'tex',
      label: 'LaTeX',
      detail: vscode.l10n.t('Tables, macros for every number, methods, BibTeX'),
      picked: true,
    },
    { form: 'pdf', label: 'PDF', detail: vscode.l10n.t('Figures with embedded fonts'), picked: true },
    { form: 'svg', label: 'SVG', detail: vscode.l10n.t('The same figures, editable') },
    { form: 'md', label: 'Markdown', detail: vscode.l10n.t('Tables and methods, for a document') },
    { form: 'html', label: 'HTML', detail: vscode.l10n.t('Tables and methods, for the browser') },
    { form: 'csv', label: 'CSV', detail: vscode.l10n.t('The numbers of the tables, with all digits') },
  ];
}

/** Writes the files that `captious paper` would write. Returns their paths; undefined if nothing was written. */
export async function exportForPaper(
  reader: Reader,
  runs: Runs,
  target: unknown,
  recordOf: (runs: Runs, target: unknown) => RunRecord,
): Promise<string[] | undefined> {
  if (has(target, 'out')) {
    const { reports, out, to = ['tex'], layout = 'auto' } = order(target, '');
    needTrust();
    const { files } = await reader.paper({ reports, out, to, layout, images: [] });
    return files;
  }
  const found = has(target, 'reports') ? shown(target, '') : ofRun(runs, recordOf(runs, target));
  if (found.reports.length === 0) return undefined;
  const forms = await pick(formsOf(), {
    title: vscode.l10n.t('Select what to write for the paper'),
    canPickMany: true,
  });
  if (forms === undefined || forms.length === 0) return undefined;
  const layout = await chooseLayout(reader, found.reports, forms);
  if (layout === undefined) return undefined;
  const folder = await selectFolder();
  if (folder === undefined) return undefined;
  const { files } = await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Writing tables and figures…'),
      cancellable: true,
    },
    (_report, token) =>
      reader.paper(
        { ...found, ...{ layout, out: folder.fsPath, to: forms.map(({ form }) => form) } },
        { signal: signalOf(token) },
      ),
  );
  announceFolder(folder, files);
  return files;
}

function ofRun(runs: Runs, record: RunRecord): { reports: string[]; images: string[] } {
  return { reports: runs.reportPaths(record), images: [...record.images] };
}

/** Asks which table to write. Returns `auto` without a question if only figures are written. */
async function chooseLayout(
  reader: Reader,
  reports: readonly string[],
  forms: readonly { form: string }[],
): Promise<string | undefined> {
  if (forms.every(({ form }) => form === 'pdf' || form === 'svg')) return 'auto';
  const probes = new Set((await Promise.all(reports.map(readReport))).map(({ probe }) => probe));
  const layouts = (await reader.ask('layouts', {})).filter(({ probe }) => probes.has(probe));
  const chosen = await pick(
    [
      { label: 'auto', detail: vscode.l10n.t('The main metrics of each probe') },
      ...layouts.map(({ id, mirrors }) => ({ label: id, detail: mirrors })),
    ],
    { title: vscode.l10n.t('Select a table'), matchOnDetail: true },
  );
  return chosen?.label;
}
