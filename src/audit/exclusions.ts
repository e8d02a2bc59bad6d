import type { Problem } from '../dataset/dataset';
import type { LeftOut } from '../report/report';

const linesKept = 20;

/** Counts skipped entries by reason, so that every entry of the file is accounted for. */
export class Exclusions {
  private readonly reasons = new Map<string, LeftOut>();
  skipped = 0;

  leaveOut(reason: string, line?: number): void {
    this.skipped++;
    let entry = this.reasons.get(reason);
    if (entry === undefined) {
      entry = { reason, count: 0, lines: [] };
      this.reasons.set(reason, entry);
    }
    entry.count++;
    if (line !== undefined && entry.lines.length < linesKept) entry.lines.push(line);
  }

  /** A reading problem that skipped an entry; warnings skip none. */
  book(problem: Problem): void {
    if (problem.severity === 'error')
      this.leaveOut(`${problem.code}: the entry could not be read`, problem.place?.line);
  }

  leftOut(): LeftOut[] {
    return [...this.reasons.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}
