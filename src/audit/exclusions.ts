import { keyOf } from '../base/text/tally';
import { type CaptiousError, inputError } from '../base/errors';
import { say, type Words } from '../base/say';
import type { Problem } from '../dataset/dataset';
import { lineOf } from '../dataset/example';
import type { LeftOut } from '../report/report';

const linesKept = 20;

/** The entries skipped for one reason. A merge of shards sorts `lines` by `numbers` in the dataset. */
export type LeftOutOfShard = LeftOut & { numbers: number[] };

/** The error for a file from which no example was read, such as a table with only a header. */
export function noExamples(path: string): CaptiousError {
  return inputError(say('audit.noExamples'), say('audit.checkFileComplete'), path);
}

/** Counts skipped entries by reason, because every entry must be accounted for. */
export class Exclusions {
  private readonly reasons = new Map<string, LeftOutOfShard>();
  skipped = 0;

  /**
   * `number` is the example's number in the whole dataset. Only the run of a shard needs it. `unscored` is set if the
   * evaluator gave no score or an image was not found, so that the dataset and the options alone are not the reason.
   */
  leaveOut(reason: Words, line?: LeftOut['lines'][number], number = 0, unscored?: true): void {
    this.skipped++;
    const entry = this.entryOf({ reason, unscored });
    entry.count++;
    if (line === undefined || entry.lines.length === linesKept) return;
    entry.lines.push(line);
    entry.numbers.push(number);
  }

  /** If the problem is an error, counts its entry as skipped. An entry with only a warning is not skipped. */
  book(problem: Problem): void {
    const { severity, code, message, place } = problem;
    if (severity !== 'error') return;
    // A file has no line, so the reason names it.
    if (code === 'broken-part') this.leaveOut(message);
    else this.leaveOut(say('audit.entryHasError', code), lineOf(place));
  }

  leftOut(): LeftOut[] {
    return this.ofShard().map(({ reason, count, lines, unscored }) => ({
      ...{ reason, count, lines },
      ...(unscored && { unscored }),
    }));
  }

  ofShard(): LeftOutOfShard[] {
    return [...this.reasons.values()].sort(
      (a, b) => b.count - a.count || (keyOf(a.reason) < keyOf(b.reason) ? -1 : 1),
    );
  }

  /** Adds the skipped entries of all shards. Each reason keeps the lines of its first examples. */
  addShards(shards: readonly (readonly LeftOutOfShard[])[]): void {
    for (const { reason, unscored, count, lines, numbers } of shards.flat()) {
      this.skipped += count;
      const entry = this.entryOf({ reason, unscored });
      entry.count += count;
      const both = [...entry.lines, ...lines].map((line, i) => ({
        line,
        number: [...entry.numbers, ...numbers][i],
      }));
      const first = both.sort((a, b) => a.number - b.number).slice(0, linesKept);
      entry.lines = first.map(({ line }) => line);
      entry.numbers = first.map(({ number }) => number);
    }
  }

  private entryOf({ reason, unscored }: Pick<LeftOut, 'reason' | 'unscored'>): LeftOutOfShard {
    const key = `${unscored === true} ${keyOf(reason)}`;
    let entry = this.reasons.get(key);
    if (entry === undefined) {
      entry = { reason, count: 0, lines: [], ...(unscored && { unscored }), numbers: [] };
      this.reasons.set(key, entry);
    }
    return entry;
  }
}
