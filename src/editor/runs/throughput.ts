import * as vscode from 'vscode';

type Rates = Record<string, number>;

export interface FinishedRun {
  rate?: number;
  asked: number;
  examples: number;
}

/** A probe with its number of draws, which decides how much it requests. */
interface Measured {
  id: string;
  draws?: number;
}

const keyOf = ({ id, draws = 1 }: Measured): string => (draws === 1 ? id : `${id} ${draws}`);

/** Estimates a run's duration from the evaluator's speed and the probe's requests per example in earlier runs. */
export class Throughput {
  constructor(private readonly memory: vscode.Memento) {}

  async learn(evaluators: readonly string[], probes: readonly Measured[], seen: FinishedRun): Promise<void> {
    // With several evaluators or probes, the speed and the requests of each one are unknown.
    if (evaluators.length !== 1 || probes.length !== 1 || seen.rate === undefined || seen.examples === 0)
      return;
    await this.memory.update('captious.pace', { ...this.rates('captious.pace'), [evaluators[0]]: seen.rate });
    await this.memory.update('captious.asked', {
      ...this.rates('captious.asked'),
      [keyOf(probes[0])]: seen.asked / seen.examples,
    });
  }

  /** The estimated duration; undefined if the number of examples or a value from earlier runs is missing. */
  estimate(evaluator: string, probes: readonly Measured[], examples: number | undefined): string | undefined {
    const rates = this.rates('captious.pace');
    const asked = this.rates('captious.asked');
    const known =
      Object.hasOwn(rates, evaluator) && probes.every((probe) => Object.hasOwn(asked, keyOf(probe)));
    if (!known || examples === undefined) return undefined;
    const items = probes.reduce((sum, probe) => sum + asked[keyOf(probe)] * examples, 0);
    const seconds = items / rates[evaluator];
    if (seconds < 60) return vscode.l10n.t('less than a minute');
    if (seconds < 5400) return vscode.l10n.t('about {0} min', Math.round(seconds / 60));
    return vscode.l10n.t('about {0} h', Math.round(seconds / 3600));
  }

  private rates(key: string): Rates {
    return this.memory.get<Rates>(key, {});
  }
}
