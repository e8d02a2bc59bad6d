import * as vscode from 'vscode';

/**
 * Writes a file that the user saves. A symbolic link at the target is replaced, because a repository's link
 * may lead elsewhere.
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
