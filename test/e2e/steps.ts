import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errors, type Frame, type FrameLocator, type Locator } from 'playwright-core';
import { appears, brief, disappears, type Settings, VSCode } from './vscode';

/* User actions that several tests share, and the window that performs these actions. */

export interface Opened {
  code: VSCode;
  /** The open folder. */
  workspace: string;
  home: string;
  /** The parent of the other folders. It is removed after the tests. */
  scratch: string;
}

interface Wanted extends Pick<Settings, 'settings' | 'untrusted' | 'language'> {
  /** Adds files for the tests to the open folder or to Captious's home. */
  fill(folders: Omit<Opened, 'code'>): Promise<void>;
  /** The extension host's additional environment variables. Called after `fill`. */
  env?(folders: Omit<Opened, 'code'>): Record<string, string>;
  /** Opens a new window for each test, and for each retry of a test. */
  forEachTest?: boolean;
}

/** Opens one window for a suite. A failing test leaves a screenshot. */
export function windowFor(name: string, wanted: Wanted, onOpened: (opened: Opened) => void): void {
  const [setUp, tearDown] = wanted.forEachTest ? [beforeEach, afterEach] : [before, after];
  let scratch: string;
  let code: VSCode | undefined;

  setUp(async () => {
    scratch = await mkdtemp(join(tmpdir(), `captious-${name}-`));
    const folders = { scratch, workspace: join(scratch, 'workspace'), home: join(scratch, 'home') };
    await mkdir(folders.workspace);
    const { fill, env, ...settings } = wanted;
    await fill(folders);
    const { workspace, home } = folders;
    code = await VSCode.open({
      ...settings,
      folder: workspace,
      env: { CAPTIOUS_HOME: home, ...env?.(folders) },
    });
    await code.load();
    await explorerRow(code).first().waitFor();
    onOpened({ ...folders, code });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await code?.screenshot(`failed-${this.currentTest.title}`);
  });

  tearDown(async () => {
    await code?.close();
    await rm(scratch, { recursive: true, force: true });
  });
}

/** Writes triplets whose audit takes long. Rows differ only in a number. */
export function writeLongTriplets(path: string, rows: number): Promise<void> {
  const head = 'filename\tcaption\tsecond positive\tnegative_caption';
  const lines = Array.from(
    { length: rows },
    (_, i) => `${i}.jpg\ta cat number ${i}\tnumber ${i} is a cat\tno cat ${i}`,
  );
  return writeFile(path, [head, ...lines, ''].join('\n'));
}

export async function expectEventually(holds: () => Promise<boolean>, deadline = 60_000): Promise<void> {
  const end = Date.now() + deadline;
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(`This did not come about in time: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export function explorerRow(code: VSCode, name?: string): Locator {
  return code.page.locator(
    '.explorer-folders-view .monaco-list-row',
    name === undefined ? {} : { hasText: name },
  );
}

export function menuItem(code: VSCode, name: string): Locator {
  return code.page.locator('.monaco-menu .action-item', { hasText: name });
}

/** Opens a dataset file's menu. Files are recognised shortly after the window opens. */
export async function openDatasetMenu(code: VSCode, file: string): Promise<void> {
  const row = explorerRow(code).filter({ has: code.page.getByText(file, { exact: true }) });
  if ((await row.count()) === 0) await code.command('View: Show Explorer');
  await row.waitFor();
  await expectEventually(async () => {
    await code.page.keyboard.press('Escape');
    await row.click({ button: 'right' });
    await menuItem(code, 'Copy Path').first().waitFor();
    return (await menuItem(code, 'Audit Dataset').count()) === 1;
  });
}

export async function clickInMenu(code: VSCode, name: string): Promise<void> {
  const item = menuItem(code, name);
  await item.waitFor();
  // A new menu ignores clicks, so this clicks until the menu closes.
  await expectEventually(async () => {
    try {
      await item.click({ timeout: brief });
    } catch (error) {
      // The menu closed late, after the click before.
      if (!(error instanceof errors.TimeoutError)) throw error;
    }
    return disappears(item, 500);
  });
}

/** The quick pick's first entry whose label starts with this name. */
function entry(code: VSCode, name: string): Locator {
  return code.quickInput.locator(`.quick-input-list .monaco-list-row[aria-label^="${name}"]`).first();
}

/** Selects these quick pick entries and deselects all others. */
export async function chooseOnly(code: VSCode, ...names: string[]): Promise<void> {
  await tickOnly(code, ...names);
  await code.confirm();
}

export async function tickOnly(code: VSCode, ...names: string[]): Promise<void> {
  const list = code.quickInput.locator('.quick-input-list');
  const isWanted = (label: string) =>
    names.some((name) => label.startsWith(name) && !/^[\w-]/.test(label.slice(name.length)));
  for (const name of names) await entry(code, name).waitFor();
  for (const row of await list.locator('.monaco-list-row').all()) {
    const label = (await row.getAttribute('aria-label')) ?? '';
    const isChosen = await row.getAttribute('aria-checked');
    // A separator cannot be chosen.
    if (isChosen !== null && isChosen !== String(isWanted(label))) await row.click();
  }
}

/** Audits a file by command with only this probe and these evaluators. */
export async function audit(
  code: VSCode,
  file: string,
  probe: string,
  ...evaluators: string[]
): Promise<void> {
  await code.openFile(file);
  // Repeats the command, which asks for a file until the extension knows which file is open.
  await expectEventually(async () => {
    await code.command('Captious: Audit Dataset');
    const asked = code.quickInput.locator('.quick-input-title', { hasText: 'Select a dataset' });
    await appears(entry(code, probe).or(asked).first(), 10_000);
    return entry(code, probe).isVisible();
  });
  await chooseOnly(code, probe);
  await chooseOnly(code, ...evaluators);
}

export async function goToLine(code: VSCode, line: number): Promise<void> {
  const position = code.page.locator('.statusbar-item', { hasText: `Ln ${line}, Col` });
  // A new editor may lack the focus, so this repeats the command until the cursor is on the line.
  await expectEventually(async () => {
    await code.page.keyboard.press('Control+G');
    const input = code.quickInput.locator('input').first();
    if (!(await appears(input, 2000))) return false;
    try {
      await input.fill(`:${line}`, { timeout: brief });
      await input.press('Enter', { timeout: brief });
    } catch (error) {
      // Another part may have taken the focus and closed the box.
      if (error instanceof errors.TimeoutError) return false;
      throw error;
    }
    return appears(position, 2000);
  });
}

/** Shows an audit's panel, after running the audit if necessary. */
export async function openAudit(code: VSCode, file: string, probe: string, evaluator: string): Promise<void> {
  // The pattern does not match the tab of a comparison, whose title lists evaluators with commas.
  const title = `${file} · ${probe} · ${evaluator}`.replace(/[^\w ]/g, '.');
  const tab = code.page.locator('.tab', { hasText: new RegExp(`^${title}(?!,)`, 'i') }).first();
  if ((await tab.count()) > 0) await tab.click();
  else await audit(code, file, probe, evaluator);
  await code.panel().locator('.grid-row .number').first().waitFor({ timeout: 240_000 });
}

/** Chooses a value of a facet. If the facet is hidden, this clicks the button that shows it. */
export async function chooseFacet(
  panel: FrameLocator,
  facet: string,
  value: string | { index: number },
): Promise<void> {
  const select = panel.locator(`#facet-${facet}`);
  await select.waitFor({ state: 'attached' });
  if (!(await select.isVisible())) await panel.locator('.more-filters').click();
  await select.selectOption(value);
}

/** Shows or hides a part of the panel. A part without a visible button stays visible. */
export async function unfold(panel: FrameLocator, name: 'Metrics' | 'Charts', isOpen = true): Promise<void> {
  const button = panel.locator(`.folds [data-fold="${name.toLowerCase()}"]`);
  const isDone = async (): Promise<boolean> =>
    !(await button.isVisible()) || (await button.getAttribute('aria-expanded')) === String(isOpen);
  // The panel decides what to fold after it draws its first rows, so a single check is not enough.
  await panel.locator('.grid-row').first().waitFor();
  await expectEventually(async () => {
    if (!(await isDone())) await button.click();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return isDone();
  });
}

/** Shows the chart with this name. */
export async function chooseChart(panel: FrameLocator, name: string | RegExp): Promise<void> {
  const option = panel.locator('#chart option', { hasText: name }).first();
  await panel.locator('#chart').selectOption(await option.innerText());
}

/** Clicks a link that copies or saves the chart. */
export async function chartTool(panel: FrameLocator, name: string): Promise<void> {
  const link = panel.locator('.charts button', { hasText: name });
  if (!(await link.isVisible())) await panel.locator('#chart-tools').click();
  await link.click();
}

/** The number of rows that fit between the list's head and the end of the window. */
export function visibleRows(panel: FrameLocator): Promise<number> {
  return panel.locator('.grid').evaluate((grid) => {
    const { bottom } = grid.getBoundingClientRect();
    const head = grid.querySelector('.grid-head')!.getBoundingClientRect();
    const end = Math.min(bottom, grid.ownerDocument.documentElement.clientHeight);
    return Math.floor((end - head.bottom) / grid.querySelector('.grid-row')!.getBoundingClientRect().height);
  });
}

/** Runs a command on the open file and answers its first input box. */
export async function answerCommand(
  code: VSCode,
  command: string,
  title: string,
  value: string,
): Promise<void> {
  // Repeats the command, which asks for a file until the extension knows which file is open.
  await expectEventually(async () => {
    await code.command(command);
    return appears(code.quickInput.locator('.quick-input-title', { hasText: title }), 3000);
  });
  await answerBox(code, title, value);
}

/** Searches a quick pick for a row, because the page contains only a list's visible rows. */
export async function searchedRow(code: VSCode, label: string): Promise<Locator> {
  await code.quickInput.locator('input[type=text]').first().fill(label);
  return code.quickInput.locator(`.monaco-list-row[aria-label^="${label}"]`).first();
}

/** Clicks a button in the title of a picker. */
export async function titleButton(code: VSCode, label: string): Promise<void> {
  await code.quickInput.locator('.quick-input-titlebar').getByRole('button', { name: label }).click();
}

/** Types an answer into an input box and confirms it. */
export async function answerBox(code: VSCode, title: string, value: string): Promise<void> {
  await code.quickInput.locator('.quick-input-title', { hasText: title }).waitFor();
  // Fills the input itself, because a tab that opens behind the box may have the focus.
  const input = code.quickInput.locator('input').first();
  await input.fill(value);
  await input.press('Enter');
}

/** Presses Enter until the dialog closes, because a dialog ignores keys while it reads the folder. */
export async function confirmDialog(code: VSCode, input: Locator): Promise<void> {
  await expectEventually(async () => {
    await input.press('Enter');
    return disappears(code.quickInput);
  });
}

/** Accepts the save dialog's suggested path. */
export async function saveAsProposed(code: VSCode, name: string): Promise<void> {
  const input = code.quickInput.locator('input');
  await expectEventually(async () => (await input.isVisible()) && (await input.inputValue()).endsWith(name));
  await confirmDialog(code, input);
}

/** The frame of the page with this element. */
export async function pageWith(code: VSCode, selector: string): Promise<Frame> {
  let found: Frame | undefined;
  await expectEventually(async () => {
    for (const each of code.page.frames()) {
      const count = await each
        .locator(selector)
        .count()
        .catch(() => 0);
      if (count === 1) found = each;
    }
    return found !== undefined;
  });
  assert.ok(found);
  return found;
}
