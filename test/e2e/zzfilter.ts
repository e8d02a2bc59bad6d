// Takes screenshots of the panel per probe, theme and width, in out/screenshots, for visual checks. Arguments
// select probes and themes: look.ts visla dark
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { unfold } from './steps';
import { repository, themes, VSCode } from './vscode';

const samples = join(repository, 'samples');
interface Scene {
  file: string;
  title: string;
  /** Whether to explain the score of the open example. */
  isExplained?: true;
  /** Whether it is a check of a benchmark, which needs no evaluator. Its charts are open. */
  isCheck?: true;
}

const scenes = {
  lgip: { file: 'captions.jsonl', title: 'LGIP' },
  visla: { file: 'triplets.tsv', title: 'VISLA' },
  sugarcrepe: { file: 'sugarcrepe.json', title: 'SugarCrepe' },
  winoground: { file: 'crossed.jsonl', title: 'Winoground' },
  rococo: { file: 'rococo.json', title: 'RoCOCO' },
  prsm: { file: 'wordings.json', title: 'PRSM' },
  invariance: { file: 'objects.json', title: 'Invariance audit' },
  exploit: { file: 'edits.json', title: 'Exploit' },
  explain: { file: 'influence.json', title: 'Word influence' },
  benchmark: { file: 'split.json', title: 'Benchmark', isCheck: true },
  why: { file: 'why.json', title: 'LGIP', isExplained: true },
} satisfies Record<string, Scene>;
/** Panel sizes: one as high as a common screen, and two narrow ones that are high enough for most content. */
const sizes = [
  [1400, 900],
  [700, 1600],
  [350, 2100],
] as const;
/** An explanation is longer, and so are open charts. */
const longSizes = [
  [1400, 1500],
  [400, 2100],
] as const;
const wanted = process.argv.slice(2);
const chosen = <T>(all: Readonly<Record<string, T>>): [string, T][] => {
  const named = Object.entries(all).filter(([name]) => wanted.includes(name));
  return named.length > 0 ? named : Object.entries(all);
};

async function main(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'captious-look-'));
  const workspace = join(scratch, 'workspace');
  await mkdir(workspace);
  await cp(samples, workspace, { recursive: true });
  await writeFile(join(workspace, 'crossed.jsonl'), await crossed());
  // Tabs of one file, or of similar names, would be hard to distinguish.
  await cp(join(samples, 'sugarcrepe.json'), join(workspace, 'split.json'));
  for (const name of ['objects.json', 'wordings.json', 'edits.json', 'influence.json', 'why.json'])
    await cp(join(samples, 'captions.json'), join(workspace, name));
  const [[firstTheme, firstColours], ...others] = chosen(themes);
  const settings = (colours: string) => ({
    'captious.imageFolders': ['images'],
    'workbench.colorTheme': colours,
  });
  const code = await VSCode.open({
    folder: workspace,
    settings: settings(firstColours),
    env: { CAPTIOUS_HOME: process.env.CAPTIOUS_HOME ?? join(scratch, 'home') },
  });
  try {
    await code.load();
    await code.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    for (const [name, scene] of chosen<Scene>(scenes)) {
      await code.openFile(scene.file);
      await code.command(`Captious: ${scene.isCheck ? 'Check Benchmark' : 'Audit Dataset'}`);
      if (!scene.isCheck) {
        await chooseProbe(code, scene.title);
        await code.accept(); // Accepts the suggested evaluators.
      }
      await code.panel().locator(firstRow(scene)).first().waitFor({ timeout: 400_000 });
      await take(code, `${name}-${firstTheme}`, scene);
    }
    for (const [theme, colours] of others) {
      await code.changeSettings(settings(colours));
      // VS Code must restore the panels after a reload.
      await code.load();
      for (const [name, scene] of chosen<Scene>(scenes)) {
        await code.page.locator('.tab', { hasText: `${scene.file} · ${scene.title}` }).click();
        await code.panel().locator(firstRow(scene)).first().waitFor();
        await take(code, `${name}-${theme}`, scene);
      }
    }
  } catch (error) {
    await code.screenshot('failed');
    throw error;
  } finally {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Only the rows of evaluators have numbers. */
const firstRow = ({ isCheck }: Scene): string => (isCheck ? '.grid-row' : '.grid-row .number');

async function take(code: VSCode, name: string, { isCheck }: Scene): Promise<void> {
  const panel = code.panel();
  if (await code.page.locator('.sidebar').isVisible()) await code.page.keyboard.press('Control+B');
  await panel.locator('.grid-row').nth(1).click();
  await panel.locator('.detail').waitFor();
  if (isCheck) {
    await unfold(panel, 'Metrics');
    await unfold(panel, 'Charts');
  }
  await unfold(panel, 'Charts');
  await code.page.setViewportSize({ width: 1448, height: 1300 });
  await panel.locator('.toolbar select').nth(1).selectOption({ index: 1 });
  await code.page.waitForTimeout(1500);
  await code.screenshot(`${name}-filter`);
  await panel.locator('.toolbar select').nth(0).selectOption({ index: 2 });
  await code.page.waitForTimeout(1500);
  await code.screenshot(`${name}-filter2`);
  await code.openFile('captions.jsonl');
  await code.page.waitForTimeout(3000);
  await code.screenshot(`${name}-text`);
  await code.page.setViewportSize({ width: 1400, height: 950 });
}

/** Lines in Winoground's form: two images and their captions. Unlike in Winoground, the captions' words differ. */
async function crossed(): Promise<string> {
  const lines = (await readFile(join(samples, 'captions.jsonl'), 'utf8')).trim().split('\n');
  const firsts = new Map<string, string>();
  for (const line of lines) {
    const { image, caption } = JSON.parse(line) as { image: string; caption: string };
    if (!firsts.has(image)) firsts.set(image, caption);
  }
  const all = [...firsts];
  return all
    .slice(0, -1)
    .map(([image, caption], i) =>
      JSON.stringify({
        image_0: image,
        caption_0: caption,
        image_1: all[i + 1][0],
        caption_1: all[i + 1][1],
      }),
    )
    .join('\n');
}

async function chooseProbe(code: VSCode, title: string): Promise<void> {
  const list = code.quickInput.locator('.quick-input-list');
  await list.locator(`.monaco-list-row[aria-label^="${title},"]`).waitFor();
  const labels = await list
    .locator('.monaco-list-row')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  for (const label of labels) {
    const row = list.locator(`.monaco-list-row[aria-label="${label.replace(/"/g, '\\"')}"]`);
    const isWanted = label.startsWith(`${title},`);
    if ((await row.getAttribute('aria-checked')) !== String(isWanted)) await row.click();
  }
  await code.confirm();
  await code.page.waitForTimeout(200);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
