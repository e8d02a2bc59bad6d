import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layoutSize, writeLayouts } from '../layouts';
import { restrictedMode } from './restricted';
import { expectEventually, explorerRow, type Opened, windowFor } from './steps';
import { appears, repository } from './vscode';

const fill = async ({ workspace }: { workspace: string }): Promise<void> => {
  await writeLayouts(workspace);
};

describe('the list of a dataset in other windows', function () {
  this.timeout(5 * 60_000);
  let opened: Opened;
  const page = () => opened.code.panel();
  // Before the editor knows the extension, it shows its own page for binary files.
  const lists = async () => {
    await expectEventually(async () => {
      await explorerRow(opened.code, 'alone.parquet').first().click();
      if (await appears(page().locator('.grid-row').first(), 10_000)) return true;
      await opened.code.page.keyboard.press('Control+F4');
      return false;
    });
    assert.equal(await page().locator('.grid').getAttribute('aria-rowcount'), String(layoutSize));
  };

  describe('in Restricted Mode', () => {
    const settings = {
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
    };
    windowFor('datasets-restricted', { fill, untrusted: true, settings }, (own) => (opened = own));

    it('opens by a click, without images and without an audit', async () => {
      await restrictedMode(opened.code).waitFor();
      await lists();
      await page().locator('.grid-row').first().click();
      await page().locator('.detail .caption-text').first().waitFor();
      assert.equal(await page().locator('img').count(), 0);
      await page().locator('figcaption', { hasText: 'not opened in Restricted Mode' }).waitFor();
      const header = await page().locator('header').innerText();
      assert.match(header, /Examples: 48 · Captions: 48 · Images: 48(?!, found)/);
      assert.equal(await page().getByRole('button', { name: 'Audit' }).count(), 0);
      await opened.code.screenshot('dataset-restricted');
    });
  });

  describe('in German', () => {
    windowFor('datasets-german', { fill, language: 'de' }, (own) => (opened = own));

    it('has no English text that has a translation', async () => {
      const { code } = opened;
      await lists();
      await page().locator('.grid-row').nth(2).click();
      await page().locator('.detail img').waitFor();
      await code.screenshot('dataset-german');
      const german = JSON.parse(
        await readFile(join(repository, 'l10n/bundle.l10n.de.json'), 'utf8'),
      ) as Record<string, string>;
      const texts = await page()
        .locator('main *')
        .evaluateAll((elements) =>
          elements.flatMap((element) => [
            ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.nodeValue),
            ...['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name)),
          ]),
        );
      const words = new Set(Object.values(german));
      const shown = texts.map((text) => text?.trim() ?? '');
      assert.ok(shown.includes(german['Search (/)']));
      assert.deepEqual(
        shown.filter((text) => Object.hasOwn(german, text) && !words.has(text)),
        [],
      );
    });
  });

  describe('in a browser', () => {
    const settings = { 'remote.extensionKind': { 'captious.captious': ['web'] } };
    windowFor('datasets-web', { fill, settings }, (own) => (opened = own));

    it('says that datasets open on a computer only', async () => {
      const { code } = opened;
      const words = code.page.getByText('In a browser, Captious can only show reports.').first();
      await expectEventually(async () => {
        await explorerRow(code, 'alone.parquet').first().click();
        if (await appears(words, 10_000)) return true;
        await code.page.keyboard.press('Control+F4');
        return false;
      });
      await code.screenshot('dataset-web');
    });
  });
});
