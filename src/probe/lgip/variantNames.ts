import { inARow, say, type Words } from '../../base/say';
import { entryOf } from '../../base/entryOf';
import { kinds } from './names';
import type { LgipVariant } from './row';
import type { Verdict } from '../../protocol/rows';

export function verdictOf({ family, gap }: LgipVariant): Verdict {
  if (family === 'paraphrase' || gap === undefined) return 'none';
  if (gap === 0) return 'tie';
  return gap > 0 ? 'right' : 'wrong';
}

export const families = {
  paraphrase: say('lgip.paraphrase'),
  flip: say('lgip.flip'),
  combined: say('lgip.combined'),
  beyond: say('lgip.extraFlip'),
} as const;
export const reworded: typeof kinds = {
  color: say('lgip.colourReworded'),
  number: say('lgip.numberReworded'),
  object: say('lgip.objectReworded'),
};

export function kindOf({ family, kind }: LgipVariant): Words {
  return family === 'combined'
    ? (entryOf(reworded, kind) ?? say('lgip.otherReworded', entryOf(kinds, kind) ?? kind))
    : (entryOf(kinds, kind) ?? kind);
}

export function labelOf(variant: LgipVariant): Words {
  return inARow([families[variant.family], kindOf(variant)]);
}
