import type { CaptiousError } from '../../../base/errors';
import { inputError } from '../../../base/errors';
import { chunksOf, linesOf } from '../../../base/files/readFile';
import { parseJson } from '../../../base/files/readJson';
import { say, type Words } from '../../../base/say';
import { number, object, optionalOrNull as maybe, type Shape, ShapeError, text } from '../../../base/shape';
import { answerShape, type Body } from '../endpoint/chatForm';

/** A request without a usable answer, and the reason. */
export interface Failed {
  id: string;
  problem: Words;
}

export interface Results {
  answers: Map<string, Body>;
  /** Requests that have errors but no answer. */
  failed: Failed[];
  /** Ids that are not in the batch. */
  foreign: string[];
  /** Ids that have several answers. The first answer counts. */
  repeated: string[];
  /** Lines that are not results. `at` is `file:line`. */
  unreadable: { at: string; problem: Words }[];
}

const anything: Shape<unknown> = (value) => value;
const errorShape = maybe(object({ code: maybe(anything), message: maybe(text) }));

/** A line of OpenAI's result and error files. */
const resultShape = object({
  custom_id: text,
  response: maybe(object({ status_code: number, body: maybe(anything) })),
  error: errorShape,
});
type Result = ReturnType<typeof resultShape>;

/** The most characters of an error message, because most requests of a batch may have failed. */
const longestProblem = 300;

/** Reads result files. `ids` are the ids of the batch's requests. */
export async function readResults(paths: readonly string[], ids: ReadonlySet<string>): Promise<Results> {
  const answers = new Map<string, Body>();
  const failed = new Map<string, Words>();
  const foreign = new Set<string>();
  const repeated = new Set<string>();
  const unreadable: Results['unreadable'] = [];
  for (const path of paths) {
    let number = 0;
    let results = 0;
    for await (const line of linesOf(chunksOf(path), path)) {
      number++;
      if (line.trim() === '') continue;
      let result: Result;
      try {
        result = resultShape(parseJson(Buffer.from(line)), '');
        results++;
      } catch (error) {
        unreadable.push({ at: `${path}:${number}`, problem: problemOf(error) });
        continue;
      }
      const id = result.custom_id;
      const answer = answerOf(result);
      if (!ids.has(id)) foreign.add(id);
      else if ('problem' in answer) failed.set(id, answer.problem);
      else if (answers.has(id)) repeated.add(id);
      else answers.set(id, answer.body);
    }
    if (results === 0 && number > 0) throw noResults(path, unreadable[0]?.problem);
  }
  const unanswered = [...failed].filter(([id]) => !answers.has(id));
  return {
    answers,
    failed: unanswered.map(([id, problem]) => ({ id, problem })),
    foreign: [...foreign],
    repeated: [...repeated],
    unreadable,
  };
}

function answerOf({ response, error }: Result): { body: Body } | { problem: Words } {
  if (response?.status_code !== 200) {
    const said = saidIn(response?.body) ?? error?.message ?? codeOf(error?.code) ?? 'no answer';
    const problem = response === undefined ? said : `${response.status_code}: ${said}`;
    return { problem: problem.slice(0, longestProblem) };
  }
  try {
    const body = answerShape(response.body, 'response.body');
    return body.choices.length > 0 ? { body } : { problem: say('judge.noChoices') };
  } catch (cause) {
    return { problem: say('judge.resultNotCompletion', problemOf(cause)) };
  }
}

/** The message in an error body such as { "error": { "message": … } }. */
function saidIn(body: unknown): string | undefined {
  try {
    return object({ error: errorShape })(body, '').error?.message;
  } catch {
    return undefined;
  }
}

function codeOf(code: unknown): string | undefined {
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined;
}

function problemOf(error: unknown): Words {
  return error instanceof ShapeError ? error.what : say('judge.lineNotJson');
}

function noResults(path: string, problem: Words | undefined): CaptiousError {
  return inputError(say('judge.noBatchResults', problem ?? ''), say('judge.chooseBatchOutput'), path);
}
