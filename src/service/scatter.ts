/* Evaluators' robustness against their agreement with people, for the board of the editor. */
import { basename } from 'node:path';
import type { AskOf } from '../base/calls';
import type { BoardSource, boardRequests } from '../protocol/board';
import type { ChosenAxes, ScatterAxis, ScatterState } from '../protocol/scatter';
import {
  type Axis,
  axesOf,
  firstAxes,
  isAgreement,
  pointsOf,
  type ReportFile,
  scatterCsv,
  scatterPage,
  type ScatterPoint,
  scatterSvg,
  shownOn,
} from '../report/scatter';
import { readReport } from '../report/report';
import { readableReports } from './boardReports';

interface Drawn {
  files: readonly ReportFile[];
  x: Axis;
  y: Axis;
}

/** The chosen axes, or the first ones. No state if no evaluator has an agreement with people and another metric. */
export async function scatterOf({ from, axes }: AskOf<typeof boardRequests, 'scatter'>): Promise<{
  state?: ScatterState;
}> {
  const drawn = await drawnFrom(from, axes);
  if (drawn === undefined) return {};
  const { files, x, y } = drawn;
  const all = axesOf(files);
  return {
    state: {
      axes: {
        x: all.filter((axis) => !isAgreement(axis)).map(shownAxis),
        y: all.filter(isAgreement).map(shownAxis),
      },
      chosen: { x: x.key, y: y.key },
      points: pointsOf(files, x, y).map(shownPoint),
    },
  };
}

/** The text of a file with the points. */
export async function scatterFile({
  from,
  axes,
  form,
}: AskOf<typeof boardRequests, 'scatterFile'>): Promise<{ text: string }> {
  const { files, x, y } = (await drawnFrom(from, axes))!;
  const write = { html: scatterPage, svg: scatterSvg, csv: scatterCsv }[form];
  return { text: write(x, y, pointsOf(files, x, y)) };
}

async function drawnFrom(from: BoardSource, chosen: ChosenAxes | undefined): Promise<Drawn | undefined> {
  const files = await readableReports(from);
  const first = firstAxes(files);
  if (first === undefined) {
    // A chosen report that cannot be read may be the reason.
    if (chosen === undefined && from.type === 'chosen') await Promise.all(from.paths.map(readReport));
    return undefined;
  }
  const axes = axesOf(files);
  const axisOf = (side: 'x' | 'y') => axes.find(({ key }) => key === chosen?.[side]) ?? first[side];
  return { files, x: axisOf('x'), y: axisOf('y') };
}

function shownAxis({ key, probe, dataset, name, metric, better }: Axis): ScatterAxis {
  return {
    ...{ key, name, metric, group: `${basename(dataset)} · ${probe}` },
    ...(better === undefined ? {} : { better }),
  };
}

function shownPoint(point: ScatterPoint): ScatterState['points'][number] {
  const { name, x, y, xci, yci, reports } = point;
  return {
    ...{ name, x, y, xText: shownOn('x', point), yText: shownOn('y', point), reports },
    ...(point.groundless === true ? { groundless: true } : {}),
    ...(xci === undefined ? {} : { xci: [xci[0], xci[1]] }),
    ...(yci === undefined ? {} : { yci: [yci[0], yci[1]] }),
  };
}
