/** Finds the answer in a language model's text, which may quote the captions that the model was sent. */
import { say } from '../say';
import { hasKeyTwice } from './jsonKeys';
import type { Outcome } from '../outcome';

export interface AnswerForm {
  /** The captions in the question. The answer must not come from a quotation of them. */
  sent: readonly string[];
  /** Whether the text may start inside the model's thoughts, because some chat templates open them. */
  thinks?: boolean;
  /** Whether a Markdown code block may surround the answer, because no JSON format was requested. */
  plain?: boolean;
}

/** The longest text with an answer, in characters. The thoughts of reasoning models are shorter. */
const longestText = 1 << 18;
/** A longer caption is not removed from an answer. */
const longestQuote = 1 << 12;

const opening = /^\s*<(think|thinking|thought|reasoning)>/i;
const anyTag = /<\/?(?:think|thinking|thought|reasoning)>/i;
const anyClosing = /<\/(?:think|thinking|thought|reasoning)>/i;

/**
 * The answer without thoughts and the Markdown code block around it. '' if the thoughts have no end. Only thoughts at
 * the start are removed, up to their first end outside a quoted caption.
 */
export function answerIn(text: string, { sent, thinks = false, plain = false }: AnswerForm): Outcome<string> {
  if (text.length > longestText) return { ok: false, problem: say('base.answerTooLong', longestText) };
  const forging = sent.map((caption) => caption.trim()).filter((caption) => anyTag.test(caption));
  const own = forging
    .filter((caption) => caption.length <= longestQuote)
    .reduce((rest, caption) => rest.replaceAll(caption, ' '), text);
  const opened = opening.exec(own);
  const rest = opened === null && !thinks ? own : withoutThoughts(own, opened?.[1]);
  const said = (rest ?? (opened === null ? own : '')).trim();
  const answer = plain ? withoutFence(said) : said;
  if (answer !== '' && rest !== own && isIn(answer, forging))
    return { ok: false, problem: say('base.answerQuotes') };
  return { ok: true, value: answer };
}

/** The text after the first end of the thoughts. Undefined if they have no end. */
function withoutThoughts(text: string, name?: string): string | undefined {
  const closed = (name === undefined ? anyClosing : new RegExp(`</${name}>`, 'i')).exec(text);
  return closed === null ? undefined : text.slice(closed.index + closed[0].length);
}

function withoutFence(said: string): string {
  if (!said.startsWith('```') || !said.endsWith('```')) return said;
  const start = said.indexOf('\n');
  const isFence = start > 0 && start < said.length - 3 && /^\w*$/.test(said.slice(3, start).trim());
  return isFence ? said.slice(start, -3).trim() : said;
}

/** Parses an answer in JSON. Fails if an object has a key twice, or if a caption contains the answer. */
export function parseAnswer(answer: string, sent: readonly string[]): Outcome<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(answer);
  } catch {
    return { ok: false, problem: say('base.answerNotJson') };
  }
  if (hasKeyTwice(answer, value)) return { ok: false, problem: say('base.answerKeyTwice') };
  // The value is compared too, because a quotation may write it in another form, such as 1e1 for 10.
  if (
    typeof value === 'object' &&
    value !== null &&
    (isIn(answer, sent) || isIn(JSON.stringify(value), sent))
  )
    return { ok: false, problem: say('base.answerQuotes') };
  return { ok: true, value };
}

/** Whether a caption contains the answer. Spaces do not count, because a model may quote JSON with other spaces. */
function isIn(answer: string, captions: readonly string[]): boolean {
  const dense = (text: string): string => text.replace(/\s/g, '');
  const said = dense(answer);
  if (said.length > longestQuote) return false;
  const words = wordsOf(answer);
  return captions.some(
    (caption) =>
      dense(caption).includes(said) ||
      (words !== '' &&
        (caption.normalize('NFKC').includes('{') || anyTag.test(caption)) &&
        wordsOf(caption).includes(words)),
  );
}

/**
 * The words and numbers of a text, each between spaces. Captions with JSON or tags are compared by them, because a
 * quotation may change quotes, invisible characters and the form of numbers.
 */
function wordsOf(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
  const words = plain.match(/\p{L}+|\d+(?:\.\d+)?/gu) ?? [];
  const same = words.map((word) => (/^\d/.test(word) ? String(Number(word)) : word));
  return same.length === 0 ? '' : ` ${same.join(' ')} `;
}
