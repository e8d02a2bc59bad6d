import { english, sentences } from '../src/base/english';
import { type Code, say } from '../src/base/say';

/** The English of a message, for texts that a test cannot ask for their code, such as the output of a command. */
export function sentence(code: Code, ...values: readonly (string | number)[]): string {
  return english(say(code, ...values));
}

/** A pattern that the English of a message fits, with any values. */
export function saying(code: Code): RegExp {
  const parts = sentences[code].replace(/\.$/, '').split(/\{[^}]*\}/);
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*?'));
}
