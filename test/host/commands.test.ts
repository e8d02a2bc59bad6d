import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import type { Report } from '../../src/report/report';
import { until } from '../until';

const models = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models');
const inWorkspace = (name: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const labels = () => tabs().map(({ label }) => label);

async function withSetting(name: string, value: unknown, work: () => Promise<void>): Promise<void> {
  const configuration = () => vscode.workspace.getConfiguration('captious');
  await configuration().update(name, value, vscode.ConfigurationTarget.Workspace);
  try {
    await work();
  } finally {
    await configuration().update(name, undefined, vscode.ConfigurationTarget.Workspace);
  }
}

describe('commands', () => {
  let outcome: AuditOutcome;

  before(async () => {
    outcome = await vscode.commands.executeCommand<AuditOutcome>(
      'captious.audit',
      inWorkspace('triplets.tsv'),
      {
        probes: ['visla'],
        evaluators: [join(models, 'bert-cls')],
      },
    );
    assert.equal(outcome.state, 'done', outcome.problem);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('open a sample, the walkthrough, the log and the settings', async () => {
    await vscode.commands.executeCommand('captious.openSample');
    const isOpen = () =>
      vscode.workspace.textDocuments.some(({ uri }) => uri.path.endsWith('/samples/triplets.tsv'));
    await until(isOpen);
    await vscode.commands.executeCommand('captious.openWalkthrough');
    // Recent editors use another title for this tab.
    await until(() => labels().some((label) => /^(Walkthrough|Welcome)/.test(label)));
    await vscode.commands.executeCommand('captious.openSettings');
    await until(() => labels().includes('Settings'));
    await vscode.commands.executeCommand('captious.showLog');
    const isLog = ({ document: { uri } }: vscode.TextEditor) =>
      uri.scheme === 'output' && uri.path.includes('captious');
    await until(() => vscode.window.visibleTextEditors.some(isLog));
  });

  it('export for a paper what the command line writes: tables, macros, methods, BibTeX and figures', async () => {
    const out = await mkdtemp(join(tmpdir(), 'captious-paper-'));
    try {
      const files = await vscode.commands.executeCommand<string[]>('captious.exportForPaper', {
        ...{ reports: outcome.reports, out, to: ['tex', 'pdf'], layout: 'visla.table2' },
      });
      const names = files.map((file) => relative(out, file));
      for (const name of [
        'visla.table2.tex',
        'macros.tex',
        'methods.tex',
        'references.bib',
        'visla.distances.pdf',
      ])
        assert.ok(names.includes(name), names.join());
      assert.match(await readFile(join(out, 'macros.tex'), 'utf8'), /\\newcommand\{\\captiousVisla/);
      assert.match(await readFile(join(out, 'visla.distances.pdf'), 'latin1'), /^%PDF-/);
    } finally {
      await rm(out, { recursive: true });
    }
  });

  it('compare robustness with human agreement, from runs and from reports', async function () {
    this.timeout(120_000);
    const samples = vscode.Uri.file(join(process.env.CAPTIOUS_REPOSITORY!, 'samples'));
    const audited: AuditOutcome[] = [];
    for (const [name, probe] of [
      ['preferences.jsonl', 'human'],
      ['captions.json', 'lgip'],
    ]) {
      const dataset = vscode.Uri.joinPath(samples, name);
      const evaluators = [join(models, 'clip')];
      const images = [vscode.Uri.joinPath(samples, 'images').fsPath];
      audited.push(
        await vscode.commands.executeCommand<AuditOutcome>('captious.audit', dataset, {
          ...{ probes: [probe], evaluators, images, limit: 5 },
        }),
      );
    }
    assert.deepEqual(
      audited.map(({ state }) => state),
      ['done', 'done'],
    );
    const isShown = () => labels().includes('Board: selected reports');
    const ids = audited.map(({ id }) => id);
    await vscode.commands.executeCommand('captious.scatter', ids[0], ids);
    await until(isShown);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => !isShown());
    await vscode.commands.executeCommand('captious.scatter', {
      reports: audited.flatMap(({ reports }) => reports),
    });
    await until(isShown);
  });

  it('show the board of a folder once, also if the folder has no reports', async () => {
    const folder = vscode.Uri.joinPath(vscode.Uri.file(outcome.reports[0]), '..');
    const samples = vscode.Uri.file(join(process.env.CAPTIOUS_REPOSITORY!, 'samples'));
    const board = (uri: vscode.Uri) => `Board: ${basename(uri.fsPath)}`;
    const count = (label: string) => labels().filter((own) => own === label).length;
    for (const uri of [folder, samples, folder]) {
      await vscode.commands.executeCommand('captious.board', uri);
      await until(() => count(board(uri)) === 1);
    }
    assert.equal(count(board(folder)), 1);
  });

  it('audit the samples with the starter encoder', async function () {
    this.timeout(180_000);
    const audited = await vscode.commands.executeCommand<AuditOutcome>('captious.auditSamples');
    assert.equal(audited.state, 'done', audited.problem);
    const reports = await Promise.all(
      audited.reports.map(async (path) => JSON.parse(await readFile(path, 'utf8')) as Report),
    );
    assert.ok(reports.length > 0);
    for (const { probe, evaluator, dataset } of reports) {
      assert.equal(evaluator.id, 'starter');
      assert.ok(dataset.examples > 10, `${probe} has ${dataset.examples} examples`);
    }
  });

  for (const command of ['captious.setKey', 'captious.newEvaluator', 'captious.addEvaluator'])
    it(`ask for a value and accept that the user cancels: ${command}`, async () => {
      let answer: unknown = 'none yet';
      void vscode.commands.executeCommand(command).then((given) => (answer = given));
      await until(async () => {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        return answer !== 'none yet';
      });
      assert.equal(answer, undefined);
    });

  it('open the panel of a run, its dataset, its report file, and two runs side by side', async () => {
    await vscode.commands.executeCommand('captious.openPanel', outcome.id);
    await until(() => labels().some((label) => label.startsWith('triplets.tsv · VISLA · bert-cls')));
    await vscode.commands.executeCommand('captious.reveal', outcome.id);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, inWorkspace('triplets.tsv').fsPath);
    await vscode.commands.executeCommand('captious.openReport', vscode.Uri.file(outcome.reports[0]));
    await until(() =>
      tabs().some(
        ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('captious.report'),
      ),
    );
    const again = await vscode.commands.executeCommand<AuditOutcome>('captious.rerun', outcome.id);
    assert.equal(again.state, 'done', again.problem);
    assert.notEqual(again.id, outcome.id);
    const count = tabs().length;
    await vscode.commands.executeCommand('captious.compare', again.id, [again.id, outcome.id]);
    await until(() => tabs().length === count + 1);
  });

  it('follow the settings: seed, draws, lenses, hints after captions', async () => {
    await withSetting('seed', 7, async () => {
      const seeded = await vscode.commands.executeCommand<AuditOutcome>(
        'captious.audit',
        inWorkspace('triplets.tsv'),
        { probes: ['visla'], evaluators: [join(models, 'bert-cls')] },
      );
      assert.equal((JSON.parse(await readFile(seeded.reports[0], 'utf8')) as Report).seed, 7);
    });
    const uri = inWorkspace('hinted.jsonl');
    const captions = ['a red bus and two dogs', 'three cats on a green sofa'];
    await writeFile(
      uri.fsPath,
      captions.map((caption) => `${JSON.stringify({ image: 'wide.png', caption })}\n`).join(''),
    );
    const asked = {
      probes: ['lgip'],
      evaluators: [join(models, 'clip')],
      images: [join(models, 'pictures')],
    };
    await withSetting('seeds', 2, async () => {
      const drawn = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, asked);
      assert.equal(drawn.state, 'done', drawn.problem);
      const { draws, defaultDraws } = JSON.parse(await readFile(drawn.reports[0], 'utf8')) as Report;
      assert.deepEqual([draws, defaultDraws], [2, undefined]);
    });
    const audited = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, asked);
    assert.equal(audited.state, 'done', audited.problem);
    const { draws, defaultDraws } = JSON.parse(await readFile(audited.reports[0], 'utf8')) as Report;
    assert.deepEqual([draws, defaultDraws], [5, true]);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const hints = () =>
      vscode.commands.executeCommand<vscode.InlayHint[]>(
        'vscode.executeInlayHintProvider',
        uri,
        new vscode.Range(0, 0, 2, 0),
      );
    const lenses = async () =>
      (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri)).filter(
        ({ command }) => command?.command.startsWith('captious.'),
      );
    const lines = new Set((await lenses()).map(({ range }) => range.start.line));
    // A line has a lens or a hint. Below a lens, a wrong caption is only marked.
    for (const { position, label } of await hints())
      assert.ok(!lines.has(position.line) || position.line === 0 || label === '✗');
    await withSetting('inlayHints', false, async () => {
      assert.deepEqual(await hints(), []);
    });
    await withSetting('codeLens', false, async () => {
      const shown = await hints();
      assert.equal(shown.length, 2);
      for (const [i, { label, position }] of shown.entries()) {
        assert.match(String(label), /^±0\.\d{3} \d+\/\d+$/);
        // The position is directly after the caption and its quote.
        assert.equal(position.character, document.lineAt(i).text.length - 1);
      }
    });
    assert.ok((await lenses()).length > 0);
    await withSetting('codeLens', false, async () => {
      assert.deepEqual(await lenses(), []);
    });
  });
});
