import * as vscode from 'vscode';
import type { Serve } from '../../base/calls';
import { CaptiousError, messageOf } from '../../base/errors';
import type { Shape } from '../../base/shape';
import { Autosave, type Work } from './autosave';
import { openPage, PageRequests } from '../panel/page';
import type { Jpeg, SittingMemory } from '../../protocol/sitting';
import { trouble } from '../messages';
import { inert } from '../notify';
import { imageFolders } from '../settings';
import { scopeOf } from '../scope';
import { sessionImages } from '../../service/images/imageBase';
import type { PhotoPlace } from '../../protocol/workshop';
import { say } from '../../base/say';

export interface SittingParts {
  context: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
}

/** Messages that the page of every annotation view can send. */
export type Move =
  { type: 'ready' | 'undo' | 'redo' } | { type: 'go'; index: number } | { type: 'defect'; message: string };
const moves: readonly string[] = ['ready', 'undo', 'redo', 'go', 'defect'] satisfies Move['type'][];

/**
 * A session of items whose decisions can be undone. `undo` and `redo` return the index of the changed item;
 * undefined if no item changed.
 */
interface Items extends Work {
  readonly items: readonly unknown[];
  undo(): number | undefined;
  redo(): number | undefined;
}

interface Look<In> {
  name: string;
  root: string;
  title: string;
  /** The view's name in the log. */
  view: string;
  check: Shape<In>;
  serve: Serve;
  work: Items;
}

/** A view in which an annotator decides about items. The extension keeps the decisions; the page shows them. */
export abstract class SittingView<In extends { type: string }, Out> implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private readonly requests: PageRequests;
  private isOver = false;
  protected readonly autosave: Autosave;
  protected isReady = false;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    protected readonly path: string,
    protected index: number,
    private readonly sitting: SittingParts,
    private readonly look: Look<In>,
  ) {
    const { context, log } = sitting;
    this.autosave = new Autosave(path, look.work, (problem) => {
      if (problem === undefined) this.post(this.savedMessage(this.autosave.isSaved));
      else this.show(trouble(problem));
    });
    const { webview } = panel;
    panel.title = inert(look.title);
    // If a request fails, the view shows the error, unless the request was cancelled.
    this.requests = new PageRequests(webview, (name, ask, context) =>
      look.serve(name, ask, context).catch((error: unknown) => {
        if (!context.signal.aborted) this.fail(error, log);
        throw error;
      }),
    );
    this.disposables.push(webview.onDidReceiveMessage((value: unknown) => this.receive(value, log)));
    const memory: SittingMemory = { session: path, index };
    this.disposables.push(
      openPage(webview, {
        extensionUri: context.extensionUri,
        name: look.name,
        root: look.root,
        memory,
        pictures: 'data:',
      }),
    );
  }

  /**
   * Where to search for an image. Throws if the session and its dataset are in different folders outside the
   * workspace, and the settings name no image folder.
   */
  protected async photoPlace(
    name: string,
    from: { path: string; images?: readonly string[] },
  ): Promise<PhotoPlace> {
    const asked = { session: this.path, dataset: from.path, named: from.images ?? [] };
    const folders = imageFolders(vscode.Uri.file(this.path));
    const found = await sessionImages(asked, folders, scopeOf(this.sitting.context));
    if (found !== undefined) return { ...found, name };
    throw new CaptiousError(
      'input',
      say`This session and its dataset are outside the workspace, so Captious does not search the image folders that the session names.`,
      {
        at: this.path,
        remedy: say`Add the image folder to the setting captious.imageFolders, or open the folder of the dataset.`,
      },
    );
  }

  protected abstract savedMessage(saved: boolean): Out;
  protected abstract show(problem?: string): void;
  protected abstract handle(message: Exclude<In, Move>): Promise<void>;

  reveal(): void {
    this.panel.reveal();
  }

  /** Saves the decisions that are not saved yet. */
  async close(): Promise<void> {
    await this.autosave.flush();
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.requests.end();
    void this.close();
    for (const disposable of this.disposables) disposable.dispose();
    this.panel.dispose();
  }

  protected post(message: Out): void {
    if (!this.isOver) void this.panel.webview.postMessage(message);
  }

  private move(message: Move, log: vscode.LogOutputChannel): void {
    const { work, view } = this.look;
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
        log.error(`${view}: ${message.message}`);
        return;
    }
    this.show();
  }

  private async receive(value: unknown, log: vscode.LogOutputChannel): Promise<void> {
    let message: In;
    try {
      if (this.requests.hear(value)) return;
      message = this.look.check(value, '');
    } catch (error) {
      log.error(`${this.look.view} sent an invalid message: ${messageOf(error)}`);
      return;
    }
    try {
      if (isMove(message)) this.move(message, log);
      else await this.handle(message as Exclude<In, Move>);
    } catch (error) {
      this.fail(error, log);
    }
  }

  private fail(error: unknown, log: vscode.LogOutputChannel): void {
    if (!(error instanceof CaptiousError)) log.error(error instanceof Error ? error : messageOf(error));
    this.show(trouble(error));
  }
}

function isMove<In extends { type: string }>(message: In): message is Extract<In, Move> {
  return moves.includes(message.type);
}

/** The index of the next open item. After the last item, continues with the first. Returns `index` if none is open. */
export function nextOpen<T>(items: readonly T[], index: number, isOpen: (item: T) => boolean): number {
  for (let step = 1; step < items.length; step++) {
    const at = (index + step) % items.length;
    if (isOpen(items[at])) return at;
  }
  return index;
}

export function jpegOf({ bytes }: { bytes?: Uint8Array }): Jpeg {
  return bytes === undefined ? {} : { jpeg: Buffer.from(bytes).toString('base64') };
}
