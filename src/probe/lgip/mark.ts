import { inARow, say, type Words } from '../../base/say';
import { labelOf, verdictOf } from './variantNames';
import type { LgipRow, LgipVariant } from './row';
import { inSpreads, isLargeChange, largeInSpreads } from '../largeChange';
import type { Mark } from '../../protocol/rows';
import type { ShownCaption } from '../view';

/** The mark at a caption's line: the stability of its score, and the number of caught flips. */
export function markOf(row: LgipRow, spread?: number): Omit<Mark, 'line' | 'index' | 'captions'> {
  const paraphrases = row.variants.filter(({ family }) => family === 'paraphrase');
  const flips = row.variants.filter(({ family }) => family === 'flip');
  const moved = paraphrases.reduce((sum, { delta }) => sum + Math.abs(delta), 0) / paraphrases.length;
  const caught = flips.filter(({ gap }) => (gap ?? 0) > 0).length;
  const parts: Words[] = [];
  if (paraphrases.length > 0) parts.push(stabilityOf(moved, spread));
  if (flips.length > 0) parts.push(say('lgip.caughtCount', caught, flips.length));
  const worst = worstOf(flips);
  const reworded = worstOf(row.variants.filter(({ family }) => family === 'combined'));
  if (worst !== undefined && harmOf(worst) === 0) parts.push(say('lgip.worstTied', wordChange(row, worst)));
  else if (worst !== undefined)
    parts.push(say('lgip.worstHigherBy', wordChange(row, worst), harmOf(worst).toFixed(3)));
  else if (reworded !== undefined && harmOf(reworded) === 0)
    parts.push(say('lgip.worstParaphraseTied', wordChange(row, reworded)));
  else if (reworded !== undefined)
    parts.push(say('lgip.worstParaphraseHigherBy', wordChange(row, reworded), harmOf(reworded).toFixed(3)));
  const hints: string[] = [];
  if (paraphrases.length > 0)
    hints.push(`±${spread === undefined ? moved.toFixed(3) : inSpreads(moved, spread)}`);
  if (flips.length > 0) hints.push(`${caught}/${flips.length}`);
  return {
    texts: [row.text],
    column: row.captionPlace?.column,
    words:
      parts.length > 0
        ? inARow(parts)
        : row.variants.length > 0
          ? say('lgip.onlyExtraFlips')
          : say('lgip.noVariants'),
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
    ...(paraphrases.length > 0 && isUnstable(moved, spread) ? { unstable: true } : {}),
    ...(paraphrases.length > 0
      ? {
          rule:
            spread === undefined
              ? say('lgip.noStability')
              : say('lgip.stabilityRule', largeInSpreads, spread.toFixed(3)),
        }
      : {}),
  };
}

/** In words: whether paraphrases leave the caption's score stable, in spreads. Without a spread, there is no verdict. */
function stabilityOf(moved: number, spread: number | undefined): Words {
  const by = moved.toFixed(3);
  if (spread === undefined) return say('lgip.rewordedBy', by);
  const size = inSpreads(moved, spread);
  return isUnstable(moved, spread) ? say('lgip.unstableBy', by, size) : say('lgip.stableBy', by, size);
}

/** A percentage of a cosine depends on where the evaluator's scores happen to lie, so only the spread decides. */
function isUnstable(moved: number, spread: number | undefined): boolean {
  return spread !== undefined && isLargeChange(moved, null, spread);
}

/** The variant that scores highest. Undefined if every variant scores lower than the caption. */
function worstOf(variants: readonly LgipVariant[]): LgipVariant | undefined {
  const worst = [...variants].sort((a, b) => harmOf(b) - harmOf(a)).at(0);
  return worst !== undefined && harmOf(worst) >= 0 ? worst : undefined;
}

function wordChange(row: LgipRow, { text: changed, was, span, of }: LgipVariant): string {
  const text = of === undefined ? row.text : row.variants[of].text;
  return `"${text.slice(...was)}" → "${changed.slice(...span)}"`;
}

/** The caption, then the selected variant, then the other variants from worst to best. */
export function captionsOf(row: LgipRow, sub: number | undefined): ShownCaption[] {
  const own: ShownCaption = { label: say('dataset.caption'), text: row.text };
  if (row.score !== null) own.score = row.score;
  const variants = row.variants.map((variant, i): ShownCaption => ({
    label: say('probe.nameWithDetail', labelOf(variant), variant.rule.replaceAll('{c}', '…')),
    text: variant.text,
    score: variant.score,
    delta: variant.delta,
    verdict: verdictOf(variant),
    against: 0,
    chosen: i === sub,
    sub: i,
  }));
  const worst = [...variants.keys()].sort((a, b) => harmOf(row.variants[b]) - harmOf(row.variants[a]));
  const order = sub === undefined ? worst : [sub, ...worst.filter((i) => i !== sub)];
  return [own, ...order.map((i) => variants[i])];
}

export function harmOf({ gap, delta }: LgipVariant): number {
  return gap === undefined ? Math.abs(delta) : -gap;
}
