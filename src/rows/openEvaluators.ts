import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import { storeFolder } from '../base/files/home';
import type { Bench } from '../bench/bench';
import { createBench } from '../bench/createBench';
import type { Evaluator, EvaluatorInfo } from '../evaluator/evaluator';
import { openEvaluator } from '../evaluator/open';
import { previewEvaluator } from '../evaluator/preview';
import { referencesTo } from '../evaluator/reference';

/** Milliseconds after which an unused model is closed. */
const idleMs = 5 * 60_000;

interface OpenedEvaluator {
  key: string;
  evaluator: Promise<Evaluator>;
  bench: Bench;
}

/** Keeps the most recently requested evaluator open. Uses the same store as runs. */
export class OpenEvaluators {
  private current: OpenedEvaluator | undefined;
  private idle: NodeJS.Timeout | undefined;

  /** The evaluator must be installed or listed in `allowed`, such as a folder in the settings. */
  async of(
    info: EvaluatorInfo,
    home: string,
    allowed: readonly string[],
    python?: readonly string[],
  ): Promise<{ evaluator: Evaluator; bench: Bench }> {
    const key = JSON.stringify([info.id, info.sha256, info.precision, info.provider, home, allowed, python]);
    if (this.current?.key !== key) {
      const closing = this.close();
      const current: OpenedEvaluator = {
        key,
        evaluator: closing.then(() => opened(info, home, allowed, python)),
        bench: createBench({ store: storeFolder(home) }),
      };
      // A failed evaluator is not kept, so the next request tries again.
      current.evaluator.catch(() => {
        if (this.current === current) this.current = undefined;
      });
      this.current = current;
    }
    const { evaluator, bench } = this.current;
    const open = { evaluator: await evaluator, bench };
    this.stayAwake();
    return open;
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { current } = this;
    this.current = undefined;
    if (current === undefined) return;
    await current.bench.close();
    await current.evaluator.then(
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

/** Opens the user's evaluator with the report's id and hash. The path in the report is not used. */
async function opened(
  info: EvaluatorInfo,
  home: string,
  allowed: readonly string[],
  usual: readonly string[] | undefined,
): Promise<Evaluator> {
  // Judges are not opened, because this process cannot call the editor's models and must not see API keys.
  if (info.kind === 'judge') throw costly(info);
  const local = info.kind === 'text-encoder' || info.kind === 'dual-encoder' || info.kind === 'pair-scorer';
  const runtime = local ? { precision: info.precision, provider: info.provider } : {};
  const references = referencesTo(info.id, home, allowed);
  for (const ref of references) {
    if ((await previewEvaluator(ref, { home, insideEditor: true })).remote) throw costly(info);
    const evaluator = await openEvaluator(ref, { home, ...runtime, python: { usual, confirm: true } });
    if (evaluator.info.sha256 === info.sha256) return evaluator;
    await evaluator.close();
  }
  if (references.length > 0)
    throw new CaptiousError('evaluator', say`${info.name} has changed since this report was made.`, {
      at: references[0],
      remedy: say`Run the audit again to get comparable scores.`,
    });
  throw new CaptiousError('evaluator', say`${info.name} is not an installed evaluator.`, {
    remedy: say`Install the evaluator, or add its folder to the setting captious.evaluatorFolders.`,
  });
}

function costly({ name, path }: EvaluatorInfo): CaptiousError {
  return new CaptiousError(
    'evaluator',
    say`${name} sends each caption to a model server or to a language model of the editor, which may cost money.`,
    {
      at: path,
      remedy: say`Try captions with an evaluator that does not send requests.`,
    },
  );
}
