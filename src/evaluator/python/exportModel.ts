import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { object, optional, type Shape, text } from '../../base/shape';
import { findInterpreter, type InterpreterChoice } from './interpreter';
import type { PythonSaid } from './reference';
import { runScript } from './script';

const lengthShape: Shape<number | 'free'> = (value) => (typeof value === 'number' ? value : 'free');
const shape = object({ length: optional(lengthShape), unfit: optional(text) });

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
  signal?: AbortSignal,
): Promise<number | 'free'> {
  if (!exported.some((name) => name === adapter))
    throw new CaptiousError('usage', say`Only models of open_clip and transformers can be converted.`, {
      remedy: say`Specify a model such as open_clip:ViT-B-32?pretrained=./x.pt or transformers:./folder.`,
    });
  const interpreter = findInterpreter(choice);
  const failed = say`The export failed. The Python environment needs the model's packages and the package onnx.`;
  const found = shape(
    await runScript(interpreter, 'convert.py', [folder, adapter!, JSON.stringify(args)], {
      ...{ deadlineMs, signal, failed },
    }),
    '',
  );
  if (found.unfit !== undefined)
    throw new CaptiousError('evaluator', found.unfit, {
      remedy: say`Audit the original model instead. Audits work without a conversion.`,
    });
  return found.length ?? 'free';
}
