import * as vscode from 'vscode';
import type { AskOf, CallContext } from '../../base/calls';
import type { pageRequests, Readings, SessionState } from '../../protocol/session';
import type { Item } from '../../protocol/triplets';
import type { TripletSession } from '../../sessions/triplets';
import { shortName } from '../runs/runRecord';
import * as settings from '../settings';
import { needTrust } from '../trust';
import { askChatModel } from './chatModel';
import { exportTriplets } from './export';
import { type Decision, type SessionParts, SessionView } from './sessionView';

export const tripletType = 'captious.workshop';
const imageSide = 640;

export interface TripletParts extends SessionParts {
  /** The evaluator whose scores the view shows. */
  evaluator: () => string;
  /** The command of the Python interpreter for evaluators in Python. */
  python: () => Promise<string[] | undefined>;
  chooseEvaluator: () => Promise<string | undefined>;
}

/** The view in which an annotator makes triplets. */
export class TripletView extends SessionView<'decision', Item> {
  constructor(
    panel: vscode.WebviewPanel,
    path: string,
    private readonly session: TripletSession,
    private readonly parts: TripletParts,
    startAt: number | undefined,
  ) {
    super(panel, path, session, 'workshop', session.origin, parts, startAt);
  }

  protected override async handle(message: Decision): Promise<void> {
    switch (message.type) {
      case 'change':
        this.decide(message.index, message.change, message.change.status !== undefined);
        return;
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
        this.changed(
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
      case 'judge':
        throw new Error('A triplet has no judgments.');
    }
  }

  protected override async read(
    { index, texts }: AskOf<typeof pageRequests, 'read'>,
    context: CallContext,
  ): Promise<Readings> {
    const name = this.session.items.at(index)?.image;
    // If the image cannot be found, the captions are scored without it.
    const image = name === undefined ? undefined : await this.placeOf(name).catch(() => undefined);
    const { evaluator, python, reader } = this.parts;
    const question = { texts, evaluator: evaluator(), python: await python(), home: settings.home(), image };
    return reader.ask('read', question, context);
  }

  protected override statusOf({ decision }: Item): SessionState['statuses'][number] {
    return decision.status;
  }

  protected override imageOf({ image: name }: Item): { name: string; side: number } | undefined {
    return name === undefined ? undefined : { name, side: imageSide };
  }

  protected override shown(item: Item | undefined): Pick<SessionState, 'item' | 'evaluator'> {
    const evaluator = shortName(this.parts.evaluator());
    return { evaluator, item: item === undefined ? null : { type: 'triplet', item } };
  }
}
