import { say } from '../base/say';
import type { Dataset } from '../dataset/dataset';
import {
  entryOf,
  paraphrasable,
  paraphrasesByLm,
  paraphrasesNeeded,
  requestsForCaption,
} from '../mining/paraphrases';
import { askLm, type AskOptions, noneUsable } from './mineWithLm';

export interface WrittenParaphrases {
  /** Entries in LGIP's format. */
  entries: Record<string, unknown>[];
  captions: number;
  /** How many captions have two paraphrases, one, or none. */
  two: number;
  one: number;
  none: number;
  leftOut: { reason: string; count: number }[];
}

/** Gets PRSM's set P1 from the model of a judge file, after the user agreed to the requests. */
export async function paraphrasesWithLm(
  dataset: Dataset,
  judge: string,
  options: AskOptions,
): Promise<WrittenParaphrases> {
  const { limit = Infinity, signal } = options;
  let captions = 0;
  const distinct = new Set<string>();
  for await (const example of dataset.read({ signal })) {
    if (captions >= limit) break;
    const own = paraphrasable(example).slice(0, limit - captions);
    for (const { text } of own) distinct.add(text.trim());
    captions += own.length;
  }
  const planned = { captions: distinct.size, requests: distinct.size * requestsForCaption };
  const counts = [0, 0, 0];
  const entries: Record<string, unknown>[] = [];
  const reasons = await askLm(
    { judge, planned, total: captions, things: 'captions' },
    options,
    (asking, leaveOut) => paraphrasesByLm(dataset.read(options), { ...asking, limit }, leaveOut),
    (one) => {
      for (const { paraphrases } of one.captions) counts[paraphrases.length]++;
      entries.push(entryOf(one));
    },
  );
  const [none, one, two] = counts;
  if (one + two === 0) throw noneUsable(say('cli.noUsableParaphrase'), reasons, dataset.path);
  const leftOut = [...reasons].map(([reason, count]) => ({ reason, count }));
  return { entries, captions: none + one + two, two, one, none, leftOut };
}

/** What to know about captions with fewer than two paraphrases. */
export function paraphraseWords({ captions, two, one, none }: WrittenParaphrases): string {
  const rest = none === 0 ? '' : `; PRSM uses paraphrases by rules for the ${none} without any`;
  return `${two} of ${captions} captions have ${paraphrasesNeeded} paraphrases, ${one} have one${rest}. Audit the file with --probe prsm, and let people check the paraphrases with "captious check sample".`;
}
