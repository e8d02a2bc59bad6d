import { say } from '../../../base/say';
import { smallest } from '../../../base/extent';
import type { Outcome } from '../../../base/outcome';
import type { ChatToken, PromptToken } from '../chat';

/** A probability that the server does not list counts as 0 if it cannot exceed this value. */
export const smallestProbability = 1e-4;

/** Removes spaces around a word. Before the word, also ▁ and Ġ, which tokenizers use for spaces. */
function bare(text: string): string {
  return text.trimEnd().replace(/^[\s\u2581\u0120]+/, '');
}

/**
 * The probability that the model's first token is the word `answer`, with or without a space before it. Fails if the
 * server does not list this word and the word's probability may exceed `smallestProbability`.
 */
export function answerProbability(tokens: readonly ChatToken[], answer: string): Outcome<number> {
  const [first] = tokens;
  const listed = new Map(first.alternatives.map(({ token, logprob }) => [token, Math.exp(logprob)]));
  const own = [...listed].filter(([token]) => bare(token) === answer);
  if (own.length > 0) {
    const value = own.reduce((sum, [, probability]) => sum + probability, 0);
    return { ok: true, value: Math.min(1, value) };
  }
  const probabilities = [...listed.values()];
  const rest = 1 - probabilities.reduce((sum, one) => sum + one, 0);
  const most = Math.min(rest, smallest(probabilities));
  if (most <= smallestProbability) return { ok: true, value: 0 };
  return { ok: false, problem: say('judge.notAmongProbable', answer, listed.size, most.toFixed(4)) };
}

/** The mean log-probability of the caption's tokens, which are the last tokens of the prompt. */
export function meanLogProbability(prompt: readonly PromptToken[], caption: string): Outcome<number> {
  const own = tokensAtEnd(prompt, caption.trim());
  if (own === undefined) return { ok: false, problem: say('judge.lastTokensNotCaption') };
  if (own.some(({ logprob }) => logprob === undefined || logprob === -Infinity))
    return { ok: false, problem: say('judge.tokenWithoutProbability') };
  return { ok: true, value: own.reduce((sum, { logprob }) => sum + logprob!, 0) / own.length };
}

/** The last tokens of the prompt that spell the caption and its space; undefined if it ends otherwise. */
function tokensAtEnd(prompt: readonly PromptToken[], caption: string): PromptToken[] | undefined {
  const end = prompt.length;
  let found: number | undefined;
  let text = '';
  for (let from = end - 1; from >= 0; from--) {
    const { token } = prompt[from];
    text = token + text;
    if (text.length < caption.length) continue;
    const matches = readsAs(bare(text), caption);
    if (found === undefined) {
      if (matches) found = from;
      // The text is too long to be the caption, so the search ends. A match may be longer than the caption,
      // because one character may become several U+FFFD.
      else if (text.length > 4 * caption.length + 64) return undefined;
    } else if (matches && (token.includes('\ufffd') || /^[ \u2581\u0120]$/.test(token))) found = from;
    else break;
  }
  return found === undefined ? undefined : prompt.slice(found);
}

/** Whether a text spells the caption. U+FFFD in the text replaces a character or a part of a character. */
function readsAs(text: string, caption: string): boolean {
  const plain = text.replaceAll('\u2581', ' ').replaceAll('\u0120', ' ');
  const parts = plain.split(/\ufffd+/);
  const broken = plain.replace(/[^\ufffd]/g, '').length;
  const hidden = caption.length + broken - plain.length;
  if (broken === 0 || hidden < 1 || hidden > broken) return plain === caption;
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const place =
      i === 0 ? 0 : i === parts.length - 1 ? caption.length - part.length : caption.indexOf(part, at);
    if (place < at || !caption.startsWith(part, place)) return false;
    at = place + part.length;
  }
  return true;
}
