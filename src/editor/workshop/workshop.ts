import { basename } from 'node:path';
import * as vscode from 'vscode';
import { serving } from '../../base/calls';
import type { TripletSession } from '../../sessions/triplets';
import * as settings from '../settings';
import { jpegOf, type Move, nextOpen, type SittingParts, SittingView } from '../sitting/sittingView';
import { needTrust } from '../trust';
import { askChatModel } from './chatModel';
import { exportTriplets } from './export';
import type { Reader } from '../../process/readerClient';
import { shortName } from '../runs/runRecord';
import {
  type PhotoPlace,
  type FromWorkshop,
  fromWorkshop,
  type ToWorkshop,
  workshopRequests,
  type WorkshopState,
} from '../../protocol/workshop';

export const workshopType = 'captious.workshop';
const photoSide = 640;

export interface WorkshopParts extends SittingParts {
  reader: Reader;
  /** The evaluator whose scores the view shows. */
  evaluator: () => string;
  /** The command of the Python interpreter for evaluators in Python. */
  python: () => Promise<string[] | undefined>;
  chooseEvaluator: () => Promise<string | undefined>;
}

/** The view in which an annotator makes triplets. */
export class Workshop extends SittingView<FromWorkshop, ToWorkshop> {
  private problem: string | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    path: string,
    private readonly session: TripletSession,
    private readonly parts: WorkshopParts,
    startAt: number | undefined,
  ) {
    const firstOpen = session.items.findIndex(({ decision }) => decision.status === 'open');
    const index = Math.min(startAt ?? Math.max(0, firstOpen), Math.max(0, session.items.length - 1));
    super(panel, path, index, parts, {
      name: 'workshop-view',
      root: 'workshop',
      title: basename(path, '.json'),
      view: 'The workshop’s view',
      check: fromWorkshop,
      serve: serving(workshopRequests, {
        read: async ({ index: at, texts }, context) => {
          // If the image cannot be found, the captions are scored without it.
          const photo = await this.photoOf(at).catch(() => undefined);
          const question = {
            texts,
            evaluator: parts.evaluator(),
            python: await parts.python(),
            home: settings.home(),
            photo,
          };
          return parts.reader.ask('read', question, context);
        },
        photo: async ({ index: at }, context) => {
          const photo = await this.photoOf(at);
          if (photo === undefined) return {};
          return jpegOf(await parts.reader.ask('sessionPhoto', { photo, side: photoSide }, context));
        },
      }),
      work: session,
    });
  }

  protected savedMessage(saved: boolean): ToWorkshop {
    return { type: 'saved', saved };
  }

  protected async handle(message: Exclude<FromWorkshop, Move>): Promise<void> {
    switch (message.type) {
      case 'change': {
        const { index, caption, second, negative, status } = message;
        const change = defined({ caption, second, negative, status });
        if (index >= this.session.items.length) return;
        this.session.change(index, change);
        this.autosave.changed();
        // After a decision, the view moves to the next item without a decision.
        if (change.status === 'accepted' || change.status === 'rejected')
          this.index = nextOpen(this.session.items, index, ({ decision }) => decision.status === 'open');
        this.show();
        return;
      }
      case 'chooseEvaluator':
        if ((await this.parts.chooseEvaluator()) !== undefined) this.show();
        return;
      case 'askChat': {
        const asked = this.session.items.at(message.index);
        if (asked === undefined) return;
        needTrust();
        const candidates = await askChatModel(asked.decision.caption);
        if (candidates === undefined) return;
        this.session.offer(message.index, candidates);
        this.autosave.changed();
        this.show(
          candidates.length === 0
            ? vscode.l10n.t('The chat model wrote no usable paraphrase of this caption.')
            : undefined,
        );
        return;
      }
      case 'export':
        await this.autosave.flush();
        await exportTriplets(this.path, this.session);
        return;
    }
  }

  private async photoOf(index: number): Promise<PhotoPlace | undefined> {
    const name = this.session.items.at(index)?.image;
    return name === undefined ? undefined : this.photoPlace(name, { path: this.session.origin.path });
  }

  protected show(problem?: string): void {
    this.problem = problem;
    if (!this.isReady) return;
    const { items, annotator, canUndo, canRedo } = this.session;
    const state: WorkshopState = {
      title: basename(this.session.origin.path),
      annotator,
      evaluator: shortName(this.parts.evaluator()),
      statuses: items.map(({ decision }) => decision.status),
      index: this.index,
      item: items.at(this.index) ?? null,
      canUndo,
      canRedo,
      saved: this.autosave.isSaved,
      ...(this.problem === undefined ? {} : { problem: this.problem }),
    };
    this.post({ type: 'show', state });
  }
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
