/* Figures for print, drawn from the chart specifications and with the renderer of the HTML export. */
import { english } from '../../base/say';
import type { Chart } from '../../probe/chart';
import { probeNamed } from '../../probe/list';
import { imagesOf, type Metric } from '../../probe/metric';
import { leastImages } from '../../stats/decisions/smallSample';
import { drawn } from '../export/probeCharts';
import { type Entry, inOrder } from './entry';
import { findMetric } from './table';

/** A forest plot of each main metric, a heat map of perturbations, and the probe's own charts of several reports. */
export function figuresOf(entries: readonly Entry[]): { name: string; chart: Chart }[] {
  return inOrder(entries, ({ report }) => report.probe).flatMap((probe) => {
    const ofProbe = entries.filter(({ report }) => report.probe === probe);
    const datasets = inOrder(ofProbe, ({ dataset }) => dataset);
    return datasets.flatMap((dataset) => {
      const own = ofProbe.filter((entry) => entry.dataset === dataset);
      const name = datasets.length > 1 ? `${probe}.${dataset}` : probe;
      const named = own.map(({ evaluator, report }) => ({
        evaluator: { name: evaluator },
        metrics: report.metrics.map((metric) => ({ ...metric, ci: spanOf(metric).ci })),
      }));
      const beside = probeNamed(probe).comparisonCharts?.(named) ?? [];
      return [
        ...forests(own, name),
        ...(probe === 'invariance' ? perturbations(own, name) : []),
        ...beside
          .filter(({ type }) => type !== 'table' && type !== 'texts')
          .map((chart, i) => ({ name: `${name}.comparison${i + 1}`, chart })),
      ];
    });
  });
}

/** Omits the interval if there are too few images. */
function spanOf(metric: Metric): Pick<Metric, 'ci'> {
  return metric.ci !== undefined && imagesOf(metric) >= leastImages ? { ci: metric.ci } : {};
}

function forests(own: readonly Entry[], name: string): { name: string; chart: Chart }[] {
  const cards = own.flatMap(({ report }) => probeNamed(report.probe).cards(report.metrics));
  const titles = new Map(
    cards.map(({ metric, title, group }) => [
      metric,
      group === undefined ? english(title) : `${english(group)}: ${english(title)}`,
    ]),
  );
  return [...titles].map(([id, title]) => {
    const found = own.flatMap((entry) => {
      const metric = findMetric(entry, id, undefined);
      return metric === undefined || metric.value === null ? [] : [{ entry, metric, value: metric.value }];
    });
    const chance = found.find(({ metric }) => metric.chance !== undefined)?.metric.chance;
    return {
      name: `${name}.${id.replace(`${own[0].report.probe}.`, '').replace(/[^A-Za-z0-9@.-]+/g, '-')}.forest`,
      chart: {
        ...{ type: 'forest' as const, title: `${title} (${own[0].dataset})`, axis: title },
        bars: found.map(({ entry, metric, value }) => ({
          ...{ name: entry.evaluator, value, n: metric.n },
          ...spanOf(metric),
        })),
        ...(chance === undefined ? {} : { reference: chance }),
      },
    };
  });
}

const families = ['vflip', 'hflip', 'rotation', 'reposition', 'blur'].map((family) => `spatial.${family}`);
const words = ['cultural', 'economic', 'gender', 'emotion', 'sociopolitical'].map(
  (family) => `societal.${family}`,
);

function perturbations(own: readonly Entry[], name: string): { name: string; chart: Chart }[] {
  const columns = [...families, ...words].filter((family) =>
    own.some((entry) => findMetric(entry, `invariance.${family}.absDelta`, undefined)?.value != null),
  );
  if (columns.length === 0) return [];
  return [
    {
      name: `${name}.perturbations`,
      chart: {
        type: 'heatmap',
        title: `Median size of the change in score (${own[0].dataset})`,
        rows: own.map(({ evaluator }) => evaluator),
        columns: columns.map((family) => family.split('.')[1]),
        values: own.map((entry) =>
          columns.map(
            (family) => findMetric(entry, `invariance.${family}.absDelta`, undefined)?.value ?? null,
          ),
        ),
      },
    },
  ];
}

/** Column widths of most journals, in millimetres. */
export const widths = { single: 84, double: 174 } as const;

/** Dark on white, and legible without colour: shades of blue, and distinct shapes. */
const style =
  'text{fill:#222;font:12px Helvetica,Arial,sans-serif}.mark{fill:#2a6fb0}.other{fill:#222;opacity:.35}.span{stroke:#2a6fb0;stroke-width:1.6}.axis{stroke:#888}.reference{stroke:#222;stroke-dasharray:3 3}.frontier{fill:none;stroke:#222;opacity:.6}.curve{fill:none;stroke:#2a6fb0;stroke-width:1.5}';

/** A chart as a separate file; undefined if the chart is empty. Wide charts span both columns. */
export function printedSvg(chart: Chart): string | undefined {
  const [markup] = drawn([chart]);
  const found = /<svg viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>(.*)<\/svg>/s.exec(markup ?? '');
  if (found === null) return undefined;
  const [, wide, high, content] = found;
  const width = Number(wide) > 520 ? widths.double : widths.single;
  const height = (width * Number(high)) / Number(wide);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${width}mm" height="${height.toFixed(2)}mm"><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>${content}</svg>\n`;
}
