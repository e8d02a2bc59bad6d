import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditTriplets, openRestricted, restrictedMode } from './restricted';
import { audit, goToLine, pageWith } from './steps';
import { repository, type VSCode } from './vscode';

const evaluator = join(repository, 'test/fixtures/models/bert-cls');

describe('an untrusted workspace', function () {
  this.timeout(5 * 60_000);
  let scratch: string;
  let workspace: string;
  let code: VSCode;

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'captious-trust-'));
    workspace = join(scratch, 'workspace');
    await mkdir(join(workspace, '.vscode'), { recursive: true });
    await cp(join(repository, 'test/host/workspace/triplets.tsv'), join(workspace, 'triplets.tsv'));
    auditTriplets(join(workspace, 'triplets.tsv'));
    // The workspace's settings name a model folder.
    await writeFile(
      join(workspace, '.vscode/settings.json'),
      JSON.stringify({ 'captious.evaluatorFolders': [evaluator] }),
    );
    code = await openRestricted(workspace, join(scratch, 'home'));
    await code.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  });

  after(async () => {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await code.screenshot(`failed-${this.currentTest.title}`);
  });

  const notice = () => code.page.locator('.notification-list-item', { hasText: 'In Restricted Mode' });

  const restricted = () => restrictedMode(code);

  async function grantTrust(): Promise<void> {
    if ((await restricted().count()) === 0) return;
    await code.command('Workspaces: Manage Workspace Trust');
    await code.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: /^Trust/ })
      .first()
      .click();
    // Recent editors show the trust page above everything until it is closed.
    await code.page.keyboard.press('Escape');
    await code.page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
    await restricted().waitFor({ state: 'detached' });
    // Hides the trust page, because the page updates its list of trusted folders only when it is shown again.
    await code.openFile('triplets.tsv');
  }

  async function withdrawTrust(): Promise<void> {
    if ((await restricted().count()) > 0) return;
    await clearNotifications();
    await code.command('Workspaces: Manage Workspace Trust');
    const trusted = code.page.locator('.workspace-trust-editor .monaco-list-row', { hasText: 'workspace' });
    await trusted.first().hover();
    await trusted
      .first()
      .locator('.action-label.codicon-settings-remove, .action-label.codicon-trash, [aria-label*="Delete"]')
      .first()
      .click();
    await code.page.keyboard.press('Escape');
    await restricted().waitFor();
  }

  /** Clears all notifications. The palette offers the command only if notifications exist. */
  async function clearNotifications(): Promise<void> {
    const shown = await code.page.locator('.notification-list-item').count();
    if (shown > 0) await code.command('Notifications: Clear All Notifications');
  }

  async function openReport(): Promise<void> {
    await code.openFile('visla.starter.report.json');
    await code.command('Captious: Open Report');
    await code.panel().locator('.grid-row').first().waitFor();
  }

  it('audits nothing, and gives the remedy', async () => {
    await withdrawTrust();
    const tabs = await code.page.locator('.tab', { hasText: 'VISLA' }).count();
    await code.openFile('triplets.tsv');
    // Text features work in an untrusted workspace.
    await code.page.locator('.codelens-decoration a', { hasText: 'Audit' }).waitFor();
    await code.command('Captious: Audit Dataset');
    await notice().waitFor();
    await code.page.keyboard.press('Escape');
    await clearNotifications();
    for (const refused of ['Audit the Samples', 'Check Benchmark']) {
      if (refused === 'Check Benchmark') await code.openFile('triplets.tsv');
      await code.command(`Captious: ${refused}`);
      await notice().waitFor();
      await code.page.keyboard.press('Escape');
      await clearNotifications();
    }
    assert.equal(await code.page.locator('.tab', { hasText: 'VISLA' }).count(), tabs);
  });

  it('shows a report and writes no files', async () => {
    await withdrawTrust();
    const before = await readdir(join(workspace, 'reports'));
    await clearNotifications();
    await openReport();
    await code.panel().locator('.grid-row').first().click();
    await code.panel().locator('figcaption', { hasText: 'not opened in Restricted Mode' }).waitFor();
    assert.equal(await code.panel().locator('#what-if').count(), 0);
    assert.deepEqual(await readdir(join(workspace, 'reports')), before);
    // The report's file replaced the dataset's preview tab, so the dataset is opened again.
    await code.openFile('triplets.tsv');
  });

  async function auditTrusted(): Promise<void> {
    await grantTrust();
    await audit(code, 'triplets.tsv', 'VISLA', 'bert-cls');
    await code.panel().locator('.grid-row').first().waitFor();
  }

  it('audits after trust is granted, with the model of its settings', auditTrusted);

  it('shows existing results in the side panel when trust is withdrawn, without images or a what-if', async () => {
    await auditTrusted();
    await withdrawTrust();
    await code.openFile('triplets.tsv');
    await goToLine(code, 3);
    await code.command('Captious: Focus on Example View');
    const side = await pageWith(code, 'main#side');
    await side.getByRole('button', { name: 'line 3', exact: true }).waitFor();
    await side.locator('.variants li').first().waitFor();
    await side.locator('.worst-row').first().waitFor();
    assert.equal(await side.locator('#what-if, img').count(), 0);
    await side.locator('.fool', { hasText: 'In Restricted Mode' }).waitFor();
    assert.equal(await side.locator('.fool button').count(), 0);
  });
});
