import * as vscode from 'vscode';
import { inARow } from '../../base/say';
import type { Mark } from '../../protocol/rows';
import type { Known, PlacedMark } from './marks';
import { localized } from '../messages';
import { codeLens } from '../notify';

/**
 * Whether an example has a lens: an evaluator is wrong, or the text was edited. Other examples have a hint,
 * because a lens on every line would double the file's height.
 */
export function needsLens({ mark, stale, fresh }: PlacedMark): boolean {
  return stale || fresh || mark.captions.some(({ verdict }) => verdict === 'wrong' || verdict === 'tie');
}

/** The hint of a mark: its own one, or how many of its verdicts are right. */
export function hintWords({ hint, captions }: Mark): string | undefined {
  if (hint !== undefined) return hint;
  const judged = captions.filter(({ verdict }) => verdict !== 'none');
  const right = judged.filter(({ verdict }) => verdict === 'right').length;
  if (judged.length === 0) return undefined;
  if (judged.length > 1) return `${right}/${judged.length}`;
  return right === 1 ? '✓' : '✗';
}

export function lensOf(
  document: vscode.TextDocument,
  { mark, line, stale, fresh, known }: PlacedMark,
): vscode.CodeLens {
  const range = new vscode.Range(line, 0, line, 0);
  if (stale) {
    const words = vscode.l10n.t('edited, not rescored');
    const again = againOf(document, known, line);
    if (again === undefined) return codeLens(range, { title: words, command: '' });
    return codeLens(range, { ...again, title: `${words} · ${again.title}` });
  }
  return codeLens(range, {
    title: localized(fresh ? inARow([mark.words, vscode.l10n.t('rescored')]) : mark.words),
    command: 'captious.openPanel',
    arguments: [known.id, mark.line],
  });
}

/** The command for an edited caption: rescore it, or run the audit again. */
export function againOf(
  document: vscode.TextDocument,
  known: Known,
  line: number,
): vscode.Command | undefined {
  switch (known.again) {
    case 'rescore':
      return {
        title: vscode.l10n.t('rescore'),
        command: 'captious.rescore',
        arguments: [document.uri.toString(), [line]],
      };
    case 'rerun':
      return { title: vscode.l10n.t('run again'), command: 'captious.rerun', arguments: [known.id] };
    case undefined:
      return undefined;
  }
}
