import type { Calibration, PlainFigures } from '../../probe/invariance/calibration/calibration';
import type { Bar, Chart, Curve } from '../../chart/chart';
import { english } from '../../base/english';
import { familyName } from '../../probe/invariance/view';
import { figure, shownPath } from '../figures';
import type { Report } from '../report';
import { htmlTable, listSection, page } from './page';
import { drawn } from './chartMarkup';
import { escapeXml as e } from '../../base/xml';

const nameOf = (family: string): string => english(familyName(family));

/** One page about an audit's calibrations. Those of `all` also cover words and moved objects. */
export function calibrationHtml(
  { dataset, evaluator }: Pick<Report, 'dataset' | 'evaluator'>,
  fits: readonly Calibration[],
  chosen: Calibration,
  all: readonly Calibration[],
): string {
  const { options, plain } = chosen;
  const { estimator, epsilon, weights } = options;
  return page(`Calibration · ${evaluator.name}`, [
    `<p>Invariance audit of ${e(shownPath(dataset.path))} (${dataset.examples} examples).</p>`,
    `<p>Chosen: ${e(estimator)}, λ = ${chosen.lambda}, weights ${e(weights)}, ε = ${epsilon}; fitted on ${chosen.dev.images} images, measured on ${chosen.heldOut.images} other images.${plain === undefined ? '' : ` As files that were changed before: ${plain.dev.images} of the images for fitting and ${plain.heldOut.images} of the others.`}</p>`,
    ...fits.map((fit) =>
      listSection(`${fit.options.estimator}${fit === chosen ? ' (chosen)' : ''}`, fit.words),
    ),
    allFamilies(all),
    '<h2>Charts</h2>',
    `<p>Captious itself changed the images and captions of these charts${plain === undefined ? '. Changed image files were not measured' : ', unless a title speaks of files'}.</p>`,
    ...drawn([
      sizes('Median size of a change on held-out images, before and after', chosen.heldOut),
      ...(plain === undefined
        ? []
        : [sizes('Median size of a change in held-out image files, before and after', plain.heldOut)]),
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
        title: 'Total sensitivity on held-out images, by λ',
        axes: { x: 'λ', y: 'sum of median |Δ|' },
        curves: fits.map(({ options, sweep }): Curve => ({
          name: options.estimator,
          points: sweep.map(({ lambda, heldOut }) => ({ x: lambda, y: heldOut.total })),
        })),
      },
    ]),
  ]);
}

function sizes(title: string, { families }: PlainFigures): Chart {
  const bars = families.flatMap(({ family, n, before, after }): Bar[] => [
    { name: `${nameOf(family)}, before`, value: before, n },
    { name: `${nameOf(family)}, after`, value: after, n },
  ]);
  return { type: 'bars', title, bars, reference: 0 };
}

function allFamilies(all: readonly Calibration[]): string {
  const rows = all.map(({ options, lambda, heldOut: { total } }) => [
    e(
      options.quantile === undefined
        ? options.estimator
        : `${options.estimator}, quantile ${options.quantile}`,
    ),
    String(lambda),
    figure(total.before),
    figure(total.after),
    total.before === 0 ? '–' : `${((100 * (total.after - total.before)) / total.before).toFixed(1)} %`,
  ]);
  const columns = ['estimator', 'λ', 'before', 'after', 'change'];
  return `<h2>Over all families</h2><p>Total sensitivity on held-out images that Captious changed itself, including words and moved objects. These corrections cannot be saved as an evaluator, because they need the changed versions of words and moved objects, which only the report has.</p>${htmlTable(
    columns.map((title, at) => ({ title, number: at > 0 })),
    rows,
  )}`;
}

function agreement({ sweep, heldOut, lambda }: Calibration): Chart {
  const lines = heldOut.agreement.map(({ reference }, i): Curve => ({
    name: reference,
    points: sweep.flatMap((step) => {
      const rho = step.heldOut.agreement[i];
      return rho === null ? [] : [{ x: step.lambda, y: rho }];
    }),
  }));
  return {
    type: 'curves',
    title: 'Agreement with the references on held-out images, by λ',
    axes: { x: 'λ', y: 'Spearman’s ρ', mark: { x: lambda, name: `λ = ${lambda}` } },
    curves: lines,
  };
}
