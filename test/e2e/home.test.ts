import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit, clickInMenu, confirmDialog, expectEventually } from './steps';
import { appears, disappears, repository, VSCode } from './vscode';

const evaluator = join(repository, 'test/fixtures/models/bert-cls');
const greyed = '0.55';

/** Captious's parts of the editor: lenses, Testing view, runs, status bar, dialogs. */
describe('everyday work in the editor', function () {
  this.timeout(10 * 60_000);
  let scratch: string;
  let workspace: string;
  let code: VSCode;

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'captious-home-'));
    workspace = join(scratch, 'workspace');
    await mkdir(join(workspace, 'pictures'), { recursive: true });
    await cp(join(repository, 'test/host/workspace/triplets.tsv'), join(workspace, 'triplets.tsv'));
    code = await VSCode.open({
      folder: workspace,
      settings: {
        'captious.evaluatorFolders': [evaluator],
        'captious.thresholds': ['visla.t2t >= 0', 'visla.t2t > 1', 'visla.unheard >= 0'],
        'files.simpleDialog.enable': true,
      },
      env: { CAPTIOUS_HOME: join(scratch, 'home') },
    });
    await code.load();
    await code.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    await auditTriplets();
  });

  after(async () => {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await code.screenshot(`failed-${this.currentTest.title}`);
  });

  async function auditTriplets(): Promise<void> {
    await audit(code, 'triplets.tsv', 'VISLA', 'bert-cls');
    await code.panel().locator('.grid-row').first().waitFor();
  }

  const lenses = () => code.page.locator('.codelens-decoration a');
  const greyWords = () =>
    code.page.locator('.view-line span').evaluateAll((spans, opacity) => {
      const { getComputedStyle } = globalThis as unknown as {
        getComputedStyle(element: unknown): { opacity: string };
      };
      return spans
        .filter((span) => getComputedStyle(span).opacity === opacity)
        .map((span) => span.textContent ?? '')
        .join('');
    }, greyed);

  it('greys an edited caption, rescores it from its lens, and undo restores the old score', async () => {
    await code.openFile('triplets.tsv');
    // The lenses of examples with results.
    const all = lenses().filter({ hasText: /^(right by|wrong:|tie|edited)/ });
    await all.first().waitFor();
    const before = await all.allInnerTexts();
    for (const words of before) assert.match(words, /^(wrong:|tie)/);
    const text = (await readFile(join(workspace, 'triplets.tsv'), 'utf8')).split('\n')[3];
    await code.page.keyboard.press('Control+G');
    await code.quickInput.locator('input').fill(`:4:${text.indexOf(' laughing') + 1}`);
    await code.page.keyboard.press('Enter');
    await code.page.keyboard.type(' loudly');
    const stale = lenses().filter({ hasText: 'edited, not rescored · rescore' });
    await stale.waitFor();
    await expectEventually(async () => (await greyWords()).replaceAll('\u00a0', ' ').includes(' loudly'));
    await stale.click();
    await lenses().filter({ hasText: '· rescored' }).waitFor();
    await expectEventually(async () => (await greyWords()) === '');
    await code.page.locator('.editor-instance .view-lines').click();
    for (let i = 0; i < 8; i++) {
      await code.page.keyboard.press('Control+Z');
      if (await disappears(lenses().filter({ hasText: '· rescored' }))) break;
    }
    await expectEventually(async () => (await all.allInnerTexts()).join('\n') === before.join('\n'));
    assert.equal(await greyWords(), '');
  });

  it('shows thresholds as tests that pass, fail and err, and checks the existing reports again', async () => {
    await code.command('Testing: Focus on Test Explorer View');
    await code.command('Test: Run All Tests');
    const row = (words: string, result: string) =>
      code.page.locator(`.test-explorer .monaco-list-row[aria-label*="${words}"][aria-label*="${result}"]`);
    const results = async () => {
      await row('visla.t2t >= 0', 'Passed').waitFor();
      await row('visla.t2t > 1', 'Failed').waitFor();
      await row('visla.unheard', 'Errored').waitFor();
    };
    await expandAll();
    await results();
    await code.command('Captious: Focus on Runs View');
    await runRows().first().waitFor();
    const count = await runRows().count();
    await code.command('Testing: Focus on Test Explorer View');
    await code.command('Test: Rerun Last Run');
    await results();
    await code.command('Captious: Focus on Runs View');
    await runRows().first().waitFor();
    assert.equal(await runRows().count(), count);
  });

  async function expandAll(): Promise<void> {
    const closed = code.page.locator('.test-explorer .monaco-list-row[aria-expanded="false"]');
    await code.page.locator('.test-explorer .monaco-list-row').first().waitFor();
    while (await appears(closed, 1000)) {
      const label = await closed.first().getAttribute('aria-label');
      await closed.first().click();
      await code.page.keyboard.press('ArrowRight');
      // The label ends with the run's state, which may change.
      const name = label?.replace(/ \([^)]*\)$/, '') ?? '';
      await code.page
        .locator(`.test-explorer [aria-label^="${name}"][aria-expanded="true"]`)
        .first()
        .waitFor();
    }
  }

  const runRows = () => code.page.locator('.monaco-list-row[aria-label^="VISLA · bert-cls"]');

  it('deletes a run after confirmation, and undoes the deletion', async () => {
    await auditTriplets();
    await code.command('Captious: Focus on Runs View');
    await runRows().first().waitFor();
    const count = await runRows().count();
    await runRows().last().click({ button: 'right' });
    await clickInMenu(code, 'Delete Run');
    await code.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expectEventually(async () => (await runRows().count()) === count - 1);
    await code.page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expectEventually(async () => (await runRows().count()) === count);
  });

  it('exports a report to the file chosen in the dialog', async () => {
    await code.command('Captious: Export Report');
    await code.quickInput.locator('.monaco-list-row', { hasText: 'HTML' }).click();
    // The dialog is ready after it suggests a name.
    const field = code.quickInput.locator('input[type="text"]').first();
    await expectEventually(async () => (await field.inputValue()).endsWith('.html'));
    await field.fill(join(workspace, 'exported.html'));
    await confirmDialog(code, field);
    await expectEventually(() => Promise.resolve(existsSync(join(workspace, 'exported.html'))));
    assert.match(await readFile(join(workspace, 'exported.html'), 'utf8'), /visla\.t2t/);
  });

  it('remembers an image folder', async () => {
    await code.openFile('triplets.tsv');
    await code.command('Captious: Select Image Folder');
    await code.quickInput
      .locator('.quick-input-title', { hasText: 'Select the folder with the images' })
      .waitFor();
    const field = code.quickInput.locator('input[type="text"]').first();
    // Waits for the suggested path, because text that is typed earlier would be appended to it.
    await expectEventually(async () => (await field.inputValue()).endsWith('/workspace/'));
    const named = join(workspace, 'pictures');
    await expectEventually(async () => {
      await field.fill(named);
      return (await field.inputValue()) === named;
    });
    // The first OK opens the folder, the second selects it.
    const ok = code.quickInput.locator('.quick-input-action', { hasText: 'OK' });
    await expectEventually(async () => {
      await ok.click({ timeout: 1000 }).catch(() => undefined);
      return disappears(ok);
    });
    const file = join(workspace, '.vscode/settings.json');
    const written = () => (existsSync(file) ? readFile(file, 'utf8') : Promise.resolve(''));
    await expectEventually(async () => (await written()).includes('captious.imageFolders'));
    const settings = JSON.parse(await written()) as { 'captious.imageFolders': string[] };
    assert.deepEqual(
      settings['captious.imageFolders'].map((path) => path.replace(/\/$/, '')),
      [join(workspace, 'pictures')],
    );
  });

  it('shows progress in the panel, and in the status bar while the panel is hidden', async () => {
    const lines = Array.from(
      { length: 60_000 },
      (_, i) => `${i}.jpg\ta cat number ${i}\tnumber ${i} is a cat\tnumber ${i} is no cat`,
    );
    await writeFile(
      join(workspace, 'long.tsv'),
      ['filename\tcaption\tsecond positive\tnegative_caption', ...lines, ''].join('\n'),
    );
    await audit(code, 'long.tsv', 'VISLA', 'bert-cls');
    const item = code.page.locator('.statusbar-item', { hasText: /Captious \d+ %/ });
    await code.panel().locator('.running progress').waitFor();
    assert.equal(await item.count(), 0);
    await code.openFile('long.tsv');
    await item.waitFor();
    await expectEventually(async () => (await item.count()) === 0, 180_000);
  });

  it('points to the panel for a file too large for lenses', async () => {
    const row =
      'x.jpg\ta cat on a mat by the door\ton a mat by the door there is a cat\ta dog on a mat by the door\n';
    const head = 'filename\tcaption\tsecond positive\tnegative_caption\n';
    await writeFile(join(workspace, 'vast.tsv'), head + row.repeat(Math.ceil((52 << 20) / row.length)));
    await code.openFile('vast.tsv');
    await code.page
      .locator('.notification-list-item', {
        hasText: 'The editor cannot show results in vast.tsv',
      })
      .waitFor();
  });
});
