import * as vscode from 'vscode';
import { CaptiousError } from '../base/errors';
import { say, type Words } from '../base/say';

/** Reads a file of any file system, also in a browser. Throws if the file exceeds the limit. */
export async function readFrom(
  uri: vscode.Uri,
  most: number,
  tooLarge: Words = say('base.fileTooLargeMb', Math.floor(most / (1 << 20))),
): Promise<Uint8Array> {
  const { fs } = vscode.workspace;
  const refuse = (size: number): void => {
    if (size > most) throw new CaptiousError('input', tooLarge, { at: uri.path });
  };
  refuse((await fs.stat(uri)).size);
  const bytes = await fs.readFile(uri);
  // Other extensions' file systems may not know the size in advance.
  refuse(bytes.length);
  return bytes;
}
