import { english, sentences } from '../src/base/english';
import { type Code, say } from '../src/base/say';

/** The English of a message, for texts that a test cannot ask for their code, such as the output of a command. */
export function sentence(code: Code, ...values: readonly (string | number)[]): string {
  return english(say(code, ...values));
}

/** A pattern that the English of a message fits with these values. Undefined ones, and those left out, are any. */
export function saying(code: Code, ...values: readonly (string | number | undefined)[]): RegExp {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = sentences()
    [code].replace(/\.$/, '')
    .split(/(\{[^}]*\})/);
  const pattern = parts.map((part, i) => {
    if (i % 2 === 0) return escaped(part);
    const value = /^\{(\d+)\}$/.exec(part);
    const given = value === null ? undefined : values.at(Number(value[1]));
    return given === undefined ? '[^]*?' : escaped(String(given));
  });
  return new RegExp(pattern.join(''));
}
