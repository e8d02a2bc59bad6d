// npm run gallery: takes the README's screenshots, with the samples and the starter model.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { chooseOnly, goToLine } from './steps';
import { repository, themes, VSCode } from './vscode';

const target = join(repository, 'media/gallery');
const size = { width: 1360, height: 860 };

async function main(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'captious-gallery-'));
  const workspace = join(scratch, 'samples');
  await mkdir(target, { recursive: true });
  await mkdir(workspace);
  for (const name of ['captions.jsonl', 'images'])
    await cp(join(repository, 'samples', name), join(workspace, name), { recursive: true });
  const code = await VSCode.open({
    folder: workspace,
    settings: {
      'workbench.colorTheme': themes.dark,
      'editor.minimap.enabled': false,
      'editor.fontSize': 13,
    },
    viewport: size,
    env: { CAPTIOUS_HOME: join(scratch, 'home') },
  });
  try {
    await code.load();
    await code.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    await code.openFile('captions.jsonl');
    await code.command('Captious: Audit Dataset');
    await chooseOnly(code, 'LGIP');
    await code.accept(); // Accepts the selected evaluator, the starter.
    const panel = code.panel();
    await panel.locator('.grid-row').first().waitFor({ timeout: 300_000 });
    // Metrics are final after the run's end.
    await panel.locator('.running progress').waitFor({ state: 'detached' });
    await code.command('View: Close Primary Side Bar');
    await panel.locator('.grid-row').nth(1).click();
    await panel.locator('.image img').first().waitFor();
    await code.command('Notifications: Clear All Notifications');
    await code.page.waitForTimeout(1500);
    await take(code, 'panel');
    await panel.locator('.split').evaluate((split) => split.scrollIntoView());
    await code.page.waitForTimeout(800);
    await take(code, 'examples');
    await code.page.locator('.tab[data-resource-name="captions.jsonl"]').click();
    // From this line on, several successive examples have lenses.
    await goToLine(code, 110);
    const lenses = code.page.locator('.codelens-decoration a', { hasText: 'flips' });
    await lenses.filter({ visible: true }).first().waitFor();
    await code.page.waitForTimeout(1500);
    await take(code, 'text');
  } catch (error) {
    await code.screenshot('failed-gallery');
    throw error;
  } finally {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Takes a screenshot. A palette of 128 colours is enough for it, and makes the file six times smaller. */
async function take(code: VSCode, name: string): Promise<void> {
  const shot = await code.page.screenshot();
  const { size: bytes } = await sharp(shot)
    .png({ palette: true, colours: 128, compressionLevel: 9, effort: 10 })
    .toFile(join(target, `${name}.png`));
  console.log(`media/gallery/${name}.png: ${Math.round(bytes / 1024)} KiB`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
