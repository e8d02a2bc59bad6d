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

/** Calibrates over all families, including words and moved objects, as in tables 14 to 16 of the paper. */
export function calibrateAll(
  fit: (estimator: Estimator, more: Partial<CalibrateOptions>) => Calibration,
): AllFamilies {
  return {
    fits: estimators.map((estimator) => fit(estimator, { orbits: 'rows', byFamily: true })),
    quantile: fit('literal', { width: undefined, orbits: 'rows', quantile: 0.75 }),
  };
}

const arrow = (before: number, after: number): string => `${figure(before)} → ${figure(after)}`;

function spanned(value: number, ci: readonly [number, number] | undefined): string {
  return ci === undefined ? figure(value) : `${figure(value, ci)} ${endsOf(ci)}`;
}

export function showAllFamilies({ fits, quantile }: AllFamilies): void {
  print(
    '\nOver all families, including words and moved objects, on held-out images. These corrections cannot be saved as an evaluator, because they need the changed versions of words and moved objects, which only the report has:',
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
  print(`\nBy family with ${best.options.estimator}, λ = ${best.lambda}:`);
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

/** Prints the corrections that can be saved as an evaluator, on held-out images only. */
export function showFits(
  fits: readonly Calibration[],
  chosen: Calibration,
  ablations: readonly {
    weights: Weighting;
    epsilon: number;
    lambda: number;
    heldOut: { before: number; after: number };
  }[],
): void {
  print(
    table(
      [
        'estimator',
        'λ',
        'corrects plain files',
        'held-out sensitivity',
        'rrf@0.7 spatial',
        'rrf@0.7 societal',
      ],
      fits.map(({ options, lambda, heldOut }) => [
        options.estimator,
        String(lambda),
        correctsPlainFiles(options.estimator) ? 'yes' : 'no',
        arrow(heldOut.total.before, heldOut.total.after),
        ...(['spatial', 'societal'] as const).map((axis) => {
          const risk = heldOut.rrf.find((one) => one.axis === axis);
          return risk === undefined ? '–' : arrow(risk.before.value ?? NaN, risk.after.value ?? NaN);
        }),
      ]),
    ),
  );
  for (const { options, words } of fits) {
    print(`\n${options.estimator}${options.estimator === chosen.options.estimator ? ' (chosen)' : ''}:`);
    for (const localized of words) print(`  ${localized}`);
  }
  print('\nBy family, on held-out images, with the chosen correction:');
  print(
    table(
      ['family', 'n', 'median |Δ|'],
      chosen.heldOut.families.map(({ family, n, before, after }) => [
        family,
        String(n),
        arrow(before, after),
      ]),
    ),
  );
  for (const { reference, n, before, after } of chosen.heldOut.agreement)
    print(`Spearman's ρ with ${reference} over ${n} held-out captions: ${figure(before)} → ${figure(after)}`);
  print('\nWith other weights and limits:');
  print(
    table(
      ['weights', 'ε', 'λ', 'held out'],
      ablations.map(({ weights, epsilon, lambda, heldOut }) => [
        weights,
        String(epsilon),
        String(lambda),
        arrow(heldOut.before, heldOut.after),
      ]),
    ),
  );
}
