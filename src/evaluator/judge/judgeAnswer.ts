import { type Words, say } from '../../base/say';
import * as z from 'zod/mini';
import { jsonSchemaOf } from '../../base/schema';
import type { ChatToken } from './chat';
import type { Outcome } from '../../base/outcome';
import { type AnswerForm, answerIn, parseAnswer } from '../../base/text/modelAnswer';

/** The shape of a valid answer: an object with a score from 0 to `most`, and no other field. */
const answerTo = (most: number) => z.strictObject({ score: z.number().check(z.minimum(0), z.maximum(most)) });

/** The JSON Schema that is sent to judges with scores up to 10. */
export const answerSchema = jsonSchemaOf(answerTo(10));
/** The JSON Schema that is sent to judges with scores up to 100, such as CLAIR. */
export const answerSchema100 = jsonSchemaOf(answerTo(100));

/** The question's captions and the form of its answer. `cut`: whether the token limit truncated the answer. */
export type Reading = AnswerForm & { cut?: boolean };

export function readScore(text: string, most: 10 | 100, reading: Reading): Outcome<number> {
  const read = readJson(text, answerTo(most), reading);
  return read.ok ? { ok: true, value: read.value.score } : read;
}

export function readJson<S extends z.ZodMiniType>(
  text: string,
  shape: S,
  reading: Reading,
): Outcome<z.output<S>> {
  const said = answerIn(text, reading);
  if (!said.ok) return bad(text, said.problem);
  if (said.value === '' && reading.cut === true)
    return { ok: false, problem: say('judge.limitBeforeAnswer') };
  const value = parseAnswer(said.value, reading.sent);
  if (!value.ok) return bad(said.value, value.problem);
  const answer = z.safeParse(shape, value.value);
  return answer.success ? { ok: true, value: answer.data } : bad(said.value);
}

/** Reads a FLEUR answer: a number from 0.0 to 1.0, smoothed by the probabilities of its digits. */
export function readFleur(text: string, tokens: readonly ChatToken[], form: AnswerForm): Outcome<number> {
  const said = answerIn(text, form);
  if (!said.ok) return bad(text, said.problem);
  const answer = said.value;
  if (answer.length > longestNumber || !isNumber(answer)) return bad(text);
  const places = digitPlaces(tokensOf(answer, tokens));
  const value = places === undefined ? undefined : smooth(answer, places);
  if (value === undefined) return { ok: false, problem: say('judge.tokensNotNumber') };
  // Rounding may raise the sum slightly above 1.
  if (value > 1.001) return { ok: false, problem: say('judge.probabilitiesOverOne') };
  return { ok: true, value };
}

/** The most characters of a number in an answer. */
const longestNumber = 40;
const isNumber = (text: string): boolean => /^(0(\.\d+)?|1(\.0+)?)$/.test(text);

/** The tokens that spell the answer, without the reasoning. Empty if no tokens spell exactly the answer. */
function tokensOf(answer: string, tokens: readonly ChatToken[]): ChatToken[] {
  const start = tokens
    .map(({ token }) => token)
    .join('')
    .lastIndexOf(answer);
  const end = start + answer.length;
  let at = 0;
  const own = tokens.filter(({ token }) => {
    const from = at;
    at += token.length;
    return at > start && from < end;
  });
  // Besides the answer, these tokens may contain only whitespace, before and after the answer.
  const text = own.map(({ token }) => token).join('');
  return start >= 0 && text.trim() === answer ? own : [];
}

/**
 * A token with digits of the number. `at` is the position of the token's first digit: 0 before the decimal
 * point, 1 directly after it. If the token has digits on both sides of the point, `at` is −1.
 */
interface Place {
  at: number;
  token: ChatToken;
  /** The token's text before its digits, such as a decimal point. */
  lead: string;
  digits: number;
}

function digitPlaces(tokens: readonly ChatToken[]): Place[] | undefined {
  const places: Place[] = [];
  let before = '';
  for (const token of tokens) {
    const groups = token.token.match(/\d+/g) ?? [];
    const lead = token.token.slice(0, token.token.search(/\d|$/));
    const point = (before + lead).indexOf('.');
    const at = point < 0 ? 0 : (before + lead).length - point;
    if (groups.length === 1) places.push({ at, token, lead, digits: groups[0].length });
    // A token with digits on both sides of the point, such as 0.85, counts as the complete number.
    else if (groups.length > 1) places.push({ at: -1, token, lead: '', digits: 0 });
    before += token.token;
  }
  return places.length === 0 ? undefined : places;
}

/**
 * FLEUR's smoothing: weights the possible digits of the first two decimals by their probabilities, and adds them up.
 * If the answer starts with 1, the score is P(1) + 0.9 · P(0) for the first digit.
 */
function smooth(answer: string, places: readonly Place[]): number | undefined {
  const whole = places.find(({ at }) => at === -1);
  if (whole !== undefined) {
    return sum(whole.token, (text) => (isNumber(text.trim()) ? Number(text) : undefined));
  }
  if (answer.startsWith('1')) {
    const first = places.find(({ at }) => at === 0);
    return first && sum(first.token, (text) => ({ '0': 0.9, '1': 1 })[text.trim()]);
  }
  let score = 0;
  for (const { at, token, lead, digits } of places) {
    if (at < 1 || at > 2) continue;
    score += sum(token, (text) => {
      const said = text.startsWith(lead) ? text.slice(lead.length).trim() : '';
      return new RegExp(`^\\d{${digits}}$`).test(said) ? Number(said) / 10 ** (at + digits - 1) : undefined;
    });
  }
  return score;
}

function sum({ alternatives }: ChatToken, worth: (text: string) => number | undefined): number {
  let total = 0;
  const seen = new Set<string>();
  for (const { token, logprob } of alternatives) {
    const value = worth(token);
    if (value === undefined || seen.has(token)) continue;
    seen.add(token);
    total += value * Math.exp(logprob);
  }
  return total;
}

function bad(text: string, why?: Words): { ok: false; problem: Words } {
  const line = text
    .slice(0, 1000)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const shown = line === '' ? say('judge.nothing') : line.length > 80 ? `${line.slice(0, 80)}…` : line;
  return {
    ok: false,
    problem:
      why === undefined
        ? say('judge.answerUnreadable', shown)
        : say('judge.answerUnreadableBecause', why, shown),
  };
}
