import * as vscode from 'vscode';

/**
 * Writes a file that the user saves. If a repository has a link of that name, the link is replaced, not
 * followed.
 */
export async function saveTo(target: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const { fs } = vscode.workspace;
  const temporary = target.with({ path: `${target.path}.${crypto.randomUUID()}.part` });
  try {
    await fs.writeFile(temporary, bytes);
    await fs.rename(temporary, target, { overwrite: true });
  } catch (error) {
    await fs.delete(temporary).then(undefined, () => undefined);
    throw error;
  }
}
