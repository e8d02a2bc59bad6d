import * as vscode from 'vscode';
import type { ScatterState } from '../../protocol/scatter';
import { pick } from '../notify';
import { announceExport } from '../panel/exporting';
import { saveTo } from '../saveTo';

type Form = 'html' | 'svg' | 'csv';

/** Lets the user choose a format and a file for the points of robustness and agreement. */
export async function exportScatter(
  { axes, chosen: { x, y } }: ScatterState,
  beside: string | undefined,
  textOf: (form: Form) => Promise<{ text: string }>,
): Promise<void> {
  const chosen = await pick(
    [
      { form: 'html', label: 'HTML', detail: vscode.l10n.t('The chart and its table, for the browser') },
      { form: 'svg', label: 'SVG', detail: vscode.l10n.t('The chart for a paper, one column wide') },
      {
        form: 'csv',
        label: 'CSV',
        detail: vscode.l10n.t('The points with their intervals, for a spreadsheet'),
      },
    ] as const,
    { title: vscode.l10n.t('Select an export format') },
  );
  if (chosen === undefined) return;
  const { form, label } = chosen;
  const metrics = [...axes.y.filter(({ key }) => key === y), ...axes.x.filter(({ key }) => key === x)].map(
    ({ metric }) => metric,
  );
  const folder =
    vscode.workspace.workspaceFolders?.at(0)?.uri ??
    (beside === undefined ? undefined : vscode.Uri.file(beside));
  const name = `${metrics.join('.')}.${form}`;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder === undefined ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name),
    filters: { [label]: [form] },
  });
  if (target === undefined) return;
  await saveTo(target, new TextEncoder().encode((await textOf(form)).text));
  announceExport(target, form);
}
