import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import { storeFolder } from '../base/home';
import type { Bench } from '../bench/bench';
import { createBench } from '../bench/createBench';
import type { Evaluator, EvaluatorInfo } from '../evaluator/evaluator';
import { openEvaluator } from '../evaluator/open';

/** A model that nobody asks any more gives its memory back after this long, in milliseconds. */
const idleMs = 5 * 60_000;

interface OpenedEvaluator {
  key: string;
  evaluator: Promise<Evaluator>;
  bench: Bench;
}

/** The evaluator of the report that was asked about last, open and with the store its run has filled. */
export class OpenEvaluators {
  private seated: OpenedEvaluator | undefined;
  private idle: NodeJS.Timeout | undefined;

  async of(info: EvaluatorInfo, home: string): Promise<{ evaluator: Evaluator; bench: Bench }> {
    const key = JSON.stringify([info.path, info.id, info.sha256, info.precision, home]);
    if (this.seated?.key !== key) {
      const closing = this.close();
      const seated: OpenedEvaluator = {
        key,
        evaluator: closing.then(() => opened(info, home)),
        bench: createBench({ store: storeFolder(home) }),
      };
      // One that could not be opened is tried again with the next question.
      seated.evaluator.catch(() => {
        if (this.seated === seated) this.seated = undefined;
      });
      this.seated = seated;
    }
    const { evaluator, bench } = this.seated;
    const open = { evaluator: await evaluator, bench };
    this.stayAwake();
    return open;
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { seated } = this;
    this.seated = undefined;
    if (seated === undefined) return;
    await seated.bench.close();
    await seated.evaluator.then(
      (evaluator) => evaluator.close(),
      () => undefined,
    );
  }

  private stayAwake(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.close(), idleMs);
    this.idle.unref();
  }
}

async function opened(info: EvaluatorInfo, home: string): Promise<Evaluator> {
  // Not opened at all: a model of the editor cannot be reached from here, and a key is nobody's business here.
  if (info.kind === 'judge') throw costly(info);
  const local = info.kind === 'text-encoder' || info.kind === 'dual-encoder' || info.kind === 'pair-scorer';
  const evaluator = await openEvaluator(info.path ?? info.id, {
    home,
    ...(local ? { precision: info.precision, provider: info.provider } : {}),
  });
  const refuse = async (error: CaptiousError): Promise<never> => {
    await evaluator.close();
    throw error;
  };
  if (evaluator.consent !== undefined) return refuse(costly(info));
  if (evaluator.info.sha256 !== info.sha256)
    return refuse(
      new CaptiousError('evaluator', say`${info.name} is no longer the one this report was made with.`, {
        at: info.path,
        remedy: say`Run the audit again, so that figures and tries belong together.`,
      }),
    );
  return evaluator;
}

function costly({ name, path }: EvaluatorInfo): CaptiousError {
  return new CaptiousError(
    'evaluator',
    say`${name} is asked elsewhere, where every try may cost something.`,
    {
      at: path,
      remedy: say`Try captions with an evaluator on this computer.`,
    },
  );
}
