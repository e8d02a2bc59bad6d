import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../src/report/report';
import { auditTriplets, openRestricted } from './restricted';
import { goToLine, pageWith } from './steps';
import type { VSCode } from './vscode';

/** Texts that a page, a link or an icon of the editor could take for more than text. */
const hostile = [
  '<img src=x onerror="top.captiousAttack=1">',
  '</script><script>top.captiousAttack=1</script>',
  '[attack](command:workbench.action.closeWindow)',
  '<a href="command:workbench.action.closeWindow">attack</a>',
  '$(error) attack $(sync~spin)',
  'attack \u202egpj.tac\u202c \u2066x',
  '${attack} {{attack}} {0} %s',
  'attack '.repeat(3000).trim(),
];
const text = (i: number): string => hostile[i % hostile.length].replace(/[\t\n]/g, ' ');

interface Found {
  attacked: boolean;
  elements: number;
  overrides: number;
  links: number;
}

/** Runs in a page, whose types the tests lack. */
const look = `({
  attacked: 'captiousAttack' in window || 'captiousAttack' in top,
  elements: document.querySelectorAll('img[src="x"], img[onerror]').length,
  overrides: document.querySelector('main') === null ? 0 : (document.body.innerText.match(/[\u202a-\u202e\u2066-\u2069]/g) ?? []).length,
  links: [...document.querySelectorAll('a')].filter((link) =>
    (link.dataset.href ?? link.getAttribute('href') ?? '').includes('closeWindow')).length,
})`;

describe('hostile texts of a dataset and its report, in Restricted Mode', function () {
  this.timeout(5 * 60_000);
  let scratch: string;
  let code: VSCode;

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'captious-hostile-'));
    const workspace = join(scratch, 'workspace');
    await mkdir(workspace);
    const lines = hostile.map(
      (_, i) => `${i}.jpg\tA dog ${text(i)}\tDogs ${text(i + 1)}\tA cat ${text(i + 2)}`,
    );
    const dataset = join(workspace, 'triplets.tsv');
    await writeFile(dataset, `filename\tcaption\tsecond positive\tnegative_caption\n${lines.join('\n')}\n`);
    auditTriplets(dataset, join(scratch, 'home'));
    const path = join(workspace, 'reports/visla.starter.report.json');
    const report = JSON.parse(await readFile(path, 'utf8')) as Report;
    report.evaluator.name = hostile.slice(0, 6).join(' ');
    report.evaluator.notes = hostile;
    report.warnings = hostile;
    report.claims = hostile.map((one) => ({ text: one, rule: one }));
    report.options = Object.fromEntries(hostile.map((one) => [one, one]));
    report.metrics = report.metrics.map((metric, i) => ({ ...metric, note: text(i) }));
    report.dataset.leftOut = hostile.map((reason) => ({ reason, count: 1, lines: [2] }));
    await writeFile(path, JSON.stringify(report));
    code = await openRestricted(workspace, join(scratch, 'home'));
    code.page.on('dialog', () => assert.fail('a dialog opened'));
  });

  after(async () => {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  });

  /** Nothing ran, no text became an element, a link or an icon, and no direction is overridden. */
  async function assertInert(where: string): Promise<void> {
    for (const frame of code.page.frames()) {
      const found = await frame.evaluate<Found>(look).catch(() => undefined);
      // A frame may be gone.
      if (found === undefined) continue;
      assert.equal(found.attacked, false, `${where}: ${frame.url()}`);
      assert.deepEqual([found.elements, found.links, found.overrides], [0, 0, 0], `${where}: ${frame.url()}`);
    }
  }

  it('are texts in the editor: lenses, hints and hovers', async () => {
    await code.openFile('triplets.tsv');
    await code.page.locator('.codelens-decoration a').first().waitFor();
    for (const line of [2, 4, 9]) {
      await goToLine(code, line);
      await code.command('Show or Focus Hover');
      await code.page.locator('.monaco-hover-content').first().waitFor();
      await assertInert(`the hover of line ${line}`);
      await code.page.keyboard.press('Escape');
    }
  });

  it('are texts in the side panel', async () => {
    await code.openFile('triplets.tsv');
    await goToLine(code, 3);
    await code.command('Captious: Focus on Example View');
    const side = await pageWith(code, 'main#side');
    await side.locator('.variants li, .worst-row').first().waitFor();
    await assertInert('the side panel');
  });

  it('are texts in the panel, with its verdicts, notes and rows', async () => {
    await code.openFile('visla.starter.report.json');
    await code.command('Captious: Open Report');
    const panel = code.panel();
    await panel.locator('.grid-row').first().waitFor();
    assert.ok((await panel.locator('body').innerText()).includes(hostile[0]));
    await panel.locator('.grid-row').first().click();
    await assertInert('the panel');
    await code.screenshot('hostile-panel');
  });

  it('are texts in views, pickers and notifications', async () => {
    for (const command of [
      'Captious: Focus on Runs View',
      'Captious: Export Report',
      'Captious: Compare Runs',
    ]) {
      await code.command(command);
      await code.page.waitForLoadState();
      await assertInert(command);
      await code.page.keyboard.press('Escape');
    }
  });
});
