import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SessionFile } from '../../src/sessions/triplets';
import type { Report } from '../../src/report/report';

import { answerCommand, expectEventually, windowFor } from './steps';
import { repository, type VSCode } from './vscode';

const run = promisify(execFile);
const evaluator = join(repository, 'test/fixtures/models/bert-cls');
const items = 30;

/** Accepts or rejects thirty triplets by keyboard, reloads the window, exports the triplets and audits them. */
describe('the triplet workshop', function () {
  this.timeout(15 * 60_000);
  let workspace: string;
  let home: string;
  let code: VSCode;

  windowFor(
    'workshop',
    {
      async fill(folders) {
        const captions = new Map<string, string[]>();
        for (const line of (await readFile(join(repository, 'samples/captions.jsonl'), 'utf8'))
          .trim()
          .split('\n')) {
          const { image, caption } = JSON.parse(line) as { image: string; caption: string };
          captions.set(image, [...(captions.get(image) ?? []), caption]);
        }
        const chosen = [...captions].slice(0, items);
        // A caption with several negatives comes first.
        const lines = [...chosen.slice(5), ...chosen.slice(0, 5)].map(([image, caption]) =>
          JSON.stringify({ image, caption }),
        );
        await writeFile(join(folders.workspace, 'photos.jsonl'), `${lines.join('\n')}\n`);
        await cp(join(repository, 'samples/images'), join(folders.workspace, 'images'), { recursive: true });
      },
      settings: { 'captious.imageFolders': ['images'] },
    },
    (opened) => {
      ({ code, workspace, home } = opened);
    },
  );

  const session = (name = 'ann') => join(workspace, `photos.${name}.triplets.json`);
  const view = () => code.panel().locator('#workshop');
  const key = (name: string) => code.page.keyboard.press(name);
  const facts = () => code.panel().locator('header [role=status]').first().innerText();
  const onDisk = async () => JSON.parse(await readFile(session(), 'utf8')) as SessionFile;
  const at = async () => Number(await view().getAttribute('data-index'));

  async function saved(): Promise<void> {
    await code.panel().locator('header [data-saved=true]').waitFor();
  }

  async function begin(name: string): Promise<void> {
    await code.command('View: Close All Editors');
    await code.openFile('photos.jsonl');
    await answerCommand(code, 'Captious: Make Triplets', 'Make triplets: your name', name);
    await view().locator('textarea').first().waitFor();
    await expectEventually(async () => (await facts()).endsWith(` · ${name}`));
  }

  /** Opens the completed session, after completing it if necessary. */
  async function openDecided(): Promise<void> {
    const isDecided = async () =>
      (await view().count()) > 0 && (await facts()).endsWith('27 accepted, 3 rejected, 0 open · ann');
    if (await isDecided()) {
      await code.command('View: Focus Active Editor Group');
      await code.panel().locator('#workshop:focus, #workshop :focus').first().waitFor();
      return;
    }
    await begin('ann');
    if (!(await isDecided())) await decideAll();
  }

  it('creates a session from a captions file, under a name', async () => {
    await begin('cai');
    assert.match(await facts(), /^1 of 30 · open · 0 accepted, 0 rejected, 30 open · cai$/);
    assert.ok(existsSync(session('cai')));
  });

  it('shows the image and updates the three cosines of captions and image', async () => {
    await begin('bea');
    await code.panel().locator('figure img').waitFor();
    const tables = code.panel().locator('.readings');
    // Scores are hidden at first, because they could influence the decision.
    await code.panel().getByText('Scores are hidden until you decide').waitFor();
    assert.equal(await tables.count(), 0);
    await key('a');
    await expectEventually(async () => (await facts()).includes('1 accepted'));
    if (!(await facts()).startsWith('1 of')) await key('p');
    await expectEventually(async () => (await tables.count()) === 2);
    const cells = (await tables.first().innerText()).match(/-?\d\.\d{4}/g) ?? [];
    assert.equal(cells.length, 3);
    await key('e');
    await code.page.keyboard.type(' Surely.');
    await expectEventually(async () => {
      const now = (await tables.first().innerText()).match(/-?\d\.\d{4}/g) ?? [];
      // P1–N is the only cosine independent of P2.
      return now.length === 3 && now[0] !== cells[0] && now[1] === cells[1] && now[2] !== cells[2];
    });
    await key('Escape');
    await expectEventually(
      async () => (await tables.first().innerText()).match(/-?\d\.\d{4}/g)?.at(0) === cells[0],
    );
    await code.screenshot('workshop');
  });

  it('is decided by keyboard alone: candidates, edits, rejections, undo', async () => {
    await begin('dora');
    // Selects another negative, then undoes and redoes this.
    const negatives = code.panel().locator('.field').nth(2).locator('.candidates button');
    assert.ok((await negatives.count()) > 1);
    await key('Shift+Digit2');
    await expectEventually(async () => (await negatives.nth(1).getAttribute('aria-pressed')) === 'true');
    await key('u');
    await expectEventually(async () => (await negatives.nth(0).getAttribute('aria-pressed')) === 'true');
    await key('y');
    await expectEventually(async () => (await negatives.nth(1).getAttribute('aria-pressed')) === 'true');

    const { edits, rejections } = await decideAll();
    assert.ok(edits >= 4 && rejections === 3);

    // Undoes and redoes the last decision.
    await key('u');
    await expectEventually(async () => (await facts()).includes('26 accepted, 3 rejected, 1 open'));
    await key('y');
    await expectEventually(async () => (await facts()).includes('27 accepted, 3 rejected, 0 open'));
  });

  async function decideAll(): Promise<{ edits: number; rejections: number }> {
    let edits = 0;
    let rejections = 0;
    for (let i = 0; i < items; i++) {
      assert.equal(await at(), i);
      if (i % 10 === 4) {
        await key('r');
        rejections++;
      } else {
        const negative = code.panel().locator('textarea[data-field=negative]');
        const second = code.panel().locator('textarea[data-field=second]');
        if ((await second.inputValue()) === '' || i % 6 === 5) {
          await key('e');
          await code.page.keyboard.type(i % 6 === 5 ? ', as anybody can see' : 'What the photo shows.');
          if ((await negative.inputValue()) === '') {
            // The candidates of the second positive are between the two fields.
            const isFocused = () => negative.evaluate((own) => own === own.ownerDocument.activeElement);
            do await key('Tab');
            while (!(await isFocused()));
            await code.page.keyboard.type('What the photo does not show.');
          }
          await key('Control+Enter');
          edits++;
        } else if ((await negative.inputValue()) === '') {
          await key('d');
          await code.page.keyboard.type('What the photo does not show.');
          await key('Control+Enter');
          edits++;
        } else await key('Enter');
      }
      if (i < items - 1) await expectEventually(async () => (await at()) === i + 1);
    }
    await expectEventually(async () => (await facts()).includes('27 accepted, 3 rejected, 0 open'));
    return { edits, rejections };
  }

  it('rejects an invalid triplet with the reason', async () => {
    await openDecided();
    await key('d');
    await key('Control+A');
    await key('Delete');
    await key('Control+Enter');
    await code.panel().locator('.problem', { hasText: 'one is missing' }).waitFor();
    await key('u');
    await expectEventually(async () => (await facts()).includes('27 accepted, 3 rejected, 0 open'));
  });

  it('reports that the editor has no chat model', async () => {
    await openDecided();
    await key('g');
    await code.panel().locator('.problem', { hasText: 'This editor has no chat model' }).waitFor();
  });

  it('is saved, and restored after a reload with its undo history', async () => {
    await openDecided();
    await saved();
    const file = await onDisk();
    assert.equal(file.items.filter(({ decision }) => decision.status === 'accepted').length, 27);
    await code.reload();
    await view().locator('textarea').first().waitFor();
    await expectEventually(async () => (await facts()).includes('27 accepted, 3 rejected, 0 open'));
    await code.command('View: Focus Active Editor Group');
    await code.panel().locator('#workshop:focus, #workshop :focus').first().waitFor();
    await key('u');
    await expectEventually(async () => (await facts()).includes('26 accepted'));
    await key('y');
    await expectEventually(async () => (await facts()).includes('27 accepted'));
    await saved();
  });

  it('reopens from the session file', async () => {
    await openDecided();
    await saved();
    await key('Control+F4');
    await code.command('View: Close All Editors');
    await code.openFile('photos.ann.triplets.json');
    await code.command('Captious: Make Triplets');
    await view().locator('textarea').first().waitFor();
    await expectEventually(async () => (await facts()).includes('27 accepted, 3 rejected, 0 open'));
  });

  it('exports triplets that an audit reads', async () => {
    await openDecided();
    await key('s');
    await code.quickInput.locator('.quick-input-title', { hasText: 'Export triplets: 27' }).waitFor();
    await key('Enter');
    const made = join(workspace, 'photos.ann.triplets.tsv');
    await expectEventually(() => Promise.resolve(existsSync(made)));
    const { stdout } = await run(
      process.execPath,
      [
        join(repository, 'dist/cli.js'),
        ...['audit', made, '--probe', 'visla', '--evaluator', `${evaluator},starter`],
        ...['--images', join(workspace, 'images'), '--json'],
      ],
      { env: { ...process.env, CAPTIOUS_HOME: home }, maxBuffer: 1 << 26 },
    );
    const reports = JSON.parse(stdout) as Report[];
    assert.equal(reports.length, 2);
    const { items: decided } = await onDisk();
    const accepted = decided.filter(({ decision }) => decision.status === 'accepted');
    const rows = (await readFile(made, 'utf8')).trimEnd().split('\n').slice(1);
    assert.deepEqual(
      rows.map((row) => row.split('\t')),
      accepted.map(({ image, decision: { caption, second, negative } }) =>
        [image ?? '', caption, second, negative].map((text) => text.replace(/\s+/g, ' ').trim()),
      ),
    );
    for (const { dataset, metrics } of reports) {
      assert.deepEqual([dataset.format, dataset.examples, dataset.skipped], ['visla', 27, 0]);
      assert.equal(metrics.find(({ id, slice }) => id === 'visla.t2t' && !slice)?.n, 27);
    }
    assert.equal(reports[1].metrics.find(({ id, slice }) => id === 'visla.i2t' && !slice)?.n, 27);
  });
});
