import assert from 'node:assert/strict';
import type { VSCode } from './vscode';

/** Chooses one of a list of many and takes it. */
export async function chooseOnly(code: VSCode, name: string): Promise<void> {
  const list = code.page.locator('.quick-input-list');
  await list.locator(`.monaco-list-row[aria-label^="${name},"]`).waitFor();
  for (const row of await list.locator('.monaco-list-row').all()) {
    const wanted = (await row.getAttribute('aria-label'))?.startsWith(`${name},`);
    if ((await row.getAttribute('aria-checked')) !== String(wanted)) await row.click();
  }
  await code.page.keyboard.press('Enter');
}

export async function expectEventually(holds: () => Promise<boolean>, deadline = 60_000): Promise<void> {
  const end = Date.now() + deadline;
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(`This did not come about in time: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
