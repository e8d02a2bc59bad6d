import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { changeTheme, expectAccessiblePage } from './access';
import { clickInMenu, expectEventually, explorerRow, menuItem, saveAsProposed, windowFor } from './steps';
import { repository, themeNames, type VSCode } from './vscode';

const run = promisify(execFile);

describe('robustness and agreement on a board', function () {
  this.timeout(10 * 60_000);
  let workspace: string;
  let code: VSCode;

  windowFor(
    'scatter',
    {
      async fill(folders) {
        await cp(join(repository, 'samples/images'), join(folders.workspace, 'images'), { recursive: true });
        for (const [name, probe] of [
          ['preferences.jsonl', 'human'],
          ['captions.json', 'lgip'],
        ]) {
          const dataset = join(folders.workspace, name);
          await cp(join(repository, 'samples', name), dataset);
          await run(
            process.execPath,
            [
              ...[join(repository, 'dist/cli.js'), 'audit', dataset, '--probe', probe, '--limit', '40'],
              ...['--evaluator', 'starter,clipscore:starter', '--out', folders.workspace],
            ],
            { env: { ...process.env, CAPTIOUS_HOME: folders.home }, maxBuffer: 1 << 26 },
          );
        }
      },
    },
    (opened) => {
      ({ code, workspace } = opened);
    },
  );

  const view = () => code.panel().locator('#board .agreement');
  const points = () => view().locator('svg circle').count();
  const chart = async () => (await view().locator('svg').textContent()) ?? '';

  /** Selects all reports in the Explorer and chooses the command in their menu. */
  async function open(): Promise<void> {
    if ((await view().count()) > 0) return;
    await expectEventually(async () => {
      await code.page.keyboard.press('Escape');
      await explorerRow(code, 'human.').first().click();
      await explorerRow(code, 'lgip.')
        .last()
        .click({ modifiers: ['Shift'] });
      await explorerRow(code, 'human.').first().click({ button: 'right' });
      await menuItem(code, 'Copy Path').first().waitFor();
      return (await menuItem(code, 'Compare Robustness').count()) === 1;
    });
    await clickInMenu(code, 'Compare Robustness');
    await view().locator('svg').waitFor();
  }

  it('opens from report files, with a point for each evaluator', async () => {
    await open();
    await expectEventually(async () => (await points()) === 2);
    assert.match(await chart(), /lower is better/);
    assert.equal(await view().locator('tbody tr').count(), 2);
    for (const theme of themeNames) {
      await changeTheme(code, theme);
      await view().locator('svg').waitFor();
      await expectAccessiblePage(code, 'board', theme);
    }
  });

  it('changes the axis and exports the points', async () => {
    await open();
    await view()
      .locator('select')
      .first()
      .selectOption({ label: 'Sensitivity (in spreads) (lgip.sens.relative)' });
    await expectEventually(async () => !(await chart()).includes('lower is better'));
    await view().locator('button', { hasText: 'Export' }).click();
    await code.quickInput.locator('.monaco-list-row', { hasText: 'CSV' }).click();
    await saveAsProposed(code, 'human.accuracy.lgip.sens.relative.csv');
    const path = join(workspace, 'human.accuracy.lgip.sens.relative.csv');
    await expectEventually(() =>
      readFile(path, 'utf8').then(
        (text) => text.split('\r\n').length === 4,
        () => false,
      ),
    );
    assert.match(
      await readFile(path, 'utf8'),
      /^evaluator,lgip\.sens\.relative,lgip\.sens\.relative\.low,lgip\.sens\.relative\.high,human\.accuracy,/,
    );
  });

  it('opens the report behind a value, and is restored after a reload with its axes', async () => {
    await open();
    await view()
      .locator('select')
      .first()
      .selectOption({ label: 'Sensitivity (in spreads) (lgip.sens.relative)' });
    await expectEventually(async () => !(await chart()).includes('lower is better'));
    await code.reload();
    await view().locator('svg').waitFor();
    assert.doesNotMatch(await chart(), /lower is better/);
    await view().locator('td button').first().click();
    await code.panel().locator('.grid-row .number').first().waitFor();
    assert.equal(await code.page.locator('.tab.active', { hasText: 'LGIP' }).count(), 1);
  });
});
