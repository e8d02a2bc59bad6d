import { nothingAudited } from '../audit/output/nothingAudited';
import type { AuditEvent } from '../audit/events';
import { append } from '../base/lists';
import { usageError } from '../base/errors';
import { english, withSentences } from '../base/english';
import { say } from '../base/say';
import { endsOf, figure } from '../report/figures';
import { type Gate, gateFailures, parseGate, unscored } from '../report/gate';
import { type BaselineRules, worseThanBaseline } from '../report/baseline';
import { parseMargins } from '../report/decisions/decisions';
import { requireTested } from '../report/lineUp';
import type { PairedDifference } from '../report/paired';
import { readReport } from '../report/report';
import { type CommandOption, repeated, text, type Values, wholeNumber } from './arguments';
import { logOption, MetricsLog } from './metricsLog';
import { slices } from './options';
import { log, placeOf, printJson, ProgressBar, stopWithInput } from './terminal';
import { printReports } from './printReports';
import type { WrittenReport } from '../audit/output/writtenReport';

export const reportOptions: Record<
  'fail-on' | 'baseline' | 'margin' | 'anytime' | 'allow-lost' | 'slices' | 'log' | 'json' | 'events',
  CommandOption
> = {
  'fail-on': {
    value: 'EXPR',
    describe:
      'exit with code 1 if EXPR is true, or if examples could not be scored. Example: --fail-on "visla.t2t < 0.5 || visla.t2t.n < 200"',
  },
  baseline: {
    value: 'REPORT',
    multiple: true,
    describe:
      'exit with code 1 if a metric is significantly worse than in REPORT (paired test on the rows), or if it has no value for examples that have one in REPORT',
  },
  margin: {
    value: 'M',
    describe:
      'with --baseline: exit with code 1 unless a test shows that each metric is at most M worse (one-sided level 0.025). Metrics in units of the score of evaluators with different scales have M in spreads. METRIC=M,… sets M for single metrics; the others are tested as without --margin',
  },
  anytime: {
    describe:
      'with --baseline: test only metrics that count right and wrong results, by a test that stays valid if you repeat it while a run grows, for example with --limit 500, then 1000',
  },
  'allow-lost': {
    value: 'N',
    describe: 'with --fail-on or --baseline: accept up to N examples that could not be scored (default: 0)',
  },
  slices,
  log: logOption,
  json: { describe: 'print the reports as a JSON list, and nothing else' },
  events: {
    describe:
      'for programs: write progress, problems, the paths of finished reports and the error of a failed run as lines of JSON to standard error, and stop when standard input ends',
  },
};

/**
 * Writes and prints reports. Returns 1 if a gate or a comparison with a baseline fails, and 0 otherwise. Options
 * are parsed before the run. Baselines are read after it.
 */
export async function report(
  values: Values,
  write: (onEvent: (event: AuditEvent) => void) => Promise<WrittenReport[]>,
  signal: AbortSignal,
): Promise<number> {
  const gateText = text(values, 'fail-on');
  const gate = gateText === undefined ? undefined : parseGate(gateText);
  const baselines = repeated(values, 'baseline');
  const rules = { ...rulesOf(values, baselines), signal };
  const allowed = wholeNumber(values, 'allow-lost') ?? 0;
  if (values.events === true) stopWithInput();
  const listener = values.events === true ? new EventLines() : new Listener();
  const metricsLog = await MetricsLog.open(text(values, 'log'));
  let reports: WrittenReport[];
  try {
    reports = await write((event) => {
      metricsLog?.hear(event);
      listener.hear(event);
    });
  } finally {
    listener.done();
    await metricsLog?.close();
  }
  showReports(reports, values);
  const passed = gate === undefined || passes(gate, reports, allowed);
  const held = await noWorseThan(baselines, reports, rules, allowed);
  return passed && held ? 0 : 1;
}

/** Prints reports. A report without examples says nothing, so no script may take the run for a success. */
export function showReports(reports: readonly WrittenReport[], values: Values): void {
  if (values.json) printJson(reports.map(({ report }) => report));
  else printReports(reports, values.slices === true);
  const empty = reports.find(({ report }) => report.dataset.examples === 0);
  if (empty !== undefined) throw nothingAudited(empty);
}

function rulesOf(values: Values, baselines: readonly string[]): BaselineRules {
  const margin = text(values, 'margin');
  const anytime = values.anytime === true;
  if (baselines.length === 0 && (margin !== undefined || anytime))
    throw usageError(
      `--${anytime ? 'anytime' : 'margin'} needs --baseline.`,
      'Add --baseline with an earlier report of the same file.',
    );
  return { anytime, ...(margin === undefined ? {} : { margins: parseMargins(margin) }) };
}

const problemsShown = 10;

/** Prints a run's events as lines of JSON, for the program that started this one. */
class EventLines {
  hear(event: AuditEvent): void {
    if (event.type === 'report') this.write({ type: 'report', path: event.path });
    else if (event.type === 'problem')
      this.write({ ...event, problem: { ...event.problem, message: english(event.problem.message) } });
    else if (event.type !== 'partialMetrics') this.write(event);
  }

  done(): void {
    this.write({ type: 'done' });
  }

  private write(event: object): void {
    log(JSON.stringify(withSentences(event)));
  }
}

/** Prints a run's events as a progress bar and lines on standard error. */
export class Listener {
  private readonly bar = new ProgressBar();
  private problems = 0;

  hear(event: AuditEvent): void {
    switch (event.type) {
      // The command line shows only final metrics.
      case 'partialMetrics':
        return;
      case 'progress':
        this.bar.draw(event.probe, event.progress);
        break;
      case 'problem': {
        const { place, message, severity } = event.problem;
        if (++this.problems <= problemsShown) this.say(`${severity}: ${placeOf(place)}${english(message)}`);
        break;
      }
      case 'notice':
        this.say(event.message);
        break;
      case 'started':
      case 'report':
        break;
    }
  }

  done(): void {
    this.bar.clear();
    if (this.problems > problemsShown) {
      log(english(say('cli.moreProblems', this.problems - problemsShown)));
    }
  }

  /** Prints a line above the progress bar. */
  say(line: string): void {
    this.bar.clear();
    log(line);
  }
}

function passes(gate: Gate, written: readonly WrittenReport[], allowed: number): boolean {
  const { lost, broken } = gateFailures(
    gate,
    written.map(({ report }) => report),
    allowed,
  );
  for (const report of lost)
    log(
      `gate failed for ${report.evaluator.id}: ${unscored(report)} of ${report.dataset.examples + report.dataset.skipped} examples of ${report.probe} could not be scored. To accept them, add --allow-lost ${unscored(report)}.`,
    );
  for (const name of broken) log(`gate failed for ${name}: ${gate.text}`);
  return broken.length === 0 && lost.length === 0;
}

/** Whether no report is worse than its baseline, example by example, because noise must not fail a build. */
async function noWorseThan(
  baselines: readonly string[],
  written: readonly WrittenReport[],
  rules: BaselineRules,
  allowed: number,
): Promise<boolean> {
  let held = true;
  const allTested: PairedDifference[] = [];
  for (const path of baselines) {
    const baseline = await readReport(path);
    const own = written.filter(({ report }) => report.probe === baseline.probe);
    if (own.length === 0 || own.some(({ report }) => report.dataset.sha256 !== baseline.dataset.sha256)) {
      throw usageError(
        `--baseline: the audit and this report have different ${own.length === 0 ? 'probes' : 'datasets'}.`,
        'Choose a report of the same probe and dataset file.',
        path,
      );
    }
    for (const one of own) {
      const { worse, lost, tested, groundless } = await worseThanBaseline(
        { path, report: baseline },
        one,
        rules,
      );
      append(allTested, tested);
      for (const { metrics, examples, of } of lost.filter(({ examples }) => examples > allowed)) {
        log(
          `cannot be compared with the baseline for ${one.report.evaluator.id}: ${examples} of ${of} examples with a value in the baseline have none in this run (${metrics.join(', ')}). To accept them, add --allow-lost ${examples}.`,
        );
        held = false;
      }
      for (const { metric, baseline: isBefore } of groundless) {
        // A baseline that says nothing cannot be lost. A run that fell to chance level is no improvement.
        log(
          isBefore
            ? `not compared with the baseline for ${one.report.evaluator.id}: ${metric}, because the baseline is at chance level, so its value says nothing`
            : `worse than the baseline for ${one.report.evaluator.id}: it is at chance level, so its ${metric} says nothing`,
        );
        held &&= isBefore;
      }
      for (const found of worse) {
        const { metric, margin } = found;
        const { difference, ci } = found.anytime ?? found;
        const interval = ci ? ` ${endsOf(ci)}` : '';
        log(
          margin === undefined
            ? `worse than the baseline for ${one.report.evaluator.id}: ${metric} by ${figure(difference, ci)}${interval}`
            : `not shown to be at most ${margin} worse than the baseline for ${one.report.evaluator.id}: ${metric} differs by ${figure(difference, ci)}${interval}`,
        );
        held = false;
      }
    }
  }
  // A margin may be for one of several probes.
  if (baselines.length > 0) requireTested('margin', rules.margins?.named ?? [], allTested);
  return held;
}
