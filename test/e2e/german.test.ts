import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FrameLocator } from 'playwright-core';
import { answerBox, chooseFacet, confirmDialog, expectEventually, type Opened, windowFor } from './steps';
import { repository } from './vscode';

const evaluator = join(repository, 'test/fixtures/models/bert-cls');

describe('in German', function () {
  this.timeout(10 * 60_000);
  let opened: Opened;
  let german: Record<string, string>;

  windowFor(
    'german',
    {
      language: 'de',
      fill: async ({ workspace, home }) => {
        const dataset = join(workspace, 'triplets.tsv');
        await cp(join(repository, 'samples/triplets.tsv'), dataset);
        await cp(join(repository, 'samples/images'), join(workspace, 'images'), { recursive: true });
        const order = ['audit', dataset, '--probe', 'visla', '--evaluator', evaluator, '--out', workspace];
        await promisify(execFile)(process.execPath, [join(repository, 'dist/cli.js'), ...order], {
          env: { ...process.env, CAPTIOUS_HOME: home },
        });
        german = JSON.parse(
          await readFile(join(repository, 'l10n/bundle.l10n.de.json'), 'utf8'),
        ) as typeof german;
      },
    },
    (own) => (opened = own),
  );

  /** Texts, visible or for screen readers, that are in English although they have a German translation. */
  async function leftInEnglish(view: FrameLocator): Promise<string[]> {
    const all = await view.locator('main *').evaluateAll(
      (elements, captions) =>
        elements
          .filter((element) => element.closest(`[lang]:not(html), ${captions}`) === null)
          .flatMap((element) => [
            ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.nodeValue),
            ...['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name)),
          ]),
      // In the list, the words of captions.
      '.caption-text, .grid-row .cell-1, .grid-row .cell-2',
    );
    assert.ok(all.length > 100);
    // A German text can equal another English text: "Filter" is the German word for "Filters".
    const words = new Set(Object.values(german));
    return all
      .map((text) => text?.trim() ?? '')
      .filter((text) => Object.hasOwn(german, text) && !words.has(text));
  }

  /** Texts that are wider than their element, and "the page" if the page scrolls sideways. */
  const cutIn = (view: FrameLocator) =>
    view
      .locator(
        'html, button, h1, h2, h3, label, summary, .grid-head .cell:not(:empty), .card div, .legend span',
      )
      .evaluateAll((elements) =>
        elements
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
          .map(({ tagName, textContent }) => (tagName === 'HTML' ? 'the page' : textContent)),
      );

  it('the panel is German, and fits into a side bar', async () => {
    const { code } = opened;
    await code.openFile('visla.bert-cls.report.json');
    const panel = code.panel();
    await panel.locator('.grid-row .number').first().waitFor();
    assert.equal(await panel.locator('html').getAttribute('lang'), 'de');
    // The window is too low for the list below the charts, so the charts are folded.
    const fold = panel.locator('[data-fold="charts"]');
    if (await fold.isVisible()) await fold.click();
    await panel.getByRole('button', { name: 'Tabelle zeigen' }).click();
    await chooseFacet(panel, 'verdict', 'wrong');
    assert.match(
      await panel.locator('.toolbar select').first().innerText(),
      /^Ergebnis: alle\s+falsch \(29\)\s+richtig \(3\)$/,
    );
    await panel.locator('.grid-row').first().click();
    await panel.locator('.detail').waitFor();
    assert.match(await panel.locator('.detail .label').nth(1).innerText(), /^P2 mit P1$/i);
    await code.page.keyboard.press('?');
    await panel.getByRole('dialog', { name: 'Tasten' }).waitFor();
    assert.deepEqual(await leftInEnglish(panel), []);
    await code.page.keyboard.press('Escape');
    await code.command('View: Toggle Primary Side Bar Visibility');
    await panel.getByRole('button', { name: 'Diagramm zeigen' }).click();
    assert.deepEqual(await cutIn(panel), []);
    await code.screenshot('german-wide');
    // 350 pixels for the panel and 48 for the activity bar.
    await code.page.setViewportSize({ width: 398, height: 2100 });
    await panel.locator('.grid.compact').waitFor();
    assert.deepEqual(await cutIn(panel), []);
    await code.screenshot('german-narrow');
    await code.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('a report of the command line gives lenses on the dataset next to it', async () => {
    const { code } = opened;
    await code.openFile('triplets.tsv');
    const lenses = code.page.locator('.codelens-decoration a');
    await lenses.filter({ hasText: /^VISLA .*unterscheidet/ }).waitFor();
    await lenses
      .filter({ hasText: /^falsch: / })
      .first()
      .click();
    const panel = code.panel();
    await panel.locator('.detail').waitFor();
    assert.match(
      (await panel.locator('.sentence').textContent()) ?? '',
      /unterscheidet er|lässt sich seine Wahl|ist er schlechter/,
    );
    assert.doesNotMatch((await panel.locator('.sentence').textContent()) ?? '', /visla\.t2t|chance|caption/);
    await code.screenshot('german-beside');
  });

  it('the exported page is German, with images, and opens in a tab', async () => {
    const { code, workspace } = opened;
    await code.panel().getByRole('button', { name: 'Exportieren …', exact: true }).click();
    await code.quickInput.locator('.monaco-list-row', { hasText: 'HTML' }).click();
    const field = code.quickInput.locator('input[type="text"]').first();
    await expectEventually(async () => (await field.inputValue()).endsWith('.html'));
    assert.match(await field.inputValue(), /triplets\.visla\.bert-cls\.html$/);
    const target = join(workspace, 'seite.html');
    await field.fill(target);
    await confirmDialog(code, field);
    await expectEventually(() => Promise.resolve(existsSync(target)));
    const page = await readFile(target, 'utf8');
    assert.match(page, /<html lang="de">/);
    assert.match(page, /<dt>Datum<\/dt><dd><time [^>]*>\d\d\.\d\d\.\d{4}, \d\d:\d\d</);
    assert.ok(page.split('<img ').length > 20);
    assert.doesNotMatch(page, />[^<]*\b0\.\d{3}[^<]*</);
    await code.page.getByRole('button', { name: 'Öffnen', exact: true }).click();
    // The window is remote, so the page opens in a tab of the editor.
    const shown = code.page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
    await shown.getByRole('heading', { name: 'VISLA · triplets.tsv' }).waitFor();
    await code.screenshot('german-page');
  });

  it('the workshop is German', async () => {
    const { code } = opened;
    await code.openFile('triplets.tsv');
    await code.command('Captious: Tripel erstellen');
    await answerBox(code, 'Ihr Name', 'ann');
    const view = code.panel();
    await view.locator('#workshop textarea').first().waitFor();
    await view.getByRole('button', { name: 'Annehmen' }).waitFor();
    assert.match(await view.locator('header').innerText(), /angenommen/);
    assert.deepEqual(await leftInEnglish(view), []);
    await code.page.setViewportSize({ width: 398, height: 1200 });
    await expectEventually(async () => (await cutIn(view)).length === 0);
    await code.screenshot('german-workshop');
  });
});
