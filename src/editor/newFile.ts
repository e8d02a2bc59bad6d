import { readJson } from '../base/files/readJson';
import * as vscode from 'vscode';

const kinds = { triplet: 'Captious: triplet', preference: 'Captious: preference' } as const;

/** Opens an untitled JSONL file with one entry. The Tab key moves between the fields of the entry. */
export async function newFile(extension: vscode.Uri, kind: keyof typeof kinds): Promise<void> {
  const path = vscode.Uri.joinPath(extension, 'snippets/jsonl.json').fsPath;
  const snippets = (await readJson(path)) as Record<string, { body: string[] }>;
  const document = await vscode.workspace.openTextDocument({ language: 'jsonl', content: '' });
  const editor = await vscode.window.showTextDocument(document);
  await editor.insertSnippet(new vscode.SnippetString(`${snippets[kinds[kind]].body.join('\n')}\n`));
}
