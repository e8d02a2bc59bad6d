import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { invarianceView } from '../../src/probe/invariance/view';
import { sentence } from '../sentence';
import { changeTheme, expectAccessible, expectAccessiblePage, visibleFrame } from './access';
import { answerBox, chooseFacet, expectEventually, searchedRow, titleButton, unfold } from './steps';
import { repository, themeNames, themes, VSCode } from './vscode';

const evaluators = ['bert-cls', 'clip'].map((name) => join(repository, 'test/fixtures/models', name));
describe('the view of each probe', function () {
  this.timeout(15 * 60_000);
  let scratch: string;
  let code: VSCode;

  const settings = {
    'captious.evaluatorFolders': evaluators,
    'captious.imageFolders': ['images'],
    'workbench.colorTheme': themes.dark,
  };

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'captious-access-'));
    const workspace = join(scratch, 'workspace');
    await mkdir(workspace);
    for (const name of ['triplets.tsv', 'rococo.json', 'captions.json', 'instances.json', 'images'])
      await cp(join(repository, 'samples', name), join(workspace, name), { recursive: true });
    code = await VSCode.open({
      folder: workspace,
      settings,
      env: { CAPTIOUS_HOME: join(scratch, 'home') },
    });
    await code.load();
    await code.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    await makeViews();
  });

  after(async () => {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await code.screenshot(`failed-${this.currentTest.title}`);
  });

  /** Sets the option `plain` to 1, so that the surroundings of objects do not matter. */
  async function keepAllMoves(): Promise<void> {
    await titleButton(code, 'Advanced…');
    const option = sentence('invariance.plainOption');
    await (await searchedRow(code, option)).click();
    await answerBox(code, `${invarianceView.title}: ${option}`, '1');
    await (await searchedRow(code, 'Back to the evaluators')).click();
    await searchedRow(code, '');
  }

  async function makeViews(): Promise<void> {
    // The invariance probe scores images, so its audit has no text encoder.
    for (const [file, probe, chosen] of [
      ['triplets.tsv', 'VISLA', ['bert-cls', 'clip']],
      ['rococo.json', 'RoCOCO', ['bert-cls', 'clip']],
      ['captions.json', invarianceView.title, ['clip']],
    ] as const) {
      await code.openFile(file);
      await code.command('Captious: Audit Dataset');
      await choose([probe]);
      if (probe === invarianceView.title) await keepAllMoves();
      await choose(chosen);
      await code.panel().locator('.grid-row .number').first().waitFor({ timeout: 300_000 });
    }
    await code.openFile('triplets.tsv');
    await code.command('Captious: Make Triplets');
    await code.quickInput.locator('.quick-input-title', { hasText: 'Make triplets: your name' }).waitFor();
    await code.page.keyboard.type('ann');
    await code.page.keyboard.press('Enter');
    await code.panel().locator('#workshop textarea').first().waitFor();
  }

  const isLoaded = (image: Locator) =>
    image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth > 0);

  async function show(tab: string): Promise<FrameLocator> {
    await code.page.locator('.tab', { hasText: tab }).click();
    const panel = code.panel();
    await panel.locator('.grid-row .number').first().waitFor();
    return panel;
  }

  it('overlays an image before and after a change, and outlines the object on request', async () => {
    const panel = await show(`captions.json · ${invarianceView.title}`);
    await chooseFacet(panel, 'family', 'object moved');
    await panel.locator('.grid-row', { hasText: 'object moved' }).first().click();
    const stage = panel.locator('.stage');
    await stage.waitFor();
    for (const side of ['before', 'after'])
      await expectEventually(() => isLoaded(stage.locator(`img.${side}`)));
    // The images differ, because the object has moved.
    const [before, after] = await stage
      .locator('img')
      .evaluateAll((images) => images.map((image) => image.getAttribute('src')));
    assert.notEqual(before, after);
    const cut = () => stage.evaluate((element) => element.getAttribute('style'));
    assert.match((await cut()) ?? '', /--cut: 50%/);
    await panel.locator('.change input[type=range]').press('Home');
    assert.match((await cut()) ?? '', /--cut: 0%/);
    const outline = panel.getByRole('button', { name: 'Outline of the object' });
    await outline.click();
    assert.equal(await stage.locator('svg.outline').count(), 2);
    await code.screenshot('audit-outline');
    await outline.click();
    assert.equal(await stage.locator('svg.outline').count(), 0);
  });

  it('shows search results before and after, with entries that left and entered', async () => {
    const panel = await show('rococo.json · RoCOCO');
    // The text encoder has scored only captions.
    await panel.getByRole('button', { name: 'clip', exact: true }).click();
    await chooseFacet(panel, 'kind', 'image to text');
    await panel.locator('.grid-row', { hasText: 'first result' }).first().click();
    const lists = panel.locator('.rankings ol');
    await lists.first().waitFor();
    assert.equal(await lists.count(), 2);
    assert.equal(await lists.nth(0).locator('li').count(), await lists.nth(1).locator('li').count());
    const out = await lists.nth(0).locator('.move.out').count();
    assert.equal(await lists.nth(1).locator('.move.in').count(), out);
    assert.equal(await lists.nth(0).locator('li.altered').count(), 0);
    await code.screenshot('rococo-lists');
  });

  it('shows evaluators side by side, in metrics and in an example', async () => {
    const panel = await show('triplets.tsv · VISLA');
    assert.equal(await panel.locator('.standings tbody tr').count(), 2);
    await panel.locator('.grid-row').nth(1).click();
    const heads = panel.locator('.beside th');
    await heads.first().waitFor();
    assert.deepEqual((await heads.allInnerTexts()).slice(1).sort(), ['bert-cls', 'clip']);
  });

  it('is usable by keyboard', async () => {
    const panel = await show('triplets.tsv · VISLA');
    const focused = async (selector: string) => {
      await panel.locator(`${selector}:focus`).waitFor();
    };
    await panel.locator('.grid').focus();
    await code.page.keyboard.press('/');
    await focused('input[type=search]');
    await code.page.keyboard.press('Escape');
    await focused('.grid');
    await code.page.keyboard.press('f');
    await focused('.filters select');
    await code.page.keyboard.press('Escape');
    await code.page.keyboard.press('w');
    await focused('#what-if');
    await code.page.keyboard.press('Escape');
    await focused('.grid');
    await code.page.keyboard.press('Home');
    await code.page.keyboard.press('ArrowDown');
    await panel.locator('.grid-row.selected[aria-rowindex="2"]').waitFor();
    await code.page.keyboard.press('?');
    await panel.locator('dialog[open]').waitFor();
    await code.page.keyboard.press('Escape');
    await panel.locator('dialog[open]').waitFor({ state: 'detached' });
  });

  for (const theme of themeNames) {
    it(`is accessible by screen reader and keyboard, in ${theme}`, async () => {
      await changeTheme(code, theme);
      for (const tab of [
        'triplets.tsv · VISLA',
        'rococo.json · RoCOCO',
        `captions.json · ${invarianceView.title}`,
      ]) {
        const panel = await show(tab);
        await panel.locator('.grid-row').nth(1).click();
        await panel.locator('.detail .caption-text').first().waitFor();
        if (tab === 'triplets.tsv · VISLA') await expectAccessiblePage(code, 'panel', theme);
        else await expectNone(`${theme}, ${tab}`);
        // Tables and keys have the colours of all probes, so in other themes those of one probe are enough.
        if (theme !== 'dark' && tab !== 'triplets.tsv · VISLA') continue;
        for (const part of ['Metrics', 'Charts'] as const) await unfold(panel, part);
        await panel.getByRole('button', { name: 'Show table' }).click();
        for (const more of await panel.locator('.more > summary').all()) await more.click();
        await expectNone(`${theme}, ${tab}, its tables`);
        await panel.getByRole('button', { name: 'Show chart' }).click();
        await panel.locator('.grid').press('?');
        await panel.locator('dialog[open]').waitFor();
        await expectNone(`${theme}, ${tab}, the keys`);
        await panel.locator('dialog button').click();
      }
      await code.page.setViewportSize({ width: 398, height: 900 });
      await code.panel().locator('.grid.compact .grid-row').first().click();
      await code.panel().locator('.detail.inset').waitFor();
      await expectNone(`${theme}, narrow`);
      await code.page.setViewportSize({ width: 1400, height: 900 });
      await code.page.locator('.tab', { hasText: 'ann' }).click();
      await code.panel().locator('#workshop textarea').first().waitFor();
      // The button names the last audit's evaluator, without its folder.
      await code.panel().getByRole('button', { name: 'Evaluator of the scores: clip (v)' }).waitFor();
      await expectAccessiblePage(code, 'workshop', theme);
    });
  }

  const expectNone = async (where: string) => expectAccessible(await visibleFrame(code), where);

  async function choose(wanted: readonly string[]): Promise<void> {
    const list = code.quickInput.locator('.quick-input-list');
    for (const name of wanted) await list.locator(`.monaco-list-row[aria-label^="${name},"]`).waitFor();
    const labels = await list
      .locator('.monaco-list-row')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    for (const label of labels) {
      const row = list.locator('.monaco-list-row').and(list.getByLabel(label, { exact: true }));
      const isWanted = wanted.some((name) => label.startsWith(`${name},`));
      if ((await row.getAttribute('aria-checked')) !== String(isWanted)) await row.click();
    }
    await code.confirm();
    await list.locator(`.monaco-list-row[aria-label^="${wanted[0]},"]`).waitFor({ state: 'hidden' });
  }
});
