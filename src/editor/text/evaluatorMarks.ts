import { shortNames } from '../../base/text/shortNames';
import type { Mark } from '../../protocol/rows';
import { addTo, groupedBy } from '../../base/lists';

/** One probe's newest results of a dataset, and how to update them. */
export interface Known {
  /** The id of the run. If the results come from no run of the workspace, the path or URI of the report file. */
  id: string;
  probe: string;
  title: string;
  /** The verdict, for the lens above the file. */
  words: string;
  /** Whether no report has a verdict, so that `words` only names the evaluators. */
  isMute?: boolean;
  /** Whether these results may be for an older version of the file, for example because another probe ran later. */
  isOlder: boolean;
  /** The full names of the evaluators, for the tooltip of the lens. */
  evaluators?: readonly string[];
  /** The paths of the other evaluators' reports, if `id` is that of a report file. */
  others?: readonly string[];
  /** The whole verdict of each evaluator, for the list of results, if each has its own report file. */
  verdicts?: readonly { evaluator: string; words: string }[];
  /** How to update the results of an edited caption; undefined if this is not possible. */
  again: 'rescore' | 'rerun' | undefined;
}

/** A mark with its place in the current document. */
export interface PlacedMark {
  mark: ExampleMark;
  line: number;
  /** Whether the text was edited after it was scored. */
  stale: boolean;
  /** Whether the text was edited and then rescored, so that the mark is newer than the report. */
  fresh: boolean;
  known: Known;
}

export interface EvaluatorMark {
  evaluator: string;
  report: string;
  mark: Mark;
}

/** The marks of an example from all its evaluators. The inherited fields are those of the first evaluator. */
export interface ExampleMark extends Mark {
  evaluators?: readonly EvaluatorMark[];
  /** How many evaluators have a report. Some of them may have skipped the example. */
  among?: number;
}

/** Combines the marks of a probe's reports by example. A report may lack some of the examples. */
export function combined(
  reports: readonly { evaluator: string; report: string; marks: readonly Mark[] }[],
): ExampleMark[] {
  const examples = new Map<string, EvaluatorMark[]>();
  for (const { evaluator, report, marks } of reports) {
    const seen = new Map<string, number>();
    for (const mark of marks) {
      const key = JSON.stringify([mark.line, mark.column, mark.texts]);
      const times = seen.get(key) ?? 0;
      seen.set(key, times + 1);
      const own = { evaluator, report, mark };
      addTo(examples, `${key} ${times}`, own);
    }
  }
  return [...examples.values()]
    .map((evaluators) => ({ ...evaluators[0].mark, evaluators, among: reports.length }))
    .sort((a, b) => a.line - b.line || (a.column ?? 1) - (b.column ?? 1));
}

export function isWrong({ captions, flagged }: Mark): boolean {
  return flagged === true || captions.some(({ verdict }) => verdict === 'wrong' || verdict === 'tie');
}

/** The marks of the evaluators that scored the example. */
export function ownMarks({ evaluators, ...mark }: ExampleMark): Mark[] {
  return evaluators?.map((own) => own.mark) ?? [mark];
}

/**
 * Whether the evaluators miss an example. With one or two evaluators, one wrong evaluator is enough. With three or
 * more, most must be wrong, because at least one of many evaluators is nearly always wrong.
 */
export function isMissed(mark: ExampleMark): boolean {
  const all = ownMarks(mark);
  const wrong = all.filter(isWrong).length;
  return all.length > 2 ? 2 * wrong > all.length : wrong > 0;
}

/** How bad a result is: 2 if an evaluator is wrong, 1 if a score is unstable, otherwise 0. */
export function severityOf(mark: ExampleMark): number {
  const all = ownMarks(mark);
  if (all.some(isWrong)) return 2;
  return all.some(({ unstable }) => unstable === true) ? 1 : 0;
}

/**
 * The marks of the evaluators that are wrong, or all marks if no evaluator is wrong. If the run has several
 * evaluators, each mark has the name of its evaluator.
 */
export function telling({ evaluators, among = 1, ...mark }: ExampleMark): { name?: string; mark: Mark }[] {
  if (evaluators === undefined) return [{ mark }];
  const wrong = evaluators.filter((own) => isWrong(own.mark));
  return (wrong.length > 0 ? wrong : evaluators).map(({ evaluator, mark: own }) => ({
    ...(among > 1 && { name: evaluator }),
    mark: own,
  }));
}

/** The longest name in a hint, in characters. VS Code cuts a hint after 43, so a longer name could hide the result. */
const longestName = 14;

/** Shortens an evaluator's name for a hint. The names of the example's evaluators stay distinct. */
export function briefName(name: string, mark?: Pick<ExampleMark, 'evaluators'>, most = longestName): string {
  return shortName(name, mark, most);
}

/** Shortens an evaluator's name for a lens. The names of the example's evaluators stay distinct. */
export function shortName(name: string, mark?: Pick<ExampleMark, 'evaluators'>, most?: number): string {
  const others = mark?.evaluators?.flatMap(({ evaluator }) => (evaluator === name ? [] : [evaluator])) ?? [];
  return shortNames([name, ...others], most)[0];
}

/** The most examples of one probe on a line whose results are shown, because more would not fit. */
const mostOnALine = 6;

/** The marks of each line. If a probe has more than `most` marks on a line, they are excluded. */
export function perLine(placed: readonly PlacedMark[], most = mostOnALine): PlacedMark[][] {
  return [...groupedBy(placed, ({ line }) => line).values()]
    .map((marks) =>
      [...groupedBy(marks, ({ known }) => known.probe).values()].filter((own) => own.length <= most).flat(),
    )
    .filter((marks) => marks.length > 0);
}
