/** Computes restricted cubic splines and the F-test of nested models. */
import { say } from '../../../base/say';
import { isDefined, notDefined, type Outcome } from '../../../stats/outcome';
import { dot, factorise } from '../../../stats/regression/linear';
import { betaTails } from '../../../stats/special';
import { quantile } from '../../../stats/summary';

/** Harrell's four knots, as quantiles. */
const knotsAt = [0.05, 0.35, 0.65, 0.95];

export function knotsOf(values: readonly number[]): number[] {
  return values.length === 0 ? [] : knotsAt.map((share) => quantile(values, share));
}

/** The columns of a restricted (natural) cubic spline: linear beyond the outer knots. */
export function splineOf(values: readonly number[], knots: readonly number[]): Float64Array[] {
  if (values.length === 0) return [];
  const [last, next] = [knots[3], knots[2]];
  const cube = (x: number): number => Math.max(0, x) ** 3;
  const width = (last - knots[0]) ** 2;
  const bent = knots
    .slice(0, 2)
    .map((knot) =>
      Float64Array.from(
        values,
        (x) =>
          (cube(x - knot) -
            (cube(x - next) * (last - knot)) / (last - next) +
            (cube(x - last) * (next - knot)) / (last - next)) /
          width,
      ),
    );
  return [Float64Array.from(values), ...bent];
}

export interface NestedTest {
  f: number;
  /** Degrees of freedom of the tested columns (`extra`) and of the residuals (`rest`). */
  extra: number;
  rest: number;
  pValue: number;
}

/**
 * Tests whether the `extra` columns explain more of the response than chance. `absorbed` is the number of
 * intercepts that were already removed by subtracting group means.
 */
export function nestedTest(
  response: Float64Array,
  columns: readonly Float64Array[],
  extra: readonly Float64Array[],
  absorbed = 0,
): Outcome<NestedTest> {
  const rest = response.length - columns.length - extra.length - absorbed;
  if (rest < 1) return notDefined(say('invariance.tooFewImages'));
  if (extra.length === 0) return notDefined(say('invariance.groupAlone'));
  if ([...columns, ...extra].some((column) => !column.every(Number.isFinite)))
    return notDefined(say('invariance.tooManyTies'));
  const fit = factorise([...columns, ...extra]);
  if (!isDefined(fit)) return fit;
  const along = fit.q.map((q) => dot(q, response) ** 2);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const explained = sum(along.slice(columns.length));
  const left = dot(response, response) - sum(along);
  if (!(left > 1e-12 * dot(response, response))) return notDefined(say('invariance.exactFit'));
  const f = explained / extra.length / (left / rest);
  const x = rest / (rest + extra.length * f);
  return { f, extra: extra.length, rest, pValue: betaTails(rest / 2, extra.length / 2, x, 1 - x).lower };
}
