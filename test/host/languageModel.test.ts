import { english } from '../../src/base/english';
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import type { Report } from '../../src/report/report';

/** The second extension's API. Its model grades captions by length. */
interface Provider {
  asked: {
    extension: string;
    texts: string[];
    /** Each image's type, length and second byte. */
    pictures: [string, number, number][];
    options: { temperature?: number };
  }[];
}

const images = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/pictures');
const root = (): vscode.Uri => vscode.workspace.workspaceFolders![0].uri;

describe('a language model of the editor as a judge', () => {
  let provider: Provider;
  let dataset: vscode.Uri;

  before(async () => {
    const extension = vscode.extensions.getExtension<Provider>('captious-test.captious-test-chat-model');
    assert.ok(extension, 'the extension with the model is not there');
    provider = await extension.activate();
    dataset = vscode.Uri.joinPath(root(), 'judged.json');
    await cp(images, root().fsPath, { recursive: true });
    const pair = (filename: string, caption: string, negative_caption: string) => ({
      filename,
      caption,
      negative_caption,
    });
    const pairs = {
      0: pair('wide.png', 'a long caption of a wide picture', 'a short one'),
      1: pair('tall.png', 'a tall one', 'a caption that is longer than the right one'),
    };
    await writeFile(dataset.fsPath, JSON.stringify(pairs));
  });

  const audit = async (evaluator: string): Promise<AuditOutcome> => {
    const outcome = await vscode.commands.executeCommand<AuditOutcome | undefined>(
      'captious.audit',
      dataset,
      {
        probes: ['sugarcrepe'],
        evaluators: [evaluator],
      },
    );
    assert.ok(outcome, 'the command answered nothing');
    return outcome;
  };

  it('receives nothing without consent', async () => {
    // In tests, VS Code shows no dialogs, so the user cannot consent.
    const outcome = await audit('vscode.lm:length-1');
    assert.equal(outcome.state, 'failed');
    assert.match(outcome.problem ?? '', /refused to show dialog/);
    assert.equal(provider.asked.length, 0);
  });

  it('judges with consent, receives the image, and is not asked twice', async () => {
    const home = process.env.CAPTIOUS_HOME!;
    await mkdir(home, { recursive: true });
    const consents = { 'vscode.lm (captious-test)': new Date(0).toISOString() };
    await writeFile(join(home, 'judges-1.json'), JSON.stringify({ consents, canaries: {} }));
    const outcome = await audit('vscode.lm:length-1');
    assert.equal(outcome.state, 'done', outcome.problem);
    const report = JSON.parse(await readFile(outcome.reports[0], 'utf8')) as Report;
    assert.equal(report.evaluator.kind, 'judge');
    assert.equal(report.evaluator.name, 'Length (captious-test)');
    assert.ok(report.evaluator.notes.some((note) => /canary test/i.test(english(note))));
    assert.equal(report.dataset.examples, 2);
    const accuracy = report.metrics.find(({ id, n }) => id.startsWith('sugarcrepe') && n === 2);
    assert.equal(accuracy?.value, 0.5);
    // Two requests are for the canary, and two for each of the two images.
    assert.equal(provider.asked.length, 6);
    for (const { extension, texts, pictures: sent, options } of provider.asked) {
      assert.equal(extension, 'captious.captious');
      assert.match(texts[0], /You grade captions of pictures/);
      assert.equal(sent.length, 1);
      assert.equal(sent[0][0], 'image/png');
      assert.equal(sent[0][2], 0x50);
      assert.equal(options.temperature, 0);
    }
    const again = await audit('vscode.lm:length');
    assert.equal(again.state, 'done', again.problem);
    assert.equal(provider.asked.length, 6);
  });

  it('is rejected if it does not accept images', async () => {
    const outcome = await audit('vscode.lm:blind-1');
    assert.equal(outcome.state, 'failed');
    assert.match(outcome.problem ?? '', /Blind does not accept images/);
  });

  it('is named in the error if it does not exist, with the available ones', async () => {
    const outcome = await audit('vscode.lm:missing');
    assert.equal(outcome.state, 'failed');
    assert.match(outcome.problem ?? '', /no language model missing.*vscode\.lm:length-1/s);
  });
});
