/* Writes drawings as SVG, either for an HTML page in the page's colours or as a file. */
import { escapeXml as e } from '../base/xml';
import type { Drawing, Shape } from './drawing';
import { inkStyles, printed } from './inks';

/** The column widths of many journals, in millimetres and in drawing units. In print, 12 units are 7 points. */
export const columns = {
  single: { millimetres: 84, units: unitsOf(84) },
  double: { millimetres: 174, units: unitsOf(174) },
} as const;

const pointsOfText = 7;

function unitsOf(millimetres: number): number {
  return Math.round((millimetres / 25.4) * 72 * (12 / 7) * 10) / 10;
}

/** The length of one drawing unit in print, in points. A drawing that is wider than its column is scaled down. */
export function printScale({ width }: Drawing, column: (typeof columns)[keyof typeof columns]): number {
  return Math.min(pointsOfText / 12, (column.millimetres * 72) / 25.4 / width);
}

/** An SVG figure for an HTML page. The page must contain the rules of `inkStyles`. */
export function pageSvg({ title, width, height, shapes }: Drawing): string {
  const [wide, high] = [at(width), at(height)];
  return `<figure><figcaption>${e(title)}</figcaption><svg viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img" aria-label="${e(title)}">${shapes.map(shapeSvg).join('')}</svg></figure>`;
}

/** An SVG file as wide as `column`, with dark shapes on white. Its font is as wide as the font of the PDF. */
export function svgFile(drawing: Drawing, column: (typeof columns)[keyof typeof columns]): string {
  const { title, height, shapes } = drawing;
  const scale = printScale(drawing, column);
  const width = (column.millimetres * 72) / 25.4 / scale;
  const high = (height * scale * 25.4) / 72;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${at(width)} ${at(height)}" width="${column.millimetres}mm" height="${high.toFixed(2)}mm">` +
    `<title>${e(title)}</title><style>text{fill:${printed.text};font:12px Helvetica,Arial,"Liberation Sans",sans-serif}${inkStyles(printed)}</style>` +
    `<rect width="100%" height="100%" fill="${printed.paper}"/>${shapes.map(shapeSvg).join('')}</svg>`
  );
}

function shapeSvg(shape: Shape): string {
  switch (shape.is) {
    case 'line':
      return `<line class="${shape.ink}" x1="${at(shape.x1)}" y1="${at(shape.y1)}" x2="${at(shape.x2)}" y2="${at(shape.y2)}"/>`;
    case 'box':
      return `<rect class="${shape.ink}" x="${at(shape.x)}" y="${at(shape.y)}" width="${at(shape.wide)}" height="${at(shape.high)}"${opacityOf(shape)}/>`;
    case 'dot':
      return `<circle class="${shape.ink}" cx="${at(shape.x)}" cy="${at(shape.y)}" r="${at(shape.r)}"/>`;
    case 'path': {
      const dash = shape.dash === undefined ? '' : ` stroke-dasharray="${shape.dash.join(' ')}"`;
      const points = shape.points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ');
      return `<${shape.closed ? 'polygon' : 'polyline'} class="${shape.ink}" points="${points}"${dash}${opacityOf(shape)}/>`;
    }
    case 'text':
      return textSvg(shape);
    case 'image': {
      const { type, bytes } = shape.image;
      return `<image x="${at(shape.x)}" y="${at(shape.y)}" width="${at(shape.wide)}" height="${at(shape.high)}" href="data:${type};base64,${base64(bytes)}"/>`;
    }
  }
}

function textSvg({ x, y, text, anchor = 'start', turn, ink, size }: Extract<Shape, { is: 'text' }>): string {
  const place =
    turn === undefined
      ? `x="${at(x)}" y="${at(y)}"`
      : `transform="translate(${at(x)} ${at(y)}) rotate(${turn})"`;
  const style =
    (ink === undefined || ink === 'text' ? '' : ` class="${ink}"`) +
    (size === undefined || size === 12 ? '' : ` style="font-size:${size}px"`);
  return `<text ${place}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${style}>${e(text)}</text>`;
}

function opacityOf({ opacity }: { opacity?: number }): string {
  return opacity === undefined ? '' : ` opacity="${opacity.toFixed(2)}"`;
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function at(value: number): string {
  return String(Number(value.toFixed(1)));
}
