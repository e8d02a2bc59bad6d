import * as vscode from 'vscode';
import { inARow, say, type Words } from '../../base/say';
import type { Mark } from '../../protocol/rows';
import { briefName, isWrong, telling, type ExampleMark } from './evaluatorMarks';
import type { Known, PlacedMark } from './marks';
import { localized } from '../messages';
import { codeLens } from '../notify';

/**
 * Whether an example has a lens: an evaluator is wrong, or the text was edited. Other examples have a hint,
 * because a lens on every line would double the file's height.
 */
export function needsLens({ mark, stale, fresh }: PlacedMark): boolean {
  return stale || fresh || (mark.evaluators ?? [{ mark }]).some((own) => isWrong(own.mark));
}

/** How many evaluators a line names. The hover and the panel show all. */
const mostNamed = 2;

/** The hint of an example, such as "✓", or with the names of several evaluators. */
export function hintWords(mark: ExampleMark): Words | undefined {
  const all = telling(mark).flatMap(({ name, mark: own }) => {
    const words = hintOf(own);
    return words === undefined ? [] : [{ name, words }];
  });
  if (all.length === 0) return undefined;
  const isShared = all.every(({ words }) => words === all[0].words);
  if (isShared && all.length === (mark.among ?? 1)) return all[0].words;
  const further = all.length - mostNamed;
  return inARow([
    ...all
      .slice(0, mostNamed)
      .map(({ name, words }) => (name === undefined ? words : say`${briefName(name)} ${words}`)),
    ...(further > 0 ? [say`${further} more`] : []),
  ]);
}

/** The hint of a mark: its own hint, or else how many of its verdicts are right. */
function hintOf({ hint, captions }: Mark): string | undefined {
  if (hint !== undefined) return hint;
  const judged = captions.filter(({ verdict }) => verdict !== 'none');
  const right = judged.filter(({ verdict }) => verdict === 'right').length;
  if (judged.length === 0) return undefined;
  if (judged.length > 1) return `${right}/${judged.length}`;
  return right === 1 ? '✓' : '✗';
}

/** The lenses of an example: one for each evaluator that is wrong, with its name if there are several. */
export function lensesOf(
  document: vscode.TextDocument,
  { mark, line, stale, fresh, known }: PlacedMark,
): vscode.CodeLens[] {
  const range = new vscode.Range(line, 0, line, 0);
  if (stale) {
    const words = vscode.l10n.t('edited, not rescored');
    const again = againOf(document, known, line);
    if (again === undefined) return [codeLens(range, { title: words, command: '' })];
    return [codeLens(range, { ...again, title: `${words} · ${again.title}` })];
  }
  const told = telling(mark);
  const shown = told.slice(0, mostNamed).map(({ name, mark: own }) => {
    const words = name === undefined ? own.words : say`${name}: ${own.words}`;
    return codeLens(range, {
      title: localized(fresh ? inARow([words, vscode.l10n.t('rescored')]) : words),
      command: 'captious.openPanel',
      arguments: [known.id, mark.line, undefined, name],
    });
  });
  const further = told.length - mostNamed;
  if (further <= 0) return shown;
  const title = localized(say`${further} more`);
  const rest = codeLens(range, { title, command: 'captious.openPanel', arguments: [known.id, mark.line] });
  return [...shown, rest];
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
