import { largest } from '../../src/base/extent';
import { numberIn } from '../../src/base/say';
import { cut } from '../../src/base/text/shortNames';

/** The page's language; English in unit tests, which have no page. */
const language =
  (globalThis as { document?: { documentElement: { lang: string } } }).document?.documentElement.lang ?? 'en';

function local<A extends unknown[]>(write: (...args: A) => string): (...args: A) => string {
  return (...args) => numberIn(language, write(...args));
}

/** A number with its sign, such as "+.083". The minus sign is U+2212. Only 0 has "±", so that "+.000" is no tie. */
function signedNumber(value: number, digits = 3): string {
  const text = Math.abs(value).toFixed(digits);
  return `${value === 0 ? '±' : value < 0 ? '−' : '+'}${text.replace(/^0\./, '.')}`;
}

function plainNumber(value: number, digits = 3): string {
  const text = Math.abs(value).toFixed(digits).replace(/^0\./, '.');
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** The most decimals of a tick. */
const mostOnAxis = 6;

/** Formats an axis's ticks with enough digits to distinguish them. Chart.js adds steps up, so 0 may be 5e-17. */
export function onAxis(marks: readonly number[]): (value: number) => string {
  const close = largest(marks.map(Math.abs)) * 1e-6;
  const isExact = (digits: number) =>
    marks.every((mark) => Math.abs(Number(mark.toFixed(digits)) - mark) <= close);
  let digits = 0;
  while (digits < mostOnAxis && !isExact(digits)) digits++;
  return (value) => (Number(value.toFixed(digits)) === 0 ? '0' : plain(value, digits));
}

function percentNumber(value: number, digits = 0): string {
  return `${(value * 100).toFixed(digits)} %`;
}

function wholeNumber(value: number): string {
  return value.toLocaleString('en');
}

const lettersOfLabel = 18;

export function shortened(name: string, most = lettersOfLabel): string {
  return cut(name, most);
}

/** Breaks a text between words into lines of at most this many letters. A longer word has its own line. */
export function wrapped(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < letters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Escapes a text for one line of Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\|`*_[\]<>#]/g, '\\$&').replace(/\s+/g, ' ');
}

export function opaque(colour: string): string {
  return colour.replace(/^rgba\((.+),[^,]+\)$/, 'rgb($1)');
}

/** Numbers in English, for copied tables and for messages that are translated later. */
export const inEnglish = {
  signed: signedNumber,
  plain: plainNumber,
  percent: percentNumber,
  whole: wholeNumber,
};

/* Numbers in the language of the page. */
export const signed = local(signedNumber);
export const plain = local(plainNumber);
export const percent = local(percentNumber);
export const whole = local(wholeNumber);
