import { entryOf } from '../../base/entryOf';
import { say } from '../../base/say';
import type { Fault } from '../probe';
import { kinds } from './names';
import type { LgipRow } from './row';

/** Flips that score at least as high as the original caption. */
export function lgipFaults({ score, variants }: LgipRow): Fault[] {
  return variants
    .filter(({ family, gap }) => family === 'flip' && gap !== undefined && gap <= 0)
    .map(({ text, kind, score: flipped, gap = 0 }) => ({
      message: say(
        'lgip.flipMissed',
        entryOf(kinds, kind) ?? kind,
        text,
        flipped.toFixed(4),
        score?.toFixed(4) ?? '–',
      ),
      size: -gap,
    }))
    .sort((a, b) => b.size - a.size);
}
