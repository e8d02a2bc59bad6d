import assert from 'node:assert/strict';
import type { VSCode } from './vscode';

/** Steps of a person that several tests take. */

export async function expectEventually(holds: () => Promise<boolean>, deadline = 60_000): Promise<void> {
  const end = Date.now() + deadline;
  while (!(await holds())) {
    if (Date.now() > end) assert.fail('It did not come about in time.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Takes one evaluator in the quick pick and no other, with the keys that anybody has. */
export async function chooseOnly(code: VSCode, name: string): Promise<void> {
  const list = code.page.locator('.quick-input-list');
  await list.locator(`.monaco-list-row[aria-label^="${name}"]`).waitFor();
  for (const row of await list.locator('.monaco-list-row').all()) {
    const wanted = (await row.getAttribute('aria-label'))?.startsWith(name);
    if ((await row.getAttribute('aria-checked')) !== String(wanted)) await row.click();
  }
  await code.page.keyboard.press('Enter');
}

/** Takes what the dialog for saving proposes. */
export async function saveAsProposed(code: VSCode, name: string): Promise<void> {
  const input = code.page.locator('.quick-input-widget input');
  await expectEventually(async () => (await input.isVisible()) && (await input.inputValue()).endsWith(name));
  await code.page.waitForTimeout(300);
  await code.page.keyboard.press('Enter');
}
