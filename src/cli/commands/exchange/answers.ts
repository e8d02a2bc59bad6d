import { type BatchRead, readBatch } from '../../../audit/batch/readBatch';
import { inputError, usageError } from '../../../base/errors';
import { english } from '../../../base/english';
import type { Command } from '../../arguments';
import { counted, log, printJson } from '../../terminal';

export const answersCommand: Command = {
  name: 'answers',
  summary: 'import the results of a batch that "captious requests" wrote',
  usage: ['answers BATCH RESULTS…'],
  operands: {
    BATCH: 'the *.batch-N.json file that "captious requests" wrote',
    RESULTS: 'output and error files of the batch API, with one result per line, in any order',
  },
  options: { json: { describe: 'print the result as one JSON value' } },
  notes: [
    'The next "captious audit" with the same evaluator file uses the answers. It sends a request only for pairs without an answer. To write these requests as a new batch, run "captious requests" again.',
  ],
  examples: ['answers batches/judge.captions.batch-1.json output.jsonl'],

  async run({ positionals: [batch, ...results], values }) {
    if (batch === undefined || results.length === 0)
      throw usageError(
        'Expected a batch and at least one file with its results.',
        'See: captious answers --help',
      );
    const read = await readBatch(batch, results);
    if (values.json) printJson(read);
    else report(read);
    if (read.answered === 0)
      throw inputError(
        'None of these files has an answer to a request of the batch.',
        'Check that the results belong to this batch, or run "captious requests" again.',
        results[0],
      );
    return 0;
  },
};

function report(read: BatchRead): void {
  const { requestCount, answered, imported, failed, unanswered, foreign, repeated, unreadable } = read;
  log(`${counted(answered, 'answer')} to ${counted(requestCount, 'request')}, ${imported} of them new`);
  if (failed.length > 0)
    log(
      `${counted(failed.length, 'request')} failed: ${some(failed.map(({ id, problem }) => `${id} (${english(problem)})`))}`,
    );
  if (unanswered.length > 0)
    log(`${counted(unanswered.length, 'request')} without a result: ${some(unanswered)}`);
  if (repeated.length > 0)
    log(
      `${counted(repeated.length, 'request')} with several answers, of which the first counts: ${some(repeated)}`,
    );
  if (foreign.length > 0)
    log(`${counted(foreign.length, 'result')} of other requests, which were not imported: ${some(foreign)}`);
  if (unreadable.length > 0)
    log(
      `${counted(unreadable.length, 'line')} not readable: ${some(unreadable.map(({ at, problem }) => `${at} (${english(problem)})`))}`,
    );
  if (failed.length + unanswered.length > 0)
    log('To write the missing requests as a new batch, run "captious requests" again.');
}

const shown = 5;

function some(all: readonly string[]): string {
  const named = all.slice(0, shown).map((one) => one.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 200));
  return `${named.join(', ')}${all.length > shown ? ', …' : ''}`;
}
