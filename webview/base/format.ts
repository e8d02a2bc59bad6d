import { largest } from '../../src/base/extent';

/** Numbers as a person reads them. A minus sign is a minus sign; a sign is always there where direction matters. */
export function signed(value: number, digits = 3): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return `±${text.slice(1)}`;
  return `${value < 0 ? '−' : '+'}${text.replace(/^0\./, '.')}`;
}

export function plain(value: number, digits = 3): string {
  const text = Math.abs(value).toFixed(digits).replace(/^0\./, '.');
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** The marks of an axis, with as many digits as tell them apart. */
export function onAxis(marks: readonly number[]): (value: number) => string {
  const digits = Math.max(
    0,
    largest(marks.map((mark) => (String(Number(mark.toPrecision(6))).split('.')[1] ?? '').length)),
  );
  return (value) => (Number(value.toFixed(digits)) === 0 ? '0' : plain(value, Math.min(digits, 6)));
}

export function percent(value: number, digits = 0): string {
  return `${(value * 100).toFixed(digits)} %`;
}

export function whole(value: number): string {
  return value.toLocaleString('en');
}

/** Of a label that has little room. */
const lettersOfLabel = 18;

export function shortened(name: string): string {
  const letters = Array.from(name);
  return letters.length > lettersOfLabel ? `${letters.slice(0, lettersOfLabel - 1).join('')}…` : name;
}

/** A text as Markdown shows it, in one line. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\|`*_[\]<>#]/g, '\\$&').replace(/\s+/g, ' ');
}

/** A colour of the theme without what it lets shine through; opaque ones are written otherwise. */
export function opaque(colour: string): string {
  return colour.replace(/^rgba\((.+),[^,]+\)$/, 'rgb($1)');
}
