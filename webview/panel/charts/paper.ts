import { draw } from '../../../src/chart/draw';
import { columns, svgFile } from '../../../src/chart/svg';
import type { Chart } from '../../../src/protocol/parts/chart';

/** A panel chart for a paper: in English, as vectors, one column wide. */
export function paperSvg(chart: Chart): string {
  const drawing = draw({ type: 'panel', title: '', chart }, columns.single.units);
  if (drawing === undefined) throw new Error('The chart is empty.');
  return svgFile(drawing, columns.single);
}
