import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  audit,
  chooseOnly,
  clickInMenu,
  expectEventually,
  openAudit,
  openDatasetMenu,
  saveAsProposed,
  chartTool,
  unfold,
  windowFor,
  writeLongTriplets,
} from './steps';
import { appears, repository, type VSCode } from './vscode';

const evaluators = ['bert-cls', 'clip'].map((name) => join(repository, 'test/fixtures/models', name));
const longRows = 50_000;

/** A new user's first use of the samples, with the starter. */
describe('a new user with the samples', function () {
  this.timeout(10 * 60_000);
  let workspace: string;
  let code: VSCode;

  windowFor(
    'samples',
    {
      async fill(folders) {
        await cp(join(repository, 'samples'), folders.workspace, { recursive: true });
        await writeLongTriplets(join(folders.workspace, 'long.tsv'), longRows);
      },
      settings: { 'captious.evaluatorFolders': evaluators },
    },
    (opened) => {
      ({ code, workspace } = opened);
    },
  );

  const status = () => code.panel().locator('.toolbar [role=status]').innerText();
  const tab = (name: string) => code.page.locator('.tab', { hasText: name }).first();

  it('audits the captions by right click and sees metrics so far', async () => {
    await openDatasetMenu(code, 'captions.jsonl');
    await clickInMenu(code, 'Audit Dataset');
    await code.accept();
    await chooseOnly(code, 'Starter');
    const since = performance.now();
    const panel = code.panel();
    const localized = new Set<string>();
    let firstFigure: number | undefined;
    await expectEventually(async () => {
      const running = panel.locator('.running span');
      if ((await running.count()) > 0)
        localized.add(await running.innerText({ timeout: 1000 }).catch(() => ''));
      if (firstFigure === undefined && (await panel.locator('.card .value b').count()) > 0)
        firstFigure = performance.now() - since;
      return (await panel.locator('.grid-row').count()) > 0;
    }, 240_000);
    const done = performance.now() - since;
    assert.ok(firstFigure !== undefined);
    console.log(`      first figure after ${firstFigure.toFixed(0)} ms, report after ${done.toFixed(0)} ms`);
    assert.ok(firstFigure < done, 'figures come before the run has ended');
    assert.ok(localized.size > 2, [...localized].join('; '));
  });

  const openCaptions = () => openAudit(code, 'captions.jsonl', 'LGIP', 'Starter');

  it('reads the verdict and its rule', async () => {
    await openCaptions();
    const sentence = code.panel().locator('.sentence');
    assert.match(await sentence.innerText(), /\w+ .+\./);
    assert.ok(
      (await sentence.locator('[title]').count()) > 0 || (await sentence.getAttribute('title')) !== null,
    );
  });

  it('clicks a bar of a chart, and the list shows its rows', async () => {
    await openCaptions();
    const panel = code.panel();
    // Chips go away one by one, and a slow window may show a second one for an earlier click.
    const showsAll = async () => {
      const chip = panel.locator('.chip').first();
      if ((await chip.count()) > 0) await chip.click({ timeout: 2000 }).catch(() => undefined);
      return !(await status()).includes(' of ');
    };
    await expectEventually(showsAll);
    const all = await status();
    await unfold(panel, 'Charts');
    await panel.locator('#chart').selectOption({ index: 0 });
    const canvas = panel.locator('.charts canvas');
    await canvas.scrollIntoViewIfNeeded();
    const { width, height } = (await canvas.boundingBox())!;
    // The middle bars are the highest, so a click along the middle hits one.
    for (let step = 6; step < 15 && (await status()) === all; step++) {
      await canvas.click({ position: { x: (width * step) / 20, y: height * 0.5 } });
      await appears(panel.locator('.chip'), 2000);
    }
    await panel.locator('.chip').first().waitFor();
    // The chip comes before the answer with the rows.
    await expectEventually(async () => /^[\d,]+ of [\d,]+ comparisons(: .+)?$/.test(await status()));
    assert.notEqual(await status(), all);
    const rows = Number(await panel.locator('.grid').getAttribute('aria-rowcount'));
    assert.equal((await status()).split(' of ')[0].replace(',', ''), String(rows));
    await expectEventually(showsAll);
    assert.equal(await status(), all);
  });

  it('sorts by worst and back', async () => {
    await openCaptions();
    const panel = code.panel();
    const order = panel.locator('.toolbar .order select');
    const rendered = () => panel.locator('.grid').innerText();
    const deltas = async (chosen: string) => {
      const before = await rendered();
      await order.selectOption(chosen);
      await expectEventually(async () => (await rendered()) !== before);
      const inOrder = await panel.locator('.grid-row').evaluateAll((rows) =>
        (
          rows as unknown as {
            getAttribute(name: string): string;
            querySelector(css: string): { textContent: string };
          }[]
        ).map((row): [number, string] => [
          Number(row.getAttribute('aria-rowindex')),
          row.querySelector('.delta .number').textContent,
        ]),
      );
      return inOrder.sort(([a], [b]) => a - b).map(([, text]) => text);
    };
    // `deltas` waits for a changed list. "change" and "best" may show the same rows, so "worst" comes between
    // them.
    const change = await deltas('change');
    const worst = await deltas('worst');
    const best = await deltas('best');
    assert.notDeepEqual(worst, best);
    const numbers = (texts: string[]) =>
      texts.map((text) => Math.abs(Number(text.replace('−', '-').replace('±', ''))));
    const sizes = numbers(change);
    assert.ok(
      sizes.length > 3 && sizes.every((value, i) => i === 0 || value <= sizes[i - 1]),
      sizes.join(' '),
    );
  });

  it('opens an example, jumps to its line and returns', async () => {
    await openCaptions();
    const panel = code.panel();
    await panel.locator('.grid-row').nth(1).click();
    const link = panel.locator('.detail-tools button').first();
    const line = /line ([\d,]+)/.exec(await link.innerText())![1].replace(',', '');
    await link.click();
    await code.page.locator('.editor-instance').first().waitFor();
    await code.page.locator('.statusbar', { hasText: `Ln ${line}, Col 1` }).waitFor();
    await openCaptions();
    await code.panel().locator('.detail').waitFor();
  });

  it('has a table for every chart, and saves each as SVG and PNG', async () => {
    await openCaptions();
    const panel = code.panel();
    await unfold(panel, 'Charts');
    const plots = panel.locator('#chart');
    const count = await plots.locator('option').count();
    assert.ok(count > 1);
    for (let i = 0; i < count; i++) {
      await plots.selectOption({ index: i });
      await panel.locator('.charts button', { hasText: 'Show table' }).click();
      assert.ok((await panel.locator('.charts table tbody tr').count()) > 0);
      await panel.locator('.charts button', { hasText: 'Show chart' }).click();
      await panel.locator('.charts canvas').waitFor();
    }
    await chartTool(panel, 'Save SVG');
    await saveAsProposed(code, '.svg');
    const saved = async (ending: string) => {
      const isThere = (name: string) => name.endsWith(ending);
      await expectEventually(async () => (await readdir(workspace)).some(isThere));
      return readFile(join(workspace, (await readdir(workspace)).find(isThere)!));
    };
    assert.match((await saved('.svg')).toString(), /^<svg xmlns.*Helvetica.*<\/svg>$/s);
    await chartTool(panel, 'Save PNG');
    await saveAsProposed(code, '.png');
    const png = await saved('.png');
    assert.deepEqual(
      [png.toString('latin1', 1, 4), png.readUInt32BE(16)],
      ['PNG', Math.round((84 / 25.4) * 600)],
    );
  });

  it('exports a self-contained page, and every other format', async () => {
    await openCaptions();
    const forms = [
      ['HTML', 'html', /<!doctype html>/i],
      ['Markdown', 'md', /^# /],
      ['CSV', 'csv', /^[\w.]+,/],
      ['Parquet', 'parquet', /^PAR1/],
      ['JSONL', 'jsonl', /^\{"example"/],
      ['JSON', 'json', /"captious\/report@2"/],
      ['JUnit', 'xml', /<testsuite/],
      ['SARIF', 'sarif', /"version": ?"2\.1\.0"/],
    ] as const;
    for (const [label, ending, begins] of forms) {
      await code.panel().locator('.toolbar button', { hasText: 'Export…' }).click();
      const entry = code.quickInput.locator(`.monaco-list-row[aria-label^="${label},"]`);
      await entry.click();
      await saveAsProposed(code, `.${ending}`);
      const target = join(workspace, `captions.lgip.starter.${ending}`);
      await expectEventually(() => Promise.resolve(existsSync(target)));
      assert.match(await readFile(target, 'latin1'), begins, label);
    }
    const { problems, asked, text } = await code.visit(
      pathToFileURL(join(workspace, 'captions.lgip.starter.html')).href,
    );
    assert.deepEqual([problems, asked], [[], []]);
    const claim = await code.panel().locator('.claim').first().innerText();
    assert.ok(text.includes(claim), 'the page says what the panel says');
  });

  it('compares two encoders', async () => {
    await openCaptions();
    await code.openFile('captions.jsonl');
    await code.command('Captious: Audit Dataset');
    await code.accept();
    await chooseOnly(code, 'clip');
    await code.panel().locator('.grid-row').first().waitFor();
    await code.command('Captious: Compare Runs');
    await code.accept();
    await code.panel().locator('.bar-of-tabs').getByRole('button', { name: 'clip' }).first().waitFor();
    await code.panel().locator('.standings tbody tr').nth(1).waitFor();
    assert.equal(await code.panel().locator('.standings tbody tr').count(), 2);
  });

  it('cancels a run, resumes it, and finds it in progress after a reload', async () => {
    await audit(code, 'long.tsv', 'VISLA', 'bert-cls');
    const panel = code.panel();
    const running = panel.locator('.running');
    // A reload may forget a new tab. The status bar then shows the progress.
    const hidden = code.page.locator('.statusbar-item', { hasText: /Captious [1-9]\d* %/ });
    const moving = async () =>
      (await hidden.count()) > 0 ||
      ((await running.count()) > 0 && /[1-9]\d* %/.test(await running.first().innerText()));
    await expectEventually(moving);
    await panel.locator('.running button', { hasText: 'Cancel' }).click();
    await panel.locator('button', { hasText: 'Resume' }).click();
    await expectEventually(moving);
    await code.load();
    await expectEventually(moving);
    await code.page.locator('.activitybar .action-item a[aria-label^="Captious"]').click();
    const run = code.page.locator('.monaco-list-row', { hasText: 'VISLA · bert-cls' }).first();
    await expectEventually(async () => (await run.innerText()).includes('% right'), 240_000);
    // A click may open nothing while the editor draws the tree again, as at the end of a run.
    const facts = code.panel().locator('.facts', { hasText: `${longRows.toLocaleString('en')} examples` });
    await expectEventually(async () => {
      await run.click();
      return appears(facts, 20_000);
    }, 120_000);
  });

  it('finds everything again', async () => {
    await openCaptions();
    for (const [file, probe, evaluator] of [
      ['captions.jsonl', 'LGIP', 'clip'],
      ['triplets.tsv', 'VISLA', 'bert-cls'],
    ] as const) {
      await audit(code, file, probe, evaluator);
      await code.panel().locator('.grid-row .number').first().waitFor();
    }
    // The editor saves its open tabs every few seconds, so the test reloads until they are saved.
    await expectEventually(async () => {
      await code.load();
      await tab('captions.jsonl · LGIP').click();
      return appears(code.panel().locator('.grid-row').first(), 20_000);
    }, 120_000);
    await code.command('Captious: Focus on Runs View');
    for (const name of ['LGIP · starter', 'LGIP · clip', 'VISLA · bert-cls'])
      await code.page.locator('.monaco-list-row', { hasText: name }).first().waitFor();
    await code.page.locator('.monaco-list-row', { hasText: 'LGIP · starter' }).first().click();
    await code.panel().locator('.sentence').waitFor();
    await code.panel().locator('.grid-row').first().waitFor();
  });
});
