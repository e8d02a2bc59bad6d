/* Reads a text file for the language model: a sentence in each line. */
import { type CaptiousError, inputError, pauses } from '../../base/errors';
import { say } from '../../base/say';
import { readHead, textChunks, textOfHead } from '../../dataset/text/chunks';
import { TextModel } from '../../probe/benchmark/blind/textModel';
import type { Item } from '../../probe/benchmark/items';

const headSize = 4096;
/** Longer lines are cut. */
const longestLine = 2 ** 16;

/** The model of a text file. Throws if the file is no text, or has no sentence. */
export async function textModelOf(
  path: string,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<TextModel> {
  const { encoding, text } = textOfHead(await readHead(path, headSize));
  if (text.includes(0)) throw notText(path);
  const model = new TextModel(items);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pause = pauses(signal);
  let rest = '';
  try {
    for await (const chunk of textChunks(path, encoding, signal)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!.slice(0, longestLine);
      for (const line of lines) {
        model.add(line.slice(0, longestLine));
        await pause();
      }
    }
    model.add(rest + decoder.decode());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? notText(path) : error;
  }
  if (model.sentences === 0) throw inputError(say('benchmark.textEmpty'), say('benchmark.nameText'), path);
  return model;
}

function notText(path: string): CaptiousError {
  return inputError(say('benchmark.notText'), say('benchmark.nameText'), path);
}
