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
    return new CaptiousError('evaluator', say('native.processStopped', words.slice(greedy)), {
      remedy: say('native.shrinkModelOrRaise', memoryVariable),
    });
  if (heapIsFull.test(words))
    return new CaptiousError('evaluator', say('native.modelMemoryExceeded'), {
      remedy: say('native.chooseSmallerModel'),
    });
  return resumable(
    overdueMs === undefined
      ? say('native.modelProcessEnded', howOf(exit), lastWords(exit))
      : say('native.modelStalled', Math.round(overdueMs / 1000)),
  );
}

/** The error of an engine that only decodes images. */
export function whyDecodingEnded(exit: Exit): CaptiousError {
  if (exceedsMemory(exit))
    return new CaptiousError('evaluator', say('native.decodingMemoryExceeded'), {
      remedy: say('native.shrinkImagesOrRaise', memoryVariable),
    });
  const { overdueMs } = exit;
  return resumable(
    overdueMs === undefined
      ? say('native.decoderEnded', howOf(exit), lastWords(exit))
      : say('native.decoderStalled', Math.round(overdueMs / 1000)),
  );
}

/** The error of an engine that only ranks embeddings or scores. */
export function whyRankingEnded(exit: Exit): CaptiousError {
  if (exceedsMemory(exit))
    return new CaptiousError('evaluator', say('native.rankingMemoryExceeded'), {
      remedy: say('native.shrinkDatasetOrRaise', memoryVariable),
    });
  const { overdueMs } = exit;
  return resumable(
    overdueMs === undefined
      ? say('native.rankingEnded', howOf(exit), lastWords(exit))
      : say('native.rankingStalled', Math.round(overdueMs / 1000)),
  );
}

function exceedsMemory({ words }: Exit): boolean {
  return words.includes(memoryWords) || heapIsFull.test(words);
}

function howOf({ code, signal }: Exit): Words {
  return signal === null ? say('native.exitCode', String(code)) : say('native.exitSignal', signal);
}

function lastWords({ words }: Exit): Words {
  return words === '' ? '' : say('native.lastOutput', words);
}

function resumable(what: Words): CaptiousError {
  return new CaptiousError('interrupted', what, {
    remedy: say('native.runToResume'),
  });
}
