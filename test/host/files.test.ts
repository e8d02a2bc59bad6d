import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../until';

const write = async (name: string, text: string) => {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
};

describe('files that Captious writes', () => {
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are validated by their schema in the editor', async () => {
    const isHeld = async (name: string) => {
      const { uri } = await write(name, '{ "kind": "clipscore", "encoderr": "starter" }');
      await until(() =>
        vscode.languages.getDiagnostics(uri).some(({ message }) => message.includes('encoder')),
      );
    };
    await isHeld('mine.evaluator.json');
    const good = await write('good.evaluator.json', '{ "kind": "clipscore", "encoder": "starter" }');
    // Files are checked in the order of opening, so problems in a later file show that this one was checked.
    await isHeld('other.evaluator.json');
    assert.deepEqual(vscode.languages.getDiagnostics(good.uri), []);
  });

  for (const [command, key] of [
    ['captious.newTriplets', 'negative_caption'],
    ['captious.newPreferences', 'preferred'],
  ])
    it(`begin with ${command}`, async () => {
      await vscode.commands.executeCommand(command);
      const document = vscode.window.activeTextEditor!.document;
      assert.ok(document.isUntitled);
      assert.ok(key in (JSON.parse(document.getText()) as object));
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });
});
