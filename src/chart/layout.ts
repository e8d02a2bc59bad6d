import type { Shape } from './drawing';

/** The size and the shapes of a chart without its title. */
export interface Layout {
  width: number;
  height: number;
  shapes: Shape[];
}
