/* Reads the samples that lmms-eval writes with --log_samples, one on each line. */
import { basename } from 'node:path';
import { Reason } from '../../base/errors';
import { isFile } from '../../base/files/isFile';
import { say } from '../../base/say';
import { countOf, type Log, type LoggedSample, type LoggedScore, scoreOf, textOf } from './log';
import { jsonIn, recordsIn } from './readJson';
import { isRecord } from '../../base/quickTest';

/** The fields of a line that are no scores. */
const others = new Set([
  ...[
    'doc_id',
    'doc',
    'target',
    'arguments',
    'resps',
    'filtered_resps',
    'token_counts',
    'input',
    'input_media',
  ],
  ...['doc_hash', 'prompt_hash', 'target_hash', 'filter', 'metrics'],
]);

export function isLmmsEvalSample(record: Record<string, unknown>): boolean {
  return 'doc_id' in record && ('filtered_resps' in record || 'resps' in record) && 'target' in record;
}

export async function lmmsEvalLog(path: string): Promise<Log> {
  const samples: LoggedSample[] = [];
  for await (const { line, record } of recordsIn(path)) {
    const id = textOf(record.doc_id);
    if (id === undefined) throw new Reason(say('imported.sampleWithoutId', line));
    const scores = new Map<string, LoggedScore>();
    const fields: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(record)) {
      if (others.has(name)) continue;
      if (!isRecord(value)) {
        scores.set(name, scoreOf(value));
        continue;
      }
      // By lmms-eval's own convention, a structure has its number in "score", next to the fields of its group.
      scores.set(
        name,
        'score' in value ? scoreOf(value.score) : { ok: false, why: say('imported.notNumber') },
      );
      Object.assign(fields, value);
    }
    samples.push({
      ...{ id, line, scores, fields: isRecord(record.doc) ? { ...fields, ...record.doc } : fields },
      ...{ input: textOf(record.input), target: textOf(record.target), answer: answerOf(record) },
    });
  }
  const task = /samples_(.+)\.jsonl$/.exec(basename(path))?.[1] ?? basename(path, '.jsonl');
  const whole = await wholeOf(path, task);
  return { program: 'lmms-eval', task, model: modelOf(path), samples, whole, better: new Map() };
}

/** The number of the task's samples, which lmms-eval writes into the file of the means beside the samples. */
async function wholeOf(path: string, task: string): Promise<number | undefined> {
  const results = path.replace(/samples_[^/\\]+\.jsonl$/, 'results.json');
  if (results === path || !isFile(results)) return undefined;
  const value = await jsonIn(results);
  const counts = isRecord(value) && isRecord(value['n-samples']) ? value['n-samples'][task] : undefined;
  return isRecord(counts) ? countOf(counts.original) : undefined;
}

function answerOf({ filtered_resps: answers }: Record<string, unknown>): string | undefined {
  return textOf(Array.isArray(answers) && answers.length === 1 ? answers[0] : answers);
}

/** lmms-eval names the folder of a model's files after it. The lines do not say the model. */
function modelOf(path: string): string {
  return path.split(/[/\\]/).at(-2) ?? 'unknown';
}
