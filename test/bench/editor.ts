// npm run bench:editor [-- ROUNDS]: what Captious adds to opening a large dataset and to typing in it, in a real VS Code.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { repository, VSCode } from '../e2e/vscode';
import { largeBytes, largeDataset } from '../largeFile';
import { holds, keep, markdown, median, type Section } from './report';

/** Windows of each kind. */
const rounds = Number(process.argv.at(2) ?? 3);
const keys = 120;
const betweenKeysMs = 50;

async function main(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'captious-bench-editor-'));
  const folder = join(scratch, 'workspace');
  await mkdir(folder);
  await writeFile(join(folder, 'large.json'), largeDataset(largeBytes));
  const prepare = join(scratch, 'prepare/index.js');
  await build({
    entryPoints: [join(repository, 'test/bench/inEditor/index.ts')],
    outfile: prepare,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    define: { 'process.env.CAPTIOUS_REPOSITORY': JSON.stringify(repository) },
  });
  const env = { CAPTIOUS_HOME: join(scratch, 'home') };
  // A remote window asks before it opens a file of this size.
  const settings = { 'workbench.editorLargeFileConfirmation': 100 };
  const own = await VSCode.open({ folder, settings, env, tests: prepare });
  const bare = await VSCode.open({ folder, settings, extension: join(repository, 'test/package/carrier') });
  try {
    if ((await own.runTests(() => undefined, 180_000)) !== 0)
      throw new Error('The large file was not audited.');
    const withCaptious: Round[] = [];
    const without: Round[] = [];
    for (let i = 0; i < rounds; i++) {
      withCaptious.push(await round(own, true));
      without.push(await round(bare, false));
    }
    const section = report(withCaptious, without);
    keep([section]);
    console.log(markdown([section]));
    if (!section.targets.every(holds)) process.exitCode = 1;
  } finally {
    await own.close();
    await bare.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Round {
  /** From the first line seen to the first lens seen, where there is one. */
  firstLens: number;
  /** Of each key, from being pressed to the frame after it. */
  typing: number[];
}

async function round(code: VSCode, lenses: boolean): Promise<Round> {
  const { page } = code;
  const url = new URL(code.url);
  const payload = JSON.parse(url.searchParams.get('payload')!) as [string, string][];
  url.searchParams.set('payload', JSON.stringify(payload.filter(([key]) => key !== 'extensionTestsPath')));
  await page.goto(url.toString());
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  await page.waitForTimeout(4000);
  await watchForLens(page);
  await code.openFile('large.json');
  await page.locator('.view-line', { hasText: 'beside' }).first().waitFor();
  if (lenses) await page.locator('.codelens-decoration a').first().waitFor();
  const firstLens = await page.evaluate('window.seen.lens - window.seen.line');
  // Problems are looked for, too, and are done by then.
  await page.waitForTimeout(8000);
  await page.keyboard.press('Control+G');
  await page.locator('.quick-input-widget input').fill(':1000:30');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(2000);
  await watchTyping(page);
  for (let i = 0; i < keys; i++) {
    await page.keyboard.press('abcdefghij'[i % 10]);
    await page.waitForTimeout(betweenKeysMs);
  }
  const typing = await page.evaluate('window.typed');
  // Left as it was for the next round.
  await code.command('File: Revert File');
  await page.waitForTimeout(1000);
  return { firstLens: firstLens as number, typing: typing as number[] };
}

async function watchForLens(page: Page): Promise<void> {
  await page.evaluate(`
    window.seen = {};
    (function look() {
      const now = performance.now();
      if (!window.seen.line && document.querySelector('.editor-instance .view-line span span')) window.seen.line = now;
      if (!window.seen.lens && document.querySelector('.codelens-decoration a')) window.seen.lens = now;
      requestAnimationFrame(look);
    })();`);
}

async function watchTyping(page: Page): Promise<void> {
  await page.evaluate(`
    window.typed = [];
    document.addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.typed.push(performance.now() - timeStamp);
        port2.postMessage(0);
      });
    }, true);`);
}

function report(withCaptious: readonly Round[], without: readonly Round[]): Section {
  const medians = (all: readonly Round[]) => all.map(({ typing }) => median(typing));
  const [own, bare] = [medians(withCaptious), medians(without)];
  const spread = Math.max(...own, ...bare) - Math.min(...own, ...bare);
  const noise = Math.max(...bare) - Math.min(...bare);
  const difference = median(own) - median(bare);
  const late = (all: readonly Round[]) => {
    const sorted = all.flatMap(({ typing }) => typing).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.95)];
  };
  const ms = (value: number) => value.toFixed(1);
  return {
    id: 'editor',
    title: `A dataset of ${(largeBytes / 2 ** 20).toFixed(0)} MiB in the editor`,
    notes: [
      `Medians of ${rounds} windows each, by turns; ${keys} keys a window. A key's latency is from its event to the end of the next frame.`,
      'The first lens is from the first line on screen to the first lens on screen, the wait of the editor before it asks for lenses included.',
    ],
    columns: ['', 'with Captious', 'without'],
    rows: [
      ['typing, median of medians, ms', ms(median(own)), ms(median(bare))],
      ['typing, medians of the windows, ms', own.map(ms).join(', '), bare.map(ms).join(', ')],
      ['typing, 95 %, ms', ms(late(withCaptious)), ms(late(without))],
      ['first lens on screen, ms', withCaptious.map(({ firstLens }) => ms(firstLens)).join(', '), ''],
    ],
    data: { withCaptious, without, spread },
    targets: [
      {
        what: 'typing with Captious is slower by (ms), within what windows without it differ or a millisecond',
        value: difference,
        atMost: Math.max(1, noise),
      },
    ],
  };
}

void main();
