import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RunsView, type Shown } from '../../src/editor/runs/runsView';

describe('a drop on the runs view', () => {
  it('audits every dropped file', async () => {
    const nothing = new vscode.EventEmitter<never>();
    const runs: Shown = {
      all: [],
      load: () => Promise.resolve(),
      progressOf: () => undefined,
      aheadOf: () => undefined,
      onDidChange: nothing.event,
      onDidProgress: nothing.event,
    };
    const dropped: string[] = [];
    const view = new RunsView(runs, { all: [], onDidChange: nothing.event }, (uri) =>
      dropped.push(uri.fsPath),
    );
    const drop = (type: string, text: string) => {
      const data = new vscode.DataTransfer();
      data.set(type, new vscode.DataTransferItem(text));
      return view.handleDrop(undefined, data);
    };
    assert.deepEqual(view.dropMimeTypes, ['text/uri-list']);
    const files = ['/data/one.tsv', '/data/two words.jsonl'].map((path) => vscode.Uri.file(path));
    await drop('text/uri-list', files.map((uri) => uri.toString()).join('\r\n'));
    assert.deepEqual(
      dropped,
      files.map(({ fsPath }) => fsPath),
    );
    await drop('text/plain', 'just words');
    assert.equal(dropped.length, 2);
    view.dispose();
    nothing.dispose();
  });
});
