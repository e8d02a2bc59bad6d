import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import type { Inspection } from '../../src/dataset/inspect';
import { saying } from '../sentence';

const evaluators = ['bert-cls', 'clip'].map((name) =>
  join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models', name),
);
const [evaluator] = evaluators;

async function ask<T>(name: string, input: object): Promise<T> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const [part] = result.content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  return JSON.parse(part.value) as T;
}

interface AuditAnswer {
  state: string;
  reports: { path: string; claims: string[]; metrics: { id: string; value: number | null }[] }[];
}

describe('tools for an assistant', () => {
  const configuration = () => vscode.workspace.getConfiguration('captious');

  before(() => configuration().update('evaluatorFolders', evaluators, vscode.ConfigurationTarget.Workspace));
  after(() => configuration().update('evaluatorFolders', undefined, vscode.ConfigurationTarget.Workspace));

  it('inspect a dataset: its format, its counts, its images', async () => {
    const found = await ask<Inspection>('captious_inspect', { file: 'triplets.tsv' });
    assert.equal(found.format, 'visla');
    assert.equal(found.examples, 12);
    assert.equal(found.captions, 36);
    assert.equal(found.images.found, 0);
  });

  it('audit it and return the metrics of the saved report', async () => {
    const { state, reports } = await ask<AuditAnswer>('captious_audit', {
      file: 'triplets.tsv',
      probes: ['visla'],
      evaluators: [evaluator],
    });
    assert.equal(state, 'done');
    const report = JSON.parse(await readFile(reports[0].path, 'utf8')) as AuditAnswer['reports'][0];
    const value = (from: AuditAnswer['reports'][0]) =>
      from.metrics.find(({ id }) => id === 'visla.t2t')!.value;
    assert.equal(value(reports[0]), value(report));
  });

  it('use the natural probe and the first evaluator by default', async () => {
    const { state, reports } = await ask<AuditAnswer>('captious_audit', { file: 'triplets.tsv', limit: 3 });
    assert.equal(state, 'done');
    assert.match(reports[0].path, /visla\.starter/);
  });

  it('explain an example from any of its lines', async () => {
    await vscode.commands.executeCommand<AuditOutcome>(
      'captious.audit',
      vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, 'triplets.tsv'),
      { probes: ['visla'], evaluators: [evaluator] },
    );
    const { examples } = await ask<{
      examples: { line: number; summary: string; captions: { label: string; caption: string }[] }[];
    }>('captious_explain', { file: 'triplets.tsv', line: 4 });
    assert.equal(examples.length, 1);
    assert.equal(examples[0].line, 4);
    assert.match(examples[0].summary, /^(right by|wrong:|a tie)/);
    assert.deepEqual(
      examples[0].captions.map(({ label }) => label),
      ['P1', 'P2 with P1', 'N with P1'],
    );
  });

  it('explain a score by words if an evaluator is named', async () => {
    const { influence } = await ask<{
      influence: { caption: string; against: string; words: { word: string; influence: number }[] };
    }>('captious_explain', { file: 'triplets.tsv', line: 5, evaluator });
    assert.ok(influence.words.length > 2);
    assert.ok(influence.words.every(({ word }) => influence.caption.includes(word)));
    assert.notEqual(influence.against, influence.caption);
    await assert.rejects(
      ask('captious_explain', { file: 'triplets.tsv', line: 5, evaluator: '/tmp/model' }),
      /is not available/,
    );
  });

  it('compare two reports, row by row', async () => {
    const paths: string[] = [];
    for (const each of evaluators) {
      const { reports } = await ask<AuditAnswer>('captious_audit', {
        file: 'triplets.tsv',
        probes: ['visla'],
        evaluators: [each],
      });
      paths.push(reports[0].path);
    }
    const localized = await ask<{
      probe: string;
      evaluators: string[];
      metrics: { name: string; values: ({ value: number | null } | null)[] }[];
      pairs: { metric: string; n: number }[];
    }>('captious_compare', { report: paths[0], other: paths[1] });
    assert.equal(localized.probe, 'visla');
    assert.deepEqual(localized.evaluators, ['bert-cls', 'clip']);
    const report = JSON.parse(await readFile(paths[1], 'utf8')) as AuditAnswer['reports'][0];
    assert.equal(
      localized.metrics.find(({ name }) => name === 'visla.t2t')!.values[1]!.value,
      report.metrics.find(({ id }) => id === 'visla.t2t')!.value,
    );
    assert.ok(localized.pairs.some(({ metric, n }) => metric === 'visla.t2t' && n === 12));
  });

  it('reject an evaluator file of the workspace that the user never selected', async () => {
    const path = join(vscode.workspace.workspaceFolders![0].uri.fsPath, 'stranger.evaluator.json');
    await writeFile(path, JSON.stringify({ kind: 'clipscore', encoder: 'starter' }));
    try {
      await assert.rejects(
        ask('captious_audit', { file: 'triplets.tsv', evaluators: [path] }),
        /".*stranger\.evaluator\.json" is not available/,
      );
    } finally {
      await rm(path);
    }
  });

  it('refuse a link that leads out of the open folders', async () => {
    const path = join(vscode.workspace.workspaceFolders![0].uri.fsPath, 'link.json');
    await symlink(join(process.env.CAPTIOUS_REPOSITORY!, 'samples/captions.json'), path);
    try {
      for (const tool of ['captious_inspect', 'captious_audit'])
        await assert.rejects(ask(tool, { file: 'link.json' }), saying('assistant.notInOpenFolder'));
    } finally {
      await rm(path);
    }
  });

  for (const [what, tool, input, expected] of [
    [
      'a file outside of the open folders',
      'captious_inspect',
      { file: '/etc/passwd' },
      saying('assistant.notInOpenFolder'),
    ],
    [
      'a path that leaves them',
      'captious_inspect',
      { file: '../../../../etc/passwd' },
      saying('assistant.notInOpenFolder'),
    ],
    [
      'a model that is neither installed nor in the settings',
      'captious_audit',
      { file: 'triplets.tsv', evaluators: ['/tmp/model'] },
      /"\/tmp\/model" is not available/,
    ],
    [
      'a line nothing was scored on',
      'captious_explain',
      { file: 'triplets.tsv', line: 1 },
      /This line has no scores/,
    ],
    [
      'a file that is not a report',
      'captious_compare',
      { report: 'triplets.tsv', other: 'triplets.tsv' },
      /not JSON/,
    ],
  ] as const)
    it(`refuse ${what}`, async () => {
      await assert.rejects(ask(tool, input), expected);
    });
});
