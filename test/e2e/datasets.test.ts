import assert from 'node:assert/strict';
import { cp, mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layoutSize, writeLayouts } from '../layouts';
import { changeTheme, expectAccessiblePage } from './access';
import { chooseOnly, clickInMenu, expectEventually, explorerRow, menuItem, windowFor } from './steps';
import { appears, themeNames, type VSCode } from './vscode';

const rows = 200_000;
const settings = {
  'captious.imageFolders': ['images'],
  'explorer.compactFolders': false,
  'explorer.autoReveal': false,
};

describe('the list of a dataset', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;
  let workspace: string;
  let layouts: Record<string, string>;

  windowFor(
    'datasets',
    {
      settings,
      async fill(folders) {
        ({ workspace } = folders);
        layouts = await writeLayouts(workspace);
        await cp(join(workspace, 'shards'), join(workspace, 'broken'), { recursive: true });
        await truncate(join(workspace, 'broken/data-00001-of-00002.parquet'), 400);
        await writeFile(join(workspace, 'other.tar'), 'not an archive');
        await mkdir(join(workspace, 'long'));
        const line = (i: number) => `${i}.jpg,A cat number ${i}.`;
        await writeFile(
          join(workspace, 'long/cats.csv'),
          `image,caption\n${Array.from({ length: rows }, (_, i) => line(i)).join('\n')}\n`,
        );
      },
    },
    (opened) => ({ code } = opened),
  );

  const page = () => code.panel();
  const grid = () => page().locator('.grid');
  const row = (position: number) => page().locator(`.grid-row[aria-rowindex="${position + 1}"]`);
  const status = () => page().locator('.toolbar [role=status]');
  const tab = (name: string) => code.page.locator(`.tab.active[data-resource-name="${name}"]`);
  const hasRows = (count: number) =>
    expectEventually(async () => (await grid().getAttribute('aria-rowcount')) === String(count));

  async function inExplorer(name: string, item: string): Promise<void> {
    if (!(await explorerRow(code).first().isVisible())) await code.command('View: Show Explorer');
    const [file = '', folder] = name.split('/').reverse();
    if (folder !== undefined && !(await explorerRow(code, file).first().isVisible()))
      await explorerRow(code, folder).first().click();
    // The editor learns late which files are datasets.
    await expectEventually(async () => {
      await code.page.keyboard.press('Escape');
      await explorerRow(code, file).first().click({ button: 'right' });
      await menuItem(code, 'Copy Path').first().waitFor();
      return (await menuItem(code, item).count()) > 0;
    });
    await clickInMenu(code, item);
  }

  async function click(name: string): Promise<void> {
    // Before the editor knows the extension, it shows its own page for binary files.
    await expectEventually(async () => {
      await explorerRow(code, name).first().dblclick();
      if (await appears(page().locator('.grid-row').first(), 10_000)) return true;
      await code.command('View: Close All Editors');
      return false;
    });
    await tab(name).waitFor();
  }

  it('opens by a click on a Parquet file and a tar archive, with images, counts and captions', async () => {
    for (const name of ['alone.parquet', 'samples.tar']) {
      await click(name);
      await hasRows(layoutSize);
      await row(0).locator('img').waitFor();
      assert.match(
        await page().locator('header').innerText(),
        /Examples: 48 · Captions: 48 · Images: 48, found: 48/,
      );
      assert.match(await row(0).innerText(), /\w+ \w+ \w+/);
      await code.screenshot(`dataset-${name}`);
    }
  });

  it('opens by a single click on an Arrow file', async () => {
    await explorerRow(code, 'saved').first().click();
    await explorerRow(code, 'data-00000-of-00002.arrow').first().click();
    await tab('data-00000-of-00002.arrow').waitFor();
    await hasRows(layoutSize / 2);
    await row(0).locator('img').waitFor();
    await code.screenshot('dataset-arrow');
  });

  it('opens by a command on folders and texts', async () => {
    for (const name of ['saved', 'shards', 'listed', 'pairs', 'lines.jsonl']) {
      await inExplorer(name, 'Open Dataset');
      await tab(name).waitFor();
      await hasRows(layoutSize);
      await row(1).locator('img').waitFor();
    }
  });

  it('opens an example by a click and by the keyboard, and closes it', async () => {
    await click('alone.parquet');
    const detail = page().locator('.detail');
    await row(2).click();
    await detail.locator('img').waitFor();
    const caption = (await row(2).locator('.cell-1').textContent())!;
    assert.equal(await detail.locator('.caption-text').innerText(), caption);
    await grid().press('Escape');
    await detail.waitFor({ state: 'detached' });
    await grid().press('End');
    await page().locator(`.grid-row.selected[aria-rowindex="${layoutSize}"]`).waitFor();
    await grid().press('Enter');
    await page().locator('.detail button:focus').first().waitFor();
    await code.screenshot('dataset-detail');
    await page().locator('.detail button:focus').press('Escape');
    await page().locator('.grid:focus').waitFor();
  });

  it('filters by text, and counts what is shown', async () => {
    await grid().press('/');
    const search = page().locator('input[type=search]:focus');
    await search.pressSequentially('airport');
    await expectEventually(async () => /^Examples: \d of 48$/.test((await status().textContent()) ?? ''));
    const shown = await page().locator('.grid-row .cell-1').allTextContents();
    assert.ok(shown.length > 0 && shown.every((text) => /airport/i.test(text)));
    await search.press('Escape');
    await hasRows(layoutSize);
    await grid().press('Control+f');
    await search.waitFor();
  });

  it(`scrolls through ${rows} rows, of which the page has few`, async () => {
    await inExplorer('long/cats.csv', 'Open Dataset');
    await hasRows(rows);
    await grid().press('End');
    await row(rows - 1)
      .getByText(`A cat number ${rows - 1}.`)
      .waitFor();
    await grid().evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
    await expectEventually(async () => {
      const texts = await page().locator('.grid-row .cell-1').allTextContents();
      return texts.length > 5 && texts.every((text) => /^A cat number \d{5,6}\.$/.test(text));
    });
    assert.ok((await page().locator('.grid-row').count()) < 100);
    await page().locator('input[type=search]').fill('number 123456');
    await hasRows(1);
    await code.command('View: Close All Editors');
  });

  it('lists the good rows of a folder with a broken shard, and names the shard', async () => {
    await inExplorer('broken', 'Open Dataset');
    await hasRows(layoutSize / 2);
    await page().locator('.problems summary').click();
    const text = await page().locator('.problems').innerText();
    assert.match(text, /data-00001-of-00002\.parquet/);
    await code.screenshot('dataset-broken');
  });

  it('says that a file is no dataset, and offers another editor', async () => {
    await explorerRow(code, 'other.tar').first().dblclick();
    const problem = page().locator('.problem');
    await problem.waitFor();
    assert.match(await problem.innerText(), /other\.tar/);
    await code.screenshot('dataset-none');
    await problem.getByRole('button', { name: 'Reopen with another editor' }).click();
    await code.quickInput.locator('.monaco-list-row').first().waitFor();
    await code.page.keyboard.press('Escape');
  });

  it('shows what was added to the file', async () => {
    await inExplorer('lines.jsonl', 'Open Dataset');
    await hasRows(layoutSize);
    await cp(join(workspace, 'long/cats.csv'), join(workspace, 'lines.jsonl'));
    await hasRows(rows);
    await writeLayouts(workspace);
    await hasRows(layoutSize);
    await code.command('View: Close All Editors');
  });

  describe('after an audit by a right click', () => {
    /** The verdict on the same captions and images in the first layout. */
    let told: string | undefined;

    for (const what of [
      'a folder of Parquet shards',
      'a Parquet file',
      'a folder of datasets.save_to_disk',
      'a WebDataset shard',
      'an image folder with metadata.jsonl',
      'images with texts',
      'a CSV table',
      'JSON Lines',
      'a zip of images beside a file',
    ])
      it(`has a verdict on ${what}`, async () => {
        await inExplorer(layouts[what], 'Audit Dataset');
        await chooseOnly(code, 'LGIP');
        await chooseOnly(code, 'Starter');
        await page().locator('.sentence').first().waitFor({ timeout: 240_000 });
        await page().locator('.running progress').waitFor({ state: 'detached' });
        // Layouts of another width have other spaces.
        const verdict = (await page().locator('.sentence').first().innerText()).replace(/\s+/g, ' ');
        assert.match(verdict, /starter/i);
        assert.doesNotMatch(verdict, /No verdict/);
        // In Parquet, these images have no names, so the draws of their variants differ.
        if (!what.includes('Parquet')) assert.equal(verdict, (told ??= verdict));
        await page().locator('.grid-row img').first().waitFor();
        await code.screenshot(`audited-${layouts[what].replaceAll('/', '-')}`);
        await code.command('View: Close All Editors');
      });

    it('shows the result of each example, the verdict, and a badge in the Explorer', async () => {
      await click('alone.parquet');
      await page().locator('.grid-row .cell-3', { hasText: /\w/ }).first().waitFor();
      assert.match(await page().locator('header .words').innerText(), /LGIP/);
      await page().getByLabel('Filter by result').selectOption('wrong');
      await expectEventually(async () => /of 48/.test((await status().textContent()) ?? ''));
      const marks = page().locator('.grid-row .verdict');
      assert.ok((await marks.count()) > 0);
      assert.equal(await marks.count(), await page().locator('.grid-row .verdict.wrong').count());
      for (const name of ['alone.parquet', 'shards'])
        await code.page
          .locator(`.explorer-folders-view [aria-label*="${name}"][aria-label*="LGIP"]`)
          .first()
          .waitFor();
    });

    it('opens the panel at an example', async () => {
      const caption = (await row(0).locator('.cell-1').textContent())!;
      await row(0).click();
      await page().getByRole('button', { name: 'Open in the panel' }).click();
      await page().locator('#panel .detail').waitFor();
      assert.ok((await page().locator('#panel .detail .caption-text').allInnerTexts()).includes(caption));
    });

    it('opens from the panel at its example, also if a filter hides the example', async () => {
      const detail = page().locator('#panel .detail');
      await page().locator('#panel .grid').press('End');
      await detail.locator('img').first().waitFor();
      const captions = await detail.locator('.caption-text').allInnerTexts();
      await code.screenshot('dataset-panel-last');
      await detail.getByTitle('Open the line in the file (Enter)').click();
      const selected = page().locator('#dataset .grid-row.selected');
      await selected.waitFor();
      const opened = page().locator('#dataset .detail .caption-text').first();
      await expectEventually(async () => captions.includes((await opened.textContent()) ?? ''));
      assert.equal(await page().getByLabel('Filter by result').inputValue(), '');
      await hasRows(layoutSize);
      await code.screenshot('dataset-from-panel');
      await code.command('View: Close All Editors');
    });

    it('opens from the panel at its example when it was closed', async () => {
      await click('alone.parquet');
      await row(layoutSize - 1).waitFor({ state: 'detached' });
      await grid().press('End');
      const caption = (await row(layoutSize - 1)
        .locator('.cell-1')
        .textContent())!;
      await page().getByRole('button', { name: 'Open in the panel' }).click();
      const link = page().locator('#panel .detail').getByTitle('Open the line in the file (Enter)');
      await link.waitFor();
      await code.command('View: Close Other Editors in Group');
      await link.click();
      await page()
        .locator(`#dataset .grid-row.selected[aria-rowindex="${layoutSize}"]`)
        .getByText(caption)
        .waitFor();
      await code.command('View: Close All Editors');
    });

    it('is still open behind the panel, and wider without the side bar', async () => {
      await click('alone.parquet');
      await code.command('View: Close Primary Side Bar');
      await row(0).click();
      await page().locator('.detail img').waitFor();
    });

    for (const theme of themeNames)
      it(`is accessible in the theme ${theme}, and cuts nothing off at 400 pixels`, async () => {
        await changeTheme(code, theme);
        await page().locator('.grid-row img').first().waitFor();
        await row(0).click();
        await page().locator('.detail img').waitFor();
        await expectAccessiblePage(code, 'dataset', theme);
        await code.screenshot(`dataset-${theme}-1400`);
        await code.page.setViewportSize({ width: 400, height: 900 });
        await page().locator('.detail.inset img').waitFor();
        await code.screenshot(`dataset-${theme}-400`);
        await code.page.setViewportSize({ width: 1400, height: 900 });
      });
  });
});
