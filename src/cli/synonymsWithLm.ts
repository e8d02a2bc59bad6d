import { inputError } from '../base/errors';
import { say } from '../base/say';
import type { Dataset, ReadOptions } from '../dataset/dataset';
import { attributesOf, type Put, requestsForAttribute, type Synonym, synonymsByLm } from '../mining/synonyms';
import { attributed } from '../probe/prsm/wordings';
import { asking, openWriter } from './mineWithLm';
import { ProgressBar } from './terminal';

interface Options extends ReadOptions {
  /** Columns with the attributes of each caption. */
  columns: readonly string[];
  limit?: number;
  signal: AbortSignal;
  yes: boolean;
}

export interface WrittenSynonyms {
  synonyms: Synonym[];
  attributes: number;
  leftOut: { reason: string; count: number }[];
}

const put: Put = (caption, attribute, synonym) =>
  attributed(caption, [attribute], new Map([[attribute, synonym]])).get('a1');

/** Gets synonyms for PRSM's set P3 from the model of a judge file, after the user agreed to the requests. */
export async function synonymsWithLm(
  dataset: Dataset,
  judge: string,
  { columns, limit = Infinity, signal, yes, ...reading }: Options,
): Promise<WrittenSynonyms> {
  const all = await attributesOf(dataset.read({ ...reading, signal }), columns, put);
  if (all.length === 0)
    throw inputError(say('cli.noPersonAttributes'), say('cli.nameAttributeColumns'), dataset.path);
  const attributes = all.slice(0, limit);
  const planned = { captions: attributes.length, requests: attributes.length * requestsForAttribute };
  const writer = await openWriter(judge, planned, yes, signal);
  const reasons = new Map<string, number>();
  const synonyms: Synonym[] = [];
  const bar = new ProgressBar();
  try {
    const found = synonymsByLm(
      attributes,
      put,
      asking(writer, signal, bar, attributes.length, 'attributes'),
      (reason) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1),
    );
    for await (const synonym of found) synonyms.push(synonym);
  } finally {
    bar.clear();
  }
  const leftOut = [...reasons]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count);
  if (synonyms.length === 0)
    throw inputError(
      say('cli.noUsableSynonym'),
      say('cli.tryOtherModel', leftOut.map(({ reason, count }) => `${count} × ${reason}`).join('; ')),
      dataset.path,
    );
  return { synonyms, attributes: attributes.length, leftOut };
}
