import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditOutcome } from '../../src/editor/runs/following';
import { until } from '../until';

const clip = join(process.env.CAPTIOUS_REPOSITORY!, 'test/fixtures/models/clip');
const samples = join(process.env.CAPTIOUS_REPOSITORY!, 'samples');

const lines = readFileSync(join(samples, 'captions.jsonl'), 'utf8').trim().split('\n').slice(0, 3);
const columns = lines.map((line) => {
  const { image, caption } = JSON.parse(line) as { image: string; caption: string };
  return [image, caption];
});

/** The same captions in each format of a text. */
const files: Readonly<Record<string, string>> = {
  'words.jsonl': lines.join('\n'),
  'words.json': `[\n${lines.join(',\n')}\n]`,
  'words.csv': ['image,caption', ...columns.map(([image, caption]) => `${image},"${caption}"`)].join('\n'),
  'words.tsv': ['image\tcaption', ...columns.map((row) => row.join('\t'))].join('\n'),
};

describe('the influence of words', () => {
  const toggle = () => vscode.commands.executeCommand<number>('captious.toggleWordInfluence');
  const found = new Set<number>();

  for (const [name, content] of Object.entries(files))
    it(`is shown in the scored captions of ${name} only while it is turned on`, async () => {
      const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
      await vscode.workspace.fs.writeFile(uri, Buffer.from(`${content}\n`));
      const document = await vscode.workspace.openTextDocument(uri);
      const outcome = await vscode.commands.executeCommand<AuditOutcome>('captious.audit', uri, {
        ...{ probes: ['lgip'], evaluators: [clip] },
        ...{ images: [join(samples, 'images')] },
      });
      assert.equal(outcome.state, 'done', outcome.problem);
      await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      let marked = 0;
      // A busy machine shows the editor late, and then has no visible captions yet.
      await until(async () => {
        marked = await toggle();
        if (marked === 0) await toggle();
        return marked > 0;
      });
      // Three captions of 8 to 10 words each.
      assert.ok(marked > 10 && marked <= 30, String(marked));
      assert.equal(await toggle(), 0);
      found.add(marked);
      assert.equal(found.size, 1, 'the same words in every format');
    });
});
