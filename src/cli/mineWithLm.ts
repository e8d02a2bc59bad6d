import type { Dataset, ReadOptions } from '../dataset/dataset';
import { ChatProblem } from '../evaluator/judge/chat';
import { needsConsent } from '../evaluator/remote/consent';
import { type Planned, Writer } from '../evaluator/writing/writer';
import type { AskChat } from '../mining/chat';
import type { HalfTriplet } from '../mining/half';
import { type LmOptions, mineByLm, requestsFor, Unanswered } from '../mining/lm';
import { mined, type Mined, wayFor } from '../mining/mine';
import { agreed, log, ProgressBar } from './terminal';
import { say, type Words } from '../base/say';
import { type CaptiousError, inputError } from '../base/errors';

/** The options of a command that asks a language model about a dataset. */
export interface AskOptions extends ReadOptions {
  limit?: number;
  signal: AbortSignal;
  yes: boolean;
}

/** Opens the model of a judge file. Asks for missing consent to the number and cost of the requests. */
async function openWriter(
  judge: string,
  planned: Planned,
  yes: boolean,
  signal: AbortSignal,
): Promise<Writer> {
  const writer = await Writer.open(judge, { onNotice: log });
  const terms = writer.terms(planned);
  if (writer.consented) log(terms);
  else if (await agreed(terms, yes, signal)) await writer.consent();
  else throw needsConsent(writer);
  return writer;
}

function askWith(writer: Writer, signal: AbortSignal): AskChat {
  return async (prompt) => {
    try {
      return await writer.ask(prompt, signal);
    } catch (error) {
      if (error instanceof ChatProblem) throw new Unanswered(error.message);
      throw error;
    }
  };
}

/**
 * Opens the model of a judge file, and takes each result of `find`, with a progress bar over `total` things. Returns how
 * many results were left out for each reason, the most frequent reason first.
 */
export async function askLm<T>(
  { judge, planned, total, things }: { judge: string; planned: Planned; total: number; things: string },
  { signal, yes }: AskOptions,
  find: (asking: LmOptions & { signal: AbortSignal }, leaveOut: (reason: string) => void) => AsyncIterable<T>,
  take: (found: T) => void,
): Promise<Map<string, number>> {
  const writer = await openWriter(judge, planned, yes, signal);
  const reasons = new Map<string, number>();
  const bar = new ProgressBar();
  const asking = {
    ...{ model: writer.name, ask: askWith(writer, signal), parallel: writer.parallel, signal },
    onProgress: (done: number) => {
      bar.show(writer.name, done / total, `${done} of ${total} ${things}`);
    },
  };
  const leaveOut = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  try {
    for await (const found of find(asking, leaveOut)) take(found);
  } finally {
    bar.clear();
  }
  return new Map([...reasons].sort(([, a], [, b]) => b - a));
}

export function noneUsable(what: Words, reasons: ReadonlyMap<string, number>, at: string): CaptiousError {
  const all = [...reasons].map(([reason, count]) => `${count} × ${reason}`).join('; ');
  return inputError(what, say('cli.tryOtherModel', all), at);
}

/** Gets candidates from the model of a judge file, after the user agreed to the number and cost of the requests. */
export async function mineWithLm(dataset: Dataset, judge: string, options: AskOptions): Promise<Mined> {
  const { limit = Infinity, signal } = options;
  const planned = { captions: 0, requests: 0 };
  for await (const example of dataset.read({ signal })) {
    if (planned.captions >= limit) break;
    const requests = requestsFor(example);
    if (requests === 0) continue;
    planned.captions++;
    planned.requests += requests;
  }
  const halves: HalfTriplet[] = [];
  const leftOut = await askLm(
    { judge, planned, total: planned.captions, things: 'captions' },
    options,
    (asking, leaveOut) => mineByLm(dataset.read(options), { ...asking, limit }, leaveOut),
    (half) => halves.push(half),
  );
  const reasons = [...leftOut].map(([words, count]) => ({ words, count }));
  return mined(dataset, wayFor(dataset), halves, reasons);
}
