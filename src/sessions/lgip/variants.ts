/** Draws a sample of an LGIP report's variants. Leaves out variants without an image. */
import { rarestBand } from '../../perturb/words/frequencyBand';
import type { LgipRow, LgipVariant } from '../../probe/lgip/row';
import type { Sampled } from '../../protocol/sampled';
import { type Candidate, drawFrom, type Drawn, type SampleOptions } from '../draw';
import { stratumName } from '../strata';

export function lgipId(
  { example, caption }: Pick<LgipRow, 'example' | 'caption'>,
  variant: LgipVariant,
): string {
  const { family, kind, rule, text } = variant;
  return JSON.stringify([example, caption, family, kind, rule, text]);
}

/** The stratum of a variant, from coarse to fine: family, kind and, if requested, word frequency. */
export function lgipPath(
  original: string,
  { family, kind, text }: LgipVariant,
  strata: SampleOptions['strata'],
): string[] {
  return strata === undefined ? [family, kind] : [family, kind, rarestBand(text, original)];
}

export function lgipItem(
  row: Pick<LgipRow, 'example' | 'caption' | 'text'>,
  image: string,
  variant: LgipVariant,
): Sampled {
  return {
    id: lgipId(row, variant),
    axis: 'language',
    family: variant.family,
    variant: variant.kind,
    original: { image, transforms: [], text: row.text },
    changed: { image, transforms: [], text: variant.text },
  };
}

/** Collects variants row by row, because the rows may not fit into memory. */
export class LgipVariants {
  private readonly candidates: Candidate[] = [];

  constructor(private readonly options: SampleOptions) {}

  add({ example, caption, image, text, variants }: LgipRow): void {
    if (image === undefined) return;
    const row = { example, caption, text };
    for (const variant of variants) {
      const { family } = variant;
      this.candidates.push({
        family,
        stratum: stratumName(lgipPath(text, variant, this.options.strata)),
        image,
        item: () => lgipItem(row, image, variant),
      });
    }
  }

  draw(): Drawn {
    return drawFrom(this.candidates, this.options);
  }
}

/** Whether a variant is meant to keep the meaning of its caption: LGIP's paraphrases, and PRSM's wordings by set. */
export function keepsMeaning(family: string): boolean {
  return family === 'paraphrase' || /^P\d$/.test(family);
}
