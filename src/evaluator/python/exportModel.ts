import { evaluatorError, usageError } from '../../base/errors';
import { errorOf } from '../../base/failure';
import { Fingerprints } from '../../base/files/fingerprints';
import { storeFolder } from '../../base/files/home';
import { say } from '../../base/say';
import { converted } from '../../protocol/python';
import type { Allow } from '../evaluator';
import { mayStart } from './consent';
import { findInterpreter, type InterpreterChoice } from './interpreter';
import type { PythonSaid } from './reference';
import { runScript } from './script';
import { ScriptFound, withScripts } from './scripts';

/** The time limit in milliseconds. Converting the largest models takes minutes. */
const deadlineMs = 60 * 60_000;
const exported = ['open_clip', 'transformers'] as const;

/**
 * Converts a model of an adapter to ONNX graphs, with tokenizer and preprocessing. Returns the fixed
 * number of tokens per text, or `free` if the number may vary.
 */
export async function exportModel(
  { adapter, args }: PythonSaid,
  folder: string,
  choice: InterpreterChoice,
  { home, allow, signal }: { home: string; allow?: Allow | undefined; signal?: AbortSignal | undefined },
): Promise<number | 'free'> {
  if (!exported.some((name) => name === adapter))
    throw usageError(say('audit.notConvertible'), say('audit.nameConvertibleModel'));
  const interpreter = findInterpreter(choice);
  const failed = say('python.exportFailed');
  await mayStart(interpreter, [], { home, fingerprints: new Fingerprints(storeFolder(home)), allow });
  const found = await withScripts(home, allow, async (scripts) => {
    const given = [folder, adapter!, JSON.stringify(args), JSON.stringify(scripts)];
    const answer = await runScript(interpreter, 'convert.py', given, { deadlineMs, signal, failed });
    const { script, failure, ...model } = converted(answer, '');
    if (failure !== undefined) throw errorOf(failure);
    if (script !== undefined) throw new ScriptFound(script);
    return model;
  });
  if (found.unfit !== undefined)
    throw evaluatorError(found.unfit, found.remedy ?? say('audit.auditOriginalModel'));
  return found.length ?? 'free';
}
