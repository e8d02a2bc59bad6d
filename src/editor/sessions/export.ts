import { basename } from 'node:path';
import * as vscode from 'vscode';
import { saveTo } from '../saveTo';
import { usageError } from '../../base/errors';
import { tsvOf } from '../../mining/half';
import type { TripletSession } from '../../sessions/triplets';
import { showInformation } from '../notify';

/** Writes the accepted triplets to a file, and offers to audit the file. */
export async function exportTriplets(path: string, session: TripletSession): Promise<void> {
  const triplets = [...session.triplets()];
  if (triplets.length === 0)
    throw usageError(
      vscode.l10n.t('There are no accepted triplets to export.'),
      vscode.l10n.t('Accept a triplet with Enter first.'),
    );
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export triplets: {0}', triplets.length),
    defaultUri: vscode.Uri.file(path.replace(/\.json$/, '.tsv')),
    filters: { TSV: ['tsv'] },
  });
  if (target === undefined) return;
  await saveTo(target, Buffer.from([...tsvOf(triplets)].join('')));
  const audit = vscode.l10n.t('Audit');
  void showInformation(
    vscode.l10n.t('Triplets exported to {1}: {0}.', triplets.length, basename(target.fsPath)),
    audit,
  ).then((answer) => {
    if (answer === audit) void vscode.commands.executeCommand('captious.audit', target);
  });
}
