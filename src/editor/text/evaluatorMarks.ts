import { shortNames } from '../../base/text/shortNames';
import type { Mark } from '../../protocol/rows';

/** One evaluator's mark of an example. */
export interface EvaluatorMark {
  evaluator: string;
  report: string;
  mark: Mark;
}

/** An example's marks by all evaluators of the run. Other fields are the first evaluator's. */
export interface ExampleMark extends Mark {
  evaluators?: readonly EvaluatorMark[];
  /** The number of evaluators of the run, of which some may have skipped the example. */
  among?: number;
}

/** Combines the marks of a probe's reports, some of which may lack an example. */
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
      const example = examples.get(`${key} ${times}`);
      if (example === undefined) examples.set(`${key} ${times}`, [own]);
      else example.push(own);
    }
  }
  return [...examples.values()]
    .map((evaluators) => ({ ...evaluators[0].mark, evaluators, among: reports.length }))
    .sort((a, b) => a.line - b.line || (a.column ?? 1) - (b.column ?? 1));
}

export function isWrong({ captions }: Mark): boolean {
  return captions.some(({ verdict }) => verdict === 'wrong' || verdict === 'tie');
}

/** The marks of the evaluators that scored the example. */
export function ownMarks({ evaluators, ...mark }: ExampleMark): Mark[] {
  return evaluators?.map((own) => own.mark) ?? [mark];
}

/**
 * Whether an example needs a lens. With three or more evaluators, at least one is wrong about nearly every
 * example, so more than half must be wrong.
 */
export function isMissed(mark: ExampleMark): boolean {
  const all = ownMarks(mark);
  const wrong = all.filter(isWrong).length;
  return all.length > 2 ? 2 * wrong > all.length : wrong > 0;
}

/** How bad a result is: wrong, unstable or neither. Higher is worse. */
export function severityOf(mark: ExampleMark): number {
  const all = ownMarks(mark);
  if (all.some(isWrong)) return 2;
  return all.some(({ unstable }) => unstable === true) ? 1 : 0;
}

/**
 * The marks of the wrong evaluators, or all marks if none is wrong. With several evaluators, each mark has a
 * name.
 */
export function telling({ evaluators, among = 1, ...mark }: ExampleMark): { name?: string; mark: Mark }[] {
  if (evaluators === undefined) return [{ mark }];
  const wrong = evaluators.filter((own) => isWrong(own.mark));
  return (wrong.length > 0 ? wrong : evaluators).map(({ evaluator, mark: own }) => ({
    ...(among > 1 && { name: evaluator }),
    mark: own,
  }));
}

/** In characters. VS Code cuts hints above 43, and a long name would hide the result. */
const longestName = 14;

/** A name for a hint, distinct from those of the other evaluators of the example. */
export function briefName(name: string, mark?: Pick<ExampleMark, 'evaluators'>): string {
  return shortName(name, mark, longestName);
}

/** A name for a lens, distinct from those of the other evaluators of the example. */
export function shortName(name: string, mark?: Pick<ExampleMark, 'evaluators'>, most?: number): string {
  const others = mark?.evaluators?.flatMap(({ evaluator }) => (evaluator === name ? [] : [evaluator])) ?? [];
  return shortNames([name, ...others], most)[0];
}

/** Items by key, in the order of the keys' first occurrence. */
export function groupsOf<T, K>(all: readonly T[], keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}
