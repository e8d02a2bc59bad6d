import type * as vscode from 'vscode';
import type { Side } from '../../protocol/judgement';
import type { SessionAsk, SessionState } from '../../protocol/session';
import { type CheckItem, type CheckSession, shownOn } from '../../sessions/check';
import { ownResult } from '../../sessions/ownResult';
import { mergeInTerminal } from './mergeTask';
import { type Decision, type SessionParts, SessionView } from './sessionView';

export const checkType = 'captious.humanCheck';
const imageSide = 720;

/** The view in which an annotator checks variants. It shows two versions side by side, with three questions. */
export class CheckView extends SessionView<'judgement', CheckItem> {
  private readonly cli: string;

  constructor(
    panel: vscode.WebviewPanel,
    path: string,
    private readonly session: CheckSession,
    parts: SessionParts,
    startAt: number | undefined,
  ) {
    const { dataset, images } = session.origin;
    super(panel, path, session, 'human-check', { path: dataset, images }, parts, startAt);
    this.cli = parts.context.asAbsolutePath('dist/cli.js');
  }

  protected override handle(message: Decision): Promise<void> | void {
    if (message.type === 'export') return this.merge();
    if (message.type !== 'judge') throw new Error(`A check has no "${message.type}".`);
    const { index, change } = message;
    // Only the answer to the last question moves the view to the next open item.
    this.decide(index, change, (change.better ?? change.meaning) !== undefined);
  }

  /** Merges these judgments with those of the other annotators. They must be on disk first. */
  private async merge(): Promise<void> {
    await this.autosave.flush();
    await mergeInTerminal(this.cli, this.path, this.session);
  }

  protected override read(): never {
    throw new Error('A check has no scores.');
  }

  protected override statusOf(item: CheckItem): SessionState['statuses'][number] {
    return this.session.isOpen(item) ? 'open' : 'accepted';
  }

  protected override imageOf(
    item: CheckItem,
    side: Side = 'left',
  ): Omit<SessionAsk<'sessionImage'>, 'image'> & { name: string } {
    const { image: name, transforms } = shownOn(item)[side];
    return { name, side: imageSide, transforms };
  }

  protected override shown(item: CheckItem | undefined): Pick<SessionState, 'item' | 'result'> {
    if (item === undefined) return { item: null };
    const result = ownResult(this.session);
    const { left, right } = shownOn(item);
    return {
      item: {
        type: 'check',
        image: left.image,
        captions: { left: left.text, right: right.text },
        sameImage: left.transforms.length === 0 && right.transforms.length === 0,
        lastQuestion: this.session.lastQuestion,
        judgement: item.judgement,
      },
      ...(result === undefined ? {} : { result }),
    };
  }
}
