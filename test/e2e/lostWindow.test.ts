import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audit, type Opened, windowFor, writeLongTriplets } from './steps';
import { repository } from './vscode';

const evaluator = join(repository, 'test/fixtures/models/bert-cls');

describe('a run whose window closes unexpectedly', function () {
  this.timeout(10 * 60_000);
  let opened: Opened;
  // An interrupted run would resume in the window of the next test or retry.
  const openWindow = () =>
    windowFor(
      'lost',
      {
        forEachTest: true,
        settings: { 'captious.evaluatorFolders': [evaluator] },
        fill: async ({ workspace }) => {
          await mkdir(join(workspace, '.vscode'));
          await writeLongTriplets(join(workspace, 'long.tsv'), 90_000);
          await writeLongTriplets(join(workspace, 'short.tsv'), 10);
        },
      },
      (window) => (opened = window),
    );

  const runs = (state: string) =>
    opened.code.page.locator(`.monaco-list-row[aria-label^="VISLA · bert-cls, "][aria-label*="${state}"]`);

  async function loseWindowDuring(dataset: string): Promise<void> {
    const { code } = opened;
    await audit(code, dataset, 'VISLA', 'bert-cls');
    await code.command('Captious: Focus on Runs View');
    await runs('running').waitFor();
    await code.load();
    await code.command('Captious: Focus on Runs View');
  }

  describe('by default', () => {
    openWindow();

    it('resumes automatically in the next window, to its end', async () => {
      await loseWindowDuring('long.tsv');
      await runs('running').waitFor();
      await runs('just now').waitFor({ timeout: 300_000 });
      assert.equal(await runs('just now').count(), 1);
    });
  });

  describe('if captious.resumeRuns is off', () => {
    openWindow();

    it('waits for the user', async () => {
      const settings = { 'captious.resumeRuns': false };
      await writeFile(join(opened.workspace, '.vscode/settings.json'), JSON.stringify(settings));
      await loseWindowDuring('long.tsv');
      await runs('interrupted').waitFor();
      // Runs are queued, so this run's end shows that the interrupted one has not resumed.
      await audit(opened.code, 'short.tsv', 'VISLA', 'bert-cls');
      await opened.code.command('Captious: Focus on Runs View');
      await runs('just now').first().waitFor();
      assert.equal(await runs('running').count(), 0);
      assert.equal(await runs('interrupted').count(), 1);
    });
  });
});
