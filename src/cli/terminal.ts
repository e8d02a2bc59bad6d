import type stringWidth from 'string-width';
import { withSentences } from '../base/english';
import { largest } from '../base/extent';
import { createInterface } from 'node:readline/promises';
import type { AuditProgress } from '../audit/events';
import { throwIfCancelled } from '../base/errors';
import type { Words } from '../base/say';
import { oneLine } from '../base/text/oneLine';
import { visible } from '../base/text/visible';
import { english } from '../base/english';
import type { Place } from '../dataset/example';
import type { LeftOutRows } from '../report/rowChecks';

/** Prints a result to standard output. Messages go to standard error with `log`. */
export function print(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

/** Prints part of a file, escaped in a terminal. Returns false if the caller must wait for "drain". */
export function printPiece(piece: string | Uint8Array): boolean {
  if (!process.stdout.isTTY) return process.stdout.write(piece);
  return process.stdout.write(
    visible(typeof piece === 'string' ? piece : pieces.decode(piece, { stream: true })),
  );
}

const pieces = new TextDecoder();

export function printJson(value: unknown): void {
  print(JSON.stringify(withSentences(value), null, 1));
}

export function log(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

export function logLeftOut(report: string, leftOut: LeftOutRows): void {
  const words = leftOut.words(`rows of ${report}`);
  if (words !== undefined) log(`note: ${english(words)}`);
}

/** Columns of text: the first left-aligned, the rest right-aligned. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, i) => largest(all.map((row) => width(row[i] ?? ''))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => {
        const gap = ' '.repeat(widths[i] - width(cell));
        return i === 0 ? cell + gap : gap + cell;
      })
      .join('  ')
      .trimEnd();
  return [line(header), widths.map((size) => '─'.repeat(size)).join('  '), ...rows.map(line)].join('\n');
}

/** No terminal has as many columns. */
const mostColumns = 1000;

/** Characters of reports that take one column each: Latin, Greek, dashes, dots and the minus sign. */
export const singles = /^[ -~¡-¬®-˿α-ωΑ-Ω–—…−]*$/;

/** The columns that a text takes. Measuring them takes time in the square of the length, so long texts are counted. */
function width(text: string): number {
  if (singles.test(text)) return text.length;
  if (text.length > mostColumns) return Array.from(text).length;
  // Loaded at the first text that needs it, because its segmenter takes a sixth of the start of the command.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
  return (require('string-width') as { default: typeof stringWidth }).default(text);
}

/** Milliseconds between progress lines if the output is not a terminal. */
const lineEveryMs = 10_000;

/** A progress bar in a terminal. If the output is not a terminal, it prints a line every ten seconds. */
export class ProgressBar {
  private drawn = false;
  private line = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'> = process.stderr,
  ) {}

  draw(
    label: string,
    { fraction, examples, asked, rate, secondsLeft, fromStore, done }: AuditProgress,
  ): void {
    const parts = [
      fraction === undefined ? `${done} of ${asked} captions and images` : `${examples} examples`,
    ];
    if (rate !== undefined) parts.push(`${Math.round(rate)}/s`);
    else if (done > 0 && fromStore === done) parts.push('cached');
    if (secondsLeft !== undefined) parts.push(`${duration(secondsLeft)} left`);
    this.show(label, fraction, parts.join(' · '));
  }

  show(label: string, fraction: number | undefined, rest: string): void {
    const share = fraction === undefined ? '' : ` ${Math.floor(fraction * 100)} %`;
    const bar = this.stream.isTTY && fraction !== undefined ? ` ${this.bar(fraction)}` : '';
    this.line = visible(`${label}${bar}${share}  ${rest}`).replace(/\s/g, ' ');
    if (this.stream.isTTY) {
      this.stream.write(`\r\u001b[2K${this.line.slice(0, this.stream.columns || 80)}`);
      this.drawn = true;
    } else this.timer ??= setInterval(() => this.stream.write(`${this.line}\n`), lineEveryMs).unref();
  }

  clear(): void {
    if (this.drawn) this.stream.write('\r\u001b[2K');
    this.drawn = false;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private bar(fraction: number): string {
    const full = Math.round(fraction * 20);
    return '━'.repeat(full) + '╌'.repeat(20 - full);
  }
}

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A place such as "line 7, column 12: ", or "" if there is no place. */
/** Such as "1 image" and "1,200 images". */
export function counted(n: number, what: string): string {
  return `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}

export function placeOf(place: Place | undefined): string {
  if (place === undefined) return '';
  const { part, line, column } = place;
  return part === undefined ? `line ${line}, column ${column}: ` : `${part}:${line}:${column}: `;
}

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = size;
  let unit = -1;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toPrecision(3)} ${units[unit]}`;
}

/** Asks for consent in a terminal. Without a terminal, only `yes` grants consent. */
export async function agreed(terms: Words, yes: boolean, signal: AbortSignal): Promise<boolean> {
  // A name in the terms must not look like a line of Captious.
  log(oneLine(english(terms)));
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return yes;
  const asker = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asker.question('Continue? [y/N]', { signal })).trim());
  } catch (error) {
    throwIfCancelled(signal);
    throw error;
  } finally {
    asker.close();
  }
}

/** How many milliseconds a run may take to stop when the program that started it has ended. */
const lastMs = 3000;

/** Stops this process as Ctrl+C does when standard input ends, because its writer has ended then, even if it was killed. */
export function stopWithInput(): void {
  const { stdin } = process;
  stdin.resume();
  stdin.once('close', () => {
    setTimeout(() => process.exit(3), lastMs).unref();
    process.emit('SIGTERM', 'SIGTERM');
  });
  // An unreadable input closes, too.
  stdin.once('error', () => stdin.destroy());
  (stdin as Partial<Record<'unref', () => void>>).unref?.();
}
