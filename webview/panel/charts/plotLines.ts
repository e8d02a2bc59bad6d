import type { Chart as Drawing, ChartArea, Plugin } from 'chart.js';
import type { ChartOf } from '../../../src/protocol/parts/chart';
import type { Colours } from './colours';
import { percent } from '../../base/format';

export function zeroLine(colours: Colours): Plugin {
  return {
    id: 'zeroLine',
    afterDatasetsDraw: ({ ctx, scales, chartArea }) => {
      if (scales.x.min >= 0 || scales.x.max <= 0) return;
      const x = scales.x.getPixelForValue(0);
      ctx.save();
      ctx.strokeStyle = colours.text;
      ctx.setLineDash([4, 3]);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.restore();
    },
  };
}

/** Draws the intervals of the bars, and the chance level as a dashed line with its number. */
export function whiskers(chart: ChartOf<'shares'>, colours: Colours, size: number): Plugin {
  return {
    id: 'whiskers',
    afterDatasetsDraw: ({ ctx, scales, chartArea }) => {
      ctx.save();
      ctx.strokeStyle = colours.text;
      ctx.lineWidth = 1.5;
      for (const [i, { interval }] of chart.values.entries()) {
        if (interval === undefined) continue;
        const y = scales.y.getPixelForValue(i);
        const [from, to] = interval.map((end) => scales.x.getPixelForValue(end));
        ctx.beginPath();
        ctx.moveTo(from, y);
        ctx.lineTo(to, y);
        for (const x of [from, to]) {
          ctx.moveTo(x, y - 4);
          ctx.lineTo(x, y + 4);
        }
        ctx.stroke();
      }
      if (chart.chance !== undefined) {
        const x = scales.x.getPixelForValue(chart.chance);
        ctx.setLineDash([4, 3]);
        ctx.strokeStyle = colours.quiet;
        ctx.beginPath();
        ctx.moveTo(x, chartArea.top);
        ctx.lineTo(x, chartArea.bottom);
        ctx.stroke();
        ctx.fillStyle = colours.quiet;
        ctx.font = `${size}px ${colours.font}`;
        ctx.textAlign = 'center';
        ctx.fillText(percent(chart.chance), x, chartArea.top - 4);
      }
      ctx.restore();
    },
  };
}

/** Draws the diagonal x = y. */
export function diagonal(colours: Colours): Plugin {
  return line('diagonal', colours, (ctx, { x, y }) => {
    const [from, to] = [Math.max(x.min, y.min), Math.min(x.max, y.max)];
    ctx.moveTo(x.getPixelForValue(from), y.getPixelForValue(from));
    ctx.lineTo(x.getPixelForValue(to), y.getPixelForValue(to));
  });
}

/** Draws the line at y = 0. */
export function level(colours: Colours): Plugin {
  return line('level', colours, (ctx, { y }, { left, width }) => {
    ctx.moveTo(left, y.getPixelForValue(0));
    ctx.lineTo(left + width, y.getPixelForValue(0));
  });
}

/** A plugin that draws a dashed line behind the points. */
function line(
  id: string,
  colours: Colours,
  trace: (ctx: CanvasRenderingContext2D, scales: Drawing['scales'], area: ChartArea) => void,
): Plugin {
  return {
    id,
    beforeDatasetsDraw: ({ ctx, scales, chartArea }) => {
      const { left, top, width, height } = chartArea;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, width, height);
      ctx.clip();
      ctx.strokeStyle = colours.quiet;
      ctx.setLineDash([4, 3]);
      ctx.beginPath();
      trace(ctx, scales, chartArea);
      ctx.stroke();
      ctx.restore();
    },
  };
}
