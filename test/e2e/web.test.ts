import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository, VSCode } from './vscode';

const evaluator = join(repository, 'test/fixtures/models/bert-cls');

/** The browser bundle in the editor's web extension host, a worker without processes and disk. */
describe('in a browser', function () {
  this.timeout(10 * 60_000);
  let scratch: string;
  let code: VSCode;
  let dataset: string;
  const loaded: string[] = [];

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'captious-web-'));
    const workspace = join(scratch, 'workspace');
    await mkdir(workspace);
    dataset = join(workspace, 'triplets.tsv');
    await cp(join(repository, 'test/host/workspace/triplets.tsv'), dataset);
    const order = ['audit', dataset, '--probe', 'visla', '--evaluator', evaluator, '--out', workspace];
    // Another dataset with reports of two probes.
    const both = join(workspace, 'both.tsv');
    await cp(join(repository, 'samples/triplets.tsv'), both);
    const clip = join(repository, 'test/fixtures/models/clip');
    const further = ['--evaluator', clip, '--images', join(repository, 'samples/images'), '--out', workspace];
    for (const each of [order, ['audit', both, '--probe', 'lgip,visla', ...further]])
      await promisify(execFile)(process.execPath, [join(repository, 'dist/cli.js'), ...each], {
        env: { ...process.env, CAPTIOUS_HOME: join(scratch, 'home') },
      });
    code = await VSCode.open({
      folder: workspace,
      // These settings run the extension in the editor's worker.
      settings: { 'remote.extensionKind': { 'captious.captious': ['web'] } },
    });
    code.page.on('response', (response) => loaded.push(response.url()));
    await code.load();
    await code.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  });

  after(async () => {
    await code.close();
    await rm(scratch, { recursive: true, force: true });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await code.screenshot(`failed-${this.currentTest.title}`);
  });

  const lenses = () => code.page.locator('.codelens-decoration a');
  const panelRows = () => code.panel().locator('.grid-row');

  it("shows a report's results in its dataset, and offers no audit", async () => {
    await code.openFile('triplets.tsv');
    await lenses()
      .filter({ hasText: /^(right by|wrong:|tie)/ })
      .first()
      .waitFor();
    assert.equal(await lenses().filter({ hasText: 'Audit' }).count(), 0);
    const verdict = /^VISLA: bert-cls: no verdict \(\d+ texts read only in part\)/;
    await lenses().filter({ hasText: verdict }).first().waitFor();
    // The worker loaded the browser bundle, so the checks above ran this code.
    assert.ok(loaded.some((url) => url.includes(encodeURIComponent('/dist/web.js'))));
    assert.ok(!loaded.some((url) => url.includes(encodeURIComponent('/dist/extension.js'))));
  });

  it('opens the panel from a lens, at its example', async () => {
    await code.openFile('triplets.tsv');
    await lenses()
      .filter({ hasText: /^(wrong:|tie)/ })
      .nth(1)
      .click();
    await panelRows().first().waitFor();
    const place = await code
      .panel()
      .locator('.detail button', { hasText: /line \d+/ })
      .innerText();
    const line = Number(/line (\d+)/.exec(place)?.[1]);
    const caption = (await readFile(dataset, 'utf8')).split('\n')[line - 1].split('\t')[1];
    await code.panel().locator('.detail', { hasText: caption }).waitFor();
    await code.command('View: Close Editor');
  });

  it('shows the reports of two probes beside a dataset, and opens the one of the lens', async () => {
    await code.openFile('both.tsv');
    for (const words of [/^LGIP: .*no verdict/, /^VISLA: .*no verdict/, /^LGIP: (un)?stable/])
      await lenses().filter({ hasText: words }).first().waitFor();
    await lenses()
      .filter({ hasText: /^VISLA: (wrong|a tie)/ })
      .first()
      .click();
    await panelRows().first().waitFor();
    assert.match(await code.page.locator('.tab.active').innerText(), /visla/i);
    await code.command('View: Close Editor');
  });

  it('opens a report file in the panel, without trying captions or exporting', async () => {
    await code.openFile('visla.bert-cls.report.json');
    await code.command('Captious: Open Report');
    await panelRows().first().waitFor();
    await panelRows().first().click();
    await code.panel().locator('.detail').waitFor();
    assert.equal(await code.panel().locator('#what-if').count(), 0);
    assert.equal(await code.panel().getByRole('button', { name: 'Export' }).count(), 0);
    // The button exists but is hidden, so the count of 0 above does not come from a wrong name.
    assert.equal(await code.panel().locator('button', { hasText: 'Export…' }).count(), 1);
  });

  it('offers no commands or views that start runs or write files', async () => {
    // Until a dataset or report activates the extension, the editor knows only the manifest.
    await code.openFile('triplets.tsv');
    await lenses().first().waitFor();
    const offered: string[] = [];
    await code.page.keyboard.press('Escape');
    const isOurs = (title: string) => title.startsWith('Captious:');
    const found = await code.search('>Captious', (titles) => titles.filter(isOurs).length >= 2);
    offered.push(...found.filter(isOurs));
    assert.deepEqual(offered.sort(), ['Captious: Open Settings', 'Captious: Show Log']);
    assert.equal(await code.page.locator('.activitybar .action-item a[aria-label^="Captious"]').count(), 0);
  });
});
