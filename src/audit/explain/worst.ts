/* The worst rows of a report, each with its two captions, for explaining them. */
import { inputError } from '../../base/errors';
import { say } from '../../base/say';
import type { Line } from '../../protocol/rows';
import { findLines, type FoundCaption } from './find';

export interface WorstPair {
  found: FoundCaption;
  /** The caption that the row compares with. Absent if the row compares images. */
  other?: string;
}

/** The captions of a report's rows in its dataset. Rows without a line, or whose example is gone, are left out. */
export async function pairsOf(
  dataset: string,
  lines: readonly Pick<Line, 'line' | 'before' | 'after'>[],
  signal: AbortSignal,
): Promise<WorstPair[]> {
  const wanted = new Set(lines.flatMap(({ line }) => (line === undefined ? [] : [line])));
  const examples = await findLines(dataset, wanted, { signal });
  const pairs = lines.flatMap(({ line, before, after }): WorstPair[] => {
    const example = line === undefined ? undefined : examples.get(line);
    const own =
      example?.captions.find(({ text }) => text.trim() === before.trim()) ?? example?.captions.at(0);
    if (example === undefined || own === undefined || before.trim() === '') return [];
    const found = { example, caption: { ...own, text: before }, line: line! };
    return [{ found, ...(after.trim() === '' || after === before ? {} : { other: after }) }];
  });
  if (pairs.length === 0)
    throw inputError(say('explain.noRowsInDataset'), say('explain.keepDataset'), dataset);
  return pairs;
}
