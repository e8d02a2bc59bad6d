import { inputError, Reason, wordsOf } from '../../base/errors';
import { parseJson } from '../../base/files/readJson';
import { chunksOf, linesOf, readBounded } from '../../base/files/readFile';
import { say } from '../../base/say';
import { jsonOf } from '../../base/text/jsonOf';
import { withoutNaN } from './log';
import { isRecord } from '../../base/quickTest';

/** The largest JSON that is read at once. Inspect's JSON logs hold whole transcripts. */
export const mostJson = 512 << 20;
const limits = { bytes: mostJson, parts: 1 << 24, depth: 256 };

/** JSON as Python writes it. Throws a Reason. */
export function pythonJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, limits);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  try {
    return jsonOf(withoutNaN(Buffer.from(bytes).toString('utf8')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Reason(say('imported.notJson', wordsOf(error)), { cause: error });
  }
}

export async function jsonIn(path: string): Promise<unknown> {
  return pythonJson(await readBounded(path, mostJson));
}

/** The objects on the lines of a file, with their line numbers. */
export async function* recordsIn(
  path: string,
): AsyncGenerator<{ line: number; record: Record<string, unknown> }, void, undefined> {
  let line = 0;
  for await (const text of linesOf(chunksOf(path), path)) {
    line++;
    if (text.trim() === '') continue;
    let record: unknown;
    try {
      record = pythonJson(Buffer.from(text));
    } catch (cause) {
      throw inputError(
        say('imported.lineInvalid', wordsOf(cause instanceof Reason ? cause.cause : cause)),
        say('imported.completeFile'),
        `${path}:${line}`,
        cause,
      );
    }
    if (!isRecord(record))
      throw inputError(say('imported.lineNoObject'), say('imported.completeFile'), `${path}:${line}`);
    yield { line, record };
  }
}
