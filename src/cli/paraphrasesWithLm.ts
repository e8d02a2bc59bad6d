import { inputError } from '../base/errors';
import { say } from '../base/say';
import type { Dataset, ReadOptions } from '../dataset/dataset';
import {
  entryOf,
  paraphrasable,
  paraphrasesByLm,
  paraphrasesNeeded,
  requestsForCaption,
} from '../mining/paraphrases';
import { asking, openWriter } from './mineWithLm';
import { ProgressBar } from './terminal';

interface Options extends ReadOptions {
  limit?: number;
  signal: AbortSignal;
  yes: boolean;
}

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
  { limit = Infinity, signal, yes, ...reading }: Options,
): Promise<WrittenParaphrases> {
  let captions = 0;
  const distinct = new Set<string>();
  for await (const example of dataset.read({ signal })) {
    if (captions >= limit) break;
    const own = paraphrasable(example).slice(0, limit - captions);
    for (const { text } of own) distinct.add(text.trim());
    captions += own.length;
  }
  const planned = { captions: distinct.size, requests: distinct.size * requestsForCaption };
  const writer = await openWriter(judge, planned, yes, signal);
  const reasons = new Map<string, number>();
  const counts = [0, 0, 0];
  const entries: Record<string, unknown>[] = [];
  const bar = new ProgressBar();
  try {
    const found = paraphrasesByLm(
      dataset.read({ ...reading, signal }),
      { ...asking(writer, signal, bar, captions, 'captions'), limit },
      (reason) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1),
    );
    for await (const one of found) {
      for (const { paraphrases } of one.captions) counts[paraphrases.length]++;
      entries.push(entryOf(one));
    }
  } finally {
    bar.clear();
  }
  const leftOut = [...reasons]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count);
  const [none, one, two] = counts;
  if (one + two === 0)
    throw inputError(
      say('cli.noUsableParaphrase'),
      say('cli.tryOtherModel', leftOut.map(({ reason, count }) => `${count} × ${reason}`).join('; ')),
      dataset.path,
    );
  return { entries, captions: none + one + two, two, one, none, leftOut };
}

/** What to know about captions with fewer than two paraphrases. */
export function paraphraseWords({ captions, two, one, none }: WrittenParaphrases): string {
  const rest = none === 0 ? '' : `; PRSM uses paraphrases by rules for the ${none} without any`;
  return `${two} of ${captions} captions have ${paraphrasesNeeded} paraphrases, ${one} have one${rest}. Audit the file with --probe prsm, and let people check the paraphrases with "captious check sample".`;
}
