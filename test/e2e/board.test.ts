import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { saying, sentence } from '../sentence';
import { changeTheme, expectAccessiblePage, visibleFrame } from './access';
import { clickInMenu, confirmDialog, expectEventually, explorerRow, menuItem, windowFor } from './steps';
import { repository, themeNames, type VSCode } from './vscode';

const run = promisify(execFile);

const quiet = {
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

describe('the board of a folder of reports', function () {
  this.timeout(10 * 60_000);
  let workspace: string;
  let spare: string;
  let code: VSCode;

  windowFor(
    'board',
    {
      // The board also works in an untrusted workspace.
      untrusted: true,
      settings: quiet,
      async fill(folders) {
        const samples = join(repository, 'samples');
        spare = join(folders.scratch, 'spare');
        await mkdir(join(folders.workspace, 'empty'));
        for (const [name, probe] of [
          ['triplets.tsv', 'visla'],
          ['captions.json', 'lgip'],
        ])
          await run(
            process.execPath,
            [
              ...[join(repository, 'dist/cli.js'), 'audit', join(samples, name), '--probe', probe],
              ...['--limit', '24', '--evaluator', 'starter,clipscore:starter', '--out', spare],
            ],
            { env: { ...process.env, CAPTIOUS_HOME: folders.home }, maxBuffer: 1 << 26 },
          );
        const reports = join(folders.workspace, 'reports');
        await cp(spare, reports, { recursive: true });
        await rm(join(reports, 'visla.clipscore_starter.report.json'));
      },
    },
    (opened) => {
      ({ code, workspace } = opened);
    },
  );

  const view = () => code.panel().locator('#board');
  const values = () => view().locator('td button').count();
  const heads = () => view().locator('thead th');
  const names = () => view().locator('tbody th').allTextContents();

  /** Opens a folder's board by its menu. Reopens the menu until the editor knows Captious's commands. */
  async function open(folder: string): Promise<void> {
    await expectEventually(async () => {
      await code.page.keyboard.press('Escape');
      await explorerRow(code, folder).first().click({ button: 'right' });
      await menuItem(code, 'Copy Path').first().waitFor();
      return (await menuItem(code, 'Show Board').count()) === 1;
    });
    await clickInMenu(code, 'Show Board');
  }

  it('opens on a folder, with a cell for each report and the reason for a missing one', async () => {
    await open('reports');
    await expectEventually(async () => (await values()) === 3);
    assert.equal(await heads().count(), 3);
    const missing = view().locator('td [role=img]');
    assert.equal(await missing.getAttribute('title'), await missing.getAttribute('aria-label'));
    assert.equal(await missing.getAttribute('title'), sentence('board.noReport'));
    assert.match((await view().locator('td').first().textContent())!, /n = \d+/);
    for (const theme of themeNames) {
      await changeTheme(code, theme);
      await expectEventually(async () => (await values()) === 3);
      await expectAccessiblePage(code, 'board', theme);
    }
  });

  it('shows every value and its column without scrolling sideways, at 400 pixels', async () => {
    await code.page.setViewportSize({ width: 400, height: 900 });
    const frame = await visibleFrame(code);
    await expectEventually(async () => (await frame.evaluate<number>('innerWidth')) <= 400);
    const excess = view()
      .locator('.values')
      .evaluate((box) => box.scrollWidth - box.clientWidth);
    assert.ok((await excess) <= 0, `${await excess} px too wide`);
    assert.deepEqual(
      await view().locator('tbody tr').first().locator('.of').allInnerTexts(),
      await heads()
        .locator('button')
        .evaluateAll((buttons) =>
          buttons
            .slice(1)
            .map(({ firstChild, lastChild }) =>
              [firstChild, lastChild].map((node) => node?.textContent ?? '').join('\n'),
            ),
        ),
    );
    await code.screenshot('board-400');
    await code.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('shows a report that is added to the folder', async () => {
    const name = 'visla.clipscore_starter.report.json';
    await cp(join(spare, name), join(workspace, 'reports', name));
    await expectEventually(async () => (await values()) === 4);
  });

  it('sorts by mouse and keyboard, and keeps the order after a reload', async () => {
    const head = heads().nth(1);
    await head.locator('button').click();
    assert.equal(await head.getAttribute('aria-sort'), 'descending');
    const best = await names();
    // Sorting rebuilds the table and focuses the new column header, so Enter sorts again.
    await code.page.keyboard.press('Enter');
    await expectEventually(async () => (await head.getAttribute('aria-sort')) === 'ascending');
    assert.deepEqual(await names(), best.reverse());
    await code.reload();
    await expectEventually(async () => (await values()) === 4);
    assert.equal(await heads().nth(1).getAttribute('aria-sort'), 'ascending');
    await code.screenshot('board-sorted');
  });

  it('exports the page and the results for mteb', async () => {
    const out = join(workspace, 'exported');
    await mkdir(out, { recursive: true });
    for (const [label, path] of [
      ['Export HTML', 'index.html'],
      ['Export for mteb', 'results'],
    ]) {
      await view().locator('button', { hasText: label }).click();
      const input = code.quickInput.locator('input');
      // The dialog is ready after it suggests a folder.
      await expectEventually(
        async () => (await input.isVisible()) && (await input.inputValue()).endsWith('/'),
      );
      await input.fill(`${out}/`);
      await confirmDialog(code, input);
      await expectEventually(() =>
        readFile(join(out, path)).then(
          () => true,
          ({ code: why }) => why === 'EISDIR',
        ),
      );
    }
    assert.match(await readFile(join(out, 'index.html'), 'utf8'), /<table id="board">/);
  });

  it('opens the report behind a value with its examples', async () => {
    await view().locator('td button').first().press('Enter');
    await code.panel().locator('.grid-row .number').first().waitFor();
  });

  it('says that a folder has no reports', async () => {
    await open('empty');
    const problem = view().locator('.problem');
    await problem.waitFor();
    assert.match((await problem.textContent())!, saying('board.noReportsInFolder'));
  });
});
