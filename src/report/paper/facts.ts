/* Reads facts about evaluators that reports do not have, such as their number of parameters. */
import { CaptiousError, inputError, messageOf } from '../../base/errors';
import { readJson } from '../../base/files/readJson';
import { say } from '../../base/say';
import { object, optional, record, type Shaped, text } from '../../base/shape';

const factsShape = object({
  parameters: optional(text),
  dataset: optional(text),
  dataSize: optional(text),
  dataType: optional(text),
  objectives: optional(text),
  finetuned: optional(text),
});

export type Facts = Shaped<typeof factsShape>;
export type FactName = keyof Facts;

/** The facts by the evaluator's name in the tables. */
export async function readFacts(path: string): Promise<ReadonlyMap<string, Facts>> {
  try {
    const known = record(factsShape)(await readJson(path), '');
    return new Map(Object.entries(known));
  } catch (cause) {
    if (cause instanceof CaptiousError) throw cause;
    throw inputError(say('paper.factsInvalid', messageOf(cause)), say('paper.writeFactsObject'), path, cause);
  }
}
