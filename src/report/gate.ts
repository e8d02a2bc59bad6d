import { CaptiousError, usageError } from '../base/errors';
import { say, type Words } from '../base/say';
import { chooseFrom } from '../base/text/nearest';
import type { Report } from './report';

/** A report's examples that the evaluator could not score, or whose images were not found. */
export function unscored({ dataset }: Pick<Report, 'dataset'>): number {
  const whole = dataset.leftOut.filter((entry) => entry.unscored === true);
  return whole.reduce((sum, { count }) => sum + count, dataset.lost?.partly ?? 0);
}

/** A condition on metrics, such as `lgip.pr.object < 0.9 || visla.t2t <= 0.5`. It has only comparisons and logic. */
export interface Gate {
  text: string;
  /** The metrics in the condition. */
  metrics: ReadonlySet<string>;
  /**
   * Whether the condition is true for the reports of one evaluator. Throws if a metric is missing or has no value,
   * because the gate must not pass then. `more` knows values that no report has.
   */
  holds(reports: readonly Report[], more?: (id: string) => number | undefined): boolean;
}

export interface GateFailures {
  /** The reports with more examples without a score than allowed. The condition is not checked for their evaluators. */
  lost: Report[];
  /** The ids of the evaluators for which the condition is true. */
  broken: string[];
}

/** Checks a condition for each evaluator of the reports. */
export function gateFailures(gate: Gate, reports: readonly Report[], allowed: number): GateFailures {
  const lost = reports.filter((report) => unscored(report) > allowed);
  const lostBy = new Set(lost.map(({ evaluator }) => evaluator.sha256));
  const others = [...new Set(reports.map(({ evaluator }) => evaluator.sha256))].filter(
    (sha256) => !lostBy.has(sha256),
  );
  const ofEvaluator = (sha256: string): Report[] =>
    reports.filter(({ evaluator }) => evaluator.sha256 === sha256);
  const broken = others.map(ofEvaluator).filter((own) => gate.holds(own));
  return { lost, broken: broken.map(([{ evaluator }]) => evaluator.id) };
}

type Look = (metric: string) => number;
type Condition = (look: Look) => boolean;
interface Operand {
  /** Absent for a number. */
  metric?: string;
  value: (look: Look) => number;
}

const longest = 2000;
const deepest = 50;
const comparisons: Record<string, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
const token =
  /\s*(\|\||&&|<=|>=|==|!=|[<>!()]|[A-Za-z][\w.@+-]*|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)/y;

export function parseGate(text: string): Gate {
  const parser = new Parser(text);
  const condition = parser.parse();
  return {
    text,
    metrics: parser.metrics,
    holds: (reports, more) => condition((metric) => more?.(metric) ?? lookUp(metric, reports)),
  };
}

/** `lgip.pr.low` and `lgip.pr.high` are the ends of `lgip.pr`'s interval, and `lgip.pr.n` is its number of examples. */
const part = /\.(low|high|n)$/;

function lookUp(id: string, reports: readonly Report[]): number {
  const metrics = reports.flatMap((report) => report.metrics).filter((metric) => metric.slice === undefined);
  const metric = metrics.find((candidate) => candidate.id === id);
  const end = part.exec(id);
  if (metric === undefined && end !== null) {
    const whole = id.slice(0, end.index);
    if (end[1] !== 'n') return boundOf(whole, end[1] === 'low', metrics);
    const counted = metrics.find((candidate) => candidate.id === whole);
    if (counted !== undefined) return counted.n;
  }
  if (metric === undefined) {
    throw usageError(
      say('report.metricMissing', id),
      chooseFrom(
        id,
        metrics.map((candidate) => candidate.id),
      ),
    );
  }
  if (metric.value === null) {
    throw new CaptiousError(
      'input',
      metric.note === undefined
        ? say('report.conditionValueMissing', id)
        : say('report.conditionValueMissingNote', id, metric.note),
    );
  }
  return metric.value;
}

function boundOf(id: string, isLow: boolean, metrics: readonly Report['metrics'][number][]): number {
  const metric = metrics.find((candidate) => candidate.id === id);
  if (metric?.ci !== undefined) return metric.ci[isLow ? 0 : 1];
  const ids = metrics.flatMap(({ id: own, ci }) => (ci === undefined ? [] : own)).join(', ');
  throw usageError(
    say('report.metricWithoutCi', id),
    ids === '' ? undefined : say('report.listMetricsWithCi', ids),
  );
}

class Parser {
  readonly metrics = new Set<string>();
  private readonly tokens: { text: string; at: number }[] = [];
  private next = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    if (text.length > longest) throw this.wrong(longest, say('report.conditionTooLong', longest));
    token.lastIndex = 0;
    let at = 0;
    while (text.slice(at).trim() !== '') {
      token.lastIndex = at;
      const found = token.exec(text);
      if (found === null)
        throw this.wrong(at + text.slice(at).search(/\S/), say('report.conditionTokenUnknown'));
      this.tokens.push({ text: found[1], at: token.lastIndex - found[1].length });
      at = token.lastIndex;
    }
  }

  parse(): Condition {
    const condition = this.either();
    if (this.next < this.tokens.length)
      throw this.wrong(this.tokens[this.next].at, say('report.conditionEndExpected'));
    return condition;
  }

  private either(): Condition {
    const parts = [this.both()];
    while (this.take('||')) parts.push(this.both());
    return (look) => parts.map((part) => part(look)).includes(true);
  }

  private both(): Condition {
    const parts = [this.single()];
    while (this.take('&&')) parts.push(this.single());
    return (look) => !parts.map((part) => part(look)).includes(false);
  }

  private single(): Condition {
    if (++this.depth > deepest) throw this.wrong(0, say('report.conditionTooDeep', deepest));
    try {
      if (this.take('!')) {
        const negated = this.single();
        return (look) => !negated(look);
      }
      if (this.take('(')) {
        const inner = this.either();
        if (!this.take(')')) throw this.wrong(this.here(), say('report.conditionParenthesisMissing'));
        return inner;
      }
      return this.comparison();
    } finally {
      this.depth--;
    }
  }

  private comparison(): Condition {
    const begin = this.here();
    const left = this.operand();
    const sign = this.tokens.at(this.next)?.text ?? '';
    if (!Object.hasOwn(comparisons, sign))
      throw this.wrong(this.here(), say('report.conditionComparisonMissing'));
    this.next++;
    const right = this.operand();
    // Such a comparison is always true or always false, so the gate might never fail.
    if (left.metric === right.metric)
      throw this.wrong(
        begin,
        left.metric === undefined
          ? say('report.conditionWithoutMetric')
          : say('report.conditionComparesItself'),
      );
    return (look) => comparisons[sign](left.value(look), right.value(look));
  }

  private operand(): Operand {
    const found = this.tokens.at(this.next);
    if (found === undefined || !/^[A-Za-z\d.+-]/.test(found.text)) {
      throw this.wrong(this.here(), say('report.conditionOperandMissing'));
    }
    this.next++;
    const { text } = found;
    const value = Number(text);
    if (/^[A-Za-z]/.test(text)) {
      this.metrics.add(text);
      return { metric: text, value: (look) => look(text) };
    }
    if (!Number.isFinite(value)) throw this.wrong(found.at, say('report.conditionNumberTooLarge'));
    return { value: () => value };
  }

  private take(text: string): boolean {
    if (this.tokens.at(this.next)?.text !== text) return false;
    this.next++;
    return true;
  }

  private here(): number {
    return this.tokens.at(this.next)?.at ?? this.text.length;
  }

  private wrong(at: number, why: Words): CaptiousError {
    return usageError(say('report.conditionInvalid', at + 1, why), say('report.conditionExample'));
  }
}
