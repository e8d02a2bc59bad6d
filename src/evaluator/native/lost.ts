import type { Exit } from '../../base/childProcess';
import { CaptiousError, evaluatorError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { memoryVariable } from './memory';

type Problem = [what: Words, remedy: Words];

/** The error of an engine that runs a model. */
export function whyModelEnded(exit: Exit): CaptiousError {
  return whyEnded(exit, {
    full: modelFull(exit),
    stalled: say('native.modelStalled', secondsOf(exit)),
    ended: say('native.modelProcessEnded', ...howEnded(exit)),
  });
}

/** The error of an engine that only decodes images. */
export function whyDecodingEnded(exit: Exit): CaptiousError {
  return whyEnded(exit, {
    full: [say('native.decodingMemoryExceeded'), say('native.shrinkImagesOrRaise', memoryVariable)],
    stalled: say('native.decoderStalled', secondsOf(exit)),
    ended: say('native.decoderEnded', ...howEnded(exit)),
  });
}

/** The error of an engine that only ranks embeddings or scores. */
export function whyRankingEnded(exit: Exit): CaptiousError {
  return whyEnded(exit, {
    full: [say('native.rankingMemoryExceeded'), say('native.shrinkDatasetOrRaise', memoryVariable)],
    stalled: say('native.rankingStalled', secondsOf(exit)),
    ended: say('native.rankingEnded', ...howEnded(exit)),
  });
}

function whyEnded(exit: Exit, { full, stalled, ended }: { full: Problem; stalled: Words; ended: Words }) {
  if (isFull(exit)) return evaluatorError(full[0], full[1]);
  const what = exit.cause?.code === 'stalled' ? stalled : ended;
  return new CaptiousError('interrupted', what, { remedy: say('native.runToResume') });
}

/** Whether the process needed more memory than it may use. */
export function isFull({ cause }: Exit): boolean {
  return cause?.code === 'memory' || cause?.code === 'heap';
}

/** Why a process with a model is full. */
export function modelFull({ cause }: Exit): Problem {
  return cause?.code === 'memory'
    ? [say('native.memoryLimitExceeded', ...cause.values), say('native.shrinkModelOrRaise', memoryVariable)]
    : [say('native.modelMemoryExceeded'), say('native.chooseSmallerModel')];
}

/** The exit code or the signal, with a cause that cannot be read, and the last output. */
export function howEnded({ code, signal, cause, words }: Exit): [how: Words, lastOutput: Words] {
  const how = signal === null ? say('native.exitCode', String(code)) : say('native.exitSignal', signal);
  return [
    cause?.code === 'unreadable' ? say('native.exitUnreadable', how, ...cause.values) : how,
    words === '' ? '' : say('native.lastOutput', words),
  ];
}

const secondsOf = ({ cause }: Exit): string => cause?.values[0] ?? '';
