import assert from 'node:assert/strict';
import { cpus, loadavg } from 'node:os';
import * as vscode from 'vscode';

const id = 'captious.captious';

interface Mark {
  name: string;
  startTime: number;
}

/** The editor's own measurement of loading the code and calling `activate`. */
function activationTime(): number {
  const { MonacoPerformanceMarks } = globalThis as unknown as {
    MonacoPerformanceMarks: { getMarks(): Mark[] };
  };
  const at = (step: string): number => {
    const mark = MonacoPerformanceMarks.getMarks().find(({ name }) => name === `code/extHost/${step}/${id}`);
    assert.ok(mark, `the editor did not mark ${step}`);
    return mark.startTime;
  };
  return (
    at('didLoadExtensionCode') -
    at('willLoadExtensionCode') +
    (at('didActivateExtension') - at('willActivateExtension'))
  );
}

describe('activation', () => {
  it('takes about 50 ms at most', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension);
    await extension.activate();
    const took = activationTime();
    console.log(`[captious test]       it took ${took} ms`);
    // Twice the usual time, because the disk cache may be empty. A load above one per processor increases the
    // limit.
    const allowed = 100 * Math.max(1, loadavg()[0] / cpus().length);
    assert.ok(took < allowed, `activation took ${took} ms, allowed were ${allowed.toFixed(0)} ms`);
  });

  it('has registered every command it contributes', async () => {
    const { packageJSON } = vscode.extensions.getExtension(id)!;
    const { contributes } = packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributes.commands.map(({ command }) => command).filter((command) => !known.has(command)),
      [],
    );
  });
});
