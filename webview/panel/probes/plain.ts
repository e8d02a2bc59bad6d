import { metricNamed, type ProbeModel } from './model';
import { t } from '../../base/words';

const shown = 4;

/** For a probe without a page of its own: its first figures as they stand, and no claim. */
export const plainModel: ProbeModel = {
  before: t('caption'),
  after: t('variant'),
  cards: (report) =>
    report.metrics
      .filter(({ slice, id }) => slice === undefined && metricNamed(report, id) !== undefined)
      .slice(0, shown)
      .map(({ id, ci, value }) => ({
        title: id,
        metric: id,
        style: 'number',
        range: rangeFor(value ?? 0, ci),
        about: id,
      })),
};

function rangeFor(value: number, ci: readonly [number, number] | undefined): [number, number] {
  const reach = Math.max(Math.abs(value), ...(ci ?? []).map(Math.abs), 1e-9);
  return [Math.min(0, value, ...(ci ?? [])) < 0 ? -reach : 0, Math.max(reach, 0)];
}
