import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { chooseOnly, visibleRows, windowFor } from './steps';
import { repository, type VSCode } from './vscode';

const models = ['bert-cls', 'clip'].map((name) => join(repository, 'test/fixtures/models', name));
/** The smallest allowed number of visible rows in the list. */
const leastRows = 12;
/** The same with several evaluators, whose table is above the list. */
const leastBeside = 10;
const least = async (panel: FrameLocator) =>
  (await panel.locator('.standings tr').count()) > 0 ? leastBeside : leastRows;
/** The smallest readable width of a facet, in pixels. */
const leastFacet = 100;

describe('the panel in a narrow window', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;

  windowFor(
    'narrow',
    {
      settings: { 'captious.evaluatorFolders': models, 'captious.imageFolders': ['images'] },
      async fill({ workspace }) {
        for (const name of [
          'captions.jsonl',
          'triplets.tsv',
          'sugarcrepe.json',
          'rococo.json',
          'instances.json',
          'images',
        ])
          await cp(join(repository, 'samples', name), join(workspace, name), { recursive: true });
        // Tabs of one file would be hard to distinguish.
        for (const name of ['wordings.json', 'objects.json'])
          await cp(join(repository, 'samples/captions.json'), join(workspace, name));
      },
    },
    (opened) => ({ code } = opened),
  );

  before(async () => {
    for (const [file, probe, ...evaluators] of [
      ['captions.jsonl', 'LGIP', 'clip'],
      ['sugarcrepe.json', 'SugarCrepe', 'clip'],
      ['rococo.json', 'RoCOCO', 'clip'],
      ['wordings.json', 'PRSM', 'clip'],
      ['objects.json', 'Invariance audit', 'clip'],
      ['triplets.tsv', 'VISLA', 'bert-cls'],
      ['triplets.tsv', 'VISLA', 'bert-cls', 'clip'],
    ]) {
      await code.openFile(file);
      await code.command('Captious: Audit Dataset');
      await chooseOnly(code, probe);
      await chooseOnly(code, ...evaluators);
      await code.panel().locator('.grid-row .number').first().waitFor({ timeout: 300_000 });
      await code.panel().locator('.running progress').waitFor({ state: 'detached' });
    }
    await code.command('View: Close Primary Side Bar');
  });

  async function show(tab: string, width: number): Promise<ReturnType<VSCode['panel']>> {
    await code.page.setViewportSize({ width, height: 900 });
    await code.page.locator('.tab', { hasText: tab }).first().click();
    const panel = code.panel();
    await panel.locator('.grid-row .number').first().waitFor();
    return panel;
  }

  it(`shows enough rows of every probe in a window of 900 pixels`, async () => {
    const few: string[] = [];
    for (const tab of await code.page.locator('.tab', { hasText: ' · ' }).allInnerTexts())
      for (const width of [1400, 900]) {
        const panel = await show(tab.trim(), width);
        const rows = await visibleRows(panel);
        if (rows < (await least(panel))) few.push(`${tab}, ${width} pixels wide: ${rows}`);
      }
    assert.deepEqual(few, []);
  });

  it('shows the kinds of all rows in full at 900 pixels', async () => {
    const cut: (string | null)[] = [];
    let shown = 0;
    for (const tab of await code.page.locator('.tab', { hasText: ' · ' }).allInnerTexts()) {
      const kinds = (await show(tab.trim(), 900)).locator('.grid-row .cell-3');
      shown += await kinds.evaluateAll((cells) => cells.filter((cell) => cell.clientHeight > 0).length);
      cut.push(
        ...(await kinds.evaluateAll((cells) =>
          cells.flatMap((cell) =>
            cell.scrollHeight > cell.clientHeight + 4 || cell.scrollWidth > cell.clientWidth
              ? [cell.textContent]
              : [],
          ),
        )),
      );
    }
    assert.ok(shown > 3 * leastRows, `${shown} kinds`);
    assert.deepEqual(cut, []);
  });

  for (const [tab, evaluators, metrics] of [
    ['captions.jsonl · LGIP', 'one evaluator', '.card-groups'],
    ['triplets.tsv · VISLA · bert-cls ⇄', 'two evaluators', '.comparison > details'],
  ])
    it(`shows enough rows below the header at 900 pixels, with ${evaluators}`, async () => {
      const panel = await show(tab, 900);
      await panel.locator('.folds button').first().waitFor();
      assert.ok((await visibleRows(panel)) >= (await least(panel)), `${await visibleRows(panel)} rows`);
      await code.screenshot(`narrow-${tab.slice(0, 8)}`);
      // The metrics and the charts are one click away.
      for (const [name, part] of [
        ['Metrics', metrics],
        ['Charts', '.charts canvas'],
      ]) {
        assert.equal(await panel.locator(part).first().isVisible(), false);
        await panel.getByRole('button', { name, exact: true }).click();
        await panel.locator(part).first().waitFor();
        await panel.getByRole('button', { name, exact: true }).click();
        await panel.locator(part).first().waitFor({ state: 'hidden' });
      }
    });

  it('shows facets on request, as wide as they need, and chosen ones as buttons that remove them', async () => {
    const panel = await show('captions.jsonl · LGIP', 900);
    const facets = panel.locator('.filters select');
    assert.equal(await facets.first().isVisible(), false);
    await panel.getByRole('button', { name: 'Filters', exact: true }).click();
    await facets.first().waitFor();
    assert.ok((await facets.count()) > 3);
    for (const facet of await facets.all()) assert.ok((await facet.boundingBox())!.width >= leastFacet);
    const all = await panel.locator('.grid').getAttribute('aria-rowcount');
    await panel.locator('#facet-family').selectOption({ index: 1 });
    await panel.getByRole('button', { name: 'Filters (1)', exact: true }).click();
    await facets.first().waitFor({ state: 'hidden' });
    await panel.getByRole('button', { name: 'Remove the filter' }).click();
    await panel.locator(`.grid[aria-rowcount="${all}"]`).waitFor();
    await panel.locator('.grid').press('f');
    await panel.locator('.filters select:focus').waitFor();
    await panel.getByRole('button', { name: 'Filters', exact: true }).click();
  });

  it('shows the first metric of several evaluators next to their names at 400 pixels', async () => {
    const panel = await show('triplets.tsv · VISLA · bert-cls ⇄', 400);
    const row = panel.locator('.standings tbody tr').first();
    const [name, metric] = [
      await row.locator('th').boundingBox(),
      await row.locator('td').first().boundingBox(),
    ];
    const box = (await panel.locator('.standings').boundingBox())!;
    assert.ok(name!.width <= 0.45 * box.width, `${name!.width} of ${box.width}`);
    assert.ok(metric!.x + metric!.width <= box.x + box.width);
    assert.match(await row.locator('td').first().innerText(), /\d/);
  });

  // A window of 450 pixels shows as much as one of 900 pixels at 200 % zoom.
  for (const width of [450, 400])
    it(`cuts nothing off at ${width} pixels`, async () => {
      for (const tab of ['captions.jsonl · LGIP', 'triplets.tsv · VISLA']) {
        const panel = await show(tab, width);
        const outside = await panel
          .locator('.grid-row')
          .first()
          .evaluate((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return [...row.querySelectorAll('.result')].flatMap((part) => {
              const own = part.getBoundingClientRect();
              return own.height > 0 && (own.top < top || own.bottom > bottom) ? [part.textContent] : [];
            });
          });
        assert.deepEqual(outside, [], `${tab}: results beyond their row`);
        await code.screenshot(`narrow-${width}-${tab.slice(0, 8)}`);
        for (const name of ['Metrics', 'Charts', 'Filters'])
          await panel.getByRole('button', { name, exact: true }).click();
        await panel.locator('.grid-row').first().click();
        await panel.locator('.detail .caption-text').first().waitFor();
        const beyond = await panel.locator('html').evaluate((page) => {
          const edge = page.clientWidth;
          const wide = [
            ...page.querySelectorAll('button, select, input, .card, canvas, h1, .facts, .detail'),
          ];
          return wide.flatMap((part) => {
            const { left, right, width: own } = part.getBoundingClientRect();
            const isScrolled = part.closest('.scroll') !== null;
            return own > 0 && !isScrolled && (left < 0 || right > edge + 1)
              ? [part.outerHTML.slice(0, 80)]
              : [];
          });
        });
        assert.deepEqual(beyond, [], tab);
        const isWide = await panel.locator('html').evaluate((page) => page.scrollWidth > page.clientWidth);
        assert.equal(isWide, false, `${tab} scrolls sideways`);
        for (const name of ['Metrics', 'Charts', 'Filters'])
          await panel.getByRole('button', { name, exact: true }).click();
      }
    });
});
