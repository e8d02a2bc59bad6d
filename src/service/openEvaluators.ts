import { type CaptiousError, evaluatorError, usageError } from '../base/errors';
import { say } from '../base/say';
import { storeFolder } from '../base/files/home';
import type { Bench } from '../bench/bench';
import { createBench } from '../bench/createBench';
import type { Consent, Evaluator, EvaluatorInfo } from '../evaluator/evaluator';
import { openEvaluator, previewEvaluator } from '../evaluator/open';
import { referencesTo } from '../evaluator/reference';

/** Milliseconds after which an unused model is closed. */
const idleMs = 5 * 60_000;

interface OpenedEvaluator {
  key: string;
  evaluator: Promise<Evaluator>;
  bench: Bench;
}

type Opened = Promise<{ evaluator: Evaluator; bench: Bench }>;

/** Keeps the most recently requested evaluator open. */
export class OpenEvaluators {
  private current: OpenedEvaluator | undefined;
  private idle: NodeJS.Timeout | undefined;

  /** A report's evaluator, if it is installed or listed in `allowed`. Uses the same store as runs. */
  of(info: EvaluatorInfo, home: string, allowed: readonly string[], python?: readonly string[]): Opened {
    const key = [info.id, info.sha256, info.precision, info.provider, home, allowed, python];
    const store = { store: storeFolder(home) };
    return this.kept(key, store, () => openedAgain(info, home, allowed, python));
  }

  /** An evaluator for captions that are typed. They are unfinished, so their scores are not stored. */
  named(reference: string, home: string, python?: readonly string[]): Opened {
    return this.kept([reference, home, python], {}, () => openedWithConsent(reference, home, python));
  }

  private async kept(
    about: readonly unknown[],
    store: { store?: string },
    open: () => Promise<Evaluator>,
  ): Opened {
    const key = JSON.stringify(about);
    if (this.current?.key !== key) {
      const closing = this.close();
      const current: OpenedEvaluator = { key, evaluator: closing.then(open), bench: createBench(store) };
      // A failed evaluator is not kept, so the next request tries again.
      current.evaluator.catch(() => {
        if (this.current === current) this.current = undefined;
      });
      this.current = current;
    }
    const { evaluator, bench } = this.current;
    const found = { evaluator: await evaluator, bench };
    this.stayAwake();
    return found;
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
async function openedAgain(
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
    throw evaluatorError(
      say('service.evaluatorChanged', info.name),
      say('service.auditForComparableScores'),
      references[0],
    );
  throw evaluatorError(say('service.evaluatorNotInstalled', info.name), say('service.installEvaluator'));
}

/** Uses an endpoint or code only with earlier consent, because typing a caption must not ask for consent. */
async function openedWithConsent(
  reference: string,
  home: string,
  usual?: readonly string[],
): Promise<Evaluator> {
  const evaluator = await openEvaluator(reference, {
    home,
    allow: async (consent) => refuse(consent),
    python: { usual, confirm: true },
  });
  try {
    if (evaluator.consent !== undefined) refuse(evaluator.consent);
    return evaluator;
  } catch (error) {
    await evaluator.close();
    throw error;
  }
}

/** Throws unless the user agreed earlier, because this process cannot ask. */
export function refuse({ endpoint, given, runs }: Consent): void {
  if (given) return;
  throw usageError(
    runs ? say('python.consentNeeded') : say('service.consentMissing'),
    runs ? say('service.auditToAllowCode') : say('service.auditToAllowRequests'),
    endpoint,
  );
}

export function costly({ name, path }: EvaluatorInfo): CaptiousError {
  return evaluatorError(say('service.captionsCostMoney', name), say('service.tryLocalEvaluator'), path);
}
