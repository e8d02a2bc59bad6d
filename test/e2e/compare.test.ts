import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { chooseChart, chooseOnly, expectEventually, unfold, visibleRows, windowFor } from './steps';
import { repository, type VSCode } from './vscode';

const models = ['bert-cls', 'clip'].map((name) => join(repository, 'test/fixtures/models', name));

const settings = {
  'captious.evaluatorFolders': models,
  'captious.imageFolders': ['images'],
};

describe('the panel with several evaluators', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;

  windowFor(
    'compare',
    {
      settings,
      async fill({ workspace }) {
        for (const name of ['triplets.tsv', 'images'])
          await cp(join(repository, 'samples', name), join(workspace, name), { recursive: true });
      },
    },
    (opened) => ({ code } = opened),
  );

  before(async () => {
    await code.openFile('triplets.tsv');
    await code.command('Captious: Audit Dataset');
    await chooseOnly(code, 'VISLA');
    await chooseOnly(code, 'bert-cls', 'clip');
    await code.panel().locator('.running progress').waitFor({ state: 'detached', timeout: 300_000 });
    await code.command('View: Close Primary Side Bar');
  });

  it('compares two evaluators: paired difference, chart, results side by side, and a filter by who is right', async () => {
    const panel: FrameLocator = code.panel();
    await panel.locator('.grid-row .number').first().waitFor();
    await panel
      .getByText(
        /^No verdict on (bert-cls and clip|clip and bert-cls) \(clip .*\): \w+ \((clip − bert-cls|bert-cls − clip)\) .*, 32 rows \(29 images\)\.$/,
      )
      .waitFor();
    // The panel decides what to fold after it draws its first rows.
    await expectEventually(async () => (await visibleRows(panel)) >= 10);
    await unfold(panel, 'Metrics');
    await unfold(panel, 'Charts');
    await panel.getByText('Paired differences of all evaluators').first().click();
    await panel
      .getByRole('cell', { name: /^(clip − bert-cls|bert-cls − clip)$/ })
      .first()
      .waitFor();
    const row = panel.locator('.grid-row').first();
    assert.equal(await row.locator('.cell-5 .result .number').count(), 2);
    // The evaluator's name precedes every result, so screen readers read the name first.
    for (const cell of ['.cell-4', '.cell-5', '.cell-6'])
      assert.match(
        (await row.locator(cell).innerText()).replace(/\s+/g, ' '),
        /^(bert-cls .+ clip|clip .+ bert-cls)/,
        cell,
      );
    const reach = panel.locator('.grid-head .reach');
    const scales = /^A full bar means ±[\d.]+$/;
    for (const attribute of ['title', 'aria-label'])
      assert.match((await reach.getAttribute(attribute)) ?? '', scales);
    await chooseChart(panel, /(clip|bert-cls) against (clip|bert-cls)/);
    await panel.locator('.legend', { hasText: 'only x right' }).waitFor();
    await code.screenshot('compare');
    const [own, other] = await row
      .locator('.cell-6 .result')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')));
    const side = panel.getByLabel('Results of both evaluators');
    const option = (await side.locator('option').allInnerTexts()).find((words) =>
      words.startsWith(`${own} right, ${other} wrong`),
    );
    const count = Number(/\((\d+)\)$/.exec(option ?? '')?.[1]);
    assert.ok(count > 0);
    await side.selectOption(option ?? '');
    await panel.locator('.toolbar [role=status]', { hasText: `${count} of ` }).waitFor();
    const marks = await panel
      .locator('.grid-row .cell-6')
      .evaluateAll((cells) =>
        cells.map((cell) => [...cell.querySelectorAll('.verdict')].map((mark) => mark.textContent).join('')),
      );
    assert.ok(marks.length > 0 && marks.every((words) => /^✓[✗=]$/.test(words)));
    await side.selectOption('all results');
    // A click on an evaluator makes it the first one.
    await panel.getByRole('button', { name: other ?? '', exact: true }).click();
    await panel.locator(`.grid-row .cell-6 .result:first-child[title="${other}"]`).first().waitFor();
    await panel.getByRole('button', { name: own ?? '', exact: true }).click();
    await panel.locator(`.grid-row .cell-6 .result:first-child[title="${own}"]`).first().waitFor();
    await unfold(panel, 'Metrics', false);
    await unfold(panel, 'Charts', false);
  });

  it('is readable at every width', async () => {
    const panel = code.panel();
    // A window of 700 pixels shows as much as one of 1400 pixels at 200 % zoom.
    for (const width of [1400, 900, 700, 400]) {
      await code.page.setViewportSize({ width, height: 900 });
      await panel.locator('.grid-row').first().click();
      await panel.locator('.detail .caption-text').first().waitFor();
      assert.deepEqual(await tooWide(panel), [], `wider than their boxes at ${width} pixels`);
      if (width > 400) assert.equal(await readableNames(panel), 2, `names at ${width} pixels`);
      await panel.locator('.evaluators').scrollIntoViewIfNeeded();
      await code.screenshot(`compare-${width}`);
    }
    await code.page.setViewportSize({ width: 1400, height: 900 });
  });

  /** How many names of evaluators the first row shows in full. */
  const readableNames = (panel: FrameLocator) =>
    panel
      .locator('.grid-row')
      .first()
      .locator('.whose')
      .evaluateAll(
        (all) => all.filter((each) => each.clientWidth > 20 && each.scrollWidth <= each.clientWidth).length,
      );

  /** The class names of elements that scroll sideways, among the page, the open example and its boxes. */
  const tooWide = (panel: FrameLocator) =>
    panel
      .locator('html, .detail, .detail .scroll')
      .evaluateAll((boxes) =>
        boxes.filter((box) => box.scrollWidth > box.clientWidth).map(({ className }) => className),
      );
});
