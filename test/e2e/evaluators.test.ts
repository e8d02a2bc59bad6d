import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../src/report/report';
import {
  answerBox,
  chooseOnly,
  expectEventually,
  goToLine,
  searchedRow,
  titleButton,
  unfold,
  visibleRows,
  windowFor,
} from './steps';
import { saying } from '../sentence';
import { repository, type VSCode } from './vscode';

const models = join(repository, 'test/fixtures/models');
const twelve = [
  ...['bert-cls', 'clip', 'siglip', 'clip-two-graphs', 'family-align', 'family-alt-clip'],
  ...['family-blip-itc', 'family-chinese-clip', 'family-jina-clip', 'family-mobileclip-b'],
  ...['family-open-clip', 'family-tiny-clip'],
];

describe('several evaluators', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;
  let scratch: string;
  let workspace: string;

  windowFor(
    'evaluators',
    {
      settings: {
        'captious.evaluatorFolders': [...twelve.map((name) => join(models, name))],
        'captious.imageFolders': ['images'],
      },
      async fill(folders) {
        for (const name of ['triplets.tsv', 'images'])
          await cp(join(repository, 'samples', name), join(folders.workspace, name), { recursive: true });
        const broken = join(folders.scratch, 'broken');
        await cp(join(models, 'bert-cls'), broken, { recursive: true });
        await writeFile(join(broken, 'tokenizer.json'), '{}');
      },
    },
    (opened) => ({ code, scratch, workspace } = opened),
  );

  async function audit(...evaluators: string[]): Promise<void> {
    await code.command('View: Close All Editors');
    await code.openFile('triplets.tsv');
    await code.command('Captious: Audit Dataset');
    await chooseOnly(code, 'VISLA');
    if (evaluators.length <= 3) await chooseOnly(code, ...evaluators);
    else await chooseEach(evaluators);
    await code.panel().locator('.grid-row .number').first().waitFor({ timeout: 300_000 });
    await code.panel().locator('.running progress').waitFor({ state: 'detached', timeout: 300_000 });
  }

  /** Selects these evaluators. Searches for each by name, because the page contains only a list's visible rows. */
  async function chooseEach(names: readonly string[]): Promise<void> {
    const input = code.quickInput.locator('input[type=text]').first();
    const row = (name: string) =>
      code.quickInput.locator(`.quick-input-list .monaco-list-row[aria-label^="${name},"]`).first();
    // Before the first audit, the starter is selected. Later, the last audit's evaluators are selected.
    await row('bert-cls').waitFor();
    const starter = code.quickInput.locator('.monaco-list-row[aria-label^="Starter"][aria-checked=true]');
    if ((await starter.count()) > 0) await starter.click();
    for (const name of names) {
      await input.fill(name);
      await row(name).waitFor();
      if ((await row(name).getAttribute('aria-checked')) !== 'true') await row(name).click();
    }
    await input.fill('');
    await code.confirm();
  }

  it('are chosen by buttons and compared with any other one, if there are three', async () => {
    await audit('bert-cls', 'clip', 'siglip');
    const panel = code.panel();
    const buttons = panel.locator('[aria-label="Evaluator of the examples"] button');
    assert.deepEqual((await buttons.allInnerTexts()).sort(), ['bert-cls', 'clip', 'siglip']);
    assert.equal(await panel.locator('.standings tbody tr').count(), 3);
    assert.equal((await panel.locator('.standings tbody tr .scale').count()) % 3, 0);
    await code.screenshot('three');
    await unfold(panel, 'Metrics');
    await buttons.filter({ hasText: 'siglip' }).click();
    const other = panel.locator('.evaluators select').first();
    await other.selectOption('against clip');
    const titles = () =>
      panel
        .locator('.grid-row')
        .first()
        .locator('.cell-6 .result')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')));
    await expectEventually(async () => (await titles()).join() === 'siglip,clip');
    await panel.getByText('Paired differences of all evaluators').first().click();
    // Three evaluators make three pairs for each common metric.
    const pairs = await panel.locator('.comparison tbody tr td:nth-child(1)').allInnerTexts();
    assert.equal(new Set(pairs).size, 3, pairs.join());
  });

  it('are named in lens and hover if they are wrong, with the image', async () => {
    await code.openFile('triplets.tsv');
    await goToLine(code, 2);
    // Captions that only one of three evaluators gets wrong have no lens.
    const lenses = code.page.locator('.codelens-decoration a', { hasText: /^[23] of 3 evaluators wrong: / });
    await lenses.first().waitFor();
    assert.equal(
      await code.page.locator('.codelens-decoration a', { hasText: /: (wrong|a tie)/ }).count(),
      0,
    );
    const name = /wrong: ([\w-]+)/.exec(await lenses.first().innerText())?.[1];
    const hover = code.page.locator('.monaco-hover:visible', { has: code.page.locator('table') });
    const line = code.page.locator('.view-line', { hasText: '.jpg' }).first();
    await expectEventually(async () => {
      await code.page.mouse.move(5, 5);
      await line.hover({ position: { x: 300, y: 8 } });
      return hover
        .first()
        .waitFor({ timeout: 5000 })
        .then(
          () => true,
          () => false,
        );
    });
    assert.equal(await hover.first().locator('table').count(), 3);
    const image = hover.first().locator('img').first();
    await expectEventually(() =>
      image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth > 50),
    );
    await code.screenshot('hover');
    // A lens opens the panel with the rows of the lens's evaluator.
    await lenses.first().click();
    const chosen = code.panel().locator('[aria-label="Evaluator of the examples"] [aria-pressed=true]');
    await expectEventually(async () => (await chosen.innerText()) === name);
  });

  it('fill the panel without loss if there are twelve', async () => {
    await audit(...twelve);
    const panel = code.panel();
    const names = await panel.locator('[aria-label="Evaluator of the examples"] option').allInnerTexts();
    assert.equal(new Set(names).size, 12, names.join());
    assert.equal(await panel.locator('.standings tbody tr').count(), 12);
    await code.screenshot('twelve-folded');
    // The visible part of the table ends within a row, as a sign that more rows follow.
    const box = (await panel.locator('.standings .scroll').boundingBox())!;
    const rows = await Promise.all(
      (await panel.locator('.standings tbody tr').all()).map(async (row) => (await row.boundingBox())!),
    );
    const end = box.y + box.height;
    assert.ok(
      rows.some(({ y, height }) => y + height / 4 < end && end < y + (3 * height) / 4),
      JSON.stringify([end, rows]),
    );
    // Eight evaluators and six rows fit into a window.
    assert.ok((await visibleRows(panel)) >= 6, `${await visibleRows(panel)} rows`);
    await unfold(panel, 'Metrics');
    await panel.getByText('Paired differences of all evaluators').first().click();
    const pairs = await panel.locator('.comparison tbody tr td:nth-child(1)').allInnerTexts();
    assert.equal(new Set(pairs).size, (12 * 11) / 2, 'each pair once for each metric');
    for (const width of [1400, 900, 400]) {
      await code.page.setViewportSize({ width, height: 900 });
      const isWide = await panel.locator('html').evaluate((page) => page.scrollWidth > page.clientWidth);
      assert.equal(isWide, false, `the page scrolls sideways at ${width} pixels`);
      await code.screenshot(`twelve-${width}`);
    }
    await code.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('keep their reports if one of them fails', async () => {
    await code.changeSettings({
      'captious.evaluatorFolders': [
        ...['bert-cls', 'clip'].map((name) => join(models, name)),
        join(scratch, 'broken'),
      ],
      'captious.imageFolders': ['images'],
    });
    await code.load();
    await audit('bert-cls', 'broken');
    const panel = code.panel();
    await panel.locator('.problem', { hasText: 'The tokenizer cannot be loaded' }).waitFor();
    assert.match(await panel.locator('.problem').first().innerText(), saying('audit.otherReportsWritten'));
    assert.equal(await panel.locator('.grid').getAttribute('aria-rowcount'), '32');
    assert.match(await panel.locator('.sentence').innerText(), /^bert-cls /);
    // The file shows this run, of one report, and not the run before.
    await code.openFile('triplets.tsv');
    const lens = code.page.locator('.codelens-decoration a', { hasText: /^VISLA .*: bert-cls [^·]*$/ });
    await lens.first().waitFor();
  });

  it('are run with the examples, seed and options chosen in "Advanced…"', async () => {
    await cp(join(repository, 'samples/captions.jsonl'), join(workspace, 'captions.jsonl'));
    await code.openFile('captions.jsonl');
    await code.command('Captious: Audit Dataset');
    await chooseOnly(code, 'LGIP');
    const before = await code.runFolders();
    const row = (label: string) => searchedRow(code, label);
    await titleButton(code, 'Advanced…');
    await (await row('Number of examples')).click();
    await answerBox(code, 'Number of examples', 'none');
    await code.quickInput.getByText('Enter a whole number of 1 or more.').waitFor();
    await answerBox(code, 'Number of examples', '40');
    await (await row('Seed')).click();
    await answerBox(code, 'Seed', '7');
    await (await row('Maximum flips per caption')).click();
    const box = code.quickInput.locator('.quick-input-title', { hasText: 'LGIP: Maximum flips per caption' });
    await box.waitFor();
    // Escape goes back one step: from the box to the list, and from the list to the evaluators.
    await code.page.keyboard.press('Escape');
    await code.quickInput.locator('.quick-input-title', { hasText: 'Advanced' }).waitFor();
    await code.page.keyboard.press('Escape');
    await titleButton(code, 'Advanced…');
    await (await row('Maximum flips per caption')).click();
    await answerBox(code, 'LGIP: Maximum flips per caption', '3');
    await (await row('Back to the evaluators')).click();
    await code.quickInput
      .locator('.quick-input-title', {
        hasText: 'Select evaluators · the first 40 examples · Maximum flips per caption: 3',
      })
      .waitFor();
    await chooseOnly(code, 'clip');
    await code.panel().locator('.facts', { hasText: 'seeds 7 to 11' }).waitFor({ timeout: 240_000 });
    await code.panel().locator('.grid-row .number').first().waitFor({ timeout: 240_000 });
    assert.match(await code.panel().locator('.facts').innerText(), /40 captions/);
    const [folder] = (await code.runFolders()).filter((path) => !before.includes(path));
    const report = JSON.parse(await readFile(join(folder, 'lgip.clip.report.json'), 'utf8')) as Report;
    assert.deepEqual([report.seed, report.limit, report.options.mostFlips], [7, 40, 3]);
  });
});
