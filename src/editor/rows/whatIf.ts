import type { Bench } from '../../bench/bench';
import { createBench } from '../../bench/createBench';
import { CaptiousError } from '../../base/errors';
import { storeFolder } from '../../base/home';
import type { Evaluator, EvaluatorInfo } from '../../evaluator/evaluator';
import type { ImageItem, TextItem, Want } from '../../evaluator/item';
import { openEvaluator } from '../../evaluator/open';
import type { Answer, Ask } from '../../protocol/rows';
import { readReport } from '../../report/report';

/** A model that nobody asks any more gives its memory back after this long, in milliseconds. */
const idleMs = 5 * 60_000;

export type WhatIfAsk = Extract<Ask, { type: 'whatIf' }>;

interface Seat {
  key: string;
  evaluator: Promise<Evaluator>;
  bench: Bench;
}

/** Scores captions that somebody is typing, with the evaluator of a report and the store its run has filled. */
export class WhatIf {
  private seat: Seat | undefined;
  private idle: NodeJS.Timeout | undefined;
  private asked: AbortController | undefined;

  /** A question that is still open when the next one comes is given up: nobody waits for its answer. */
  async answer(
    { report, text, others }: WhatIfAsk,
    photo: ImageItem | undefined,
    home: string,
  ): Promise<Extract<Answer, { type: 'whatIf' }>> {
    this.asked?.abort(new CaptiousError('interrupted', 'Another caption was typed.'));
    const { signal } = (this.asked = new AbortController());
    const { evaluator: info } = await readReport(report);
    const { evaluator, bench } = await this.seated(info, home);
    this.stayAwake();
    const [typed, ...rest] = [text, ...others].map((each): TextItem => ({ kind: 'text', text: each }));
    const { scores } = evaluator.info;
    const withPhoto =
      photo !== undefined && scores.includes('image-text')
        ? [typed, ...rest].map((right): Want => ({ left: photo, right }))
        : [];
    const withTexts = scores.includes('text-text') ? rest.map((right): Want => ({ left: typed, right })) : [];
    const outcomes = await bench.scores(evaluator, [...withPhoto, ...withTexts], signal);
    const at = (index: number): number | null => {
      const outcome = outcomes.at(index);
      return outcome?.ok ? outcome.value : null;
    };
    const failed = outcomes.find((outcome) => !outcome.ok);
    return {
      type: 'whatIf',
      photo: withPhoto.length > 0 ? at(0) : null,
      others: others.map((_, i) => ({
        photo: withPhoto.length > 0 ? at(i + 1) : null,
        text: withTexts.length > 0 ? at(withPhoto.length + i) : null,
      })),
      ...(failed === undefined || failed.ok ? {} : { problem: failed.problem }),
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { seat } = this;
    this.seat = undefined;
    if (seat === undefined) return;
    await seat.bench.close();
    await seat.evaluator.then(
      (evaluator) => evaluator.close(),
      () => undefined,
    );
  }

  private stayAwake(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.close(), idleMs);
    this.idle.unref();
  }

  private async seated(info: EvaluatorInfo, home: string): Promise<{ evaluator: Evaluator; bench: Bench }> {
    const key = JSON.stringify([info.path, info.id, info.sha256, info.precision, home]);
    if (this.seat?.key !== key) {
      const closing = this.close();
      const seat: Seat = {
        key,
        evaluator: closing.then(() => opened(info, home)),
        bench: createBench({ store: storeFolder(home) }),
      };
      // One that could not be opened is tried again with the next question.
      seat.evaluator.catch(() => {
        if (this.seat === seat) this.seat = undefined;
      });
      this.seat = seat;
    }
    const { evaluator, bench } = this.seat;
    return { evaluator: await evaluator, bench };
  }
}

async function opened(info: EvaluatorInfo, home: string): Promise<Evaluator> {
  const local = info.kind === 'text-encoder' || info.kind === 'dual-encoder' || info.kind === 'pair-scorer';
  const evaluator = await openEvaluator(info.path ?? info.id, {
    home,
    ...(local ? { precision: info.precision, provider: info.provider } : {}),
  });
  const refuse = async (message: string, remedy: string): Promise<never> => {
    await evaluator.close();
    throw new CaptiousError('evaluator', message, { at: info.path, remedy });
  };
  if (evaluator.consent !== undefined)
    return refuse(
      `${info.name} is asked over the network, where every try may cost something.`,
      'Try captions with an evaluator on this machine.',
    );
  if (evaluator.info.sha256 !== info.sha256)
    return refuse(
      `${info.name} is no longer the one this report was made with.`,
      'Run the audit again, so that figures and tries belong together.',
    );
  return evaluator;
}
