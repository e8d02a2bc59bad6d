import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sentence } from '../sentence';
import { chooseChart, expectEventually, unfold, windowFor } from './steps';
import type { VSCode } from './vscode';

/**
 * 30 items that the shorter caption solves, 8 with the same words in another order, and 2 whose captions are equal. A
 * model of pairs of words solves all but these two, of which it gets half: 39 of 40.
 */
function planted(): string {
  const line = (i: number, caption: string, negative: string): string =>
    JSON.stringify({ image: `${i}.jpg`, caption, negative });
  return [
    ...Array.from({ length: 30 }, (_, i) =>
      line(i, `bus ${i} stands`, `bus ${i} stands beside ${i + 7} trees`),
    ),
    ...Array.from({ length: 8 }, (_, i) =>
      line(30 + i, `dog ${i} bites cat ${i}`, `cat ${i} bites dog ${i}`),
    ),
    ...Array.from({ length: 2 }, (_, i) => line(38 + i, `boat ${i} sinks`, `boat ${i} sinks`)),
  ].join('\n');
}

/** A file whose check takes long enough to be cancelled. */
function large(): string {
  const line = (i: number): string =>
    JSON.stringify({
      image: `${i}.jpg`,
      caption: `bus ${i} stands`,
      negative: `bus ${i} stands by ${i} cars`,
    });
  return Array.from({ length: 150_000 }, (_, i) => line(i)).join('\n');
}

describe('a check of a benchmark', function () {
  this.timeout(5 * 60_000);
  let code: VSCode;

  windowFor(
    'benchmark',
    {
      async fill({ workspace }) {
        await writeFile(join(workspace, 'planted.jsonl'), planted());
        await writeFile(join(workspace, 'large.jsonl'), large());
        await writeFile(join(workspace, 'plain.jsonl'), '{"image": "1.jpg", "caption": "a dog"}\n');
      },
    },
    (opened) => ({ code } = opened),
  );

  it('opens its report, without any evaluator', async () => {
    await code.openFile('planted.jsonl');
    await code.command('Captious: Check Benchmark');
    const panel = code.panel();
    await panel.locator('.grid-row').first().waitFor();
    await unfold(panel, 'Metrics');
    // Two of the cards are behind a line that opens them.
    const cards = await panel.locator('.card-group .card').allTextContents();
    for (const [name, value] of [
      ['without image: regression on words and pairs', '97.5 %'],
      ['blind to word order, ceiling', '87.5 %'],
      ['blind to the image, ceiling', '97.5 %'],
      ['items with a fault', '2'],
    ])
      assert.ok(
        cards.some((card) => card.toLowerCase().includes(name) && card.includes(value)),
        `${name}: ${cards.join(' | ')}`,
      );
    await unfold(panel, 'Charts');
    await chooseChart(panel, 'Accuracy without the image');
  });

  it('shows nothing that needs an evaluator or a score', async () => {
    const panel = code.panel();
    await panel.locator('.grid-row').first().click();
    await panel.locator('.detail').waitFor();
    assert.equal(await panel.locator('.detail').locator('.why, .what-if').count(), 0);
    assert.equal(await panel.locator('.grid-head .cell-3').isVisible(), true);
    for (const column of ['.cell-4', '.cell-5'])
      assert.equal(await panel.locator(`.grid-head ${column}`).isVisible(), false, column);
    const faults = panel.locator('.card', { hasText: 'items with a fault' });
    assert.equal(await faults.locator('.scale').count(), 0);
    assert.ok((await panel.locator('.card .scale').count()) > 0);
  });

  it('marks faults above their lines, and ceilings behind them', async () => {
    await code.command('View: Close All Editors');
    await code.openFile('planted.jsonl');
    await code.page.locator('.codelens-decoration', { hasText: '97.5 % right without the image' }).waitFor();
    await code.page.locator('.view-line', { hasText: 'same words in another order' }).first().waitFor();
    await expectEventually(async () => {
      await code.page.keyboard.press('Control+End');
      const lens = code.page.locator('.codelens-decoration', {
        hasText: sentence('benchmark.equal'),
      });
      return (await lens.count()) === 2;
    });
  });

  it('is listed among the runs', async () => {
    await code.command('Captious: Focus on Runs View');
    const row = code.page.locator(
      '.monaco-list-row[aria-label^="Benchmark, 97.5 % right without the image"]',
    );
    await row.first().waitFor();
  });

  it('can be cancelled, and leaves no report', async () => {
    await code.openFile('large.jsonl');
    await code.command('Captious: Check Benchmark');
    await code.panel().locator('.running button', { hasText: 'Cancel' }).click();
    await code.panel().getByRole('button', { name: 'Resume' }).waitFor();
    assert.equal(await code.panel().locator('.grid-row').count(), 0);
  });

  it('is refused for a file without wrong captions, as on the command line', async () => {
    await code.openFile('plain.jsonl');
    await code.command('Captious: Check Benchmark');
    await code.page.locator('.notification-toast .codicon-error').first().waitFor();
    const text = await code.page.locator('.notification-toast').first().innerText();
    assert.match(text, /plain\.jsonl .*choice/s);
    assert.equal(await code.page.locator('.tab', { hasText: 'plain.jsonl · Benchmark' }).count(), 0);
  });
});
