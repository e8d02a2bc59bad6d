import type { VSCode } from '../e2e/vscode';
import { goToLine, pageWith } from '../e2e/steps';

/** Milliseconds from each key press: to the change of the side panel's page, and to the end of the next frame. */
export interface KeyTimes {
  changed: number[];
  drawn: number[];
}

const betweenKeysMs = 200;
/** Keys before the measurement, until all code is compiled. */
const warmUp = 10;

/** Measures how fast the side panel follows the arrow key. The active editor must show a dataset with results. */
export async function followKeys(code: VSCode, keys: number): Promise<KeyTimes> {
  const { page } = code;
  await code.command('Captious: Focus on Example View');
  const frame = await pageWith(code, 'main#side');
  await goToLine(code, 60);
  await frame.locator('.links button', { hasText: 'line 60' }).waitFor();
  await code.command('View: Focus Active Editor Group');
  await page.locator('.monaco-editor.focused').first().waitFor();
  await page.evaluate(`window.addEventListener('keydown', ({ timeStamp }) => {
    window.pressed = performance.timeOrigin + timeStamp;
  }, true)`);
  await frame.evaluate(`
    const now = () => performance.timeOrigin + performance.now();
    window.watch = () => { window.example = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        const changed = now();
        observer.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve([changed, now()]);
          port2.postMessage(0);
        });
      });
      observer.observe(document.querySelector('.example'), { childList: true });
    }); };`);
  const times: KeyTimes = { changed: [], drawn: [] };
  for (let i = 0; i < warmUp + keys; i++) {
    await frame.evaluate('window.watch()');
    await page.keyboard.press('ArrowDown');
    const [changed, drawn] = await frame.evaluate<[number, number]>('window.example');
    const pressed = await page.evaluate<number>('window.pressed');
    if (i >= warmUp) {
      times.changed.push(changed - pressed);
      times.drawn.push(drawn - pressed);
    }
    await page.waitForTimeout(betweenKeysMs);
  }
  return times;
}
