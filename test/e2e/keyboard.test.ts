import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { expectEventually, saveAsProposed, windowFor, writeLongTriplets } from './steps';
import { repository, type VSCode } from './vscode';

const evaluators = ['bert-cls', 'clip'].map((name) => join(repository, 'test/fixtures/models', name));
const longRows = 20_000;
/** The number of sample triplets. */
const all = '32';

/** Uses Captious without a pointer: no clicks, no hovers. */
describe('a tour by keyboard alone', function () {
  this.timeout(10 * 60_000);
  let workspace: string;
  let code: VSCode;

  windowFor(
    'keyboard',
    {
      async fill({ workspace }) {
        for (const name of ['triplets.tsv', 'images'])
          await cp(join(repository, 'samples', name), join(workspace, name), { recursive: true });
        await writeLongTriplets(join(workspace, 'long.tsv'), longRows);
      },
      settings: { 'captious.evaluatorFolders': evaluators },
    },
    (opened) => {
      ({ code, workspace } = opened);
    },
  );

  const key = (name: string) => code.page.keyboard.press(name);
  const rows = () => code.panel().locator('.grid').getAttribute('aria-rowcount');
  const focused = () => code.panel().locator(':focus').first();
  const focusIs = (attribute: string, value: string) =>
    expectEventually(
      async () =>
        (await focused()
          .getAttribute(attribute, { timeout: 1000 })
          .catch(() => null)) === value,
    );

  /** Moves the focus into the panel and waits for it, because earlier key presses would be lost. */
  async function enterPanel(): Promise<void> {
    await code.command('View: Focus Active Editor Group');
    await expectEventually(hasFocus);
  }
  const hasFocus = () =>
    code
      .panel()
      .locator('body')
      .evaluate((body) =>
        (body as unknown as { ownerDocument: { hasFocus(): boolean } }).ownerDocument.hasFocus(),
      );

  /** Presses Tab or Shift+Tab until an element with this name has the focus. */
  async function tabTo(name: RegExp, step: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let i = 0; i < 120; i++) {
      await key(step);
      const here = focused();
      const label = await here.getAttribute('aria-label', { timeout: 1000 }).catch(() => '');
      const text = label ?? (await here.innerText({ timeout: 1000 }).catch(() => ''));
      if (name.test(text)) return;
    }
    assert.fail(`${step} never came to ${name}`);
  }

  /** Selects this quick pick entry, deselects the others, and confirms. */
  async function pick(name: string): Promise<void> {
    const list = code.quickInput.locator('.quick-input-list');
    await list.locator(`.monaco-list-row[aria-label^="${name}"]`).waitFor();
    const all = await list.locator('.monaco-list-row').count();
    await key('ArrowDown');
    for (let i = 0; i < all; i++) {
      const row = list.locator('.monaco-list-row.focused');
      const isWanted = (await row.getAttribute('aria-label'))?.startsWith(name);
      if ((await row.getAttribute('aria-checked')) !== String(isWanted)) await key('Space');
      await key('ArrowDown');
    }
    await key('Enter');
  }

  it('starts an audit from the menu of the file', async () => {
    const menu = code.page.locator('.monaco-menu');
    const item = menu.locator('.action-item.focused', { hasText: 'Audit Dataset' });
    const row = '.explorer-folders-view .monaco-list-row';
    await key('Control+Shift+E');
    await code.page.locator(row, { hasText: 'triplets.tsv' }).waitFor();
    const dataset = code.page.locator(`${row}.focused`, { hasText: 'triplets.tsv' });
    await expectEventually(async () => {
      await key('Escape');
      await key('Control+Shift+E');
      await key('End');
      // In the Explorer, an HTML page that another test has exported may be below the dataset.
      for (let i = 0; i < 10 && (await dataset.count()) === 0; i++) await key('ArrowUp');
      await key('Shift+F10');
      await menu.first().waitFor();
      for (let i = 0; i < 40 && (await item.count()) === 0; i++) await key('ArrowDown');
      return (await item.count()) > 0;
    });
    await key('Enter');
    await code.accept();
    await pick('Starter');
    await code.panel().locator('.grid-row').first().waitFor();
    assert.equal(await rows(), all);
  });

  const inFront = () => code.page.locator('.tab.active', { hasText: 'triplets.tsv · VISLA' });

  /** Opens the samples' audit by commands alone, with the focus on its rows and without filters. */
  async function openRows(): Promise<void> {
    if ((await inFront().count()) === 0 || (await rows()) !== all) {
      await code.command('View: Close All Editors');
      await code.openFile('triplets.tsv');
      await code.command('Captious: Audit Dataset');
      await code.accept();
      await pick('Starter');
      await code.panel().locator('.grid-row').first().waitFor();
    }
    await enterPanel();
    await key('/');
    await focusIs('type', 'search');
    await key('Escape');
    await focusIs('role', 'grid');
  }

  it('reads the verdict and its rule', async () => {
    await openRows();
    const claim = (await code.panel().locator('.claim').first().textContent()) ?? '';
    await tabTo(/^\d+ verdicts?$/, 'Shift+Tab');
    await key('Enter');
    await tabTo(new RegExp(`^${claim.slice(0, 30).replace(/[^\w ]/g, '.')}`));
    assert.ok(await focused().getAttribute('title'), 'the rule is where the focus is');
  });

  /** Presses Escape until no filter is left. The first press may close an open example. */
  const unfiltered = () =>
    expectEventually(async () => {
      await key('Escape');
      return (await rows()) === all;
    });

  it("filters by text, by facet and by a row of a chart's table", async () => {
    await openRows();
    await key('/');
    await code.page.keyboard.type('yellow taxi');
    await expectEventually(async () => (await rows()) !== all);
    await key('Enter');
    await unfiltered();
    await key('f');
    await key('Tab');
    await key('ArrowDown');
    await expectEventually(async () => (await rows()) !== all);
    await unfiltered();
    // The window is too narrow for the first screen, so the charts are folded.
    await tabTo(/^Charts$/, 'Shift+Tab');
    await key('Enter');
    await tabTo(/^Show table$/);
    await key('Enter');
    await tabTo(/^Filter$/);
    await key('Enter');
    await expectEventually(async () => (await rows()) !== all);
    await tabTo(/^Remove the filter/);
    await key('Enter');
    await expectEventually(async () => (await rows()) === all);
  });

  it('sorts, moves through rows, opens the line of the file and returns', async () => {
    // Starts with a new panel, which has no selected row, and without other tabs.
    await code.command('View: Close All Editors');
    await openRows();
    await key('s');
    await focusIs('aria-label', 'Order');
    await key('ArrowDown');
    await key('ArrowUp');
    await key('Escape');
    await key('Home');
    await key('ArrowDown');
    const link = code.panel().locator('.detail-tools button').first();
    await link.waitFor();
    const line = /line ([\d,]+)/.exec(await link.innerText())![1];
    await key('Enter');
    await code.page.locator('.statusbar', { hasText: `Ln ${line}, Col 1` }).waitFor();
    await code.command('View: Open Previous Editor in Group');
    await code.panel().locator('.detail').waitFor();
    await expectEventually(hasFocus);
    await focusIs('role', 'grid');
  });

  it('tries a caption, copies the example, lists the keys', async () => {
    await openRows();
    await key('w');
    await focusIs('id', 'what-if');
    await code.page.keyboard.type(' quickly');
    await key('Escape');
    await key('c');
    await code.page.locator('.statusbar', { hasText: 'Copied.' }).waitFor();
    await expectEventually(hasFocus);
    await key('?');
    await code.panel().locator('dialog[open]').waitFor();
    await key('Escape');
    await expectEventually(async () => (await code.panel().locator('dialog[open]').count()) === 0);
  });

  it('exports a page', async () => {
    await openRows();
    await tabTo(/Export…/, 'Shift+Tab');
    await key('Enter');
    await code.quickInput.locator('.monaco-list-row[aria-label^="HTML,"]').waitFor();
    await code.page.keyboard.type('html');
    await key('Enter');
    await saveAsProposed(code, '.html');
    await expectEventually(() => Promise.resolve(existsSync(join(workspace, 'triplets.visla.starter.html'))));
  });

  it('compares two encoders and switches between them', async () => {
    await openRows();
    await code.openFile('triplets.tsv');
    await code.command('Captious: Audit Dataset');
    await code.accept();
    await pick('clip');
    await code.panel().locator('.grid-row').first().waitFor();
    await code.command('Captious: Compare Runs');
    await code.accept();
    const names = code.panel().locator('[aria-label="Evaluator of the examples"] button');
    await names.nth(1).waitFor();
    const chosen = () => names.and(code.panel().locator('[aria-pressed=true]')).innerText();
    const before = await chosen();
    await enterPanel();
    await key('e');
    await expectEventually(async () => (await chosen()) !== before);
  });

  it('cancels a run and resumes it', async () => {
    await code.openFile('long.tsv');
    await code.command('Captious: Audit Dataset');
    await code.accept();
    await pick('bert-cls');
    await code.panel().locator('.running button', { hasText: 'Cancel' }).waitFor();
    await enterPanel();
    await tabTo(/^Cancel$/);
    await key('Enter');
    await code.panel().locator('button', { hasText: 'Resume' }).waitFor();
    await tabTo(/^Resume$/);
    await key('Enter');
    await code.panel().locator('.running button', { hasText: 'Cancel' }).waitFor();
    await code
      .panel()
      .locator('.facts', { hasText: `${longRows.toLocaleString('en')} examples` })
      .waitFor({ timeout: 240_000 });
  });

  it('opens an earlier run from the runs view', async () => {
    await openRows();
    await code.command('View: Close All Editors');
    await code.command('Captious: Focus on Runs View');
    const here = code.page.locator('.monaco-list:focus-within .monaco-list-row.focused', {
      hasText: 'VISLA · starter',
    });
    await code.page.locator('.monaco-list-row', { hasText: 'VISLA · starter' }).first().waitFor();
    // An empty tree does not take the focus.
    await code.command('Captious: Focus on Runs View');
    await expectEventually(async () => {
      await key('ArrowDown');
      return (await here.count()) > 0;
    });
    await key('Enter');
    await code.panel().locator('.grid-row').first().waitFor();
  });
});
