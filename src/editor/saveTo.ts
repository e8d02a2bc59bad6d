import * as vscode from 'vscode';

/**
 * Writes a file that the user saves. If the target is a symbolic link, replaces the link and not the file that it
 * points to, because a link in a repository may point anywhere.
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
