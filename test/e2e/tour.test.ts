import assert from 'node:assert/strict';
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import {
  audit,
  chooseFacet,
  chooseOnly,
  clickInMenu,
  expectEventually,
  explorerRow,
  menuItem,
  openAudit,
  openDatasetMenu,
  windowFor,
} from './steps';
import { saying } from '../sentence';
import { repository, type VSCode } from './vscode';

const evaluators = ['bert-cls', 'clip'].map((name) => join(repository, 'test/fixtures/models', name));

/** A new user's first steps, on a small file with very fast encoders. */
describe('a tour', function () {
  this.timeout(10 * 60_000);
  let workspace: string;
  let code: VSCode;

  windowFor(
    'tour',
    {
      async fill(folders) {
        await cp(
          join(repository, 'test/host/workspace/triplets.tsv'),
          join(folders.workspace, 'triplets.tsv'),
        );
        await writeFile(join(folders.workspace, 'package.json'), '{"name": "no-dataset"}');
      },
      settings: { 'captious.evaluatorFolders': evaluators },
    },
    (opened) => {
      ({ code, workspace } = opened);
    },
  );

  it('offers an audit only for datasets', async () => {
    await openDatasetMenu(code, 'triplets.tsv');
    await code.page.keyboard.press('Escape');
    const button = code.page.locator(
      '.editor-actions a[aria-label^="Captious: Audit"], .editor-actions a[aria-label^="Audit"]',
    );
    await code.openFile('triplets.tsv');
    await button.first().waitFor();
    // The button and a tab's menu pass other arguments than the Explorer.
    const tab = code.page.locator('.tab[data-resource-name="triplets.tsv"]');
    for (const offer of [
      () => button.first().click(),
      async () => {
        await tab.click({ button: 'right' });
        await clickInMenu(code, 'Audit Dataset');
      },
    ]) {
      await offer();
      await code.quickInput.locator('.monaco-list-row', { hasText: 'VISLA' }).first().waitFor();
      await code.page.keyboard.press('Escape');
      await code.quickInput.waitFor({ state: 'hidden' });
    }
    await code.openFile('package.json');
    await button.first().waitFor({ state: 'detached' });
    await explorerRow(code, 'package.json').click({ button: 'right' });
    await menuItem(code, 'Copy Path').first().waitFor();
    assert.equal(await menuItem(code, 'Audit Dataset').count(), 0);
    await code.page.keyboard.press('Escape');
    // The hover of the row would cover the next one.
    await code.page.mouse.move(700, 5);
  });

  it('audits by right click, and shows the verdict and the rows', async () => {
    if ((await code.page.locator('.tab').count()) > 0) await code.command('View: Close All Editors');
    await openDatasetMenu(code, 'triplets.tsv');
    await clickInMenu(code, 'Audit Dataset');
    await code.accept();
    await chooseOnly(code, 'bert-cls');
    const panel = code.panel();
    await panel.locator('.grid-row').first().waitFor();
    assert.equal(await panel.locator('.first .card').count(), 3);
    await panel.locator('.telling-caption .number:not(:empty)').first().waitFor();
    assert.match(await panel.locator('.facts').innerText(), /12 examples/);
    assert.ok((await panel.locator('.sentence').innerText()).length > 20);
    assert.equal(await panel.locator('.grid').getAttribute('aria-rowcount'), '12');
  });

  const openTriplets = () => openAudit(code, 'triplets.tsv', 'VISLA', 'bert-cls');

  /** Audits with an image encoder, and continues without images if the editor asks for them. */
  async function auditByClip(choose: () => Promise<void>): Promise<void> {
    await code.openFile('triplets.tsv');
    await code.command('Captious: Audit Dataset');
    await code.accept();
    // Each new run opens its own panel.
    const panels = code.page.locator('.tab', { hasText: 'VISLA' });
    const before = await panels.count();
    await choose();
    const goOn = code.page.getByRole('button', { name: 'Continue Without Images' });
    await expectEventually(async () => {
      if (await goOn.isVisible()) await goOn.click();
      return (await panels.count()) === before + 1;
    });
    await code.panel().locator('.grid-row').first().waitFor();
  }

  it('shows any caption as text', async () => {
    await openTriplets();
    const panel = code.panel();
    assert.equal(await panel.locator('.grid script, .grid img[onerror]').count(), 0);
    const policy = await panel.locator('meta[http-equiv]').getAttribute('content');
    assert.match(policy ?? '', /default-src 'none'/);
    assert.doesNotMatch(policy ?? '', /unsafe/);
  });

  it('filters by facet and by text, and shows the number of rows', async () => {
    await openTriplets();
    const panel = code.panel();
    await chooseFacet(panel, 'wording', { index: 1 });
    await expectEventually(async () =>
      /of 12 comparisons(:|$)/.test(await panel.locator('.toolbar [role=status]').innerText()),
    );
    const left = Number(await panel.locator('.grid').getAttribute('aria-rowcount'));
    assert.ok(left > 0 && left < 12);
    await clearFilters(panel);
    await panel.locator('input[type=search]').fill('yellow taxi');
    await expectEventually(async () => (await panel.locator('.grid').getAttribute('aria-rowcount')) === '1');
    await panel.locator('input[type=search]').fill('no such words');
    await panel.locator('.none-found button', { hasText: 'Clear search and filters' }).click();
    await expectEventually(async () => (await panel.locator('.grid').getAttribute('aria-rowcount')) === '12');
    await panel.locator('.none-found').waitFor({ state: 'hidden' });
    await clearFilters(panel);
  });

  /** Presses Escape until no filter is left. The first press may close an open example. */
  const clearFilters = (panel: FrameLocator) =>
    expectEventually(async () => {
      await panel.locator('.grid').press('Escape');
      return (await panel.locator('.grid').getAttribute('aria-rowcount')) === '12';
    });

  it('moves through rows by keyboard, shows the triangle, and opens the line of the file', async () => {
    await openTriplets();
    const panel = code.panel();
    await panel.locator('.grid').focus();
    await code.page.keyboard.press('Home');
    await code.page.keyboard.press('ArrowDown');
    await panel.locator('.triangle').waitFor();
    assert.equal(await panel.locator('.grid-row.selected').getAttribute('aria-rowindex'), '2');
    const place = await panel.locator('.detail-tools button').first().innerText();
    const line = /line (\d+)/.exec(place)?.[1];
    assert.ok(line, place);
    await panel.locator('.grid').focus();
    await code.page.keyboard.press('Enter');
    await code.page.locator('.editor-instance').first().waitFor();
    await code.page.locator('.statusbar', { hasText: `Ln ${line}, Col 1` }).waitFor();
  });

  it('shows results above the line, and opens the panel from there', async () => {
    await openTriplets();
    await code.openFile('triplets.tsv');
    const lens = code.page.locator('.codelens-decoration a', { hasText: /right by|wrong:/ }).first();
    await lens.waitFor();
    await lens.click();
    const panel = code.panel();
    await panel.locator('.detail').waitFor();
    // A panel that was hidden still shows the open example.
    await code.page.locator('.tab[data-resource-name="triplets.tsv"]').click();
    await code.page.locator('.editor-instance').first().waitFor();
    await code.page.locator('.tab', { hasText: 'VISLA' }).first().click();
    await code.panel().locator('.detail').waitFor();
  });

  it('compares two runs side by side', async () => {
    await audit(code, 'triplets.tsv', 'VISLA', 'bert-cls');
    await code.panel().locator('.grid-row').first().waitFor();
    await auditByClip(async () => {
      // The editor suggests the last evaluator.
      const last = code.quickInput.locator('.monaco-list-row[aria-label^="bert-cls,"]');
      await last.waitFor();
      assert.equal(await last.getAttribute('aria-checked'), 'true');
      await chooseOnly(code, 'clip');
    });
    await code.command('Captious: Compare Runs');
    await code.accept();
    const panel = code.panel();
    const other = panel.locator('.bar-of-tabs').getByRole('button', { name: 'bert-cls', exact: true });
    await other.waitFor();
    await panel.locator('.standings tbody tr').nth(1).waitFor();
    assert.deepEqual(await panel.locator('.standings tbody th').allInnerTexts(), ['clip', 'bert-cls']);
    await other.click();
    await expectEventually(async () => (await panel.locator('.grid').getAttribute('aria-rowcount')) === '12');
    await code.screenshot('compare');
  });

  it('asks once for missing images', async () => {
    await auditByClip(() => chooseOnly(code, 'clip'));
    await code.openFile('triplets.tsv');
    await code.command('Captious: Audit Dataset');
    await code.accept();
    const clip = code.quickInput.locator('.monaco-list-row[aria-label^="clip,"]');
    await clip.waitFor();
    assert.equal(await clip.getAttribute('aria-checked'), 'true');
    // Each new run opens its own panel.
    const panels = code.page.locator('.tab', { hasText: 'VISLA' });
    const before = await panels.count();
    await code.accept();
    await expectEventually(async () => (await panels.count()) === before + 1);
  });

  it('shows the image of an example', async () => {
    const images = join(repository, 'test/fixtures/models/pictures');
    const names = (await readdir(images)).filter((name) => /\.(jpg|png)$/.test(name)).slice(0, 3);
    assert.ok(names.length > 0);
    const lines = names.map((image, i) =>
      JSON.stringify({ image, caption: `a red bus and ${i + 2} dogs on the street` }),
    );
    await writeFile(join(workspace, 'photos.jsonl'), `${lines.join('\n')}\n`);
    await code.changeSettings({
      'captious.evaluatorFolders': evaluators,
      'captious.imageFolders': [images],
    });
    await code.load();
    await code.openFile('photos.jsonl');
    await code.command('Captious: Audit Dataset');
    await code.accept();
    await chooseOnly(code, 'clip');
    const panel = code.panel();
    await panel.locator('.grid-row').first().click();
    const image = panel.locator('.image img');
    await image.waitFor();
    // The image element appears before the image is decoded.
    await expectEventually(
      async () =>
        (await image.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)) > 0,
    );
  });

  it('keeps runs and restores the panel after a reload', async () => {
    await openTriplets();
    await code.panel().locator('.grid-row').first().click();
    await code.panel().locator('.detail').waitFor();
    await code.reload();
    await code.page.locator('.tab', { hasText: 'triplets.tsv · VISLA' }).first().click();
    const panel = code.panel();
    await panel.locator('.grid-row').first().waitFor();
    await panel.locator('.detail').waitFor();
    await code.page.locator('.activitybar .action-item a[aria-label^="Captious"]').click();
    const run = code.page.locator('.monaco-list-row', { hasText: 'VISLA · bert-cls' });
    await run.first().waitFor();
    // Its token limit cuts too many texts for a verdict.
    assert.match(await run.first().innerText(), saying('probe.noVerdictTruncated'));
  });
});
