import type { Calibration } from '../../probe/invariance/calibration/calibration';
import type { Bar, Chart, Curve } from '../../chart/chart';
import { listSection, page } from './page';
import { drawn } from './probeCharts';
import { escapeXml as e } from '../../base/xml';

/** One page about an audit's calibrations: results and charts. */
export function calibrationHtml(
  evaluator: string,
  fits: readonly Calibration[],
  chosen: Calibration,
): string {
  const { estimator, epsilon, weights } = chosen.options;
  return page(`Calibration · ${evaluator}`, [
    `<p>Chosen: ${e(estimator)}, λ = ${chosen.lambda}, weights ${e(weights)}, ε = ${epsilon}; fitted on ${chosen.dev.photos} images, measured on ${chosen.heldOut.photos} other images.</p>`,
    ...fits.map(({ options, words }) => listSection(options.estimator, words)),
    '<h2>Charts</h2>',
    ...drawn([
      {
        type: 'bars',
        title: 'Median size of a change on held-out images, before and after',
        bars: chosen.heldOut.families.flatMap(({ family, n, before, after }): Bar[] => [
          { name: `${family}, before`, value: before, n },
          { name: `${family}, after`, value: after, n },
        ]),
        reference: 0,
      },
      {
        type: 'bars',
        title: 'Flip risk at 0.7 % of the range on held-out images, before and after',
        bars: chosen.heldOut.rrf.flatMap(({ axis, before, after }) =>
          Object.entries({ before, after }).flatMap(([when, { value, n, ci }]): Bar[] =>
            value === null ? [] : [{ name: `${axis}, ${when}`, value, n, ...(ci ? { ci } : {}) }],
          ),
        ),
        reference: 0,
      },
      agreement(chosen),
      {
        type: 'curves',
        title: 'Total sensitivity on the fitted images, by λ',
        axes: { x: 'λ', y: 'sum of median |Δ|' },
        curves: fits.map(({ options, sweep }): Curve => ({
          name: options.estimator,
          points: sweep.map(({ lambda, total }) => ({ x: lambda, y: total })),
        })),
      },
    ]),
  ]);
}

function agreement({ sweep, heldOut, lambda }: Calibration): Chart {
  const lines = heldOut.agreement.map(({ reference }, i): Curve => ({
    name: reference,
    points: sweep.flatMap((step) => {
      const rho = step.agreement[i];
      return rho === null ? [] : [{ x: step.lambda, y: rho }];
    }),
  }));
  return {
    type: 'curves',
    title: 'Agreement with the references on the fitted images, by λ',
    axes: { x: 'λ', y: 'Spearman’s ρ', mark: { x: lambda, name: `λ = ${lambda}` } },
    curves: lines,
  };
}
