import assert from 'node:assert/strict';
import type { Metric } from '../../../../src/probe/metric';

type Control = Record<'altered' | 'others' | 'difference', { value: number; ci: [number, number] }>;

export type ControlOracle = Record<'random' | 'ties', Record<'all' | 'fewer', Control>>;

export function isControl(metrics: readonly Metric[], expected: Control): void {
  const isNear = (own: number | null | undefined, theirs: number, what: string): void =>
    assert.ok(Math.abs(own! - theirs) < 1e-9, `${what}: ${own} and ${theirs}`);
  for (const [name, { value, ci }] of Object.entries(expected)) {
    const own = metrics.find(({ id }) => id === `rococo.control.${name}`);
    isNear(own?.value, value, name);
    for (const end of [0, 1]) isNear(own?.ci?.[end], ci[end], `${name}, interval`);
  }
}
