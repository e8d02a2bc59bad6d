import { type Drawing, type Shape, words, wrappedText } from './drawing';

const lineHeight = 16;

/** Writes the title above the drawing. */
export function withTitle(drawing: Drawing): Drawing {
  const lines = wrappedText(drawing.title, drawing.width);
  const room = lines.length * lineHeight + 6;
  return {
    ...drawing,
    height: drawing.height + room,
    shapes: [
      ...lines.map((line, i) => words(0, 12 + i * lineHeight, line)),
      ...drawing.shapes.map((shape) => lowered(shape, room)),
    ],
  };
}

function lowered(shape: Shape, by: number): Shape {
  if (shape.is === 'line') return { ...shape, y1: shape.y1 + by, y2: shape.y2 + by };
  if (shape.is === 'path') return { ...shape, points: shape.points.map(([x, y]) => [x, y + by]) };
  return { ...shape, y: shape.y + by };
}
