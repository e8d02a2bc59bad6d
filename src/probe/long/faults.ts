import { say } from '../../base/say';
import type { Fault } from '../probe';
import { longKinds } from './names';
import { isError, type LongRow } from './row';

/** The planted errors that do not lower the score, the largest rise first. */
export function longFaults({ text, score, variants }: LongRow): Fault[] {
  return variants
    .filter(isError)
    .filter(({ delta }) => delta >= 0)
    .map(({ kind, was, span, text: changed, decile, score: own, delta }) => {
      const what = [longKinds[kind], decile, text.slice(...was), changed.slice(...span)] as const;
      const scores = [score.toFixed(4), own.toFixed(4)] as const;
      return {
        message:
          delta === 0
            ? say('long.errorTied', ...what, ...scores)
            : say('long.errorHigher', ...what, ...scores),
        size: delta,
      };
    })
    .sort((a, b) => b.size - a.size);
}
