import * as vscode from 'vscode';

const pauseMs = 120;

/** Shows the text of lenses at line ends, in documents that are too large for CodeLens. Hovers offer the commands. */
export class LineEnds implements vscode.Disposable {
  private readonly look = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3ch' },
  });
  private readonly subscriptions: vscode.Disposable[];
  private readonly timers = new Map<vscode.TextEditor, ReturnType<typeof setTimeout>>();
  private readonly shown = new WeakSet<vscode.TextEditor>();

  constructor(
    private readonly lensesFor: (editor: vscode.TextEditor) => Promise<readonly vscode.CodeLens[]>,
    onDidChange: vscode.Event<void>,
  ) {
    const all = (editors: readonly vscode.TextEditor[]) => {
      for (const editor of editors) void this.show(editor);
    };
    this.subscriptions = [
      this.look,
      vscode.window.onDidChangeVisibleTextEditors(all),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.soon(textEditor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const editor of vscode.window.visibleTextEditors)
          if (editor.document === document) this.soon(editor);
      }),
      onDidChange(() => all(vscode.window.visibleTextEditors)),
    ];
    all(vscode.window.visibleTextEditors);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private soon(editor: vscode.TextEditor): void {
    clearTimeout(this.timers.get(editor));
    const timer = setTimeout(() => {
      this.timers.delete(editor);
      void this.show(editor);
    }, pauseMs);
    this.timers.set(editor, timer);
  }

  private async show(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const { version } = document;
    const lenses = await this.lensesFor(editor);
    // If the text has changed in the meantime, the change causes another update.
    if (document.version !== version || (lenses.length === 0 && !this.shown.has(editor))) return;
    this.shown.add(editor);
    const lines = new Map<number, string[]>();
    for (const { range, command } of lenses) {
      if (command === undefined || command.command === 'captious.audit') continue;
      lines.set(range.start.line, [...(lines.get(range.start.line) ?? []), command.title]);
    }
    editor.setDecorations(
      this.look,
      [...lines].map(([line, titles]) => {
        const { end } = document.lineAt(line).range;
        return {
          range: new vscode.Range(end, end),
          renderOptions: { after: { contentText: titles.join(' · ') } },
        };
      }),
    );
  }
}
