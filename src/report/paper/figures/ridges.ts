/* Charts score changes by kind of perturbation: a ridge for each kind or, for few images, points. */
import { Column } from '../../../base/column';
import { english } from '../../../base/english';
import type { Kind, Ridge } from '../../../chart/chart';
import { clusterOf } from '../../../probe/metric';
import { reporting } from '../../../probe/list';
import { leastImages } from '../../../stats/decisions/smallSample';
import { medianOfSorted, quantileOfSorted, sorted, standardDeviation } from '../../../stats/summary';
import { LeftOutRows } from '../../rowChecks';
import { readRows } from '../../rows';
import type { Entry } from '../entry';

/** Facets that name a perturbation, most specific first. */
const facets = ['kind', 'family'];
const points = 240;

export async function ridgesOf({
  path,
  report,
  evaluator,
  dataset,
}: Entry): Promise<Kind<'ridges'> | undefined> {
  const view = reporting(report.probe).rows;
  const facet = facets.map((id) => view.facets.findIndex((own) => own.id === id)).find((at) => at !== -1);
  if (facet === undefined) return undefined;
  const groups = new Map<string, { values: Column<Float64Array>; images: Set<string> }>();
  for await (const row of readRows(path, report, new LeftOutRows()))
    for (const { delta, facets: own } of view.facts(row)) {
      if (delta === undefined) continue;
      let found = groups.get(own[facet]);
      if (found === undefined)
        groups.set(own[facet], (found = { values: new Column(Float64Array), images: new Set() }));
      found.values.push(delta);
      if (found.images.size < leastImages) found.images.add(clusterOf(row));
    }
  return {
    type: 'ridges',
    title: `Change in score by perturbation: ${evaluator} on ${dataset}`,
    axis: english(view.delta.title),
    ridges: [...groups].map(
      ([
        name,
        {
          values: { filled },
          images,
        },
      ]) => (images.size < leastImages ? pointsOf(name, filled) : ridgeOf(name, filled)),
    ),
    reference: 0,
  };
}

function pointsOf(name: string, values: Float64Array): Ridge {
  return { name, values: [...values], median: medianOfSorted(sorted(values)), n: values.length };
}

/** A Gaussian kernel density with Silverman's bandwidth, over fine bins. */
function ridgeOf(name: string, values: Float64Array): Ridge {
  const ascending = sorted(values);
  const n = ascending.length;
  const spread = n < 2 ? 0 : standardDeviation(ascending);
  const quartiles = quantileOfSorted(ascending, 0.75) - quantileOfSorted(ascending, 0.25);
  const narrow = quartiles > 0 ? Math.min(spread, quartiles / 1.34) : spread;
  const bandwidth = 0.9 * narrow * n ** -0.2 || Math.abs(ascending[0]) / 100 || 0.01;
  const low = ascending[0] - 3 * bandwidth;
  const step = (ascending[n - 1] + 3 * bandwidth - low) / (points - 1);
  const counts = new Float64Array(points);
  for (const value of values) counts[Math.round((value - low) / step)]++;
  const reach = Math.min(points, Math.ceil((4 * bandwidth) / step));
  const density = Array.from(counts, (_, at) => {
    let total = 0;
    for (let i = Math.max(0, at - reach); i <= Math.min(points - 1, at + reach); i++)
      total += counts[i] * Math.exp(-0.5 * (((i - at) * step) / bandwidth) ** 2);
    return total;
  });
  return { name, low, step, density, median: medianOfSorted(ascending), n };
}
