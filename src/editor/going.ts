import type { PanelProgress } from '../protocol/panel';
import type { FromRunner, ToRunner } from '../protocol/processes';
import type { Child } from './child';
import type { Granting } from './grants';
import type { Seen } from './pace';
import { type RunRecord, titleOf } from './record';

type Told<T extends FromRunner['type']> = Extract<FromRunner, { type: T }>;

/** A cancelled run is asked to stop, and made to after this long. */
const cancelGraceMs = 900;
/** A run that was taken up by itself and goes on for so long is not what ended the window. */
const provenMs = 60_000;

/** The run at work: its process, and what that has told last. */
export class Going {
  progress: PanelProgress | undefined;
  seen: Seen | undefined;
  isCancelled = false;
  /** Where the figures of the probe at work stand. */
  private standings: Told<'standings'> | undefined;
  private readonly since = Date.now();

  constructor(
    readonly record: RunRecord,
    readonly child: Child<FromRunner, ToRunner>,
    readonly granting: Granting,
  ) {}

  get isProven(): boolean {
    return Date.now() - this.since > provenMs;
  }

  cancel(): void {
    this.isCancelled = true;
    this.child.send({ type: 'cancel' });
    this.child.killAfter(cancelGraceMs);
  }

  hearProgress({ probe, progress }: Told<'progress'>): void {
    const { fraction, examples, rate, secondsLeft } = progress;
    this.seen = progress;
    this.progress = {
      ...this.standingsOf(probe),
      label: titleOf(this.record, probe),
      examples,
      fraction,
      rate,
      secondsLeft,
    };
  }

  hearStandings(told: Told<'standings'>): void {
    this.standings = told;
    if (this.progress !== undefined) this.progress = { ...this.progress, ...this.standingsOf(told.probe) };
  }

  private standingsOf(probe: string): Pick<PanelProgress, 'standings'> {
    const told = this.standings;
    return told?.probe === probe ? { standings: { probe, figures: told.standings } } : {};
  }
}
