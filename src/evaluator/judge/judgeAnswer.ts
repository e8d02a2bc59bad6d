import * as z from 'zod/mini';
import { jsonSchemaOf } from '../../base/schema';
import type { ChatToken } from './chat';
import type { Outcome } from '../../base/outcome';

/** The shape of a valid answer: an object with a score from 0 to `most`, and no other field. */
const answerTo = (most: number) => z.strictObject({ score: z.number().check(z.minimum(0), z.maximum(most)) });

/** The JSON Schema that is sent to judges with scores up to 10. */
export const answerSchema = jsonSchemaOf(answerTo(10));
/** The JSON Schema that is sent to judges with scores up to 100, such as CLAIR. */
export const answerSchema100 = jsonSchemaOf(answerTo(100));

export function readScore(text: string, most: 10 | 100 = 10, cut = false): Outcome<number> {
  const read = readJson(text, answerTo(most), cut);
  return read.ok ? { ok: true, value: read.value.score } : read;
}

/** `cut`: whether the token limit truncated the answer. */
export function readJson<S extends z.ZodMiniType>(text: string, shape: S, cut = false): Outcome<z.output<S>> {
  const said = withoutThoughts(text);
  if (said.trim() === '' && cut)
    return { ok: false, problem: 'the judge reached the limit of tokens before its answer ("maxTokens")' };
  let value: unknown;
  try {
    value = JSON.parse(said);
  } catch {
    return bad(said);
  }
  const answer = z.safeParse(shape, value);
  return answer.success ? { ok: true, value: answer.data } : bad(said);
}

/** Removes the reasoning that some servers put before the answer. Returns '' if the reasoning has no end. */
export function withoutThoughts(text: string): string {
  const closed = /^[^]*<\/(?:think|thinking|thought|reasoning)>/i.exec(text);
  if (closed !== null) return text.slice(closed[0].length);
  return /^\s*<(?:think|thinking|thought|reasoning)>/i.test(text) ? '' : text;
}

/** Removes reasoning, and the Markdown code block in which some models write their JSON. */
export function unfenced(answer: string): string {
  const said = withoutThoughts(answer);
  return /^\s*```\w*\n([^]*?)\n?```\s*$/.exec(said)?.[1] ?? said;
}

/** Reads a FLEUR answer: a number from 0.0 to 1.0, smoothed by the probabilities of its digits. */
export function readFleur(text: string, tokens: readonly ChatToken[]): Outcome<number> {
  const answer = withoutThoughts(text).trim();
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(answer)) return bad(text);
  const places = digitPlaces(tokensOf(answer, tokens));
  const value = places === undefined ? undefined : smooth(answer, places);
  if (value === undefined)
    return { ok: false, problem: "the tokens of the judge's answer do not match its number" };
  return { ok: true, value };
}

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
    return sum(whole.token, (text) => (/^\s*(0(\.\d+)?|1(\.0+)?)\s*$/.test(text) ? Number(text) : undefined));
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

function bad(text: string): { ok: false; problem: string } {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const shown = line.length > 80 ? `${line.slice(0, 80)}…` : line;
  return {
    ok: false,
    problem: `the judge's answer is not in the expected format: ${shown === '' ? '(nothing)' : shown}`,
  };
}
