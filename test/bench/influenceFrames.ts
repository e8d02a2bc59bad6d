import type { Page } from 'playwright-core';
import { goToLine } from '../e2e/steps';
import type { VSCode } from '../e2e/vscode';

/** The milliseconds of each frame while an editor scrolls. */
export interface Frames {
  with: number[];
  without: number[];
  /** Marked words at the end of each turn with the influence of words. */
  marked: number[];
}

const scrolledMs = 4000;
const pixelsEachFrame = 40;
/** The first lines, which the audit has scored. Scrolling stays within them. */
const firstLine = 100;

/**
 * Scrolls the open dataset with and without the influence of words, in turns. Begins with it turned off. After half of
 * the way the editor rests, so that words are scored, and marks are drawn while it scrolls on.
 */
export async function framesOf(code: VSCode, rounds: number): Promise<Frames> {
  const frames: Frames = { with: [], without: [], marked: [] };
  for (let round = 0; round < rounds; round++) {
    frames.without.push(...(await scroll(code)));
    await code.command('Captious: Show or Hide Word Influence');
    await goToLine(code, firstLine);
    await code.page.waitForFunction(`${markedNow} > 0`, undefined, { timeout: 60_000 });
    frames.with.push(...(await scroll(code)));
    await code.page.waitForFunction(`${markedNow} > 0`, undefined, { timeout: 60_000 });
    frames.marked.push(await code.page.evaluate<number>(markedNow));
    await code.command('Captious: Show or Hide Word Influence');
    await code.page.waitForFunction(`${markedNow} === 0`, undefined, { timeout: 60_000 });
  }
  return frames;
}

/** Only the marks of words underline text in an editor. */
const markedNow = `[...document.querySelectorAll('.editor-instance .view-line span span')].filter((span) =>
  getComputedStyle(span).textDecorationLine === 'underline').length`;

async function scroll(code: VSCode): Promise<number[]> {
  await goToLine(code, firstLine);
  const frames: number[] = [];
  for (let part = 0; part < 2; part++) {
    frames.push(...(await scrollOn(code.page)));
    await code.page.waitForTimeout(2000);
  }
  return frames;
}

/** Scrolls by the wheel in each frame. Returns the time between frames. */
function scrollOn(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const area = document.querySelector('.editor-instance .monaco-scrollable-element.editor-scrollable');
    const { x, y, width, height } = area.getBoundingClientRect();
    const frames = [];
    let last = performance.now();
    const begun = last;
    const step = () => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      if (now - begun > ${scrolledMs / 2}) return resolve(frames.slice(1));
      area.dispatchEvent(new WheelEvent('wheel', {
        bubbles: true, cancelable: true, deltaY: ${pixelsEachFrame}, clientX: x + width / 2, clientY: y + height / 2,
      }));
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}
