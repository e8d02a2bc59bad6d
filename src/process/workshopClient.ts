import type { AnswerOf, AskOf, CallContext } from '../base/calls';
import { type Exit, Service } from '../base/childProcess';
import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import { helperRequests } from '../protocol/workshop';

type Requests = typeof helperRequests;

/** The editor's client of the workshop process. */
export class Helper extends Service<Requests> {
  constructor(
    script: string,
    private readonly needTrust: () => void,
  ) {
    super(() => ({ script, requests: helperRequests, lost }));
  }

  override async ask<N extends keyof Requests>(
    name: N,
    ask: AskOf<Requests, N>,
    context?: Partial<CallContext>,
  ): Promise<AnswerOf<Requests, N>> {
    if (name !== 'mine') this.needTrust();
    return super.ask(name, ask, context);
  }
}

function lost({ words, overdueMs }: Exit): CaptiousError {
  const how =
    words === ''
      ? say`The process for the triplet workshop and the human check ended unexpectedly.`
      : say`The process for the triplet workshop and the human check ended unexpectedly: ${words}`;
  const late = say`The process for the triplet workshop and the human check did not answer in time.`;
  return new CaptiousError('interrupted', overdueMs === undefined ? how : late, { remedy: say`Try again.` });
}
