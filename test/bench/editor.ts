// npm run bench:editor [-- ROUNDS]: measures Captious's share of the time for opening and typing in a large
// dataset, in a real VS Code.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { repository, VSCode } from '../e2e/vscode';
import { largeBytes, largeDataset } from '../largeFile';
import { type Frames, framesOf } from './influenceFrames';
import { holds, keep, markdown, median, type Section } from './report';
import { followKeys, type KeyTimes } from './sideKeys';

/** How often each kind of window is measured: with Captious, without lenses, and without Captious. */
const rounds = Number(process.argv.at(2) ?? 3);
const keys = 240;
const betweenKeysMs = 50;
const sideKeys = 80;

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
  // The size in MB above which a remote window asks before opening a file. The test file is smaller.
  const settings = { 'workbench.editorLargeFileConfirmation': 100 };
  const opened: VSCode[] = [];
  const [answered, busy, cancelled]: number[][] = [[], [], []];
  const audited = async (own: Record<string, unknown>): Promise<VSCode> => {
    const code = await VSCode.open({ folder, settings: { ...settings, ...own }, env, tests: prepare });
    opened.push(code);
    const hear = (line: string) => {
      const [, what, ms] =
        /(first lenses answered after|host busy for|run cancelled after) ([\d.]+) ms/.exec(line) ?? [];
      if (ms === undefined) return;
      (what.startsWith('host') ? busy : what.startsWith('run') ? cancelled : answered).push(Number(ms));
    };
    if ((await code.runTests(hear, 180_000)) !== 0) throw new Error('The large file was not audited.');
    return code;
  };
  try {
    const own = await audited({});
    const bare = await VSCode.open({ folder, settings, extension: join(repository, 'test/package/carrier') });
    opened.push(bare);
    const silent = await audited({ 'captious.codeLens': false });
    const withCaptious: Round[] = [];
    const withoutWords: Round[] = [];
    const without: Round[] = [];
    for (let i = 0; i < rounds; i++) {
      withCaptious.push(await round(own, true));
      withoutWords.push(await round(silent, false));
      without.push(await round(bare, false));
    }
    await open(own, false);
    await own.page.waitForTimeout(8000);
    const side = await followKeys(own, sideKeys);
    const frames = await framesOf(own, rounds);
    // This setting shows lenses even in files of this size.
    const patient = await audited({ 'editor.largeFileOptimizations': false });
    const unoptimised: number[] = [];
    for (let i = 0; i < rounds; i++) unoptimised.push(await open(patient, true));
    const section = report({
      withCaptious,
      withoutWords,
      without,
      unoptimised,
      answered,
      busy,
      cancelled,
      side,
      frames,
    });
    keep([section]);
    console.log(markdown([section]));
    if (!section.targets.every(holds)) process.exitCode = 1;
  } catch (error) {
    for (const [i, code] of opened.entries()) await code.screenshot(`failed-bench-${i}`);
    throw error;
  } finally {
    for (const code of opened) await code.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Round {
  /** The time from the first visible line to the first lens; NaN without lenses. */
  firstLens: number;
  /** The time from each key press to the end of the next frame. */
  typing: number[];
}

/** Opens the file in a reloaded window. Returns the time from the first visible line to the first lens. */
async function open(code: VSCode, lenses: boolean): Promise<number> {
  const { page } = code;
  const url = new URL(code.url);
  const payload = JSON.parse(url.searchParams.get('payload')!) as [string, string][];
  url.searchParams.set('payload', JSON.stringify(payload.filter(([key]) => key !== 'extensionTestsPath')));
  await page.goto(url.toString());
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  await page.waitForTimeout(4000);
  // The keystrokes that open the file must not go to a restored editor.
  await code.command('View: Close All Editors');
  await page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
  await watchForLens(page);
  await code.openFile('large.json');
  await page.locator('.view-line', { hasText: 'beside' }).first().waitFor();
  if (lenses) await page.waitForFunction('window.seen.lens');
  return (await page.evaluate('window.seen.lens - window.seen.line')) as number;
}

async function round(code: VSCode, lenses: boolean): Promise<Round> {
  const { page } = code;
  const firstLens = await open(code, lenses);
  // Waits long enough for the check of the dataset to end.
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
  // Discards the changes and closes the file, because the window must not restore it.
  await code.command('File: Revert File');
  await page.locator('.tab.dirty').waitFor({ state: 'detached' });
  await code.command('View: Close All Editors');
  await page.waitForTimeout(1000);
  return { firstLens, typing: typing as number[] };
}

async function watchForLens(page: Page): Promise<void> {
  await page.evaluate(`
    window.seen = {};
    (function look() {
      const now = performance.now();
      if (!window.seen.line && document.querySelector('.editor-instance .view-line span span')) window.seen.line = now;
      // Text at the end of a line is in a span with a separate class.
      const isThere = () => document.querySelector('.codelens-decoration a, .view-line [class*="ced-"]');
      if (window.seen.line && !window.seen.lens && isThere()) window.seen.lens = now;
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

interface Measured {
  withCaptious: readonly Round[];
  /** With Captious but without lenses, so that the editor draws the same as without Captious. */
  withoutWords: readonly Round[];
  without: readonly Round[];
  /** The time from the first visible line to the first lens, without the editor's large-file optimisations. */
  unoptimised: readonly number[];
  /** The time from the editor's request for lenses to the answer, in a window that just opened the file. */
  answered: readonly number[];
  /** The longest time that a run blocks the extension host's thread, and the time until a run is cancelled. */
  busy: readonly number[];
  cancelled: readonly number[];
  side: KeyTimes;
  frames: Frames;
}

function report({
  withCaptious,
  withoutWords,
  without,
  unoptimised,
  answered,
  busy,
  cancelled,
  side,
  frames,
}: Measured): Section {
  const medians = (all: readonly Round[]) => all.map(({ typing }) => median(typing));
  const [own, silent, bare] = [medians(withCaptious), medians(withoutWords), medians(without)];
  const spread = Math.max(...own, ...bare) - Math.min(...own, ...bare);
  const noise = Math.max(...bare) - Math.min(...bare);
  const difference = median(own) - median(bare);
  const late = (all: readonly Round[]) =>
    quantile(
      all.flatMap(({ typing }) => typing),
      0.95,
    );
  const ms = (value: number) => value.toFixed(1);
  return {
    id: 'editor',
    title: `A dataset of ${(largeBytes / 2 ** 20).toFixed(0)} MiB in the editor`,
    notes: [
      `Medians of ${rounds} interleaved windows each; ${keys} key presses in each window. The latency of a key is the time from its event to the end of the next frame.`,
      'The editor shows no CodeLens in files of more than 20 MiB or 300,000 lines unless editor.largeFileOptimizations is off; Captious then shows the results at the ends of lines. Both are measured.',
      `Frames: the time between frames while the wheel scrolls by 40 pixels a frame, in turns with and without Show Word Influence (${median(frames.marked)} marked words on the screen), in the same window.`,
      `Side panel: ${sideKeys} presses of the arrow key, from the event of the key to the changed page and to the end of the next frame; median, 90 % and maximum.`,
      'On screen: the time from the first visible line to the first visible result, in a remote window. In between, the editor sends the whole file to the extension and waits before it requests results.',
    ],
    columns: ['', 'with Captious', 'CodeLens off', 'without'],
    rows: [
      ['typing, median of medians, ms', ms(median(own)), ms(median(silent)), ms(median(bare))],
      ['typing, medians of the windows, ms', ...[own, silent, bare].map((all) => all.map(ms).join(', '))],
      ['typing, 95 %, ms', ...[withCaptious, withoutWords, without].map((all) => ms(late(all)))],
      ['first CodeLens answered, default and without optimisations, ms', answered.map(ms).join(', '), '', ''],
      ['longest block of the host during a run, ms', busy.map(ms).join(', '), '', ''],
      ...(['without', 'with'] as const).map((turn) => [
        `frames ${turn} word influence, median, 95 %, ms`,
        [0.5, 0.95].map((share) => ms(quantile(frames[turn], share))).join(', '),
        '',
        '',
      ]),
      ['run cancelled, ms', cancelled.map(ms).join(', '), '', ''],
      ['first result on screen, ms', withCaptious.map(({ firstLens }) => ms(firstLens)).join(', '), '', ''],
      ['first CodeLens on screen, without optimisations, ms', unoptimised.map(ms).join(', '), '', ''],
      [
        'side panel changed, ms',
        [0.5, 0.9, 1].map((share) => ms(quantile(side.changed, share))).join(', '),
        '',
        '',
      ],
      [
        'side panel drawn, ms',
        [0.5, 0.9, 1].map((share) => ms(quantile(side.drawn, share))).join(', '),
        '',
        '',
      ],
    ],
    data: {
      withCaptious,
      withoutWords,
      without,
      unoptimised,
      answered,
      busy,
      cancelled,
      side,
      frames,
      spread,
    },
    targets: [
      { what: 'first CodeLens answered (ms)', value: answered[0], atMost: 300 },
      { what: 'longest time that a run blocks the extension host (ms)', value: median(busy), atMost: 50 },
      { what: 'a run is cancelled (ms)', value: median(cancelled), atMost: 1500 },
      {
        what: 'added typing latency (ms), at most the spread between windows without Captious, or 1 ms',
        value: difference,
        atMost: Math.max(1, noise),
      },
      {
        what: 'median frame with word influence relative to without',
        value: median(frames.with) / median(frames.without),
        atMost: 1.1,
      },
      { what: 'side panel changed (ms), 90 % of the keys', value: quantile(side.changed, 0.9), atMost: 50 },
    ],
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1];
}

void main();
