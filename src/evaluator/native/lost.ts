import type { Exit } from '../../base/childProcess';
import { CaptiousError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { memoryVariable, memoryWords } from './memory';

const heapIsFull = /heap out of memory|heap limit/i;

/** The error of an engine that runs a model. */
export function whyModelEnded(exit: Exit): CaptiousError {
  const { words, overdueMs } = exit;
  const greedy = words.lastIndexOf(memoryWords);
  if (greedy >= 0)
    return new CaptiousError('evaluator', say`${words.slice(greedy)}, so Captious stopped its process.`, {
      remedy: say`Use a smaller model, or raise the limit (in GB) with the environment variable ${memoryVariable}.`,
    });
  if (heapIsFull.test(words))
    return new CaptiousError(
      'evaluator',
      say`The model or its tokenizer needs more memory than its process may use.`,
      { remedy: say`Choose a smaller model.` },
    );
  return resumable(
    overdueMs === undefined
      ? say`The model process ended ${howOf(exit)}.${lastWords(exit)}`
      : say`The model made no progress for ${Math.round(overdueMs / 1000)} seconds, so Captious stopped its process.`,
  );
}

/** The error of an engine that only decodes images. */
export function whyDecodingEnded(exit: Exit): CaptiousError {
  if (exceedsMemory(exit))
    return new CaptiousError('evaluator', say`Decoding the images takes more memory than allowed.`, {
      remedy: say`Use smaller images, or raise the limit (in GB) with the environment variable ${memoryVariable}.`,
    });
  const { overdueMs } = exit;
  return resumable(
    overdueMs === undefined
      ? say`The process that decodes images ended ${howOf(exit)}.${lastWords(exit)}`
      : say`The image decoder made no progress for ${Math.round(overdueMs / 1000)} seconds, so Captious stopped its process.`,
  );
}

/** The error of an engine that only ranks embeddings or scores. */
export function whyRankingEnded(exit: Exit): CaptiousError {
  if (exceedsMemory(exit))
    return new CaptiousError('evaluator', say`Ranking takes more memory than allowed.`, {
      remedy: say`Use a smaller dataset, or raise the limit (in GB) with the environment variable ${memoryVariable}.`,
    });
  const { overdueMs } = exit;
  return resumable(
    overdueMs === undefined
      ? say`The process that ranks images and captions ended ${howOf(exit)}.${lastWords(exit)}`
      : say`Ranking made no progress for ${Math.round(overdueMs / 1000)} seconds, so Captious stopped its process.`,
  );
}

function exceedsMemory({ words }: Exit): boolean {
  return words.includes(memoryWords) || heapIsFull.test(words);
}

function howOf({ code, signal }: Exit): Words {
  return signal === null ? say`with exit code ${String(code)}` : say`with signal ${signal}`;
}

function lastWords({ words }: Exit): Words {
  return words === '' ? '' : say` Its last output: ${words}`;
}

function resumable(what: Words): CaptiousError {
  return new CaptiousError('interrupted', what, {
    remedy: say`Run again to resume. Cached results are reused.`,
  });
}
