import { type CaptiousError, interruptedError, messageOf } from '../../base/errors';
import { say } from '../../base/say';
import type { Holder } from '../../base/files/lease';
import { isGoing, type RunRecord } from './runRecord';

/** Only a run whose window was open this recently resumes by itself. A reload or a reboot takes less time. */
const recentMs = 60 * 60_000;
/** The most automatic resumes in a row, because the run itself may crash the window. */
const mostTimes = 3;
const lookAgainMs = 1000;

export type Fate = 'elsewhere' | 'resume' | 'leave';

/** Decides about an unfinished run: another window runs it, this window resumes it, or it becomes interrupted. */
export function fateOf(record: RunRecord, holder: Holder | undefined, wanted: boolean, now: number): Fate {
  if (holder?.held) return 'elsewhere';
  const isRecent = now - (holder?.seenAt ?? record.createdAt) < recentMs;
  return wanted && isRecent && (record.takenUp ?? 0) < mostTimes ? 'resume' : 'leave';
}

export interface ResumableRunsParts {
  holderOf(record: RunRecord): Promise<Holder | undefined>;
  /** Reads the record that another window saved. Throws if that window deleted the record. */
  read(id: string): Promise<RunRecord>;
  wanted(): boolean;
  /** Resumes the run. Returns false if another window resumed the run first. */
  resume(record: RunRecord): Promise<boolean>;
  leave(record: RunRecord, why: CaptiousError | undefined): Promise<void>;
  /** Called when another window changed the run's state. `by` is the new record; undefined if the run was deleted. */
  replaced(record: RunRecord, by: RunRecord | undefined): void;
  onProblem(message: string): void;
}

/** Follows unfinished runs of other windows. When a window has closed, resumes its runs or marks them interrupted. */
export class ResumableRuns {
  private elsewhere: RunRecord[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ResumableRunsParts) {}

  /** Decides about each record, oldest first, so that resumed runs keep their order in the queue. */
  async settle(records: readonly RunRecord[]): Promise<void> {
    for (const record of [...records].sort((a, b) => a.createdAt - b.createdAt)) await this.decide(record);
    this.lookAgain();
  }

  isElsewhere(record: RunRecord): boolean {
    return this.elsewhere.includes(record);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.elsewhere = [];
  }

  private async decide(record: RunRecord): Promise<void> {
    const { parts } = this;
    const fate = fateOf(record, await parts.holderOf(record), parts.wanted(), Date.now());
    if (fate === 'leave') {
      await parts.leave(record, whyLeft(record));
      return;
    }
    const before = record.takenUp;
    if (fate === 'resume') {
      record.takenUp = (before ?? 0) + 1;
      if (await parts.resume(record)) return;
      record.takenUp = before;
    }
    this.elsewhere.push(record);
  }

  private lookAgain(): void {
    clearTimeout(this.timer);
    if (this.elsewhere.length === 0) return;
    this.timer = setTimeout(() => {
      this.follow().catch((error: unknown) => this.parts.onProblem(messageOf(error)));
    }, lookAgainMs);
  }

  private async follow(): Promise<void> {
    const followed = this.elsewhere;
    this.elsewhere = [];
    const open: RunRecord[] = [];
    for (const record of followed) {
      const now = await this.parts.read(record.id).catch(() => undefined);
      if (now?.state !== record.state) this.parts.replaced(record, now);
      if (now !== undefined && isGoing(now)) open.push(now.state === record.state ? record : now);
    }
    await this.settle(open);
  }
}

function whyLeft({ takenUp }: RunRecord): CaptiousError | undefined {
  if ((takenUp ?? 0) < mostTimes) return undefined;
  return interruptedError(
    say('editor.windowClosedRepeatedly', mostTimes),
    say('editor.checkMemoryThenResume'),
  );
}
