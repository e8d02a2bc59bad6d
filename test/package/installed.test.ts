import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import type { Report } from '../../src/report/report';

const extension = () => vscode.extensions.getExtension('captious.captious')!;

describe('the packed extension', () => {
  it('runs from the editor’s own folder, as an installed extension', () => {
    assert.ok(extension(), 'Captious is not installed');
    const { extensionPath } = extension();
    assert.match(extensionPath, /extensions\/captious\.captious-/);
    assert.ok(!extensionPath.startsWith(process.env.CAPTIOUS_REPOSITORY!));
  });

  it('contains native code of this platform only', () => {
    const modules = join(extension().extensionPath, 'node_modules');
    const runtime = join(modules, 'onnxruntime-node/bin');
    const folders = readdirSync(runtime, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      folders
        .filter((path) => /^napi-v\d+\/\w+\/\w+$/.test(path))
        .map((path) => path.replace(/^napi-v\d+\//, '')),
      [`${process.platform}/${process.arch}`],
    );
    const here = `${process.platform}-${process.arch}`;
    for (const name of readdirSync(join(modules, '@img')))
      assert.ok(name === 'colour' || name.endsWith(here), `${name} is for another platform`);
  });

  it('audits captions with images by the bundled starter', async () => {
    const folder = vscode.workspace.workspaceFolders![0].uri;
    const dataset = vscode.Uri.joinPath(folder, 'sugarcrepe.json');
    const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', dataset, {
      probes: ['sugarcrepe'],
      evaluators: ['starter'],
      images: [vscode.Uri.joinPath(folder, 'images').fsPath],
    });
    assert.equal(outcome.state, 'done', outcome.problem);
    const [path] = outcome.reports;
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    const rows = readFileSync(join(path, '..', report.rows));
    assert.equal(createHash('sha256').update(rows).digest('hex'), report.rowsSha256);
    assert.ok(report.dataset.examples > 0);
    assert.equal(report.evaluator.id, 'starter');
    const scores = rows
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(scores.length, report.rowCount);
    assert.equal(
      report.versions['onnxruntime-node'],
      extension().packageJSON.dependencies['onnxruntime-node'],
    );
    // This command needs the font and PDFKit, which are separate files in the package.
    const out = join(path, '..', 'paper');
    const figures = await vscode.commands.executeCommand<string[] | undefined>('captious.exportForPaper', {
      ...{ reports: [path], out, to: ['pdf'] },
    });
    assert.ok(figures !== undefined && figures.length > 0);
    for (const figure of figures) assert.match(readFileSync(figure, 'latin1'), /^%PDF-[^]*Arimo-Regular/);
  });
});
