import { basename } from 'node:path';
import type * as vscode from 'vscode';
import { type CallContext, serving } from '../../base/calls';
import type { Jpeg } from '../../protocol/sitting';
import { isJudged, type Side } from '../../protocol/judgement';
import { type CheckSession, shownOn } from '../../sessions/check';
import { jpegOf, type Move, nextOpen, type SittingParts, SittingView } from '../sitting/sittingView';
import type { Reader } from '../../process/readerClient';
import {
  type FromHumanCheck,
  fromHumanCheck,
  humanCheckRequests,
  type HumanCheckState,
  type ToHumanCheck,
} from '../../protocol/humanCheck';

export const humanCheckType = 'captious.humanCheck';
const photoSide = 720;

export interface HumanCheckParts extends SittingParts {
  reader: Reader;
}

/** The view in which an annotator checks variants. It shows two versions side by side, with three questions. */
export class HumanCheck extends SittingView<FromHumanCheck, ToHumanCheck> {
  constructor(
    panel: vscode.WebviewPanel,
    path: string,
    private readonly session: CheckSession,
    private readonly parts: HumanCheckParts,
    startAt: number | undefined,
  ) {
    const firstOpen = session.items.findIndex(({ judgement }) => !isJudged(judgement));
    const index = Math.min(startAt ?? Math.max(0, firstOpen), Math.max(0, session.items.length - 1));
    super(panel, path, index, parts, {
      name: 'human-check-view',
      root: 'human-check',
      title: basename(path, '.json'),
      view: 'The view of a human check',
      check: fromHumanCheck,
      serve: serving(humanCheckRequests, {
        photo: ({ index: at, side }, context) => this.photo(at, side, context),
      }),
      work: session,
    });
  }

  protected savedMessage(saved: boolean): ToHumanCheck {
    return { type: 'saved', saved };
  }

  protected handle(message: Exclude<FromHumanCheck, Move>): Promise<void> {
    const { index, left, right, better, meaning } = message;
    if (index >= this.session.items.length) return Promise.resolve();
    this.session.change(index, {
      ...(left === undefined ? {} : { left }),
      ...(right === undefined ? {} : { right }),
      ...(better === undefined ? {} : { better }),
      ...(meaning === undefined ? {} : { meaning }),
    });
    this.autosave.changed();
    // If the answer to the last question completes a judgement, the view moves to the next open item.
    if ((better ?? meaning) !== undefined && isJudged(this.session.items[index].judgement))
      this.index = nextOpen(this.session.items, index, ({ judgement }) => !isJudged(judgement));
    this.show();
    return Promise.resolve();
  }

  private async photo(index: number, side: Side, context: CallContext): Promise<Jpeg> {
    const item = this.session.items.at(index);
    if (item === undefined) return {};
    const { dataset: path, images } = this.session.origin;
    const { image, transforms } = shownOn(item)[side];
    const photo = await this.photoPlace(image, { path, ...(images === undefined ? {} : { images }) });
    return jpegOf(
      await this.parts.reader.ask('sessionPhoto', { photo, side: photoSide, transforms }, context),
    );
  }

  protected show(problem?: string): void {
    if (!this.isReady) return;
    const { items, annotator, canUndo, canRedo } = this.session;
    const state: HumanCheckState = {
      title: basename(this.session.origin.dataset),
      annotator,
      judged: items.map(({ judgement }) => isJudged(judgement)),
      index: this.index,
      item: this.itemShown(),
      canUndo,
      canRedo,
      saved: this.autosave.isSaved,
      ...(problem === undefined ? {} : { problem }),
    };
    this.post({ type: 'show', state });
  }

  private itemShown(): HumanCheckState['item'] {
    const item = this.session.items.at(this.index);
    if (item === undefined) return null;
    const { left, right } = shownOn(item);
    return {
      image: left.image,
      captions: { left: left.text, right: right.text },
      samePhoto: left.transforms.length === 0 && right.transforms.length === 0,
      lastQuestion: this.session.lastQuestion,
      judgement: item.judgement,
    };
  }
}
