import { append } from '../../base/lists';
import { largest } from '../../base/extent';
import type { Frame, Kind } from '../chart';
import { figure, line, type Shape, words, wrappedText } from '../drawing';
import type { Layout } from '../layout';

const gap = 14;
const lineHeight = 14;

/** Images with their captions, in rows of frames. */
export function sheet({ frames }: Kind<'sheet'>, width: number): Layout {
  const across = Math.max(1, Math.min(frames.length, Math.round(width / 210)));
  const wide = (width - (across - 1) * gap) / across;
  const shapes: Shape[] = [];
  let top = 0;
  for (let first = 0; first < frames.length; first += across) {
    const row = frames.slice(first, first + across);
    const made = row.map((frame, i) => frameAt(frame, i * (wide + gap), top, wide));
    for (const { shapes: own } of made) append(shapes, own);
    top = largest(made.map(({ bottom }) => bottom)) + gap;
  }
  return { width, height: top - gap, shapes };
}

function frameAt(frame: Frame, x: number, top: number, wide: number): { shapes: Shape[]; bottom: number } {
  const { image, captions, note, attribution } = frame;
  const shapes: Shape[] = [];
  const room = wide * 0.75;
  if (image === undefined) {
    const [right, below] = [x + wide, top + room];
    shapes.push(
      line(x, top, right, top, 'axis'),
      line(x, below, right, below, 'axis'),
      words(x + wide / 2, top + room / 2, 'no image', 'middle', { ink: 'quiet' }),
    );
  } else {
    const scale = Math.min(wide / image.width, room / image.height);
    const [high, own] = [image.height * scale, image.width * scale];
    shapes.push({
      is: 'image',
      ...{ x: x + (wide - own) / 2, y: top + (room - high) / 2, wide: own, high, image },
    });
  }
  let y = top + room + 4;
  const write = (text: string, ink: 'text' | 'quiet', size: number) => {
    for (const part of wrappedText(text, wide, size)) {
      y += lineHeight * (size / 12);
      shapes.push(words(x, y, part, 'start', { ink, size }));
    }
  };
  for (const { label, text, score } of captions)
    write(`${label}: ${text}${score === undefined ? '' : ` (${figure(score)})`}`, 'text', 12);
  write(note, 'quiet', 10.5);
  if (attribution !== undefined) write(attribution, 'quiet', 9.5);
  return { shapes, bottom: y + 4 };
}
