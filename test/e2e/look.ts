// Takes pictures of the panel in every theme and width, for people to look at: out/screenshots.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { repository, themes, VSCode } from './vscode';

/** What is audited with the evaluator that ships: a dataset file, the folder of its photos, and the probe by its title. */
const [dataset = 'test/host/workspace/triplets.tsv', images, probe, ...wanted] = process.argv.slice(2);
const shown = Object.entries(themes).filter(([theme]) => wanted.length === 0 || wanted.includes(theme));
const widths = [1400, 700, 350];

async function main(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'captious-look-'));
  const workspace = join(scratch, 'workspace');
  await mkdir(workspace);
  const source = resolve(repository, dataset);
  const name = source.split('/').at(-1)!;
  await cp(source, join(workspace, name));
  // Outlines that lie beside the dataset belong to it.
  const outlines = join(dirname(source), 'instances.json');
  if (existsSync(outlines)) await cp(outlines, join(workspace, 'instances.json'));
  const prefix = probe === undefined ? '' : `${probe.replace(/\W+/g, '-').toLowerCase()}-`;
  const settings = images === undefined ? {} : { 'captious.imageFolders': [resolve(repository, images)] };
  const code = await VSCode.open({
    folder: workspace,
    settings,
    env: { CAPTIOUS_HOME: join(scratch, 'home') },
  });
  try {
    await code.load();
    await code.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    await code.openFile(name);
    await code.command('Captious: Audit Dataset');
    if (probe === undefined) await code.accept();
    else await chooseProbe(code, probe);
    await code.accept(); // the proposed evaluators
    if (images === undefined) await code.page.getByRole('button', { name: 'Go On Without' }).click();
    const panel = code.panel();
    await panel.locator('.grid-row').first().waitFor({ timeout: 400_000 });
    await code.screenshot(`${prefix}panel-first`);
    await panel.locator('.grid-row').nth(1).click();
    for (const [theme, colorTheme] of shown) {
      await code.changeSettings({ ...settings, 'workbench.colorTheme': colorTheme });
      // A reload: the panel has to come back by itself.
      await code.page.setViewportSize({ width: 1400, height: 950 });
      await code.load();
      await panel.locator('.grid-row').first().waitFor({ timeout: 60_000 });
      await code.page.keyboard.press('Control+B');
      await panel.locator('.grid-row').nth(1).click();
      for (const width of widths) {
        // The activity bar takes 48.
        await code.page.setViewportSize({ width: width + 48, height: 950 });
        await code.page.waitForTimeout(700);
        await code.screenshot(`${prefix}panel-${theme}-${width}`);
        await panel.locator('.split').evaluate((split) => split.scrollIntoView());
        await code.page.waitForTimeout(300);
        await code.screenshot(`${prefix}examples-${theme}-${width}`);
        await panel.locator('header').evaluate((header) => header.scrollIntoView());
      }
      await code.page.setViewportSize({ width: 1400, height: 950 });
      await code.page.keyboard.press('Control+B');
    }
  } catch (error) {
    await code.screenshot('failed');
    throw error;
  } finally {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function chooseProbe(code: VSCode, title: string): Promise<void> {
  const rows = code.page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  for (const row of await rows.all()) {
    const isWanted = (await row.getAttribute('aria-label'))?.startsWith(`${title},`);
    if ((await row.getAttribute('aria-checked')) !== String(isWanted)) await row.click();
  }
  await code.page.keyboard.press('Enter');
  await code.page.waitForTimeout(200);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
