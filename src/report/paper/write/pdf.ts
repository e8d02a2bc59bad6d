/* Writes a drawing as PDF with an embedded font. */
import { join } from 'node:path';
import { readBounded } from '../../../base/files/readFile';
import { installFolder } from '../../../base/install';
import type { Drawing, Ink, Shape } from '../../../chart/drawing';
import { looks, printed } from '../../../chart/inks';
import { type columns, printScale } from '../../../chart/svg';

type Pdf = PDFKit.PDFDocument;

/** The font has the same character widths as Helvetica and Arial, the fonts of the SVG figures. */
const fontFile = join('fonts', 'Arimo-Regular.ttf');

export async function pdfFile(
  drawing: Drawing,
  column: (typeof columns)[keyof typeof columns],
): Promise<Uint8Array> {
  const { default: Document } = await import('pdfkit');
  const font = await readBounded(join(installFolder(), fontFile));
  const scale = printScale(drawing, column);
  const size: [number, number] = [(column.millimetres * 72) / 25.4, drawing.height * scale];
  // `font` is empty, because only the embedded font is used. A fixed date keeps files reproducible.
  const pdf = new Document({
    ...{ size, margin: 0, font: '', compress: true },
    info: { Title: drawing.title, Creator: 'Captious', CreationDate: new Date(0) },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    pdf
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject);
  });
  pdf.registerFont('own', font).font('own').scale(scale);
  for (const shape of drawing.shapes) set(pdf, shape);
  pdf.end();
  await ended;
  // A page receives no Buffer.
  return new Uint8Array(Buffer.concat(chunks));
}

function set(pdf: Pdf, shape: Shape): void {
  pdf.save();
  switch (shape.is) {
    case 'line':
      paint(pdf.moveTo(shape.x1, shape.y1).lineTo(shape.x2, shape.y2), shape.ink, { isOpen: true });
      break;
    case 'box':
      paint(pdf.rect(shape.x, shape.y, shape.wide, shape.high), shape.ink, shape);
      break;
    case 'dot':
      paint(pdf.circle(shape.x, shape.y, shape.r), shape.ink, {});
      break;
    case 'path': {
      const [[x, y], ...rest] = shape.points;
      pdf.moveTo(x, y);
      for (const [nextX, nextY] of rest) pdf.lineTo(nextX, nextY);
      if (shape.closed) pdf.closePath();
      paint(pdf, shape.ink, { ...shape, isOpen: !shape.closed });
      break;
    }
    case 'text':
      setText(pdf, shape);
      break;
    case 'image':
      pdf.image(Buffer.from(shape.image.bytes), shape.x, shape.y, {
        width: shape.wide,
        height: shape.high,
      });
  }
  pdf.restore();
}

function paint(
  pdf: Pdf,
  ink: Ink,
  { opacity, dash, isOpen = false }: { opacity?: number; dash?: readonly number[]; isOpen?: boolean },
): void {
  const look = looks[ink];
  const dashes = dash ?? look.dash;
  pdf.opacity(opacity ?? look.opacity ?? 1);
  if (look.stroke !== undefined) pdf.lineWidth(look.width ?? 1);
  if (dashes !== undefined) pdf.dash(dashes[0], { space: dashes[1] });
  const isFilled = look.fill !== undefined && !isOpen;
  if (isFilled && look.stroke !== undefined) pdf.fillAndStroke(printed[look.fill!], printed[look.stroke]);
  else if (isFilled) pdf.fill(printed[look.fill!]);
  else if (look.stroke !== undefined) pdf.stroke(printed[look.stroke]);
}

function setText(pdf: Pdf, shape: Extract<Shape, { is: 'text' }>): void {
  const { x, y, anchor = 'start', turn, ink = 'text', size = 12 } = shape;
  const text = covered(shape.text);
  pdf
    .fontSize(size)
    .fillColor(printed.text)
    .opacity(looks[ink].opacity ?? 1);
  const width = pdf.widthOfString(text);
  const shift = anchor === 'start' ? 0 : anchor === 'middle' ? width / 2 : width;
  pdf.translate(x, y);
  if (turn !== undefined) pdf.rotate(turn);
  pdf.text(text, -shift, 0, { baseline: 'alphabetic', lineBreak: false });
}

/** Characters in the font: Latin, Greek, Cyrillic, Hebrew and the symbols of figures. */
const inFont =
  /[\x20-\x7e\u00a0-\u024f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u04ff\u05d0-\u05ea\u1e00-\u1eff\u2010-\u2015\u2018-\u201e†•…‰′″‹›€™←↑→↓−≈≠≤≥∞√]/;

/** Replaces characters outside the font with their code points, as in LaTeX. */
function covered(text: string): string {
  return Array.from(text, (letter) =>
    inFont.test(letter)
      ? letter
      : /\s/.test(letter)
        ? ' '
        : `[U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
  ).join('');
}
