import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { errors, type Frame } from 'playwright-core';
import { expectEventually } from './steps';
import { appears, brief, repository, type Theme, type VSCode } from './vscode';

const axeSource = readFile(join(repository, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** The severities of accessibility violations that no theme may have. */
const grave = new Set(['serious', 'critical']);

/** Window sizes. A window of 700 × 450 pixels shows as much as one of 1400 × 900 pixels at 200 % zoom. */
const sizes = [
  [1400, 900],
  [900, 900],
  [700, 450],
  [400, 900],
] as const;

/** Runs axe through the debugger, because the page's policy blocks scripts. */
export async function expectAccessible(frame: Frame, where: string): Promise<void> {
  await frame.evaluate(await axeSource);
  const { violations } = await frame.evaluate<AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  const found = violations
    .filter(({ impact }) => grave.has(impact ?? ''))
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  assert.deepEqual(found, [], where);
}

/** The frame of the visible webview in the editor area. */
export async function visibleFrame(code: VSCode): Promise<Frame> {
  const handle = await code.panel().locator('html').elementHandle();
  const frame = await handle?.ownerFrame();
  assert.ok(frame);
  return frame;
}

/** Themes do not change the layout, so only this theme is checked in every size. Others are checked in the largest. */
const atAllSizes: Theme = 'dark';

/** Checks that the visible page is accessible and has no horizontal scroll bar, in the sizes for the theme. */
export async function expectAccessiblePage(code: VSCode, page: string, theme: Theme): Promise<void> {
  for (const [width, height] of theme === atAllSizes ? sizes : sizes.slice(0, 1)) {
    await code.page.setViewportSize({ width, height });
    const own = `${page} ${theme}, ${width} × ${height}`;
    const frame = await visibleFrame(code);
    // The editor lays out its parts shortly after the window changes its size.
    await expectEventually(async () => (await frame.evaluate<number>('innerWidth')) <= width);
    await expectAccessible(frame, own);
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.ok((await frame.evaluate<number>(excess)) <= 0, `${own}: the page scrolls sideways`);
  }
  await code.page.setViewportSize({ width: 1400, height: 900 });
}

/** The names of the themes in the editor's list. */
const titles: Readonly<Record<Theme, string>> = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high-contrast': 'Dark High Contrast',
  'high-contrast-light': 'Light High Contrast',
};

/** Selects a theme from the editor's list, and waits for the colours of all pages. Pages are not loaded anew. */
export async function changeTheme(code: VSCode, theme: Theme): Promise<void> {
  const isShown = async () => {
    const kinds = await themeKinds(code);
    return kinds.length > 0 && kinds.every((kind) => kind === `vscode-${theme}`);
  };
  await expectEventually(async () => {
    if (await isShown()) return true;
    await code.page.keyboard.press('Control+K');
    await code.page.keyboard.press('Control+T');
    const input = code.quickInput.locator('input[type=text]').first();
    // Right after a start, or while another part has the focus, the keys have no effect.
    if (!(await appears(input, 3000))) return false;
    try {
      await input.fill(titles[theme], { timeout: brief });
      await code.quickInput
        .locator(`.monaco-list-row[aria-label^="${titles[theme]}"]`)
        .first()
        .waitFor({ timeout: brief });
      await input.press('Enter', { timeout: brief });
    } catch (error) {
      // Another part may have taken the focus and closed the list.
      if (!(error instanceof errors.TimeoutError)) throw error;
    }
    return false;
  });
}

/** The kinds of theme that the pages of the window know of. */
async function themeKinds(code: VSCode): Promise<string[]> {
  const asked = code.page
    .frames()
    .map((frame) =>
      frame.evaluate<string | undefined>('document.body?.dataset.vscodeThemeKind').catch(() => undefined),
    );
  return (await Promise.all(asked)).filter((kind) => kind !== undefined);
}
