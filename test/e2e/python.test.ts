import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { needs, python } from '../python/support';
import { chooseOnly, clickInMenu, expectEventually, openDatasetMenu, windowFor } from './steps';
import { repository, type VSCode } from './vscode';

const architecture = 'ViT-S-32-alt';
const patience = 10 * 60_000;

/** The workspace has samples, a checkpoint and an environment, but no setting names them. */
describe('a new user with a PyTorch checkpoint', function () {
  needs(this, python);
  this.timeout(20 * 60_000);
  let code: VSCode;

  windowFor(
    'python',
    {
      async fill({ workspace }) {
        await cp(join(repository, 'samples'), workspace, { recursive: true });
        await symlink(dirname(dirname(python!)), join(workspace, '.venv'));
        const make = `import open_clip, torch; torch.manual_seed(5); torch.save(open_clip.create_model("${architecture}").state_dict(), "model.pt")`;
        execFileSync(python!, ['-c', make], { cwd: workspace, stdio: 'ignore' });
      },
    },
    (opened) => {
      ({ code } = opened);
    },
  );

  it('has a report by right click and two choices, after agreeing to run the code', async () => {
    const since = performance.now();
    const after = (): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;
    await openDatasetMenu(code, 'captions.jsonl');
    await clickInMenu(code, 'Audit Dataset');
    await code.accept();
    await chooseOnly(code, `model.pt (open_clip ${architecture})`);
    const dialog = code.page.locator('.monaco-dialog-box');
    await dialog.waitFor({ timeout: patience });
    const terms = await dialog.innerText();
    assert.match(terms, /Run this Python code\?/);
    assert.match(
      terms,
      /\.venv\/bin\/python will load .*model\.pt.* with open_clip/s,
      'names the interpreter',
    );
    console.log(`      asked after ${after()}`);
    await dialog.locator('.dialog-buttons a, .dialog-buttons button', { hasText: 'Run' }).first().click();
    const panel = code.panel();
    await expectEventually(async () => (await panel.locator('.grid-row .number').count()) > 0, patience);
    console.log(`      report after ${after()}`);
  });

  it('is not asked again for the same file and environment', async () => {
    const runs = await code.runFolders();
    await code.openFile('triplets.tsv');
    await code.command('Captious: Audit Dataset');
    await chooseOnly(code, 'VISLA');
    await chooseOnly(code, `model.pt (open_clip ${architecture})`);
    await code.page
      .locator('.tab', { hasText: 'triplets.tsv · VISLA' })
      .first()
      .waitFor({ timeout: patience });
    await expectEventually(
      async () => (await code.panel().locator('.grid-row .number').count()) > 0,
      patience,
    );
    assert.equal((await code.runFolders()).length, runs.length + 1);
    for (const folder of await code.runFolders()) assert.ok((await readdir(folder)).length > 0);
  });
});
