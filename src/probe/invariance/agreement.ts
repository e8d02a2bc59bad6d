import { spearman } from '../../stats/correlation';
import { kendallTauB } from '../../stats/kendall';
import { isDefined } from '../../stats/outcome';
import { median } from '../../stats/summary';
import { keyOfRow } from './calibration/part';
import { type InvarianceRow, isMainVariant, mainRows } from './row';

export interface Agreement {
  /** How many unchanged captions both audits scored (absent if none), and their scores' rank correlations. */
  scores?: { n: number; spearman: number | null; kendall: number | null };
  /**
   * For each family: the share of audit B's shifts that have the same sign as the variant's median shift in audit
   * A. `zeros` counts shifts of 0, which `n` and the share ignore.
   */
  directions: { family: string; n: number; value: number; zeros: number }[];
}

/** How well audit B agrees with the baseline audit A. The two audits differ in the evaluator or in the dataset. */
export function agreementOf(a: readonly InvarianceRow[], b: readonly InvarianceRow[]): Agreement {
  const baseline = new Map<string, number[]>();
  for (const { key, delta } of shiftsOf(a)) baseline.set(key, [...(baseline.get(key) ?? []), delta]);
  const way = new Map([...baseline].map(([key, deltas]) => [key, Math.sign(median(deltas))]));
  const families = new Map<string, { same: number; n: number; zeros: number }>();
  for (const { key, family, delta } of shiftsOf(b)) {
    const expected = way.get(key);
    if (expected === undefined || expected === 0) continue;
    const found = families.get(family) ?? { same: 0, n: 0, zeros: 0 };
    if (delta === 0) found.zeros++;
    else {
      found.n++;
      if (Math.sign(delta) === expected) found.same++;
    }
    families.set(family, found);
  }
  const agreement: Agreement = {
    directions: [...families]
      .filter(([, { n }]) => n > 0)
      .map(([family, { same, n, zeros }]) => ({ family, n, value: same / n, zeros }))
      .sort((x, y) => (x.family < y.family ? -1 : 1)),
  };
  const other = new Map(
    b.flatMap((row) => (row.score === null ? [] : [[keyOfRow(row), row.score] as const])),
  );
  const shared = a.filter((row) => row.score !== null && other.has(keyOfRow(row)));
  if (shared.length > 0) {
    const x = shared.map(({ score }) => score!);
    const y = shared.map((row) => other.get(keyOfRow(row))!);
    const [rho, tau] = [spearman(x, y), kendallTauB(x, y)];
    agreement.scores = {
      n: shared.length,
      spearman: isDefined(rho) ? rho.coefficient : null,
      kendall: isDefined(tau) ? tau.coefficient : null,
    };
  }
  return agreement;
}

/** For each family: the median of `value` in the agreements of several audits with one baseline. */
export function medianDirections(
  all: readonly Agreement[],
): { family: string; audits: number; value: number }[] {
  const families = [
    ...new Set(all.flatMap(({ directions }) => directions.map(({ family }) => family))),
  ].sort();
  return families.map((family) => {
    const values = all.flatMap(({ directions }) =>
      directions.filter((one) => one.family === family).map(({ value }) => value),
    );
    return { family, audits: values.length, value: median(values) };
  });
}

function shiftsOf(rows: readonly InvarianceRow[]): { key: string; family: string; delta: number }[] {
  return mainRows(rows).flatMap(({ variants }) =>
    variants
      .filter(isMainVariant)
      .map(({ family, variant, delta }) => ({ key: JSON.stringify([family, variant]), family, delta })),
  );
}
