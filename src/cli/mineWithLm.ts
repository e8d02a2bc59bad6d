import type { Dataset, ReadOptions } from '../dataset/dataset';
import { ChatProblem } from '../evaluator/judge/chat';
import { needsConsent } from '../evaluator/remote/consent';
import { Writer } from '../evaluator/writing/writer';
import type { HalfTriplet } from '../mining/half';
import { mineByLm, requestsFor, Unanswered } from '../mining/lm';
import { mined, type Mined, wayFor } from '../mining/mine';
import { agreed, log, ProgressBar } from './terminal';

interface Options extends ReadOptions {
  limit?: number;
  signal: AbortSignal;
  yes: boolean;
}

/** Lets the model of a judge file write candidates, after consent to the number of requests and their cost. */
export async function mineWithLm(dataset: Dataset, judge: string, options: Options): Promise<Mined> {
  const { limit = Infinity, signal, yes, ...reading } = options;
  const writer = await Writer.open(judge, { onNotice: log });
  const planned = { captions: 0, requests: 0 };
  for await (const example of dataset.read({ signal })) {
    if (planned.captions >= limit) break;
    const requests = requestsFor(example);
    if (requests === 0) continue;
    planned.captions++;
    planned.requests += requests;
  }
  const terms = writer.terms(planned);
  if (writer.consented) log(terms);
  else if (await agreed(terms, yes, signal)) await writer.consent();
  else throw needsConsent(writer);
  const leftOut = new Map<string, number>();
  const halves: HalfTriplet[] = [];
  const ask = async (prompt: string): Promise<string> => {
    try {
      return await writer.ask(prompt, signal);
    } catch (error) {
      if (error instanceof ChatProblem) throw new Unanswered(error.message);
      throw error;
    }
  };
  const bar = new ProgressBar();
  try {
    const found = mineByLm(
      dataset.read({ ...reading, signal }),
      {
        model: writer.name,
        ask,
        parallel: writer.parallel,
        limit,
        signal,
        onProgress: (done) => {
          bar.show(writer.name, done / planned.captions, `${done} of ${planned.captions} captions`);
        },
      },
      (reason) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1),
    );
    for await (const half of found) halves.push(half);
  } finally {
    bar.clear();
  }
  return mined(dataset, wayFor(dataset), halves, leftOut);
}
