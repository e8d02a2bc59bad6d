import { basename } from 'node:path';
import * as vscode from 'vscode';
import { isFolder } from '../../base/files/isFile';
import { splitNames, splitPath } from '../../dataset/parts/splits';
import { activeFile } from '../activeFile';
import type { Datasets } from '../datasets';
import { localized } from '../messages';
import { pick } from '../notify';
import type { RunNode } from './runsView';

/** The dataset that a menu names, or else the active file if it is a dataset, or else the user's choice. */
export async function chooseDataset(uri: unknown, datasets: Datasets): Promise<vscode.Uri | undefined> {
  if (uri instanceof vscode.Uri) return uri;
  if (typeof uri === 'object' && uri !== null && (uri as RunNode).kind === 'dataset')
    return vscode.Uri.file((uri as Extract<RunNode, { kind: 'dataset' }>).path);
  const active = activeFile();
  if (active !== undefined && (await datasets.check(active, ['.txt']))) return active;
  const listed = await datasets.inWorkspace();
  // Otherwise, nothing would say why the open file cannot be chosen. A choice of it throws an error with the reason.
  const unread = active !== undefined && datasets.isCandidate(active) ? [active] : [];
  if (listed.length + unread.length > 0) {
    const itemOf = (found: vscode.Uri, detail: string) => {
      const [label, path] = [basename(found.fsPath), vscode.workspace.asRelativePath(found)];
      return { label, ...(path === label ? {} : { description: path }), detail, found };
    };
    const items = [
      ...unread.map((found) =>
        itemOf(found, vscode.l10n.t('Not readable as a dataset. Select it to see the reason.')),
      ),
      ...listed.map((found) => itemOf(found, localized(datasets.readsAs(found.fsPath) ?? ''))),
    ];
    const browse = { label: vscode.l10n.t('Browse…'), found: undefined };
    const title = vscode.l10n.t('Select a dataset');
    const answer = await pick([...items, browse], { title, matchOnDescription: true });
    if (answer === undefined || answer.found !== undefined) return answer?.found;
  }
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Select a dataset'),
      defaultUri: vscode.workspace.workspaceFolders?.at(0)?.uri,
      filters: {
        [vscode.l10n.t('Datasets')]: [
          'json',
          'jsonl',
          'csv',
          'tsv',
          'parquet',
          'arrow',
          'feather',
          'tar',
          'token',
          'txt',
        ],
        [vscode.l10n.t('All files')]: ['*'],
      },
    })) ?? [];
  return chosen;
}

/** A folder with several splits becomes the files of the split that the user selects. */
export async function chooseSplit(dataset: vscode.Uri): Promise<vscode.Uri | undefined> {
  const { fsPath } = dataset;
  const names = isFolder(fsPath) ? await splitNames(fsPath) : [];
  if (names.length < 2) return dataset;
  const items = [
    ...names.map((split) => ({ label: split, split })),
    { label: vscode.l10n.t('All splits'), split: 'all' },
  ];
  const answer = await pick(items, { title: vscode.l10n.t('Select a split') });
  return answer && vscode.Uri.file(await splitPath(fsPath, { split: answer.split }));
}
