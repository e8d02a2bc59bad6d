/* The colours of shapes: blue is dark and orange is light, so the two differ in greyscale print. */
import type { Ink } from './drawing';

export interface Palette {
  text: string;
  blue: string;
  orange: string;
  line: string;
  paper: string;
}

export const printed: Palette = {
  text: '#222222',
  blue: '#1f5f9e',
  orange: '#f0b27a',
  line: '#888888',
  paper: '#ffffff',
};

export interface Look {
  fill?: keyof Palette;
  stroke?: keyof Palette;
  width?: number;
  dash?: readonly number[];
  opacity?: number;
}

export const looks: Readonly<Record<Ink, Look>> = {
  text: { fill: 'text', stroke: 'text', width: 1.2 },
  quiet: { fill: 'text', opacity: 0.75 },
  mark: { fill: 'blue' },
  other: { fill: 'text', opacity: 0.35 },
  wrong: { fill: 'orange', stroke: 'text', width: 0.6 },
  none: { fill: 'paper', stroke: 'line', width: 0.8 },
  span: { stroke: 'blue', width: 2 },
  axis: { stroke: 'line', width: 1 },
  reference: { stroke: 'text', width: 1, dash: [3, 3], opacity: 0.7 },
  frontier: { stroke: 'text', width: 1.4, opacity: 0.7 },
  curve: { stroke: 'blue', width: 1.6 },
};

/** The CSS rules for the classes of SVG shapes. `within` selects what contains them. */
export function inkStyles(palette: Palette, within = ''): string {
  return Object.entries(looks)
    .map(([ink, { fill, stroke, width, dash, opacity }]) => {
      const rules = [
        `fill:${fill === undefined ? 'none' : palette[fill]}`,
        ...(stroke === undefined ? [] : [`stroke:${palette[stroke]}`, `stroke-width:${width}`]),
        ...(dash === undefined ? [] : [`stroke-dasharray:${dash.join(' ')}`]),
        ...(opacity === undefined ? [] : [`opacity:${opacity}`]),
      ];
      return `${within} ${ink === 'text' ? 'line' : ''}.${ink}{${rules.join(';')}}`.trimStart();
    })
    .join('');
}
