import { inputError } from '../base/errors';
import { say } from '../base/say';
import type { Dataset } from '../dataset/dataset';
import { attributesOf, type Put, requestsForAttribute, type Synonym, synonymsByLm } from '../mining/synonyms';
import { attributed } from '../probe/prsm/wordings';
import { askLm, type AskOptions, noneUsable } from './mineWithLm';

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
  /** Columns with the attributes of each caption. */
  columns: readonly string[],
  options: AskOptions,
): Promise<WrittenSynonyms> {
  const { limit = Infinity } = options;
  const all = await attributesOf(dataset.read(options), columns, put);
  if (all.length === 0)
    throw inputError(say('cli.noPersonAttributes'), say('cli.nameAttributeColumns'), dataset.path);
  const attributes = all.slice(0, limit);
  const planned = { captions: attributes.length, requests: attributes.length * requestsForAttribute };
  const synonyms: Synonym[] = [];
  const reasons = await askLm(
    { judge, planned, total: attributes.length, things: 'attributes' },
    options,
    (asking, leaveOut) => synonymsByLm(attributes, put, asking, leaveOut),
    (synonym) => synonyms.push(synonym),
  );
  if (synonyms.length === 0) throw noneUsable(say('cli.noUsableSynonym'), reasons, dataset.path);
  const leftOut = [...reasons].map(([reason, count]) => ({ reason, count }));
  return { synonyms, attributes: attributes.length, leftOut };
}
