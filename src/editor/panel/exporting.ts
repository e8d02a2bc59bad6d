import { temporaryFolder } from '../../base/files/temporary';
import { rm } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import * as vscode from 'vscode';
import type { Reader } from '../../process/readerClient';
import { readBounded } from '../../base/files/readFile';
import { type Language, languageOf } from '../../base/english';
import { say } from '../../base/say';
import { localized } from '../messages';
import { readReport } from '../../report/report';
import { inert, pick, showInformation, showStatus, withProgress } from '../notify';

interface Form {
  form: string;
  label: string;
  ending?: string;
  detail: string;
  /** Whether the file is about all reports of the run. */
  isWhole?: boolean;
}

/** `others` is the number of other reports of the run. */
function formsOf(others: number): Form[] {
  const whole = {
    ...{ form: 'html', label: vscode.l10n.t('HTML, all reports of the run'), isWhole: true },
    detail: vscode.l10n.t('One file for the browser, with the {0} reports one below the other', others + 1),
  };
  return [
    ...(others > 0 ? [whole] : []),
    {
      form: 'html',
      label: 'HTML',
      detail: vscode.l10n.t('One file for the browser, with metrics, charts and the worst examples'),
    },
    { form: 'md', label: 'Markdown', detail: vscode.l10n.t('The metrics, for a document') },
    { form: 'csv', label: 'CSV', detail: vscode.l10n.t('All examples, for a spreadsheet') },
    { form: 'parquet', label: 'Parquet', detail: vscode.l10n.t('All examples, for a notebook') },
    { form: 'jsonl', label: 'JSONL', detail: vscode.l10n.t('All examples, with every stored field') },
    { form: 'json', label: 'JSON', detail: vscode.l10n.t('The report itself, with its provenance') },
    {
      form: 'junit',
      label: 'JUnit',
      ending: 'xml',
      detail: vscode.l10n.t('Test results for a CI server'),
    },
    {
      form: 'sarif',
      label: 'SARIF',
      detail: vscode.l10n.t('Problems and their line numbers, for code scanning tools'),
    },
  ];
}

/**
 * Lets the user choose a format and a file, and exports the report. `images` are the image folders, and `others` the
 * other reports of its run.
 */
export async function exportReport(
  reader: Reader,
  report: string,
  images: readonly string[],
  others: readonly string[] = [],
): Promise<void> {
  const copy = {
    label: vscode.l10n.t('Copy as Markdown'),
    iconPath: new vscode.ThemeIcon('copy'),
    form: undefined,
  };
  const chosen = await pick(
    [copy, ...formsOf(others.length).map((form) => ({ label: form.label, detail: form.detail, form }))],
    { title: vscode.l10n.t('Select an export format') },
  );
  if (chosen === undefined) return;
  if (chosen.form === undefined) {
    await vscode.env.clipboard.writeText(await markdownOf(reader, report));
    showStatus(vscode.l10n.t('Copied.'), 3000);
    return;
  }
  await exportAs(reader, chosen.form, report, images, others);
}

async function exportAs(
  reader: Reader,
  { form, label, ending = form, isWhole }: Form,
  report: string,
  images: readonly string[],
  others: readonly string[],
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.at(0)?.uri;
  const { dataset } = await readReport(report);
  const own = isWhole === true ? 'all' : basename(report, '.report.json');
  const name = `${parse(dataset.path).name}.${own}.${ending}`;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
    filters: { [isWhole === true ? 'HTML' : label]: [ending] },
  });
  if (target === undefined) return;
  await withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Exporting the report…') },
    () =>
      reader.export({
        ...{ report, form, target: target.fsPath, images: [...images] },
        ...(isWhole === true ? { others: [...others] } : {}),
        ...translation(),
      }),
  );
  announceExport(target, form);
}

/** The editor's language and the translated texts, for an export as HTML. Other formats are English. */
function translation(): { translation?: Language & { language: string } } {
  const { bundle } = vscode.l10n;
  if (bundle === undefined) return {};
  return { translation: { language: vscode.env.language, ...languageOf(bundle) } };
}

/** Shows the name of the exported file, and offers to open the file. */
export function announceExport(target: vscode.Uri, form: string): void {
  const open = vscode.l10n.t('Open');
  void showInformation(vscode.l10n.t('Exported to {0}.', basename(target.fsPath)), open).then((answer) => {
    if (answer === open) void openExported(target, form);
  });
}

/** Asks for the folder of an export with several files. Returns undefined if the user cancels. */
export async function selectFolder(
  words: Pick<vscode.OpenDialogOptions, 'title' | 'openLabel'> = {
    openLabel: vscode.l10n.t('Select Folder'),
  },
): Promise<vscode.Uri | undefined> {
  const form = { canSelectFiles: false, canSelectFolders: true, ...words };
  return (await vscode.window.showOpenDialog(form))?.at(0);
}

/** Shows the number of exported files, and offers to show the files. */
export function announceFolder(folder: vscode.Uri, files: readonly string[]): void {
  const show = vscode.l10n.t('Show folder');
  void showInformation(localized(say('editor.wroteFiles', files.length, basename(folder.fsPath))), show).then(
    (answer) => {
      if (answer === show) void vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(files[0]));
    },
  );
}

/** Opens an exported file. The browser cannot read remote files, so a remote window shows an HTML page in a tab. */
async function openExported(target: vscode.Uri, form: string): Promise<void> {
  if (form !== 'html') await vscode.commands.executeCommand('vscode.open', target);
  else if (vscode.env.remoteName === undefined) await vscode.env.openExternal(target);
  else {
    const { webview } = vscode.window.createWebviewPanel(
      'captious.export',
      inert(basename(target.fsPath)),
      vscode.ViewColumn.Active,
      { enableScripts: false, localResourceRoots: [] },
    );
    webview.html = String(await readBounded(target.fsPath));
  }
}

async function markdownOf(reader: Reader, report: string): Promise<string> {
  const folder = await temporaryFolder('copy');
  try {
    const path = join(folder, 'report.md');
    await reader.export({ report, form: 'md', target: path, images: [] });
    return String(await readBounded(path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
