import * as vscode from 'vscode';
import { oneLine } from '../base/text/oneLine';
import { visible } from '../base/text/visible';
import { markdownText } from '../base/text/markdown';
import { signalOf } from './cancellation';

/*
 * Disables links (`[text](command:…)`) and icons (`$(name)`) in texts for VS Code, because the texts may come from
 * files. A lint rule makes other modules use these functions.
 */

const most = 1000;
const mostInDetail = 4000;
/** Only the start of a text is read, because a file name or a report can be of any length. */
const mostRead = 10_000;

/** The text on one line, with links and icons disabled. Shortens a very long text. */
export function inert(text: string): string {
  return harmless(oneLine(text.slice(0, mostRead)), most, text.length > mostRead);
}

/** Like `inert`, but keeps line breaks. */
export function inertLines(text: string): string {
  return harmless(
    text.slice(0, mostRead).replace(/\r\n?|[\u2028\u2029]/g, '\n'),
    mostInDetail,
    text.length > mostRead,
  );
}

function harmless(text: string, room: number, isCut: boolean): string {
  const safe = visible(text.slice(0, room + 1).replaceAll('\t', ' '))
    .replaceAll('](', '] (')
    .replace(/\$\((?=[\w~-]+\))/g, '$ (');
  return isCut || safe.length > room ? `${safe.slice(0, room - 1).replace(/[\ud800-\udbff]$/, '')}…` : safe;
}

const inertOr = (text: string | undefined): string | undefined => (text === undefined ? text : inert(text));

export function showError(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(inert(message), ...buttons);
}

export function showWarning(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(inert(message), ...buttons);
}

export function showInformation(message: string, ...buttons: string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(inert(message), ...buttons);
}

export function confirm(
  message: string,
  detail: string | undefined,
  ...buttons: string[]
): Thenable<string | undefined> {
  const options = { modal: true, detail: detail === undefined ? detail : inertLines(detail) };
  return vscode.window.showWarningMessage(inert(message), options, ...buttons);
}

export function showStatus(message: string, ms: number): void {
  vscode.window.setStatusBarMessage(inert(message), ms);
}

export function pick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions & { canPickMany: true },
): Thenable<T[] | undefined>;
export function pick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Thenable<T | undefined>;
export function pick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  { title, placeHolder, ...options }: vscode.QuickPickOptions,
): Thenable<T | T[] | undefined> {
  const shown = items.map((item) => ({
    ...item,
    label: inert(item.label),
    description: inertOr(item.description),
    detail: inertOr(item.detail),
  }));
  return vscode.window.showQuickPick(shown, {
    ...options,
    title: inertOr(title),
    placeHolder: inertOr(placeHolder),
  });
}

/** A row of `pickSome`. An unusable row cannot be selected. */
export interface PickRow extends vscode.QuickPickItem {
  isUnusable?: boolean;
}

/** A button in the title of a picker, with the name of its icon. */
export interface PickButton<A extends string> {
  action: A;
  icon: string;
  title: string;
}

/** The chosen items and, if the user left the picker with a button, the button's action. */
interface Picked<T, A> {
  chosen: T[];
  action?: A;
}

/** Lets the user choose several items, or one of the buttons. Returns undefined if the user cancels. */
export function pickSome<T extends PickRow, A extends string>(
  rows: readonly T[],
  { title, placeHolder, buttons }: { title: string; placeHolder: string; buttons: readonly PickButton<A>[] },
): Promise<Picked<T, A> | undefined> {
  const list = vscode.window.createQuickPick<T>();
  Object.assign(list, { title: inert(title), placeholder: inert(placeHolder), ignoreFocusOut: true });
  list.canSelectMany = true;
  list.matchOnDetail = true;
  const shown = buttons.map(({ icon, title: tooltip }) => ({
    iconPath: new vscode.ThemeIcon(icon),
    tooltip: inert(tooltip),
  }));
  list.buttons = shown;
  list.items = rows.map((row) => ({
    ...row,
    label: inert(row.label),
    description: inertOr(row.description),
    detail: inertOr(row.detail),
  }));
  list.selectedItems = list.items.filter(({ picked }) => picked === true);
  return new Promise((resolve) => {
    const end = (answer: Picked<T, A> | undefined): void => {
      resolve(answer);
      list.dispose();
    };
    list.onDidChangeSelection((selected) => {
      const usable = selected.filter(({ isUnusable }) => isUnusable !== true);
      if (usable.length < selected.length) list.selectedItems = usable;
    });
    list.onDidTriggerButton((button) => {
      const action = buttons.find((_, i) => shown[i] === button)?.action;
      end({ chosen: [...list.selectedItems], action });
    });
    list.onDidAccept(() => {
      if (list.selectedItems.length > 0) end({ chosen: [...list.selectedItems] });
      else list.title = inert(vscode.l10n.t('{0}: select at least one', title));
    });
    list.onDidHide(() => end(undefined));
    list.show();
  });
}

export function separator(label: string): vscode.QuickPickItem {
  return { label: inert(label), kind: vscode.QuickPickItemKind.Separator };
}

export function ask(
  { title, prompt, placeHolder, ...options }: vscode.InputBoxOptions,
  token?: vscode.CancellationToken,
): Thenable<string | undefined> {
  const words = { title: inertOr(title), prompt: inertOr(prompt), placeHolder: inertOr(placeHolder) };
  return vscode.window.showInputBox({ ...options, ...words }, token);
}

type Step = Parameters<Parameters<Parameters<typeof vscode.window.withProgress>[1]>[0]['report']>[0];

export function withProgress<R>(
  options: vscode.ProgressOptions,
  task: (report: (step: Step) => void, token: vscode.CancellationToken) => Thenable<R>,
): Thenable<R> {
  return vscode.window.withProgress({ ...options, title: inertOr(options.title) }, (progress, token) =>
    task(({ message, increment }) => {
      progress.report({ message: inertOr(message), increment });
    }, token),
  );
}

/** Runs a task with a notification that can cancel it. */
export function cancellable<R>(
  title: string,
  task: (signal: AbortSignal, report: (step: Step) => void, token: vscode.CancellationToken) => Thenable<R>,
): Thenable<R> {
  const location = vscode.ProgressLocation.Notification;
  return withProgress({ location, title, cancellable: true }, (report, token) =>
    task(signalOf(token), report, token),
  );
}

/** Like `cancellable`, but returns undefined if the user cancels. */
export function unlessCancelled<R>(
  ...[title, task]: Parameters<typeof cancellable<R>>
): Thenable<R | undefined> {
  return cancellable<R | undefined>(title, async (signal, ...rest) => {
    try {
      return await task(signal, ...rest);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
}

export function treeItem(label: string, state?: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  return new vscode.TreeItem(inert(label), state);
}

/** `icon` is the name of an icon before the title. */
export function codeLens(range: vscode.Range, command: vscode.Command, icon?: string): vscode.CodeLens {
  // VS Code drops a normal space after the icon.
  const before = icon === undefined ? '' : `$(${icon})\u00a0`;
  return new vscode.CodeLens(range, {
    ...command,
    title: `${before}${inert(command.title)}`,
    ...(command.tooltip === undefined ? {} : { tooltip: inert(command.tooltip) }),
  });
}

export function inlayHint(position: vscode.Position, label: string): vscode.InlayHint {
  return new vscode.InlayHint(position, inert(label));
}

export function diagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  return new vscode.Diagnostic(range, inertLines(message), severity);
}

/** A message of a failed test. It keeps its line breaks. */
export function testMessage(message: string): vscode.TestMessage {
  return new vscode.TestMessage(inertLines(message));
}

/**
 * An empty Markdown string. Add text from files with `appendText`. Use `appendMarkdown` only for Captious's own
 * texts and for the results of `cell` and `commandLink`.
 */
export function markdown(...enabledCommands: string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = enabledCommands.length > 0 ? { enabledCommands } : false;
  return text;
}

/** Escapes text from files for Markdown. */
export function cell(text: string): string {
  return markdownText(inert(text));
}

export function commandLink({ title, command, arguments: given }: vscode.Command): string {
  const encoded = encodeURIComponent(JSON.stringify(given)).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `[${cell(title)}](command:${command}?${encoded})`;
}
