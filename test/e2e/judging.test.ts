import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { changeTheme, expectAccessible, visibleFrame } from './access';
import { audit, expectEventually, pageWith, windowFor } from './steps';
import { repository, themes, type VSCode } from './vscode';

const clip = join(repository, 'test/fixtures/models/clip');
const file = 'captions.jsonl';
const settings = {
  'captious.evaluatorFolders': [clip],
  'captious.imageFolders': ['images'],
  'workbench.colorTheme': themes.dark,
};

describe('judging a variant in the panel', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;

  windowFor(
    'judging',
    {
      settings,
      fill: async (folders) => {
        for (const name of [file, 'images'])
          await cp(join(repository, 'samples', name), join(folders.workspace, name), { recursive: true });
      },
    },
    (opened) => ({ code } = opened),
  );

  before(async () => {
    await audit(code, file, 'LGIP', 'clip');
    const panel = await pageWith(code, 'main#panel');
    await panel.locator('.grid-row .number').first().waitFor({ timeout: 240_000 });
    await panel.locator('.grid-row').first().click();
    await panel.locator('.pick-rejected').first().waitFor();
  });

  it('asks for the name once, and shows the metrics without what is no error', async () => {
    const panel = await pageWith(code, 'main#panel');
    await panel.locator('.grid-row').first().focus();
    await code.page.keyboard.press('x');
    await code.quickInput.locator('input').fill('Ann');
    await code.page.keyboard.press('Enter');
    const summary = panel.locator('.judged summary');
    await summary.waitFor();
    assert.match(await summary.innerText(), /Ann \(1 not an error, 0 valid\)/);
    const mark = panel.locator('.grid-row .judged-mark');
    await mark.waitFor();
    assert.equal(await mark.getAttribute('aria-label'), 'Not an error');
    await summary.click();
    await expectEventually(async () => (await panel.locator('.judged table').count()) === 1);
    await code.screenshot('judged-panel');
  });

  it('is changed by the other key, and taken back by a second press', async () => {
    const panel = await pageWith(code, 'main#panel');
    const summary = panel.locator('.judged summary');
    await panel.locator('.grid-row').first().focus();
    await code.page.keyboard.press('v');
    await expectEventually(async () => /0 not an error, 1 valid/.test(await summary.innerText()));
    const mark = panel.locator('.grid-row .judged-mark');
    await expectEventually(async () => (await mark.getAttribute('aria-label')) === 'Valid');
    await code.page.keyboard.press('v');
    await expectEventually(async () => (await summary.count()) + (await mark.count()) === 0);
  });

  it('is accessible', async () => {
    const panel = await pageWith(code, 'main#panel');
    await panel.locator('.pick-rejected').first().click();
    await panel.locator('.judged summary').waitFor();
    for (const theme of ['dark', 'high-contrast-light'] as const) {
      await changeTheme(code, theme);
      await expectAccessible(await visibleFrame(code), theme);
    }
  });
});
