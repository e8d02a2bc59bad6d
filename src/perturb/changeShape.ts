import { choice, count, integer, list, number, object, type Shape, ShapeError } from '../base/shape';
import { fills } from './image/fill';
import type { Transform } from './transform';

export const changes = ['vflip', 'hflip', 'rotate', 'blur', 'move'] as const;
export type Change = Extract<Transform, { op: (typeof changes)[number] }>;

/** The largest blur and feather, in pixels. Larger values would take too long. */
const widest = 64;

const upTo: Shape<number> = (value, at) => {
  const given = number(value, at);
  if (given < 0 || given > widest) throw new ShapeError(at, `a number from 0 to ${widest}`);
  return given;
};

const move = object({
  mask: object({ width: count, height: count, runs: list(count) }),
  dx: integer,
  dy: integer,
  fill: choice(...fills),
  feather: upTo,
});

/** Accepts a transform whose operation is one of `ops`. */
export function changeShape<T extends Change['op']>(...ops: readonly T[]): Shape<Extract<Change, { op: T }>> {
  const kind: Shape<{ op: Change['op'] }> = object({ op: choice<Change['op']>(...ops) });
  return (value, at) => {
    const { op } = kind(value, at);
    return { op, ...partsOf(op, value, at) } as Extract<Change, { op: T }>;
  };
}

function partsOf(op: Change['op'], value: unknown, at: string): object {
  switch (op) {
    case 'rotate':
      return object({ degrees: number })(value, at);
    case 'blur':
      return object({ sigma: upTo })(value, at);
    case 'move':
      return move(value, at);
    case 'vflip':
    case 'hflip':
      return {};
  }
}
