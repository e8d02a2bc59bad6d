import { inARow, say, type Words } from '../../base/say';
import { labelOf, verdictOf } from './variantNames';
import type { LgipRow, LgipVariant } from './row';
import { changeOf, inSpreads, isLargeChange } from '../largeChange';
import type { LabelledCaption, Mark } from '../../protocol/rows';

/** The mark at a caption's line: the stability of its score, and the number of caught flips. */
export function markOf(row: LgipRow, spread?: number): Omit<Mark, 'line' | 'index'> {
  const paraphrases = row.variants.filter(({ family }) => family === 'paraphrase');
  const flips = row.variants.filter(({ family }) => family === 'flip');
  const moved = paraphrases.reduce((sum, { delta }) => sum + Math.abs(delta), 0) / paraphrases.length;
  const caught = flips.filter(({ gap }) => (gap ?? 0) > 0).length;
  const parts: Words[] = [];
  if (paraphrases.length > 0) parts.push(stabilityOf(row, moved, spread));
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
    ...(paraphrases.length > 0 && isLargeChange(moved, changeBy(row, moved), spread)
      ? { unstable: true }
      : {}),
    captions: captionsOf(row, undefined),
  };
}

/**
 * In words: whether paraphrases leave the caption's score stable. The limit is in spreads or in percent, because
 * evaluators' ranges differ.
 */
function stabilityOf(row: LgipRow, moved: number, spread: number | undefined): Words {
  const change = changeBy(row, moved);
  const by = moved.toFixed(3);
  const isLarge = isLargeChange(moved, change, spread);
  if (spread !== undefined) {
    const size = inSpreads(moved, spread);
    return isLarge ? say('lgip.unstableBy', by, size) : say('lgip.stableBy', by, size);
  }
  if (change === null) return say('lgip.rewordedBy', by);
  // The percentage is rounded down, so that a stable caption does not show the limit itself.
  const percent = `${(Math.floor(10 * change + 1e-9) / 10).toFixed(1)} %`;
  return isLarge ? say('lgip.unstableBy', by, percent) : say('lgip.stableBy', by, percent);
}

function changeBy({ score }: LgipRow, moved: number): number | null {
  return score === null ? null : changeOf(score + moved, score);
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
export function captionsOf(row: LgipRow, sub: number | undefined): LabelledCaption[] {
  const own: LabelledCaption = {
    label: say('dataset.caption'),
    text: row.text,
    verdict: 'none',
    chosen: false,
  };
  if (row.score !== null) own.score = row.score;
  const variants = row.variants.map((variant, i): LabelledCaption => ({
    label: say('probe.nameWithDetail', labelOf(variant), variant.rule.replaceAll('{c}', '…')),
    text: variant.text,
    score: variant.score,
    delta: variant.delta,
    verdict: verdictOf(variant),
    against: 0,
    chosen: i === sub,
  }));
  const worst = [...variants.keys()].sort((a, b) => harmOf(row.variants[b]) - harmOf(row.variants[a]));
  const order = sub === undefined ? worst : [sub, ...worst.filter((i) => i !== sub)];
  return [own, ...order.map((i) => variants[i])];
}

export function harmOf({ gap, delta }: LgipVariant): number {
  return gap === undefined ? Math.abs(delta) : -gap;
}
