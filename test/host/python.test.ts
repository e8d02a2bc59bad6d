import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../until';

const inWorkspace = (name: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
const configured = () => vscode.workspace.getConfiguration('captious').get<string>('python');

describe('Python evaluators in the editor', () => {
  after(async () => {
    await vscode.workspace
      .getConfiguration('captious')
      .update('python', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('captious.newPythonEvaluator opens an unsaved Python file with a whole evaluator', async () => {
    await vscode.commands.executeCommand('captious.newPythonEvaluator');
    const opened = () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.isUntitled)?.document;
    await until(() => opened()?.languageId === 'python');
    assert.match(opened()?.getText() ?? '', /^class Evaluator\b[\s\S]*\bdef embed_texts\b/m);
  });

  it('captious.selectPython saves the interpreter that the user selects', async () => {
    const selected = vscode.commands.executeCommand('captious.selectPython');
    let isOpen = true;
    void selected.then(() => (isOpen = false));
    await until(async () => {
      // The command works only while the list is visible, so the test repeats the command.
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return !isOpen;
    });
    assert.match(configured() ?? '', /python3|\.venv|^py$/);
  });

  it('captious.tryPythonEvaluator starts no run with a file that is not Python', async () => {
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument(inWorkspace('triplets.tsv')),
    );
    assert.equal(await vscode.commands.executeCommand('captious.tryPythonEvaluator'), undefined);
  });
});
