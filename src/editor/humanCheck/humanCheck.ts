import { basename } from 'node:path';
import * as vscode from 'vscode';
import { isJudged, type Side } from '../../protocol/judgement';
import { type CheckSession, shownOn } from '../../annotation/session';
import * as settings from '../settings';
import { type Move, nextOpen, type SittingParts, SittingView } from '../sitting/sittingView';
import type { Helper } from '../../process/workshopClient';
import {
  type FromHumanCheck,
  fromHumanCheck,
  type HumanCheckState,
  type ToHumanCheck,
} from '../../protocol/humanCheck';

export const humanCheckType = 'captious.humanCheck';
const photoSide = 720;

export interface HumanCheckParts extends SittingParts {
  helper: Helper;
}

/** One person's check of variants in a view: two versions side by side, and three questions. */
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
      work: session,
    });
  }

  protected savedMessage(saved: boolean): ToHumanCheck {
    return { type: 'saved', saved };
  }

  protected async handle(message: Exclude<FromHumanCheck, Move>): Promise<void> {
    switch (message.type) {
      case 'judge': {
        const { index, left, right, better } = message;
        if (index >= this.session.items.length) return;
        this.session.judge(index, {
          ...(left === undefined ? {} : { left }),
          ...(right === undefined ? {} : { right }),
          ...(better === undefined ? {} : { better }),
        });
        this.autosave.changed();
        // The preference is the last question: on to the next item that waits.
        if (better !== undefined && isJudged(this.session.items[index].judgement))
          this.index = nextOpen(this.session.items, index, ({ judgement }) => !isJudged(judgement));
        this.show();
        return;
      }
      case 'photo':
        return this.sendPhoto(message.index, message.side);
    }
  }

  private async sendPhoto(index: number, side: Side): Promise<void> {
    const item = this.session.items.at(index);
    if (item === undefined) return;
    const { dataset, images = [] } = this.session.origin;
    const { image, transforms } = shownOn(item)[side];
    const folders = [...images, ...settings.imageFolders(vscode.Uri.file(this.path))];
    const { bytes } = await this.parts.helper.ask('photo', {
      photo: { dataset, images: folders, name: image },
      side: photoSide,
      transforms,
    });
    const jpeg = bytes === undefined ? undefined : Buffer.from(bytes).toString('base64');
    this.post({ type: 'photo', index, side, ...(jpeg === undefined ? {} : { jpeg }) });
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
      judgement: item.judgement,
    };
  }
}
