import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { changeTheme, expectAccessible } from './access';
import { audit, chooseOnly, expectEventually, goToLine, pageWith, windowFor } from './steps';
import { repository, themeNames, themes, type VSCode } from './vscode';

const clip = join(repository, 'test/fixtures/models/clip');
const file = 'captions.jsonl';

describe('the side panel', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;
  let frame: Frame;

  const settings = {
    'captious.evaluatorFolders': [clip],
    'captious.imageFolders': ['images'],
    'workbench.colorTheme': themes.dark,
  };

  windowFor(
    'side',
    {
      settings,
      fill: async ({ workspace }) => {
        for (const name of [file, 'images'])
          await cp(join(repository, 'samples', name), join(workspace, name), { recursive: true });
        const captions = await readFile(join(workspace, file), 'utf8');
        const rows = captions
          .split('\n')
          .slice(0, 10)
          .map((line) => JSON.parse(line) as Record<string, string>);
        const table = rows.map(({ image, caption }) => `${image}\t${caption}`);
        await writeFile(join(workspace, 'new.tsv'), ['image\tcaption', ...table].join('\n'));
      },
    },
    (opened) => ({ code } = opened),
  );

  before(async () => {
    await audit(code, file, 'LGIP', 'Starter', 'clip');
    await reported();
    await code.command('Captious: Focus on Example View');
    frame = await pageWith(code, 'main#side');
  });

  /** Waits for the new run's report, and returns to the file. */
  async function reported(): Promise<void> {
    const panel = await pageWith(code, 'main#panel');
    await panel.locator('.grid-row .number').first().waitFor({ timeout: 240_000 });
    await code.openFile(file);
  }

  const lineOf = async () => {
    const text = await frame.locator('.links button').first().innerText();
    return Number(/line ([\d,]+)/.exec(text)?.[1].replace(',', ''));
  };
  const atLine = (line: number) => expectEventually(async () => (await lineOf()) === line);
  const cursorAt = (line: number) =>
    code.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col` }).waitFor();

  async function focusText(): Promise<void> {
    await code.command('View: Focus Active Editor Group');
    await code.page.locator('.monaco-editor.focused').first().waitFor();
  }

  it('offers an audit for a file without results', async () => {
    await code.openFile('new.tsv');
    await frame.locator('.example', { hasText: 'new.tsv has no results.' }).waitFor();
    await frame.getByRole('button', { name: 'Audit this file' }).click();
    await chooseOnly(code, 'LGIP');
    await chooseOnly(code, 'Starter');
    // The cursor is on the first line, which names the columns.
    await frame.locator('.example', { hasText: 'Line 1 has no scored example.' }).waitFor();
    await reported();
  });

  it('shows the example under the cursor by both evaluators, worst first', async () => {
    await goToLine(code, 109);
    await atLine(109);
    assert.match(await frame.locator('h1').innerText(), /^LGIP · .* ⇄ /);
    await frame.locator('.image img').waitFor();
    const captions = frame.locator('.variants li');
    assert.match(
      await captions.first().innerText(),
      /A cat resting in the top of a palm tree on a clear day\./,
    );
    assert.equal(await captions.first().locator('.score-line').count(), 2);
    const verdicts = await captions.evaluateAll((items) =>
      items.map((item) => (item.querySelector('.verdict.wrong') === null ? 'other' : 'wrong')),
    );
    assert.ok(verdicts.includes('wrong'), verdicts.join());
    assert.deepEqual(verdicts.slice(1), [...verdicts.slice(1)].sort().reverse());
    assert.ok((await frame.locator('.variants ins.changed').count()) > 0);
  });

  it('follows the cursor', async () => {
    await goToLine(code, 109);
    await atLine(109);
    await focusText();
    const times = await timeMoves(40);
    for (const time of times) assert.ok(Number.isFinite(time));
    const sorted = times.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(0);
    console.log(
      `      from the key to the example: median ${at(0.5)} ms, 90 % ${at(0.9)} ms, most ${at(1)} ms`,
    );
  });

  /** Milliseconds from each key press to the page's new example. */
  async function timeMoves(moves: number): Promise<number[]> {
    await code.page.evaluate(`window.addEventListener('keydown', () => {
      window.pressed = performance.timeOrigin + performance.now();
    }, true)`);
    await frame.evaluate(`new MutationObserver(() => {
      window.drawn = performance.timeOrigin + performance.now();
    }).observe(document.querySelector('.example'), { childList: true })`);
    const times: number[] = [];
    for (let i = 0; i < moves; i++) {
      const before = await lineOf();
      await code.page.keyboard.press('ArrowDown');
      await atLine(before + 1);
      times.push((await frame.evaluate<number>('drawn')) - (await code.page.evaluate<number>('pressed')));
    }
    return times;
  }

  it('goes to the next miss and back, and keeps the focus', async () => {
    await goToLine(code, 1);
    await atLine(1);
    const next = frame.getByRole('button', { name: 'Next wrong example' });
    await next.click();
    await expectEventually(async () => (await lineOf()) > 1);
    const first = await lineOf();
    await cursorAt(first);
    assert.ok((await frame.locator('.variants .verdict.wrong').count()) > 0);
    await frame.locator('button:focus', { hasText: 'Next wrong example' }).waitFor();
    await code.page.keyboard.press('Enter');
    await expectEventually(async () => (await lineOf()) > first);
    await frame.getByRole('button', { name: 'Previous wrong example' }).click();
    await atLine(first);
    await cursorAt(first);
  });

  it('moves the cursor to a row of the worst list, whose rows follow page by page', async () => {
    const rows = frame.locator('.worst-row');
    assert.equal(await rows.count(), 20);
    await frame.getByRole('button', { name: 'Show more' }).click();
    await expectEventually(async () => (await rows.count()) === 40);
    const row = rows.nth(30);
    const line = Number(/line ([\d,]+)/.exec(await row.innerText())?.[1].replace(',', ''));
    await row.click();
    await atLine(line);
    await cursorAt(line);
    assert.equal(await row.getAttribute('aria-current'), 'true');
  });

  it('answers a what-if by both evaluators', async () => {
    await frame.locator('#what-if').fill('two bears in a dry landscape');
    const heads = frame.locator('.what-if-scores h3');
    await heads.first().waitFor({ timeout: 120_000 });
    assert.equal(await heads.count(), 2);
    assert.equal(await frame.locator('.what-if-scores .problem').count(), 0);
  });

  it('restores itself after a reload, with the list still folded', async () => {
    if ((await frame.locator('.worst').getAttribute('open')) !== null)
      await frame.locator('.worst summary').click();
    const line = await lineOf();
    await code.reload();
    frame = await pageWith(code, 'main#side');
    await atLine(line);
    assert.equal(await frame.locator('.worst').getAttribute('open'), null);
    assert.equal(await frame.locator('.worst-row').count(), 0);
    await frame.locator('.worst summary').click();
    await frame.locator('.worst-row').first().waitFor();
  });

  for (const theme of themeNames)
    it(`is accessible and has no horizontal scroll, in ${theme}`, async () => {
      await changeTheme(code, theme);
      await frame.locator('.image img').waitFor();
      if ((await frame.locator('.worst').getAttribute('open')) === null)
        await frame.locator('.worst summary').click();
      await frame.locator('.worst-row').first().click();
      await frame.locator('.variants .verdict.wrong').first().waitFor();
      const runs = code.page.locator('.pane-header', { hasText: 'Runs' });
      if ((await runs.getAttribute('aria-expanded')) === 'true') await runs.click();
      await frame.evaluate('scrollTo(0, 0)');
      // Themes do not change the layout, so only one theme is checked in every size.
      for (const width of theme === 'dark' ? [250, 400, 300] : [300]) {
        await resizeTo(width);
        await expectReadable(`${theme}, ${width} pixels`);
      }
      if (theme !== 'dark') return;
      await code.page.setViewportSize({ width: 700, height: 450 });
      await expectReadable(`${theme}, 200 % zoom`);
      await code.page.setViewportSize({ width: 1400, height: 900 });
    });

  async function expectReadable(where: string): Promise<void> {
    const overflow = await frame.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.ok(overflow <= 0, `${where}: ${overflow} px too wide`);
    await code.page.mouse.move(650, 300);
    await expectAccessible(frame, where);
    await code.screenshot(`side ${where}`);
  }

  /** Drags the edge of the side bar to this width. */
  async function resizeTo(width: number): Promise<void> {
    const box = await code.page.locator('.part.sidebar').boundingBox();
    assert.ok(box);
    await code.page.mouse.move(box.x + box.width, 400);
    await code.page.mouse.down();
    await code.page.mouse.move(box.x + width, 400, { steps: 5 });
    await code.page.mouse.up();
    await expectEventually(async () => {
      const now = await code.page.locator('.part.sidebar').boundingBox();
      return now !== null && Math.abs(now.width - width) < 4;
    });
  }
});
