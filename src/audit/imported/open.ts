import { type CaptiousError, inputError, Reason } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import { say } from '../../base/say';
import { capEvalKitLog, itemsOf } from './capEvalKit';
import { everyEvalEverLog, everyEvalEverRun, isAggregate, isInstance } from './everyEvalEver';
import { inspectArchive, inspectLog, isInspectLog } from './inspect';
import { isLmmsEvalSample, lmmsEvalLog } from './lmmsEval';
import type { Log } from './log';
import { jsonIn, recordsIn } from './readJson';
import { isRecord } from '../../base/quickTest';

/** Reads a log of another program, which is recognised by its content. */
export async function openLog(path: string): Promise<Log> {
  try {
    if (await isZip(path)) return await inspectArchive(path);
    return /\.jsonl$/i.test(path) ? await linesLog(path) : await jsonLog(path);
  } catch (error) {
    if (!(error instanceof Reason)) throw error;
    throw inputError(error.what, say('imported.completeFile'), path, error);
  }
}

async function isZip(path: string): Promise<boolean> {
  const file = await openRegular(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50;
  } finally {
    await file.close();
  }
}

async function linesLog(path: string): Promise<Log> {
  for await (const { record } of recordsIn(path)) {
    if (isInstance(record)) return everyEvalEverLog(path);
    if (isLmmsEvalSample(record)) return lmmsEvalLog(path);
    break;
  }
  throw unknownLog(path);
}

async function jsonLog(path: string): Promise<Log> {
  const value = await jsonIn(path);
  if (isInspectLog(value)) return inspectLog(value);
  if (isAggregate(value)) return everyEvalEverRun(path, value);
  const items = itemsOf(value);
  if (items !== undefined) return capEvalKitLog(path, value, items);
  const program = aggregating(value);
  if (program === undefined) throw unknownLog(path);
  const remedy = program === 'lmms-eval' ? say('imported.logSamples') : say('imported.auditInstead', program);
  throw inputError(say('imported.onlyAggregates', program), remedy, path);
}

/** The program whose results have only means, in which nothing can be tested. */
function aggregating(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  if (isRecord(value.metrics) && 'dataset' in value && 'task' in value) return 'CLIP_benchmark';
  if (isRecord(value.scores) && ('task_name' in value || 'mteb_version' in value)) return 'MTEB';
  return isRecord(value.results) && 'configs' in value ? 'lmms-eval' : undefined;
}

function unknownLog(path: string): CaptiousError {
  return inputError(say('imported.unknownLog'), say('imported.knownLogs'), path);
}
