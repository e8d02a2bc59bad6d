import * as vscode from 'vscode';
import type { SidePage, SideParts } from './sidePage';

export const sideViewId = 'captious.example';

/** Loads and creates the page of the side panel when VS Code first shows the view. */
export class SideView implements vscode.WebviewViewProvider, vscode.Disposable {
  private page: SidePage | undefined;

  private constructor(private readonly parts: SideParts) {}

  static register(parts: SideParts): vscode.Disposable {
    const view = new SideView(parts);
    return vscode.Disposable.from(view, vscode.window.registerWebviewViewProvider(sideViewId, view));
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    const { SidePage } = await import('./sidePage');
    const page = new SidePage(view, this.parts);
    this.page = page;
    view.onDidDispose(() => {
      page.dispose();
      if (this.page === page) this.page = undefined;
    });
  }

  dispose(): void {
    this.page?.dispose();
  }
}
