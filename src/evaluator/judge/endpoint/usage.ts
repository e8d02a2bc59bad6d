import type { ChatUsage } from '../chat';

/** Dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
}

const apartMs = 60_000;

export function cost({ input, output }: ChatUsage, price: Price): string {
  const dollars = (input * price.input + output * price.output) / 1e6;
  return `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
}

/** Counts the answers and tokens of a run, and reports the totals at most once a minute. */
export class UsageMeter {
  private readonly total: ChatUsage = { input: 0, output: 0 };
  private answers = 0;
  private begun = 0;
  private said = 0;

  constructor(
    private readonly model: string,
    private readonly price: Price | undefined,
    private readonly onNotice: ((message: string) => void) | undefined,
  ) {}

  count(usage: ChatUsage | undefined): void {
    const now = Date.now();
    if (this.answers++ === 0) this.begun = this.said = now;
    this.total.input += usage?.input ?? 0;
    this.total.output += usage?.output ?? 0;
    if (now - this.said < apartMs) return;
    this.said = now;
    this.onNotice?.(this.words());
  }

  /** Seconds per answer; undefined before the twentieth answer. */
  get pace(): number | undefined {
    return this.answers < 20 ? undefined : (Date.now() - this.begun) / 1000 / this.answers;
  }

  private words(): string {
    const { answers, total, model, price, pace } = this;
    const number = (value: number): string => value.toLocaleString('en');
    return [
      `${model}: ${number(answers)} answers${pace === undefined ? '' : ` (${(1 / pace).toFixed(1)}/s)`}`,
      ...(total.input > 0 ? [`${number(total.input)} tokens sent, ${number(total.output)} received`] : []),
      ...(total.input > 0 && price !== undefined ? [`about ${cost(total, price)} so far`] : []),
    ].join(', ');
  }
}
