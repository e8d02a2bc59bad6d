import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('knows the extension', () => {
    assert.ok(vscode.extensions.getExtension('captious.captious'));
  });
});
