import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type CallContext, type Handlers, serving } from '../../base/calls';
import { CaptiousError, inputError, messageOf } from '../../base/errors';
import { say } from '../../base/say';
import type { Reader } from '../../process/readerClient';
import {
  type FromSession,
  fromSession,
  pageRequests,
  type ImagePlace,
  type SessionAsk,
  type SessionMemory,
  type SessionState,
  type ToSession,
} from '../../protocol/session';
import type { Side } from '../../protocol/judgement';
import { sessionImages } from '../../service/images/imageBase';
import type { Session } from '../../sessions/session';
import { trouble } from '../messages';
import { inert } from '../notify';
import { openPage, PageRequests } from '../panel/page';
import { scopeOf } from '../scope';
import { imageFolders } from '../settings';
import { Autosave } from './autosave';

export interface SessionParts {
  context: vscode.ExtensionContext;
  reader: Reader;
  log: vscode.LogOutputChannel;
}

type Move = Extract<FromSession, { type: 'ready' | 'undo' | 'redo' | 'go' | 'defect' }>;
/** The messages about an item, or of one kind of session. */
export type Decision = Exclude<FromSession, Move>;

type Page = Handlers<typeof pageRequests>;
type Image = Omit<SessionAsk<'sessionImage'>, 'image'> & { name: string };

/** A view in which an annotator decides about items. The extension keeps the decisions; the page shows them. */
export abstract class SessionView<K extends string, I extends Record<K, object>>
  implements vscode.Disposable
{
  private readonly disposables: vscode.Disposable[] = [];
  private readonly requests: PageRequests;
  private isOver = false;
  private isReady = false;
  private index: number;
  protected readonly autosave: Autosave;

  /** `root` is the id of the page's element, and `from` says where the session's images are. */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    protected readonly path: string,
    private readonly work: Session<K, I, unknown>,
    private readonly root: 'workshop' | 'human-check',
    private readonly from: { path: string; images?: readonly string[] },
    private readonly own: SessionParts,
    startAt: number | undefined,
  ) {
    this.index = Math.max(0, Math.min(startAt ?? work.nextOpen(-1), work.items.length - 1));
    this.autosave = new Autosave(path, work, (problem) => {
      if (problem === undefined) this.post({ type: 'saved', saved: this.autosave.isSaved });
      else this.show(trouble(problem));
    });
    const { webview } = panel;
    panel.title = inert(basename(path, '.json'));
    const serve = serving(pageRequests, {
      read: (ask, context) => this.read(ask, context),
      image: ({ index, side }, context) => this.jpeg(index, side, context),
    });
    // If a request fails, the view shows the error, unless the request was cancelled.
    this.requests = new PageRequests(webview, (name, ask, context) =>
      serve(name, ask, context).catch((error: unknown) => {
        if (!context.signal.aborted) this.fail(error);
        throw error;
      }),
    );
    const memory: SessionMemory = { session: path, index: this.index };
    const { extensionUri } = own.context;
    this.disposables.push(
      webview.onDidReceiveMessage((value: unknown) => this.receive(value)),
      openPage(webview, { extensionUri, name: 'session-view', root, memory, images: 'data:' }),
    );
  }

  /** The parts of the page's state that depend on the kind of session. */
  protected abstract shown(item: I | undefined): Pick<SessionState, 'item' | 'evaluator' | 'result'>;
  protected abstract statusOf(item: I): SessionState['statuses'][number];
  protected abstract handle(message: Decision): Promise<void> | void;
  /** The image to show for an item; undefined if it has none. */
  protected abstract imageOf(item: I, side: Side | undefined): Image | undefined;
  protected abstract read(...asked: Parameters<Page['read']>): ReturnType<Page['read']>;

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.requests.end();
    void this.autosave.flush();
    for (const disposable of this.disposables) disposable.dispose();
    this.panel.dispose();
  }

  /** Changes a decision. After the item is decided, `isLast` moves the view to the next open item. */
  protected decide(index: number, change: Partial<I[K]>, isLast: boolean): void {
    if (index >= this.work.items.length) return;
    this.work.change(index, change);
    if (isLast && !this.work.isOpen(this.work.items[index])) this.index = this.work.nextOpen(index);
    this.changed();
  }

  protected changed(problem?: string): void {
    this.autosave.changed();
    this.show(problem);
  }

  protected show(problem?: string): void {
    if (!this.isReady) return;
    const { items, annotator, canUndo, canRedo } = this.work;
    const state: SessionState = {
      ...{ title: basename(this.from.path), annotator, canUndo, canRedo, index: this.index },
      statuses: items.map((item) => this.statusOf(item)),
      saved: this.autosave.isSaved,
      ...this.shown(items.at(this.index)),
      ...(problem === undefined ? {} : { problem }),
    };
    this.post({ type: 'show', state });
  }

  /**
   * Where to search for an image. Throws if the session and its dataset are in different folders outside the
   * workspace, and the settings name no image folder.
   */
  protected async placeOf(name: string): Promise<ImagePlace> {
    const { path: dataset, images: named = [] } = this.from;
    const folders = imageFolders(vscode.Uri.file(this.path));
    const asked = { session: this.path, dataset, named };
    const found = await sessionImages(asked, folders, scopeOf(this.own.context));
    if (found !== undefined) return { ...found, name };
    throw inputError(say('editor.sessionOutsideWorkspace'), say('editor.addImageFolderSetting'), this.path);
  }

  private async jpeg(
    index: number,
    side: Side | undefined,
    context: CallContext,
  ): Promise<{ jpeg?: string }> {
    const item = this.work.items.at(index);
    const asked = item && this.imageOf(item, side);
    if (asked === undefined) return {};
    const { name, ...how } = asked;
    const question = { image: await this.placeOf(name), ...how };
    const { bytes } = await this.own.reader.ask('sessionImage', question, context);
    return bytes === undefined ? {} : { jpeg: Buffer.from(bytes).toString('base64') };
  }

  private post(message: ToSession): void {
    if (!this.isOver) void this.panel.webview.postMessage(message);
  }

  private async receive(value: unknown): Promise<void> {
    const { log } = this.own;
    let message: FromSession;
    try {
      if (this.requests.hear(value)) return;
      message = fromSession(value, '');
    } catch (error) {
      log.error(`The page ${this.root} sent an invalid message: ${messageOf(error)}`);
      return;
    }
    try {
      await this.act(message);
    } catch (error) {
      this.fail(error);
    }
  }

  private act(message: FromSession): Promise<void> | void {
    const { work } = this;
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.requests.restart();
        break;
      case 'go':
        this.index = Math.min(message.index, work.items.length - 1);
        break;
      case 'undo':
      case 'redo': {
        const touched = message.type === 'undo' ? work.undo() : work.redo();
        if (touched === undefined) return;
        this.index = touched;
        this.autosave.changed();
        break;
      }
      case 'defect':
        this.own.log.error(`The page ${this.root}: ${message.message}`);
        return;
      default:
        return this.handle(message);
    }
    this.show();
  }

  private fail(error: unknown): void {
    if (!(error instanceof CaptiousError))
      this.own.log.error(error instanceof Error ? error : messageOf(error));
    this.show(trouble(error));
  }
}
