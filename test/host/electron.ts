// npm run test:electron: runs this folder's tests in a desktop VS Code, which it downloads. Needs a network
// and a display.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleTests } from '../e2e/inside';
import { repository } from '../e2e/vscode';

async function main(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'captious-electron-'));
  try {
    const folder = join(scratch, 'workspace');
    await mkdir(folder);
    await cp(join(repository, 'test/host/workspace'), folder, { recursive: true });
    const out = await bundleTests('test/host');
    process.exitCode = await runTests({
      extensionDevelopmentPath: repository,
      extensionTestsPath: join(out, 'index.js'),
      launchArgs: [folder, '--disable-extensions', '--disable-workspace-trust'],
      extensionTestsEnv: {
        CAPTIOUS_HOME: join(scratch, 'home'),
        CAPTIOUS_TEST_ONLY: process.argv.at(2) ?? '',
      },
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
