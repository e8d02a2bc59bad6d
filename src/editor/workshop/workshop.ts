import { basename } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, messageOf } from '../../base/errors';
import type { Session } from '../../mining/session';
import { openPage } from '../page';
import * as settings from '../settings';
import { askChatModel } from './chatModel';
import { exportTriplets } from './export';
import type { Helper } from './helper';
import {
  type FromWorkshop,
  fromWorkshop,
  type ToWorkshop,
  type WorkshopMemory,
  type WorkshopState,
} from './messages';
import { Autosave } from './sessionFile';

export const workshopType = 'captious.workshop';
const photoSide = 640;

export interface WorkshopParts {
  context: vscode.ExtensionContext;
  helper: Helper;
  log: vscode.LogOutputChannel;
  /** The evaluator whose cosines are shown, and how a person chooses another. */
  evaluator: () => string;
  chooseEvaluator: () => Promise<string | undefined>;
}

/** One session in a view. The host holds what is decided; the view only shows it and asks for changes. */
export class Workshop implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private readonly autosave: Autosave;
  private index: number;
  private problem: string | undefined;
  private isReady = false;
  private isOver = false;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly path: string,
    private readonly session: Session,
    private readonly parts: WorkshopParts,
    startAt: number | undefined,
  ) {
    const firstOpen = session.items.findIndex(({ decision }) => decision.status === 'open');
    this.index = Math.min(startAt ?? Math.max(0, firstOpen), Math.max(0, session.items.length - 1));
    this.autosave = new Autosave(path, session, (problem) => {
      if (problem === undefined) this.post({ type: 'saved', saved: this.autosave.isSaved });
      else this.show(problem);
    });
    const { webview } = panel;
    panel.title = basename(path, '.json');
    this.disposables.push(webview.onDidReceiveMessage((value: unknown) => this.receive(value)));
    const memory: WorkshopMemory = { session: path, index: this.index };
    openPage(webview, {
      extensionUri: parts.context.extensionUri,
      name: 'workshop-view',
      root: 'workshop',
      memory,
      pictures: 'data:',
    });
  }

  reveal(): void {
    this.panel.reveal();
  }

  /** Resolves when what was decided is on disk. */
  async close(): Promise<void> {
    await this.autosave.flush();
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    void this.close();
    for (const disposable of this.disposables) disposable.dispose();
    this.panel.dispose();
  }

  private async receive(value: unknown): Promise<void> {
    let message: FromWorkshop;
    try {
      message = fromWorkshop(value, '');
    } catch (error) {
      this.parts.log.error(`The workshop's view sent something that is no message: ${messageOf(error)}`);
      return;
    }
    try {
      await this.handle(message);
    } catch (error) {
      if (!(error instanceof CaptiousError))
        this.parts.log.error(error instanceof Error ? error : messageOf(error));
      this.show(messageOf(error));
    }
  }

  private async handle(message: FromWorkshop): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.show();
        return;
      case 'go':
        this.index = Math.min(message.index, this.session.items.length - 1);
        this.show();
        return;
      case 'change': {
        const { index, caption, second, negative, status } = message;
        const change = defined({ caption, second, negative, status });
        if (index >= this.session.items.length) return;
        this.session.change(index, change);
        this.autosave.changed();
        // Done with this one: the next that waits for a decision.
        if (change.status === 'accepted' || change.status === 'rejected') this.index = this.nextOpen(index);
        this.show();
        return;
      }
      case 'undo':
      case 'redo': {
        const touched = message.type === 'undo' ? this.session.undo() : this.session.redo();
        if (touched === undefined) return;
        this.index = touched;
        this.autosave.changed();
        this.show();
        return;
      }
      case 'read': {
        const photo = this.photoOf(message.index);
        const { readings } = await this.parts.helper.ask('read', {
          texts: message.texts,
          evaluator: this.parts.evaluator(),
          home: settings.home(),
          ...(photo === undefined ? {} : { photo }),
        });
        this.post({ type: 'readings', id: message.id, readings });
        return;
      }
      case 'photo': {
        const { index } = message;
        const photo = this.photoOf(index);
        const { bytes } =
          photo === undefined ? {} : await this.parts.helper.ask('photo', { photo, side: photoSide });
        const jpeg = bytes === undefined ? undefined : Buffer.from(bytes).toString('base64');
        this.post({ type: 'photo', index, ...(jpeg === undefined ? {} : { jpeg }) });
        return;
      }
      case 'chooseEvaluator':
        if ((await this.parts.chooseEvaluator()) !== undefined) this.show();
        return;
      case 'askChat': {
        const asked = this.session.items.at(message.index);
        if (asked === undefined) return;
        const candidates = await askChatModel(asked.decision.caption);
        if (candidates === undefined) return;
        this.session.offer(message.index, candidates);
        this.autosave.changed();
        this.show(
          candidates.length === 0 ? 'The chat model found no other words for this caption.' : undefined,
        );
        return;
      }
      case 'export':
        await this.autosave.flush();
        await exportTriplets(this.path, this.session);
        return;
      case 'defect':
        this.parts.log.error(`In the workshop's view: ${message.message}`);
        return;
    }
  }

  /** After this one, then from the start; this one itself where all are decided. */
  private nextOpen(index: number): number {
    const { items } = this.session;
    for (let step = 1; step < items.length; step++) {
      const at = (index + step) % items.length;
      if (items[at].decision.status === 'open') return at;
    }
    return index;
  }

  private photoOf(index: number): { dataset: string; images: string[]; name: string } | undefined {
    const name = this.session.items.at(index)?.image;
    if (name === undefined) return undefined;
    const dataset = this.session.origin.path;
    return { dataset, images: settings.imageFolders(vscode.Uri.file(this.path)), name };
  }

  private show(problem?: string): void {
    this.problem = problem;
    if (!this.isReady) return;
    const { items, annotator, canUndo, canRedo } = this.session;
    const state: WorkshopState = {
      title: basename(this.session.origin.path),
      annotator,
      evaluator: this.parts.evaluator(),
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

  private post(message: ToWorkshop): void {
    if (!this.isOver) void this.panel.webview.postMessage(message);
  }
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
