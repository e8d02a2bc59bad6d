import * as vscode from 'vscode';

type Rates = Record<string, number>;

export interface FinishedRun {
  /** The requests, those of them that were answered, and those of these that the cache answered. */
  asked: number;
  done: number;
  fromStore: number;
  examples: number;
  /** How long the whole run took. */
  seconds: number;
}

/** A probe with its number of draws, which decides how much it requests. */
interface Measured {
  id: string;
  draws?: number;
}

const nameOf = ({ id, draws = 1 }: Measured): string => (draws === 1 ? id : `${id} ${draws}`);

/** If the cache answered more of a run than this, its duration says little about the evaluator. */
const mostFromStore = 0.5;

/**
 * Estimates a run's duration from the durations of whole earlier runs, as if nothing were in the cache. The speed at
 * one time of a run would not do, because images take longer than texts.
 */
export class Throughput {
  constructor(private readonly memory: vscode.Memento) {}

  async learn(evaluators: readonly string[], probes: readonly Measured[], seen: FinishedRun): Promise<void> {
    // With several evaluators or probes, the duration of each one is unknown.
    if (evaluators.length !== 1 || probes.length !== 1) return;
    const { asked, done, fromStore, examples, seconds } = seen;
    const measured = done - fromStore;
    if (examples === 0 || asked === 0 || seconds <= 0 || measured < (1 - mostFromStore) * asked) return;
    const [evaluator, probe] = [evaluators[0], nameOf(probes[0])];
    await this.note('captious.pace', evaluator, measured / seconds);
    await this.note('captious.asked', probe, asked / examples);
    await this.note('captious.seconds', keyOf(evaluator, probe), (seconds * asked) / measured / examples);
  }

  /** The estimated duration; undefined if the number of examples or a value from earlier runs is missing. */
  estimate(evaluator: string, probes: readonly Measured[], examples: number | undefined): string | undefined {
    if (examples === undefined) return undefined;
    const each = probes.map((probe) => this.secondsOf(evaluator, nameOf(probe)));
    const seconds = examples * each.reduce((sum, own) => sum + own, 0);
    if (Number.isNaN(seconds)) return undefined;
    if (seconds < 60) return vscode.l10n.t('less than a minute');
    if (seconds < 5400) return vscode.l10n.t('about {0} min', Math.round(seconds / 60));
    return vscode.l10n.t('about {0} h', Math.round(seconds / 3600));
  }

  /** Seconds per example: of this evaluator and probe, or else from the speed of one and the requests of the other. */
  private secondsOf(evaluator: string, probe: string): number {
    const own = this.rate('captious.seconds', keyOf(evaluator, probe));
    return (
      own ?? (this.rate('captious.asked', probe) ?? NaN) / (this.rate('captious.pace', evaluator) ?? NaN)
    );
  }

  private rate(key: string, name: string): number | undefined {
    const rates = this.memory.get<Rates>(key, {});
    return Object.hasOwn(rates, name) ? rates[name] : undefined;
  }

  private async note(key: string, name: string, value: number): Promise<void> {
    await this.memory.update(key, { ...this.memory.get<Rates>(key, {}), [name]: value });
  }
}

function keyOf(evaluator: string, probe: string): string {
  return JSON.stringify([evaluator, probe]);
}
