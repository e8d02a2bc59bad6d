import { rarestBand } from '../perturb/words/frequencyBand';
import {
  type InvarianceRow,
  type InvarianceVariant,
  isMainVariant,
  mainRows,
  transformsOf,
} from '../probe/invariance/row';
import { bins } from '../probe/invariance/row';
import type { Change } from '../perturb/changeShape';
import type { Sampled } from '../protocol/sampled';
import { type Candidate, drawFrom, type Drawn, type SampleOptions } from './draw';
import { stratumName } from './strata';

export function idOf(
  { example, caption }: InvarianceRow,
  { family, variant, natural }: InvarianceVariant,
): string {
  return JSON.stringify([example, caption ?? null, family, variant, natural ?? null]);
}

/** A sample by family and variant. For the family blur, the smallest and the largest objects are first. */
export function drawSample(rows: readonly InvarianceRow[], options: SampleOptions): Drawn {
  const candidates = mainRows(rows).flatMap((row) =>
    row.variants.filter(isMainVariant).flatMap((variant): Candidate[] => {
      const { image } = row;
      if (image === undefined) return [];
      const bin = bins.findIndex((name) => name === row.object?.bin);
      return [
        {
          family: variant.family,
          stratum: stratumName(pathOf(row, variant, options.strata)),
          image,
          ...(variant.family === 'blur' ? { ranks: [bin, bins.length - bin] } : {}),
          item: () => itemOf(row, image, variant),
        },
      ];
    }),
  );
  return drawFrom(candidates, options);
}

/** The stratum of a variant, from coarse to fine: family, variant and, if requested, word frequency. */
export function pathOf(
  row: InvarianceRow,
  { family, variant, text, againstText }: InvarianceVariant,
  strata: SampleOptions['strata'],
): string[] {
  const path = [family, variant];
  return strata === undefined ? path : [...path, rarestBand(text ?? row.text, againstText ?? row.text)];
}

export function itemOf(row: InvarianceRow, image: string, variant: InvarianceVariant): Sampled {
  const { axis, family, variant: name, text, againstText } = variant;
  return {
    id: idOf(row, variant),
    axis,
    family,
    variant: name,
    original: { image, transforms: [], text: againstText ?? row.text },
    changed: { image, transforms: transformsOf(row, variant) as Change[], text: text ?? row.text },
  };
}
