import type { Shape } from './drawing';

/** The shapes of a chart without its title. */
export interface Layout {
  width: number;
  height: number;
  shapes: Shape[];
}
