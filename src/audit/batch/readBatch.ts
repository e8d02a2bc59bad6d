import { basename, dirname, join } from 'node:path';
import { inputError, wordsOf } from '../../base/errors';
import { homeFolder } from '../../base/files/home';
import { chunksOf, linesOf } from '../../base/files/readFile';
import { readJson } from '../../base/files/readJson';
import { say } from '../../base/say';
import { choice, count, list, object, type Shaped, text } from '../../base/shape';
import { BatchAnswers } from '../../evaluator/judge/batch/answers';
import { readResults, type Results } from '../../evaluator/judge/batch/results';

export const batchSchema = 'captious/batch@1';

/** The file that describes a batch of requests. The command that reads the results needs this file. */
const manifestShape = object({
  schema: choice(batchSchema),
  judge: object({ sha256: text, endpoint: text, model: text }),
  dataset: text,
  probes: list(text),
  requestCount: count,
  /** The files with the requests, relative to the manifest. */
  files: list(text),
});
export type BatchManifest = Shaped<typeof manifestShape>;

export interface BatchRead extends Omit<Results, 'answers'> {
  requestCount: number;
  /** The number of requests that have an answer in the imported files. */
  answered: number;
  /** The number of answers that no earlier import had. */
  imported: number;
  /** The ids of requests that no import has answered, except those in `failed`. */
  unanswered: string[];
}

/** Imports a batch's results for the next audit with the same judge. */
export async function readBatch(
  path: string,
  results: readonly string[],
  home = homeFolder(),
): Promise<BatchRead> {
  const { judge, files, requestCount } = await manifestAt(path);
  const ids = new Set<string>();
  for (const file of files) for await (const id of idsIn(join(dirname(path), basename(file)))) ids.add(id);
  const { answers, ...found } = await readResults(results, ids);
  const kept = new BatchAnswers(home, judge.sha256);
  const imported = await kept.add(answers);
  const known = await kept.read();
  const failed = found.failed.filter(({ id }) => !known.has(id));
  const named = new Set(failed.map(({ id }) => id));
  return {
    ...found,
    ...{ requestCount, imported, failed },
    answered: answers.size,
    unanswered: [...ids].filter((id) => !known.has(id) && !named.has(id)),
  };
}

async function manifestAt(path: string): Promise<BatchManifest> {
  try {
    const manifest = manifestShape(await readJson(path), '');
    if (!/^[0-9a-f]{64}$/.test(manifest.judge.sha256)) throw new Error('judge.sha256 is not a hash.');
    return manifest;
  } catch (cause) {
    throw inputError(
      say('audit.batchFileUnreadable', wordsOf(cause)),
      say('audit.chooseBatchFile'),
      path,
      cause,
    );
  }
}

const requestShape = object({ custom_id: text });

async function* idsIn(path: string): AsyncGenerator<string> {
  let number = 0;
  try {
    for await (const line of linesOf(chunksOf(path), path)) {
      number++;
      if (line !== '') yield requestShape(JSON.parse(line), '').custom_id;
    }
  } catch (cause) {
    throw inputError(
      say('audit.batchRequestsUnreadable', wordsOf(cause)),
      say('audit.keepBatchRequests'),
      `${path}:${number}`,
      cause,
    );
  }
}
