import { usageError } from '../../base/errors';
import { homeFolder } from '../../base/files/home';
import { say } from '../../base/say';
import type { Evaluator } from '../../evaluator/evaluator';
import type { OptionValue } from '../../probe/probe';
import { votersOption } from '../../probe/rococo/options';
import { askConsent } from '../consent';
import type { AuditRequest } from '../request';
import { openOne } from './open';

/**
 * The text encoders that choose the words to replace. A setting names them, so the choice does not depend on the
 * audited evaluators. They open on first use.
 */
export class Voters {
  private readonly opened: Evaluator[] = [];
  private all: Promise<readonly Evaluator[]> | undefined;

  constructor(
    private readonly request: AuditRequest,
    private readonly audited: readonly Evaluator[],
    private readonly options: Readonly<Record<string, OptionValue>>,
  ) {}

  readonly get = (): Promise<readonly Evaluator[]> => (this.all ??= this.open());

  async close(): Promise<void> {
    await this.all?.catch(() => undefined);
    await Promise.allSettled(this.opened.map((evaluator) => evaluator.close()));
  }

  private async open(): Promise<readonly Evaluator[]> {
    const named = votersNamed(this.options);
    const voters: Evaluator[] = [];
    for (const ref of named) {
      // An audited evaluator of this name is the same evaluator, and its model is loaded only once.
      const known = this.audited.find(({ info }) => info.id === ref);
      const voter = known ?? (await this.openNew(ref));
      if (voter.embedTexts === undefined)
        throw usageError(
          say('evaluators.voterWithoutTexts', voter.info.name),
          say('evaluators.nameTextEncoders'),
          `rococo.${votersOption}`,
        );
      voters.push(voter);
    }
    return voters;
  }

  private async openNew(ref: string): Promise<Evaluator> {
    const voter = await openOne(ref, this.request.home ?? homeFolder(), this.request);
    this.opened.push(voter);
    await askConsent(this.request, voter.consent, voter.info.scores);
    return voter;
  }
}

function votersNamed(options: Readonly<Record<string, OptionValue>>): string[] {
  const named = String(options[votersOption] ?? 'none')
    .split(',')
    .map((ref) => ref.trim())
    .filter((ref) => ref !== '' && ref !== 'none');
  return [...new Set(named)];
}
