import { correctsPlainFiles, type Estimator, estimators } from '../../evaluator/calibration';
import type {
  CalibrateOptions,
  Calibration,
  Weighting,
} from '../../probe/invariance/calibration/calibration';
import { endsOf, figure } from '../../report/figures';
import { print, table } from '../terminal';

export interface AllFamilies {
  fits: Calibration[];
  /** The literal estimator's calibration, with the upper quartile of the changes instead of the median. */
  quantile: Calibration;
}

/** The result of the chosen estimator with other weights and another limit. */
export interface Ablation {
  weights: Weighting;
  epsilon: number;
  lambda: number;
  heldOut: { before: number; after: number };
}

/** Calibrates over all families, including words and moved objects, as in tables 14 to 16 of the paper. */
export async function calibrateAll(
  fit: (estimator: Estimator, more: Partial<CalibrateOptions>) => Promise<Calibration>,
): Promise<AllFamilies> {
  const fits: Calibration[] = [];
  for (const estimator of estimators) fits.push(await fit(estimator, { orbits: 'rows', byFamily: true }));
  return { fits, quantile: await fit('literal', { width: undefined, orbits: 'rows', quantile: 0.75 }) };
}

const arrow = (before: number, after: number): string => `${figure(before)} → ${figure(after)}`;

function spanned(value: number, ci: readonly [number, number] | undefined): string {
  return ci === undefined ? figure(value) : `${figure(value, ci)} ${endsOf(ci)}`;
}

export function showAllFamilies({ fits, quantile }: AllFamilies): void {
  print(
    '\nOver all families, including words and moved objects, on held-out images that Captious changed itself. These corrections cannot be saved as an evaluator, because they need the changed versions of words and moved objects, which only the report has:',
  );
  const change = ({ before, after }: { before: number; after: number }): string =>
    before === 0 ? '–' : `${((100 * (after - before)) / before).toFixed(1)} %`;
  const axis = ({ heldOut }: Calibration, name: 'spatial' | 'societal'): string => {
    const own = heldOut.families.filter((one) => one.axis === name);
    const sum = (of: 'before' | 'after'): number => own.reduce((total, one) => total + one[of], 0);
    return own.length === 0 ? '–' : arrow(sum('before'), sum('after'));
  };
  const line = (name: string, fit: Calibration): string[] => [
    name,
    String(fit.lambda),
    arrow(fit.heldOut.total.before, fit.heldOut.total.after),
    change(fit.heldOut.total),
    axis(fit, 'spatial'),
    axis(fit, 'societal'),
    fit.oracle === undefined ? '' : `${figure(fit.oracle.total)} (λ ${fit.oracle.lambda})`,
  ];
  print(
    table(
      ['estimator', 'λ', 'sensitivity', 'change', 'spatial', 'societal', 'best λ in hindsight'],
      [...fits.map((fit) => line(fit.options.estimator, fit)), line('literal, upper quartile', quantile)],
    ),
  );
  const best = fits.reduce((a, b) => (b.dev.total.after < a.dev.total.after ? b : a));
  print(`\nBy family with ${best.options.estimator}, λ = ${best.lambda}, on the same images:`);
  const risks = new Map(best.familyRrf?.map((risk) => [risk.family, risk]));
  print(
    table(
      ['family', 'n', 'median |Δ| before', 'after', 'rrf@0.7 before', 'after'],
      best.heldOut.families.map(({ family, n, before, after, beforeCi, afterCi }) => {
        const risk = risks.get(family);
        return [
          family,
          String(n),
          spanned(before, beforeCi),
          spanned(after, afterCi),
          risk === undefined ? '–' : spanned(risk.before.value ?? NaN, risk.before.ci),
          risk === undefined ? '–' : spanned(risk.after.value ?? NaN, risk.after.ci),
        ];
      }),
    ),
  );
}

/** The sensitivity to the changes that also exist as files, so that both figures are about the same families. */
function ofImages({ families, heldOut }: Calibration): string {
  const known = new Set(
    families.filter(({ transforms }) => transforms !== undefined).map(({ name }) => name),
  );
  const own = heldOut.families.filter(({ family }) => known.has(family));
  const sum = (of: 'before' | 'after'): number => own.reduce((total, one) => total + one[of], 0);
  return arrow(sum('before'), sum('after'));
}

function onFiles({ options, plain }: Calibration): string {
  if (plain !== undefined) return arrow(plain.heldOut.total.before, plain.heldOut.total.after);
  return correctsPlainFiles(options.estimator) ? 'not measured' : 'no effect';
}

/** Prints the corrections that can be saved as an evaluator, on held-out images only. */
export function showFits(
  fits: readonly Calibration[],
  { chosen, wished, plainly }: { chosen: Calibration; wished: boolean; plainly: string | undefined },
  ablations: readonly Ablation[],
): void {
  const { plain } = chosen;
  const asFiles =
    plain === undefined
      ? ''
      : ` The column "image changes in files" is about ${plain.heldOut.images} of these images, changed and saved as files: it is not told how they were changed.`;
  print(
    `Sensitivity (the sum of each family's median |Δ|) and flip risk (rrf) on ${chosen.heldOut.images} held-out images that Captious changed itself. The corrected evaluator is told how they were changed.${asFiles}`,
  );
  const sensitivities = ['image changes in files', 'image changes by Captious', 'all changes by Captious'];
  print(
    table(
      ['estimator', 'λ', ...sensitivities, 'rrf@0.7 spatial', 'rrf@0.7 societal'],
      fits.map((fit) => [
        fit.options.estimator,
        String(fit.lambda),
        onFiles(fit),
        ofImages(fit),
        arrow(fit.heldOut.total.before, fit.heldOut.total.after),
        ...(['spatial', 'societal'] as const).map((axis) => {
          const risk = fit.heldOut.rrf.find((one) => one.axis === axis);
          return risk === undefined ? '–' : arrow(risk.before.value ?? NaN, risk.after.value ?? NaN);
        }),
      ]),
    ),
  );
  if (plainly !== undefined) print(`\n${plainly}`);
  if (!wished) showChoice(fits);
  for (const { options, words } of fits) {
    print(`\n${options.estimator}${options.estimator === chosen.options.estimator ? ' (chosen)' : ''}:`);
    for (const localized of words) print(`  ${localized}`);
  }
  showFamilies(chosen);
  for (const { reference, n, before, after } of chosen.heldOut.agreement)
    print(`Spearman's ρ with ${reference} over ${n} held-out captions: ${figure(before)} → ${figure(after)}`);
  print('\nWith other weights and limits, all changes by Captious on held-out images:');
  print(
    table(
      ['weights', 'ε', 'λ', 'sensitivity'],
      ablations.map(({ weights, epsilon, lambda, heldOut }) => [
        weights,
        String(epsilon),
        String(lambda),
        arrow(heldOut.before, heldOut.after),
      ]),
    ),
  );
}

function showChoice(fits: readonly Calibration[]): void {
  const able = fits.filter(({ options }) => correctsPlainFiles(options.estimator));
  const { plain, dev } = able[0];
  const what =
    plain === undefined
      ? `all changes by Captious on the ${dev.images} images for fitting`
      : `image changes in files of ${plain.dev.images} images for fitting`;
  const totals = able.map((fit) => (fit.plain?.dev ?? fit.dev).total);
  const left = able.map(({ options }, i) => `${options.estimator} ${figure(totals[i].after)}`);
  const helps = totals.some(({ before, after }) => after < before);
  print(
    `\nThe choice is the lowest sensitivity to ${what}: ${left.join(', ')} (uncorrected ${figure(totals[0].before)}).${helps ? '' : ' No correction lowers it, so the uncorrected evaluator is preferable.'}`,
  );
}

function showFamilies({ heldOut, plain }: Calibration): void {
  print('\nMedian |Δ| by family on held-out images, with the chosen correction:');
  const asFiles = new Map(plain?.heldOut.families.map((one) => [one.family, one]));
  print(
    table(
      ['family', 'n', 'changes by Captious', ...(plain === undefined ? [] : ['n', 'changes in files'])],
      heldOut.families.map(({ family, n, before, after }) => {
        const other = asFiles.get(family);
        return [
          ...[family, String(n), arrow(before, after)],
          ...(plain === undefined ? [] : [String(other?.n ?? '–')]),
          ...(plain === undefined ? [] : [other === undefined ? '–' : arrow(other.before, other.after)]),
        ];
      }),
    ),
  );
}
