import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import {
  audit,
  clickInMenu,
  expectEventually,
  explorerRow,
  menuItem,
  windowFor,
  writeLongTriplets,
} from './steps';
import { appears, repository, type VSCode } from './vscode';

const run = promisify(execFile);
const clip = join(repository, 'test/fixtures/models/clip');

interface Contribution {
  command: string;
  group?: string;
}

interface Manifest {
  contributes: { menus: Record<string, Contribution[]> };
}

/** Each command in each menu is clicked once, because each menu passes other arguments. */
describe('every menu', function () {
  this.timeout(10 * 60_000);
  let code: VSCode;

  windowFor(
    'menus',
    {
      async fill({ workspace, home }) {
        await cp(join(repository, 'test/host/workspace/triplets.tsv'), join(workspace, 'triplets.tsv'));
        await cp(join(repository, 'test/fixtures/logs/a.eval'), join(workspace, 'a.eval'));
        await cp(join(repository, 'samples/images'), join(workspace, 'images'), { recursive: true });
        for (const split of ['train', 'test']) {
          await mkdir(join(workspace, 'texts', split), { recursive: true });
          await cp(
            join(repository, 'test/oracle/dataset/layouts/imagefolder/train/1.png'),
            join(workspace, 'texts', split, '1.png'),
          );
          await writeFile(join(workspace, 'texts', split, '1.txt'), 'Two black dogs play in the grass.\n');
        }
        await writeFile(join(workspace, 'metric.py'), 'def score(image, caption):\n    return 0.5\n');
        await writeLongTriplets(join(workspace, 'long.tsv'), 90_000);
        for (const [name, probe] of [
          ['preferences.jsonl', 'human'],
          ['captions.json', 'lgip'],
        ]) {
          const dataset = join(workspace, name);
          await cp(join(repository, 'samples', name), dataset);
          const from = [join(repository, 'dist/cli.js'), 'audit', dataset, '--probe', probe, '--limit', '24'];
          const env = { ...process.env, CAPTIOUS_HOME: home };
          await run(process.execPath, [...from, '--evaluator', clip, '--out', workspace], { env });
        }
      },
      settings: {
        'captious.evaluatorFolders': ['bert-cls', 'clip'].map((name) =>
          join(repository, 'test/fixtures/models', name),
        ),
        'captious.resumeRuns': false,
      },
    },
    (opened) => ({ code } = opened),
  );

  const report = 'lgip.clip.report.json';
  const quickPick = () => code.quickInput.locator('.monaco-list-row').first();
  const quickTitle = (text: string) => code.quickInput.locator('.quick-input-title', { hasText: text });
  const tab = (title: string) => code.page.locator('.tab', { hasText: title }).first();
  const action = (place: Locator, name: string) =>
    place
      .locator(`a.action-label[aria-label^="${name}"], a.action-label[aria-label^="Captious: ${name}"]`)
      .first();

  /** Opens a menu until it has the item, because the editor learns late which files are datasets. */
  async function choose(item: string, openMenu: () => Promise<unknown>): Promise<void> {
    await expectEventually(async () => {
      await code.page.keyboard.press('Escape');
      await openMenu();
      return appears(menuItem(code, item).first(), 3000);
    });
    await clickInMenu(code, item);
  }

  async function showExplorer(): Promise<void> {
    if (!(await explorerRow(code).first().isVisible())) await code.command('View: Show Explorer');
  }

  async function inExplorer(file: string, item: string): Promise<void> {
    await showExplorer();
    await choose(item, () => explorerRow(code, file).first().click({ button: 'right' }));
  }

  /** A finished run has no verdict, because its token limit cuts too many texts. */
  const runRow = (state: 'no verdict' | 'running' | 'interrupted' | 'LGIP', place = 0) =>
    code.page
      .locator(`.monaco-list-row[aria-label^="${state === 'LGIP' ? 'LGIP · clip' : 'VISLA · bert-cls'}"]`)
      .and(code.page.locator(`[aria-label*="${state}"]`))
      .nth(place);

  async function inRuns(state: Parameters<typeof runRow>[0], item: string): Promise<void> {
    await code.command('Captious: Focus on Runs View');
    await choose(item, () => runRow(state).click({ button: 'right' }));
  }

  async function inlineInRuns(state: Parameters<typeof runRow>[0], name: string): Promise<void> {
    await code.command('Captious: Focus on Runs View');
    await runRow(state).hover();
    await action(runRow(state), name).click();
  }

  async function inTitleOf(file: string, name: string): Promise<void> {
    await code.openFile(file);
    await action(code.page.locator('.editor-actions'), name).click();
  }

  async function inRunsTitle(name: string): Promise<void> {
    await code.command('Captious: Focus on Runs View');
    const pane = code.page.locator('.pane', { has: code.page.locator('[aria-label^="Runs"]') }).first();
    await pane.hover();
    const button = action(pane, name);
    if (await appears(button, 1000)) return button.click();
    await choose(name, () => pane.locator('a.action-label[aria-label*="More Actions"]').first().click());
  }

  /** How each contribution is clicked, and what then appears. Inline buttons are told apart by their group. */
  const clicks: Record<string, { click: () => Promise<unknown>; shows: () => Locator }> = {
    'explorer/context captious.audit': {
      click: () => inExplorer('triplets.tsv', 'Audit Dataset'),
      shows: quickPick,
    },
    'explorer/context captious.openDataset': {
      click: async () => {
        await inExplorer('texts', 'Open Dataset');
        await quickTitle('Select a split').waitFor();
        await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'train' }).first().click();
      },
      shows: () => code.panel().locator('#dataset .grid-row').first(),
    },
    'editor/title/context captious.openDataset': {
      click: async () => {
        await code.openFile('triplets.tsv');
        await choose('Open Dataset', () => tab('triplets.tsv').click({ button: 'right' }));
      },
      shows: () => code.panel().locator('#dataset .grid-row').first(),
    },
    'explorer/context captious.makeTriplets': {
      click: () => inExplorer('captions.json', 'Make Triplets'),
      shows: () => code.quickInput,
    },
    'explorer/context captious.openReport': {
      click: () => inExplorer(report, 'Open Report'),
      shows: () => code.panel().locator('.grid-row').first(),
    },
    'explorer/context captious.checkVariants': {
      click: () => inExplorer(report, 'Check Variants'),
      shows: () => quickTitle('Check variants'),
    },
    'explorer/context captious.scatter': {
      click: async () => {
        await showExplorer();
        await choose('Compare Robustness', async () => {
          await explorerRow(code, 'human.').first().click();
          await explorerRow(code, 'lgip.')
            .last()
            .click({ modifiers: ['Shift'] });
          await explorerRow(code, 'human.').first().click({ button: 'right' });
        });
      },
      shows: () => code.panel().locator('#board .agreement svg'),
    },
    'explorer/context captious.importResults': {
      click: () => inExplorer('a.eval', 'Import Results…'),
      shows: () => code.panel().locator('.grid-row').first(),
    },
    'explorer/context captious.board': {
      click: () => inExplorer('images', 'Show Board'),
      shows: () => tab('Board'),
    },
    'editor/context captious.tryPythonEvaluator': {
      click: async () => {
        await code.openFile('metric.py');
        await choose('Try Python Evaluator', () =>
          code.page.locator('.editor-instance .view-line').first().click({ button: 'right' }),
        );
      },
      shows: () =>
        code.page.locator('.monaco-dialog-box, .quick-input-widget').filter({ visible: true }).first(),
    },
    'editor/title captious.audit': {
      click: () => inTitleOf('triplets.tsv', 'Audit Dataset'),
      shows: quickPick,
    },
    'editor/title captious.openReport': {
      click: async () => {
        await code.openFile(report);
        await code.command('Captious: Open Report as Text');
        await code.page.locator('.editor-instance .view-line').first().waitFor();
        await action(code.page.locator('.editor-actions'), 'Open Report').click();
      },
      shows: () => code.panel().locator('.grid-row').first(),
    },
    'editor/title captious.openReportAsText': {
      click: () => inTitleOf(report, 'Open Report as Text'),
      shows: () => code.page.locator('.editor-instance .view-line').first(),
    },
    'editor/title/context captious.audit': {
      click: async () => {
        await code.openFile('triplets.tsv');
        await choose('Audit Dataset', () => tab('triplets.tsv').click({ button: 'right' }));
      },
      shows: quickPick,
    },
    'view/title captious.audit': { click: () => inRunsTitle('Audit Dataset'), shows: quickPick },
    'view/title captious.arrangeRuns': {
      click: () => inRunsTitle('Arrange Runs'),
      shows: () => quickTitle('Arrange runs'),
    },
    'view/title captious.boardOfRuns': {
      click: () => inRunsTitle('Show Board of Runs'),
      shows: () => code.panel().locator('#board td button').first(),
    },
    'view/title captious.openSettings': {
      click: () => inRunsTitle('Open Settings'),
      // Recent editors show settings in a dialog, not in a tab.
      shows: () => code.page.locator('.settings-editor').first(),
    },
    'view/title captious.showLog': {
      click: () => inRunsTitle('Show Log'),
      shows: () => code.page.locator('.part.panel .output-view-container, .part.panel [id*=output]').first(),
    },
    'view/item/context captious.cancel inline': {
      click: async () => {
        await audit(code, 'long.tsv', 'VISLA', 'bert-cls');
        await inlineInRuns('running', 'Cancel Run');
      },
      shows: () => runRow('interrupted'),
    },
    'view/item/context captious.resume': {
      click: () => inRuns('interrupted', 'Resume Run'),
      shows: () => runRow('running'),
    },
    'view/item/context captious.resume inline': {
      click: async () => {
        await inlineInRuns('running', 'Cancel Run');
        await runRow('interrupted').waitFor();
        await inlineInRuns('interrupted', 'Resume Run');
      },
      shows: () => runRow('running'),
    },
    'view/item/context captious.rerun inline': {
      click: async () => {
        // Runs wait for each other.
        await inlineInRuns('running', 'Cancel Run');
        await runRow('interrupted').waitFor();
        await inlineInRuns('no verdict', 'Run Again');
      },
      shows: () => runRow('no verdict', 1),
    },
    'view/item/context captious.rerun': {
      click: () => inRuns('no verdict', 'Run Again'),
      shows: () => runRow('no verdict', 2),
    },
    'view/item/context captious.audit inline': {
      click: async () => {
        await code.command('Captious: Focus on Runs View');
        const rows = code.page.locator('.monaco-list-row[aria-level="1"]', { hasText: 'triplets.tsv' });
        const row = rows.filter({ visible: true }).first();
        await row.hover();
        await action(row, 'Audit Dataset').click();
      },
      shows: quickPick,
    },
    'view/item/context captious.openPanel': {
      click: () => inRuns('no verdict', 'Open Panel'),
      shows: () => code.panel().locator('.grid-row').first(),
    },
    'view/item/context captious.reveal': {
      click: () => inRuns('no verdict', 'Open Dataset'),
      shows: () => tab('triplets.tsv'),
    },
    'view/item/context captious.compare': {
      click: () => inRuns('no verdict', 'Compare Runs'),
      shows: () => code.quickInput,
    },
    'view/item/context captious.scatter': {
      click: () => inRuns('LGIP', 'Compare Robustness'),
      shows: () => quickTitle('Select the runs to compare'),
    },
    'view/item/context captious.export': {
      click: () => inRuns('no verdict', 'Export Report'),
      shows: quickPick,
    },
    'view/item/context captious.exportForPaper': {
      click: () => inRuns('no verdict', 'Export for a Paper'),
      shows: () => code.quickInput,
    },
    'view/item/context captious.checkVariants': {
      click: () => inRuns('LGIP', 'Check Variants'),
      shows: () => quickTitle('Check variants'),
    },
    'view/item/context captious.delete': {
      click: () => inRuns('no verdict', 'Delete Run'),
      shows: () => code.page.getByRole('button', { name: 'Delete', exact: true }),
    },
    // Last, because their runs would move others out of view.
    'explorer/context captious.checkBenchmark': {
      click: () => inExplorer('triplets.tsv', 'Check Benchmark'),
      shows: () => code.panel().locator('.grid-row').first(),
    },
    'editor/title/context captious.checkBenchmark': {
      click: async () => {
        await code.openFile('triplets.tsv');
        await choose('Check Benchmark', () => tab('triplets.tsv').click({ button: 'right' }));
      },
      shows: () => code.panel().locator('.grid-row').first(),
    },
  };

  before(async () => {
    await audit(code, 'triplets.tsv', 'VISLA', 'bert-cls');
    await code.panel().locator('.grid-row').first().waitFor();
    await audit(code, 'preferences.jsonl', 'People', 'clip');
    await audit(code, 'captions.json', 'LGIP', 'clip');
    await code.command('Captious: Focus on Runs View');
    await runRow('LGIP').waitFor();
    await code.command('View: Close All Editors');
  });

  it('is known here with all its commands', async () => {
    const text = await readFile(join(repository, 'package.json'), 'utf8');
    const { menus } = (JSON.parse(text) as Manifest).contributes;
    const contributed = Object.entries(menus)
      .filter(([place]) => place !== 'commandPalette')
      .flatMap(([place, items]) =>
        items.map(
          ({ command, group }) => `${place} ${command}${group?.startsWith('inline') ? ' inline' : ''}`,
        ),
      );
    assert.deepEqual(Object.keys(clicks).sort(), contributed.sort());
  });

  it('answers a click on a folder: Audit Dataset asks for a split, then for probes', async () => {
    await inExplorer('texts', 'Audit Dataset');
    await quickTitle('Select a split').waitFor();
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'train' }).first().click();
    await quickTitle('probes').waitFor();
    await code.page.keyboard.press('Escape');
  });

  for (const [name, { click, shows }] of Object.entries(clicks))
    it(`answers a click: ${name}`, async () => {
      await click();
      await shows().waitFor();
      const errors = code.page.locator('.notification-toast .codicon-error');
      assert.equal(await errors.count(), 0);
      await code.page.keyboard.press('Escape');
      if ((await code.page.locator('.notification-toast').count()) > 0)
        await code.command('Notifications: Clear All Notifications');
      if ((await code.page.locator('.tab').count()) > 0) await code.command('View: Close All Editors');
    });
});
