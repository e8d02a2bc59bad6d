import { english } from '../../src/base/english';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { CheckResult } from '../../src/sessions/mergeChecks';
import type { CheckFile } from '../../src/sessions/check';
import type { Again } from '../../src/cli/commands/check/checkAgain';
import type { Report } from '../../src/report/report';

import { changeTheme, expectAccessiblePage } from './access';
import { answerBox, answerCommand, expectEventually, windowFor } from './steps';
import { repository, themeNames, type VSCode } from './vscode';

const run = promisify(execFile);
const perFamily = 2;

/** Two annotators judge an audit's variants by keyboard. The results are merged and the metrics recomputed. */
describe('the check of variants', function () {
  this.timeout(15 * 60_000);
  let workspace: string;
  let home: string;
  let code: VSCode;

  const captious = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [join(repository, 'dist/cli.js'), ...args], {
      env: { ...process.env, CAPTIOUS_HOME: home },
      maxBuffer: 1 << 26,
    });
    return stdout;
  };

  windowFor(
    'check',
    {
      async fill(folders) {
        for (const name of ['captions.json', 'instances.json'])
          await cp(join(repository, 'samples', name), join(folders.workspace, name));
        await cp(join(repository, 'samples/images'), join(folders.workspace, 'images'), { recursive: true });
        home = folders.home;
        await captious(
          ...[
            'audit',
            join(folders.workspace, 'captions.json'),
            '--probe',
            'invariance',
            '--evaluator',
            'starter',
          ],
          ...['--limit', '45', '--out', folders.workspace],
        );
      },
    },
    (opened) => {
      ({ code, workspace } = opened);
    },
  );

  const report = 'invariance.starter.report.json';
  const lgip = 'lgip.starter.report.json';
  const file = (annotator: string, from = report) =>
    join(workspace, from.replace('.report.json', `.${annotator}.check.json`));
  const view = () => code.panel().locator('#human-check');
  const key = (name: string) => code.page.keyboard.press(name);
  const facts = () => code.panel().locator('header [role=status]').first().innerText();
  const onDisk = async (annotator: string, from = report) =>
    JSON.parse(await readFile(file(annotator, from), 'utf8')) as CheckFile;
  const at = async () => Number(await view().getAttribute('data-index'));
  const asked = () => code.panel().locator('.question.asked').getAttribute('aria-label');
  const saved = () => code.panel().locator('header [data-saved=true]').waitFor();

  /** Judges all items of an annotator by keyboard. `digits` returns one key for each question. */
  async function judgeAll(
    annotator: string,
    digits: (i: number, item: CheckFile['items'][number]) => string,
    from = report,
  ) {
    const { items } = await onDisk(annotator, from);
    for (const [i, item] of items.entries()) {
      assert.equal(await at(), i);
      for (const [q, digit] of [...digits(i, item)].entries()) {
        const question = q < 2 ? /^How well/ : item.axis === 'language' ? /^Do captions A and B/ : /^Which/;
        await expectEventually(async () => question.test((await asked()) ?? ''));
        if (q === 1) await expectEventually(async () => / B[ ?]/.test((await asked()) ?? ''));
        await key(`Digit${digit}`);
      }
      if (i < items.length - 1) await expectEventually(async () => (await at()) === i + 1);
    }
    await expectEventually(async () => (await facts()).includes(`${items.length} judged, 0 open`));
    await saved();
  }

  async function drawSample(annotator = 'ann', from = report): Promise<void> {
    await code.command('View: Close All Editors');
    await code.page.locator('.explorer-folders-view .monaco-list-row', { hasText: from }).waitFor();
    await code.openFile(from);
    await answerCommand(code, 'Captious: Check Variants', 'Check variants: your name', annotator);
    await answerBox(code, 'Check variants: sample size', String(perFamily));
    await expectEventually(() => Promise.resolve(existsSync(file(annotator, from))));
    await view().locator('.question').first().waitFor();
  }

  /** Opens Ann's sample, and draws it first if necessary. */
  async function openSample(): Promise<void> {
    if (!existsSync(file('ann'))) return drawSample();
    if ((await view().count()) > 0 && (await facts()).endsWith('· ann')) {
      await code.command('View: Focus Active Editor Group');
      // The command ends before the page has the focus.
      return expectEventually(() => view().evaluate((main) => main.ownerDocument.hasFocus()));
    }
    await code.openFile(basename(file('ann')));
    await code.command('Captious: Check Variants');
    await view().locator('.question').first().waitFor();
  }

  /** Rejects the changed version of every vertical flip, and accepts all other versions. */
  const judgeFlips = (annotator = 'ann') =>
    judgeAll(annotator, (_, { family, changedOn }) =>
      family !== 'vflip' ? '332' : changedOn === 'left' ? '133' : '311',
    );

  async function openJudged(): Promise<void> {
    await openSample();
    if (!(await facts()).includes(' 0 open')) await judgeFlips();
  }

  it('draws a sample from a report, under a name', async () => {
    await drawSample('cai');
    const { items } = await onDisk('cai');
    assert.match(await facts(), new RegExp(`^1 of ${items.length} · 0 judged, ${items.length} open · cai$`));
    const families = new Set(items.map(({ family }) => family));
    assert.ok(families.has('vflip') && families.has('cultural') && families.size >= 6);
  });

  it('shows two versions without revealing which was changed', async () => {
    await openSample();
    const { items } = await onDisk('ann');
    const images = items.findIndex(({ axis }) => axis === 'spatial');
    const words = items.findIndex(({ axis }) => axis === 'societal');
    for (const [index, expected] of [
      [images, { images: 2, captions: 1 }],
      [words, { images: 1, captions: 2 }],
    ] as const) {
      while ((await at()) < index) {
        const before = await at();
        await key('n');
        await expectEventually(async () => (await at()) === before + 1);
      }
      while ((await at()) > index) {
        const before = await at();
        await key('p');
        await expectEventually(async () => (await at()) === before - 1);
      }
      await expectEventually(
        async () => (await code.panel().locator('figure img').count()) === expected.images,
      );
      const { original, changed } = items[index];
      const shown = await code.panel().locator('.caption').allInnerTexts();
      assert.equal(shown.length, expected.captions);
      assert.deepEqual(new Set(shown), new Set([original.text, changed.text]));
      const drawn = await code
        .panel()
        .locator('figure img')
        .evaluateAll((images) => images.map((image) => image.getAttribute('src')));
      assert.equal(new Set(drawn).size, expected.images);
      assert.doesNotMatch(await view().innerText(), /changed|original|vflip|cultural/i);
      await code.screenshot(`human-check-${expected.images === 2 ? 'photos' : 'words'}`);
    }
    while ((await at()) > 0) {
      const before = await at();
      await key('ArrowLeft');
      await expectEventually(async () => (await at()) === before - 1);
    }
  });

  it('is accessible in every theme and size', async () => {
    await openSample();
    await code.panel().locator('figure img').first().waitFor();
    for (const theme of themeNames) {
      await changeTheme(code, theme);
      await view().locator('.question').first().waitFor();
      await expectAccessiblePage(code, 'check', theme);
    }
  });

  it('is judged by keyboard alone, with undo', async () => {
    await drawSample('dora');
    await judgeFlips('dora');
    await key('u');
    const { items } = await onDisk('dora');
    await expectEventually(async () => (await facts()).includes(`${items.length - 1} judged, 1 open`));
    assert.match((await asked()) ?? '', /^Which is better/);
    const result = code.panel().locator('.result');
    assert.ok(!(await result.isVisible()));
    await key('y');
    await expectEventually(async () => (await facts()).includes('0 open'));
    await saved();
    await result.waitFor();
    assert.match(
      await result.innerText(),
      new RegExp(`Of ${items.length}, you find ${items.length - perFamily} valid`),
    );
    assert.ok(await result.getByRole('button', { name: 'Merge judgments' }).isVisible());
  });

  it('is restored after a reload', async () => {
    await openJudged();
    // Reloads by the editor's command, because `load()` may lose the last minute's changes.
    await code.reload();
    await expectEventually(async () => (await facts()).includes('0 open'));
    assert.equal((await onDisk('ann')).done.length, (await onDisk('ann')).items.length * 3);
  });

  async function handOver(): Promise<void> {
    await captious('check', 'sample', join(workspace, report), '--per-family', String(perFamily));
    await code.command('View: Close All Editors');
    await code.openFile('invariance.starter.check.json');
    await answerCommand(code, 'Captious: Check Variants', 'Check variants: your name', 'bo');
    await view().locator('.question').first().waitFor();
    await expectEventually(async () => (await facts()).endsWith('· bo'));
  }

  it('can be passed on as a file that asks for a name', async () => {
    await openSample();
    await saved();
    await handOver();
    const [mine, other] = [
      await onDisk('ann'),
      JSON.parse(await readFile(join(workspace, 'invariance.starter.check.json'), 'utf8')) as CheckFile,
    ];
    assert.deepEqual(
      other.items.map(({ id }) => id),
      mine.items.map(({ id }) => id),
    );
    await judgeHalf(other.items.length);
  });

  /** Gives every item of the first half the same answers. Other items stay unjudged. */
  async function judgeHalf(count: number): Promise<void> {
    const half = Math.floor(count / 2);
    for (let i = 0; i < half; i++) {
      await expectEventually(async () => (await at()) === i);
      for (const [q, digit] of [...'322'].entries()) {
        await expectEventually(
          async () => (await asked())?.startsWith(q < 2 ? 'How well' : 'Which') === true,
        );
        if (q === 1) await expectEventually(async () => / B[ ?]/.test((await asked()) ?? ''));
        await key(`Digit${digit}`);
      }
    }
    await expectEventually(async () => (await facts()).includes(`${half} judged`));
    await saved();
  }

  it('is merged, and metrics are recomputed without rejected variants', async () => {
    const handed = join(workspace, 'invariance.starter.check.json');
    if (!existsSync(handed)) {
      await openJudged();
      await handOver();
      await judgeHalf((await onDisk('ann')).items.length);
    }
    const out = join(workspace, 'again');
    const merged = JSON.parse(
      await captious('check', 'merge', file('ann'), handed, '--out', out, '--json'),
    ) as CheckResult & { again: Again[] };
    const { items } = await onDisk('ann');
    assert.deepEqual(merged.annotators.sort(), ['ann', 'bo']);
    assert.equal(merged.judged, items.length);
    assert.equal(merged.byAll, Math.floor(items.length / 2));
    const refused = merged.verdicts.filter(({ accepted }) => accepted !== 'both');
    // Ann rejects every vertical flip, and Bo's vote alone is no majority. All other variants are accepted.
    assert.deepEqual(new Set(refused.map(({ family }) => family)), new Set(['vflip']));
    assert.equal(refused.length, perFamily);
    const [accepted] = merged.again;
    assert.equal(accepted.leftOut, perFamily);
    const figure = (from: Report) =>
      from.metrics.find(({ id, slice }) => id === 'invariance.spatial.vflip.median' && slice === undefined);
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Report;
    const [before, after] = [await read(join(workspace, report)), await read(accepted.file!)];
    assert.equal(figure(after)?.n, (figure(before)?.n ?? 0) - perFamily);
    assert.match(english(after.warnings.at(-1) ?? ''), /Left out after a check by/);
  });

  it('asks of LGIP variants whether they mean the same, and recomputes the metrics', async () => {
    const dataset = join(workspace, 'captions.json');
    await captious(
      ...['audit', dataset, '--probe', 'lgip', '--evaluator', 'starter', '--limit', '4', '--out', workspace],
    );
    await drawSample('eva', lgip);
    // A paraphrase keeps the meaning; a flip changes it and is wrong about the image.
    await judgeAll(
      'eva',
      (_, { family, changedOn }) => (family === 'paraphrase' ? '331' : changedOn === 'left' ? '133' : '313'),
      lgip,
    );
    const { items, done } = await onDisk('eva', lgip);
    assert.deepEqual(new Set(items.map(({ axis }) => axis)), new Set(['language']));
    assert.equal(done.length, items.length * 3);
    const out = join(workspace, 'valid');
    const { kinds, again } = JSON.parse(
      await captious('check', 'merge', file('eva', lgip), '--out', out, '--json'),
    ) as {
      kinds: { family: string; items: number; valid: number }[];
      again: { leftOut: number; file: string; metrics: { id: string; before: number; after: number }[] };
    };
    assert.ok(new Set(kinds.map(({ family }) => family)).size >= 2);
    for (const { family, items: judged, valid } of kinds) assert.equal(valid, judged, family);
    assert.equal(again.leftOut, 0);
    const precision = again.metrics.find(({ id }) => id === 'lgip.pr');
    assert.ok(precision !== undefined && precision.before === precision.after);
    assert.ok(existsSync(again.file));
  });
});
