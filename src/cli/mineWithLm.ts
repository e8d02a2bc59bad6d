import type { Dataset, ReadOptions } from '../dataset/dataset';
import { ChatProblem } from '../evaluator/judge/chat';
import { needsConsent } from '../evaluator/remote/consent';
import { type Planned, Writer } from '../evaluator/writing/writer';
import type { AskChat } from '../mining/chat';
import type { HalfTriplet } from '../mining/half';
import { type LmOptions, mineByLm, requestsFor, Unanswered } from '../mining/lm';
import { mined, type Mined, wayFor } from '../mining/mine';
import { agreed, log, ProgressBar } from './terminal';

interface Options extends ReadOptions {
  limit?: number;
  signal: AbortSignal;
  yes: boolean;
}

/** Opens the model of a judge file. Asks for missing consent to the number and cost of the requests. */
export async function openWriter(
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

/** How to ask the model, with a progress bar over `total` things. */
export function asking(
  writer: Writer,
  signal: AbortSignal,
  bar: ProgressBar,
  total: number,
  things: string,
): LmOptions & { signal: AbortSignal } {
  return {
    model: writer.name,
    ask: askWith(writer, signal),
    parallel: writer.parallel,
    signal,
    onProgress: (done) => {
      bar.show(writer.name, done / total, `${done} of ${total} ${things}`);
    },
  };
}

/** Gets candidates from the model of a judge file, after the user agreed to the number and cost of the requests. */
export async function mineWithLm(dataset: Dataset, judge: string, options: Options): Promise<Mined> {
  const { limit = Infinity, signal, yes, ...reading } = options;
  const planned = { captions: 0, requests: 0 };
  for await (const example of dataset.read({ signal })) {
    if (planned.captions >= limit) break;
    const requests = requestsFor(example);
    if (requests === 0) continue;
    planned.captions++;
    planned.requests += requests;
  }
  const writer = await openWriter(judge, planned, yes, signal);
  const leftOut = new Map<string, number>();
  const halves: HalfTriplet[] = [];
  const bar = new ProgressBar();
  try {
    const found = mineByLm(
      dataset.read({ ...reading, signal }),
      { ...asking(writer, signal, bar, planned.captions, 'captions'), limit },
      (reason) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1),
    );
    for await (const half of found) halves.push(half);
  } finally {
    bar.clear();
  }
  return mined(dataset, wayFor(dataset), halves, leftOut);
}
