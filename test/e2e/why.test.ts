import assert from 'node:assert/strict';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { changeTheme, expectAccessible, visibleFrame } from './access';
import { audit, expectEventually, goToLine, pageWith, saveAsProposed, windowFor } from './steps';
import { repository, themeNames, themes, type VSCode } from './vscode';

const clip = join(repository, 'test/fixtures/models/clip');
const file = 'captions.jsonl';

/** The sample captions of images whose objects have outlines: half of them. */
async function captionsOfOutlined(): Promise<string> {
  const { images } = JSON.parse(await readFile(join(repository, 'samples/instances.json'), 'utf8')) as {
    images: { file_name: string }[];
  };
  const lines = (await readFile(join(repository, 'samples', file), 'utf8')).split('\n');
  return lines.filter((line) => images.some(({ file_name: name }) => line.includes(name))).join('\n');
}

describe('why a score is what it is', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;
  let workspace: string;

  const settings = {
    'captious.evaluatorFolders': [clip],
    'captious.imageFolders': ['images'],
    'workbench.colorTheme': themes.dark,
  };

  windowFor(
    'why',
    {
      settings,
      fill: async ({ workspace }) => {
        for (const name of ['images', 'instances.json'])
          await cp(join(repository, 'samples', name), join(workspace, name), { recursive: true });
        await writeFile(join(workspace, file), await captionsOfOutlined());
      },
    },
    (opened) => ({ code, workspace } = opened),
  );

  before(async () => {
    await audit(code, file, 'LGIP', 'clip');
    const panel = await pageWith(code, 'main#panel');
    await panel.locator('.grid-row .number').first().waitFor({ timeout: 240_000 });
    await panel.locator('.grid-row').nth(1).click();
  });

  async function explain(frame: Frame): Promise<void> {
    await frame.getByRole('button', { name: 'Explain', exact: true }).first().click();
    await frame.locator('.why-rest details').first().waitFor({ timeout: 120_000 });
  }

  it('is asked for by a button, and its words sum to the score', async () => {
    const frame = await pageWith(code, 'main#panel');
    assert.equal(await frame.locator('.why-words, .why-cells').count(), 0);
    await explain(frame);
    await frame.locator('.why summary').click();
    const rows = await frame.locator('.why details table').first().locator('tbody tr').allInnerTexts();
    const numbers = rows.map((row) => Number(row.split('\t')[1].replace('−', '-').replace('±', '')));
    const said = await frame.locator('.why-caption').first().innerText();
    const base = Number(/without words (−?[\d.]+)/.exec(said)?.[1].replace('−', '-'));
    const score = Number(
      (await frame.locator('.why-caption .caption-head .number').first().innerText()).replace('−', '-'),
    );
    const sum = numbers.reduce((all, each) => all + each, 0);
    assert.ok(Math.abs(sum - (score - base)) < 0.001, `${numbers.join(' + ')} is not ${score} − ${base}`);
    assert.equal(await frame.locator('.why-cells button').count(), 49);
  });

  it('shows the regions of a word and the words of a region by the keyboard', async () => {
    const frame = await pageWith(code, 'main#panel');
    const words = frame.locator('.why-words').first().locator('button');
    const legend = frame.locator('.why-map figcaption');
    const name = async (index: number) => (await words.nth(index).locator('.why-text').innerText()).trim();
    // The pointer must not rest on a word or a region.
    await code.page.mouse.move(5, 5);
    const before = await legend.innerText();
    await words.first().focus();
    await code.page.keyboard.press('ArrowRight');
    await expectEventually(async () => (await legend.innerText()).includes(`“${await name(1)}”`));
    const values = await words.allInnerTexts();
    await frame.locator('.why-cells button').first().focus();
    await code.page.keyboard.press('ArrowDown');
    await expectEventually(async () => (await legend.innerText()).startsWith('row 2, column 1'));
    assert.notDeepEqual(await words.allInnerTexts(), values);
    await frame.locator('.why select').first().focus();
    await expectEventually(async () => (await legend.innerText()) === before);
  });

  it('can be copied as a table for a paper', async () => {
    const frame = await pageWith(code, 'main#panel');
    await frame.getByRole('button', { name: 'Copy as LaTeX' }).click();
    await code.page.locator('.statusbar-item', { hasText: 'Copied.' }).waitFor();
  });

  it('can be saved as a figure for a paper, with its image', async () => {
    const frame = await pageWith(code, 'main#panel');
    await frame.getByRole('button', { name: 'Save as PNG' }).click();
    await saveAsProposed(code, '.png');
    const name = async () => (await readdir(workspace)).find((each) => each.endsWith('.png'));
    await expectEventually(async () => (await name()) !== undefined);
    const png = await readFile(join(workspace, (await name())!));
    assert.deepEqual(
      [png.toString('latin1', 1, 4), png.readUInt32BE(16)],
      ['PNG', Math.round((84 / 25.4) * 300)],
    );
  });

  it('hides objects instead of regions, and goes back', async () => {
    const frame = await pageWith(code, 'main#panel');
    const choice = frame.getByRole('combobox', { name: 'What is hidden' });
    await choice.selectOption('objects');
    const boxes = frame.locator('.why-cells.boxes button');
    await boxes.first().waitFor({ timeout: 120_000 });
    const legend = frame.locator('.why-map figcaption');
    // The values may arrive after the boxes, with a legend of their own.
    await expectEventually(async () => {
      await boxes.first().blur();
      await boxes.first().focus();
      const label = (await boxes.first().getAttribute('aria-label')) ?? '';
      return label !== '' && (await legend.innerText()).startsWith(label.split(',')[0]);
    });
    await choice.selectOption('grid');
    await expectEventually(async () => (await frame.locator('.why-cells button').count()) === 49);
  });

  it('can be copied as an image', async () => {
    const frame = await pageWith(code, 'main#panel');
    await frame.getByRole('button', { name: 'Copy as PNG' }).click();
    await expectEventually(
      async () => (await frame.locator('.why-head [role=status]').innerText()) === 'Copied.',
    );
  });

  it('can be saved as PDF, with its image', async () => {
    const frame = await pageWith(code, 'main#panel');
    await frame.getByRole('button', { name: 'Save as PDF' }).click();
    await saveAsProposed(code, '.pdf');
    const name = async () => (await readdir(workspace)).find((each) => each.endsWith('.pdf'));
    await expectEventually(async () => (await name()) !== undefined);
    const pdf = await readFile(join(workspace, (await name())!), 'latin1');
    assert.match(pdf, /^%PDF-[^]*\/Subtype \/Image[^]*%%EOF/);
  });

  for (const theme of themeNames)
    it(`is accessible in ${theme}`, async () => {
      await changeTheme(code, theme);
      const panel = await pageWith(code, 'main#panel');
      if (await code.page.locator('.sidebar').isVisible()) await code.page.keyboard.press('Control+B');
      for (const [width, height] of [
        [1400, 1300],
        [400, 2100],
      ]) {
        await code.page.setViewportSize({ width, height });
        await expectEventually(async () => (await panel.evaluate<number>('innerWidth')) <= width);
        await expectEventually(async () => {
          const isInset = (await panel.locator('.detail.inset').count()) > 0;
          return isInset === width < 700;
        });
        await explain(panel);
        await panel.locator('.why').scrollIntoViewIfNeeded();
        await expectAccessible(await visibleFrame(code), `${theme}, ${width} pixels`);
        await code.screenshot(`why-panel-${theme}-${width}`);
      }
      await code.page.setViewportSize({ width: 1400, height: 1600 });
    });

  it('is in the side panel for the caption under the cursor', async () => {
    await code.openFile(file);
    await goToLine(code, 109);
    await code.command('Captious: Focus on Example View');
    const side = await pageWith(code, 'main#side');
    await side.locator('.image img').waitFor();
    await explain(side);
    await expectAccessible(side, 'side panel');
    await code.screenshot('why-side');
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.ok((await side.evaluate<number>(excess)) <= 0);
    // Another example is not explained before the user asks.
    await goToLine(code, 1);
    await expectEventually(async () => (await side.locator('.why-words').count()) === 0);
  });
});
