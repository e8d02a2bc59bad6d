import { type CaptiousError, evaluatorError } from '../base/errors';
import { say } from '../base/say';
import { answerIn, parseAnswer } from '../base/text/modelAnswer';
import type { Candidate } from '../protocol/triplets';

/** Sends one prompt to a chat model and returns its answer. */
export type AskChat = (prompt: string) => Promise<string>;

/** The number of sentences that one prompt requests. Each sentence is checked with a separate prompt. */
export const wanted = 3;

/**
 * Asks a chat model for second positives, as in the VISLA paper. The model rewords the caption, then accepts,
 * corrects or drops each rewording.
 */
export async function positivesByChat(caption: string, model: string, ask: AskChat): Promise<Candidate[]> {
  const reworded = textsIn(await ask(rewordPrompt(caption)), [caption]);
  const out: Candidate[] = [];
  for (const text of reworded.slice(0, wanted)) {
    const { same, better } = judgementIn(await ask(checkPrompt(caption, text)), [caption, text]);
    const kept = same ? text : better;
    if (kept === undefined || kept === caption || out.some((one) => one.text === kept)) continue;
    out.push({ text: kept, from: same ? `${model}, checked` : `${model}, corrected` });
  }
  return out;
}

/** The caption is a JSON string, because the model must not read it as an instruction. */
export function rewordPrompt(caption: string): string {
  return [
    'You reword captions of photos for a test of language models.',
    `Write ${wanted} sentences that say exactly what the caption says, in words and an order as different from it as you can find.`,
    '- Say no more and no less: no new detail, nothing left out.',
    '- Who does what to whom, and what is where to what, must stay. You may turn it round: what is under a thing has that thing above it.',
    '- Say "person" or "they" where a pronoun would tell a gender.',
    '- Each must be a fluent, correct sentence by itself.',
    'Examples:',
    '"The cup is inside the sink." → "The sink contains the cup."',
    '"A woman feeds two horses." → "Two horses are being fed by a woman."',
    '"The lamp is left of the couch." → "To the right of the lamp is the couch."',
    `The caption, as a JSON string: ${JSON.stringify(caption)}`,
    `Answer with a JSON list of ${wanted} strings and nothing else.`,
  ].join('\n');
}

export function checkPrompt(caption: string, text: string): string {
  return [
    'Two captions may or may not say the same. Decide by the captions alone; you see no photo.',
    'They say the same when each is true of a photo exactly when the other is. Look above all at who does what, how many there are, colours, and what is where.',
    `First, as a JSON string: ${JSON.stringify(caption)}`,
    `Second, as a JSON string: ${JSON.stringify(text)}`,
    'Answer with JSON and nothing else: {"same": true} if they say the same, or {"same": false, "better": "…"} with the second',
    'changed as little as possible so that it says what the first says, in other words than the first.',
  ].join('\n');
}

/** `sent`: the captions in the prompt. */
export function textsIn(answer: string, sent: readonly string[]): string[] {
  const value = jsonIn(answer, sent, '[', ']');
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw unreadable(answer);
  return value.map((item) => item.replace(/\s+/g, ' ').trim()).filter((item) => item !== '');
}

export function judgementIn(answer: string, sent: readonly string[]): { same: boolean; better?: string } {
  const value = jsonIn(answer, sent, '{', '}');
  if (typeof value !== 'object' || value === null) throw unreadable(answer);
  const { same, better } = value as { same?: unknown; better?: unknown };
  if (typeof same !== 'boolean') throw unreadable(answer);
  const put = typeof better === 'string' ? better.replace(/\s+/g, ' ').trim() : '';
  return put === '' ? { same } : { same, better: put };
}

/** Parses the JSON from the first `open` to the last `close`. Models often wrap JSON in prose or a code fence. */
function jsonIn(answer: string, sent: readonly string[], open: string, close: string): unknown {
  const said = answerIn(answer, { sent });
  if (!said.ok) throw unreadable(answer);
  const [from, to] = [said.value.indexOf(open), said.value.lastIndexOf(close)];
  const value = to < from ? undefined : parseAnswer(said.value.slice(from, to + 1), sent);
  if (from < 0 || value?.ok !== true) throw unreadable(answer);
  return value.value;
}

function unreadable(answer: string): CaptiousError {
  const shown = answer.trim().slice(0, 120);
  return evaluatorError(say('mining.chatAnswerUnreadable', shown), say('mining.retryOrChangeModel'));
}
