import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { changeTheme, expectAccessible } from './access';
import { audit, expectEventually, goToLine, pageWith, windowFor } from './steps';
import { repository, themes, type VSCode } from './vscode';

const clip = join(repository, 'test/fixtures/models/clip');
const file = 'triplets.tsv';

describe('several probes of a dataset', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;
  let frame: Frame;

  const settings = {
    'captious.evaluatorFolders': [clip],
    'captious.imageFolders': ['images'],
    'workbench.colorTheme': themes.dark,
  };

  windowFor(
    'probes',
    {
      settings,
      fill: async ({ workspace }) => {
        for (const name of [file, 'images'])
          await cp(join(repository, 'samples', name), join(workspace, name), { recursive: true });
      },
    },
    (opened) => ({ code } = opened),
  );

  before(async () => {
    for (const probe of ['VISLA', 'LGIP']) {
      await code.command('View: Close All Editors');
      await audit(code, file, probe, 'clip');
      const panel = await pageWith(code, 'main#panel');
      await panel.locator('.grid-row .number').first().waitFor({ timeout: 240_000 });
    }
    await code.command('View: Close All Editors');
    await code.openFile(file);
    await code.command('Captious: Focus on Example View');
    frame = await pageWith(code, 'main#side');
  });

  const lenses = (words: RegExp) => code.page.locator('.codelens-decoration a', { hasText: words });
  const title = () => frame.locator('h1').innerText();
  const choice = () => frame.locator('h1 select');

  it('have lenses that name their probe, and open it', async () => {
    await goToLine(code, 2);
    await lenses(/^LGIP [^:]*: .*no verdict/)
      .first()
      .waitFor();
    await lenses(/^VISLA [^:]*: .*no verdict/)
      .first()
      .waitFor();
    await lenses(/^LGIP: (un)?stable/)
      .first()
      .waitFor();
    const visla = lenses(/^VISLA: (wrong|a tie)/).first();
    await visla.waitFor();
    await code.screenshot('probes-dark');
    await visla.click();
    const panel = code.panel();
    await panel.locator('.detail').waitFor();
    assert.match(await code.page.locator('.tab.active').innerText(), /VISLA/);
    await code.command('View: Close Editor');
  });

  it('are listed for a line by a command', async () => {
    await code.openFile(file);
    await goToLine(code, 3);
    await code.command('Captious: Show Results of This Line');
    const rows = code.quickInput.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
    assert.ok(
      labels.some((label) => /^[✓±✗] LGIP, /.test(label)) &&
        labels.some((label) => /^[✓±✗] VISLA, /.test(label)),
      labels.join(),
    );
    await code.screenshot('probes-pick');
    await code.page.keyboard.press('Escape');
  });

  it('are all in the hover', async () => {
    const hover = code.page.locator('.monaco-hover:visible', { has: code.page.locator('table') });
    const line = code.page.locator('.view-line', { hasText: '.jpg' }).first();
    await expectEventually(async () => {
      await code.page.mouse.move(5, 5);
      await line.hover({ position: { x: 300, y: 8 } });
      return hover
        .first()
        .waitFor({ timeout: 5000 })
        .then(
          () => true,
          () => false,
        );
    });
    const text = await hover.first().innerText();
    assert.ok(text.includes('LGIP') && text.includes('VISLA'), text);
    await code.screenshot('probes-hover');
    await code.page.mouse.move(5, 5);
  });

  it('are chosen in the side panel, which remembers the choice', async () => {
    await code.openFile(file);
    await goToLine(code, 3);
    await choice().waitFor();
    assert.equal(await choice().inputValue(), 'lgip');
    await choice().selectOption('visla');
    const isVisla = async () =>
      (await choice().inputValue()) === 'visla' &&
      (await frame.locator('.variants').innerText()).includes('P2');
    await expectEventually(isVisla);
    await frame.getByRole('button', { name: 'Open in panel' }).click();
    await code.panel().locator('.detail').waitFor();
    assert.match(await code.page.locator('.tab.active').innerText(), /VISLA/);
    await code.command('View: Close Editor');
    await code.reload();
    await code.openFile(file);
    await goToLine(code, 3);
    frame = await pageWith(code, 'main#side');
    await choice().waitFor();
    await expectEventually(isVisla);
    assert.match(await title(), /clip/);
  });

  it('are accessible in a light theme', async () => {
    await changeTheme(code, 'light');
    await expectAccessible(frame, 'light');
    await code.screenshot('probes-light');
  });
});
