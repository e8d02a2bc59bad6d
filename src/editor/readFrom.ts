import * as vscode from 'vscode';
import { CaptiousError } from '../base/errors';
import { say, type Words } from '../base/say';

/** Reads a file of any file system, even in a browser. Throws if the file is larger than the limit. */
export async function readFrom(
  uri: vscode.Uri,
  most: number,
  tooLarge: Words = say`The file is larger than ${Math.floor(most / (1 << 20))} MB.`,
): Promise<Uint8Array> {
  const { fs } = vscode.workspace;
  const refuse = (size: number): void => {
    if (size > most) throw new CaptiousError('input', tooLarge, { at: uri.path });
  };
  refuse((await fs.stat(uri)).size);
  const bytes = await fs.readFile(uri);
  // File systems of other extensions may not know the size in advance.
  refuse(bytes.length);
  return bytes;
}
