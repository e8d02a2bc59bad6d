// VS Code calls `run` inside its extension host.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';

/** Marks test output in the window's log. */
const mark = '[captious test] ';

/** Resolves if every test passed. VS Code turns a rejection into exit code 1. */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  // Mocha's reporters pass format strings to console.log, but the window does not apply them.
  const log = console.log;
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    for (const line of format(...args).split('\n')) log(mark + line);
  };
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    color: false,
    reporter: 'spec',
    grep: process.env.CAPTIOUS_TEST_ONLY || undefined,
  });
  for (const name of readdirSync(__dirname)
    .filter((file) => file.endsWith('.test.js'))
    .sort())
    mocha.addFile(join(__dirname, name));
  await mocha.loadFilesAsync();
  const failed: string[] = [];
  await new Promise((resolve) => {
    mocha
      .run(resolve)
      .on('fail', (test, error: Error) => failed.push(`${test.fullTitle()}: ${error.message}`));
  });
  // CI shows only the end of the output, where the window's log follows the summary. So the error lists the failures.
  if (failed.length > 0) throw new Error(`${failed.length} host tests failed.\n${failed.join('\n')}`);
}
