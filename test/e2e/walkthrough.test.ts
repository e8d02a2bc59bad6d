import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectEventually, unfold, visibleRows, windowFor } from './steps';
import type { VSCode } from './vscode';

describe('the walkthrough', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;

  windowFor(
    'walkthrough',
    {
      fill: ({ workspace }) =>
        writeFile(join(workspace, 'notes.txt'), 'An empty folder has no rows to wait for.\n'),
    },
    (opened) => ({ code } = opened),
  );

  it('audits the samples in its first step, and explains the most telling example', async () => {
    await code.command('Welcome: Open Walkthrough');
    await code.quickInput.locator('.monaco-list-row', { hasText: 'Captious' }).first().click();
    await code.page.getByRole('button', { name: 'Audit the Samples' }).first().click();
    const panel = code.panel();
    await panel.locator('.lesson').waitFor({ timeout: 300_000 });
    const sentences = await panel.locator('.lesson p').allInnerTexts();
    assert.equal(sentences.length, 3);
    const [, wrong, right] = /the wrong caption “(.+)” a higher score than the right one, “(.+)”/.exec(
      sentences[0],
    )!;
    assert.match(sentences[2], /train models, rank models/);
    assert.doesNotMatch(sentences.join(' '), /\.”\./);
    assert.doesNotMatch(await panel.locator('.sentence').innerText(), /Too few (images|clusters)/);
    // The panel shows the verdict, and a notification would cover its rows.
    assert.equal(await code.page.locator('.notification-toast', { hasText: 'flips' }).count(), 0);
    // The example is open with its image, and the flip scored higher.
    const detail = panel.locator('.detail');
    await detail.locator('.caption-text', { hasText: right }).first().waitFor();
    await detail.locator('.caption-text', { hasText: wrong }).first().waitFor();
    const image = detail.locator('.image img');
    await expectEventually(() =>
      image.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    const first = panel.locator('.grid-row[aria-rowindex="1"]');
    assert.equal(await first.locator('.verdict').innerText(), '✗');
    // The wrong caption scored higher, so the change is positive.
    assert.match(await first.locator('.delta .number').innerText(), /^\+/);
    assert.ok((await visibleRows(panel)) >= 12, `${await visibleRows(panel)} rows`);
    // The number and the example are visible at the same time.
    for (const part of [
      '.sentence strong',
      '.lesson',
      '.grid-row[aria-rowindex="1"]',
      '.detail .caption-text',
    ])
      await expectEventually(() =>
        panel
          .locator(part)
          .first()
          .evaluate((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return top >= 0 && bottom <= element.ownerDocument.documentElement.clientHeight;
          }),
      );
    await code.screenshot('walkthrough');
    await panel.getByRole('button', { name: 'Close', exact: true }).first().click();
    await panel.locator('.lesson').waitFor({ state: 'detached' });
    await unfold(panel, 'Metrics');
    await panel.locator('.card').first().waitFor();
  });
});
