import type { Token } from './token';
import { actions, adjectives, ingNouns, quantifiers, verbsInS } from './words';

/**
 * Corrects known errors of the tagger and joins hyphenated words. The tagger was trained on prose, which
 * rarely has phrases like "a giraffe standing".
 */
export function settleTags(tokens: readonly Token[]): Token[] {
  const joined = joinHyphens(tokens);
  for (const [i, token] of joined.entries()) {
    const pos = settled(token, joined[i - 1], joined[i + 1]);
    if (pos === undefined || pos === token.pos) continue;
    token.pos = pos;
    token.settled = true;
  }
  return joined;
}

function settled(
  token: Token,
  before: Token | undefined,
  after: Token | undefined,
): Token['pos'] | undefined {
  const { lower, pos } = token;
  if (quantifiers.has(lower))
    return after?.pos === 'NOUN' || after?.pos === 'ADJ' || after?.pos === 'VERB' ? 'ADJ' : undefined;
  if (
    ingNouns.has(lower) &&
    pos === 'VERB' &&
    before !== undefined &&
    /^(NOUN|DET|ADJ)$/.test(before.pos) &&
    !actions.has(lower)
  )
    return 'NOUN';
  const afterNoun = before !== undefined && isNoun(before);
  if (actions.has(lower) && afterNoun && isNoun(token) && !ingNouns.has(lower)) return 'VERB';
  if (verbsInS.has(lower) && afterNoun && isNoun(token) && after !== undefined && startsPhrase(after))
    return 'VERB';
  if (
    adjectives.has(lower) &&
    /^(ADV|NOUN|VERB|PROPN)$/.test(pos) &&
    after !== undefined &&
    (isNoun(after) || after.pos === 'ADJ')
  )
    return before?.pos === 'NOUN' ? undefined : 'ADJ';
  // After a noun, these words are nouns: "a traffic light".
  if (
    /^(ADV|VERB)$/.test(pos) &&
    /^(light|lights|sink|sinks|counter|cross|crosses|bear|bears|top|stand|fly)$/.test(lower) &&
    afterNoun
  )
    return after === undefined || startsPhrase(after) || after.pos === 'PUNCT' ? 'NOUN' : undefined;
  return undefined;
}

export function isNoun(token: Token): boolean {
  return token.pos === 'NOUN' || token.pos === 'PROPN';
}

/** Whether the word cannot continue a noun phrase. */
export function startsPhrase(token: Token): boolean {
  return (
    /^(ADP|DET|PRON|NUM|PART|SCONJ|CCONJ|AUX)$/.test(token.pos) || /^(next|up|down|out)$/.test(token.lower)
  );
}

function joinHyphens(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (const token of tokens) {
    const last = out.at(-1);
    const binds = last !== undefined && last.end === token.start;
    if (binds && token.text === '-' && last.pos !== 'PUNCT') {
      out[out.length - 1] = { ...last, text: `${last.text}-`, lower: `${last.lower}-`, end: token.end };
    } else if (binds && last.text.endsWith('-') && last.text.length > 1) {
      const text = last.text + token.text;
      out[out.length - 1] = { ...last, text, lower: text.toLowerCase(), pos: token.pos, end: token.end };
    } else out.push({ ...token });
  }
  return out;
}
