import { english } from '../../base/english';
import { say } from '../../base/say';
import { append } from '../../base/lists';
import type { Steps } from '../../base/turns/steps';
import { largest } from '../../base/extent';
import { median, quantile } from '../../stats/summary';
import type { Metric } from '../metric';
import { Cell, type Shift } from './cell';
import { type InvarianceRow, type InvarianceVariant, mainRows } from './row';

const filters: { name: string; of: (shift: Pick<Shift, 'seam' | 'background'>, edge: Edges) => boolean }[] = [
  { name: 'seam', of: ({ seam }, edge) => seam! > edge.seam },
  { name: 'background', of: ({ background }, edge) => background! > edge.background },
  { name: 'either', of: ({ seam, background }, edge) => seam! > edge.seam || background! > edge.background },
];

interface Edges {
  seam: number;
  background: number;
}

const prefix = 'invariance.spatial.reposition';

/** The range of a move's distance, as a share of the image's diagonal. Undefined for other changes. */
export function moveDistance(
  { object }: InvarianceRow,
  { transform }: InvarianceVariant,
): string | undefined {
  if (transform?.op !== 'move' || object?.mask === undefined) return undefined;
  const { width, height } = object.mask;
  const share = Math.hypot(transform.dx, transform.dy) / Math.hypot(width, height);
  return share < 0.05
    ? english(say('invariance.sizeSmall'))
    : share < 0.15
      ? '5–15 %'
      : share < 0.25
        ? '15–25 %'
        : english(say('invariance.sizeLarge'));
}

/** Moves to the bottom right against moves to the top left: all, and without the most visible edits. */
export function* repositionMetrics(
  contrast: Cell,
  moved: readonly { seam: number | null; background: number | null }[],
  width: number,
): Steps<Metric[]> {
  if (contrast.shifts.length === 0) return [];
  const metrics = yield* contrast.all(`${prefix}.br-tl`, width);
  for (const share of [5, 10]) {
    const edges = edgesOf(contrast.shifts, share);
    for (const { name, of } of filters) {
      const kept = new Cell();
      for (const shift of contrast.shifts) if (!of(shift, edges)) kept.add(shift);
      append(metrics, yield* kept.medians(`${prefix}.br-tl`, { without: withoutTop(share, name) }));
    }
  }
  return [
    ...metrics,
    middle(`${prefix}.backgroundChange`, moved, ({ background }) => background),
    middle(`${prefix}.seamRatio`, moved, ({ seam }) => seam),
  ];
}

/** What is left of the moved objects without the most visibly edited images. */
export interface MoveDiagnostics {
  /** The slice of the metrics of these moves, of `withoutTop`. Absent for all moves. */
  without?: string;
  n: number;
  /** The share of the moves that are left. */
  retained: number;
  /** The medians over the moves, each with the larger value of its two images. */
  background: number;
  seam: number;
}

/** Table 2 of the paper, from the rows of a report: how visible the moves are, with and without the worst. */
export function moveDiagnostics(rows: readonly InvarianceRow[]): MoveDiagnostics[] {
  const shifts = mainRows(rows).flatMap(contrastOf);
  if (shifts.length === 0) return [];
  const of = (kept: readonly Visible[]): Omit<MoveDiagnostics, 'without'> => ({
    ...{ n: kept.length, retained: kept.length / shifts.length },
    background: median(kept.map(({ background }) => background)),
    seam: median(kept.map(({ seam }) => seam)),
  });
  const left = [5, 10].flatMap((share) => {
    const edges = edgesOf(shifts, share);
    return filters.flatMap(({ name, of: isWorst }) => {
      const kept = shifts.filter((shift) => !isWorst(shift, edges));
      return kept.length === 0 ? [] : [{ without: withoutTop(share, name), ...of(kept) }];
    });
  });
  return [of(shifts), ...left];
}

/** The larger diagnostics of the two moves that the contrast compares. */
type Visible = Required<Pick<Shift, 'seam' | 'background'>>;

/** The moves to the top left and to the bottom right, if a row has both with the same caption. */
export function anchorsOf({ variants }: InvarianceRow): [InvarianceVariant, InvarianceVariant] | undefined {
  const [tl, br] = ['tl', 'br'].map((anchor) =>
    variants.find(({ family, variant }) => family === 'reposition' && variant === anchor),
  );
  return tl === undefined || br === undefined || tl.text !== br.text ? undefined : [tl, br];
}

export function visibleIn(moves: readonly InvarianceVariant[]): Visible {
  return {
    seam: largest(moves.map(({ seams }) => seams?.seam ?? 0)),
    background: largest(moves.map(({ seams }) => seams?.background ?? 0)),
  };
}

function contrastOf(row: InvarianceRow): Visible[] {
  const moves = anchorsOf(row);
  return moves === undefined ? [] : [visibleIn(moves)];
}

function edgesOf(shifts: readonly Pick<Shift, 'seam' | 'background'>[], share: number): Edges {
  const edge = (values: number[]): number => quantile(values, 1 - share / 100);
  return {
    seam: edge(shifts.map(({ seam }) => seam!)),
    background: edge(shifts.map(({ background }) => background!)),
  };
}

/** The value of the slice that omits the worst moves, as reports name it. */
export function withoutTop(share: number, name: string): string {
  return english(say('invariance.topShareMove', share, name));
}

function middle<T>(id: string, moved: readonly T[], of: (one: T) => number | null): Metric {
  const values = moved.map(of).filter((value) => value !== null);
  const note = english(say('invariance.movedImagesMedian'));
  return values.length === 0
    ? { id, value: null, n: 0, note: english(say('invariance.noImages')) }
    : { id, value: median(values), n: values.length, note };
}
