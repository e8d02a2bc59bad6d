import { evaluatorError, throwIfCancelled } from '../../base/errors';
import type { Outcome } from '../../base/outcome';
import { say } from '../../base/say';
import { parsed } from '../../base/schema';
import type { ImageItem } from '../../protocol/item';
import type { Secret } from '../fileContext';
import { Engine } from '../native/engine';
import { whyDecodingEnded } from '../native/lost';
import type { ChatImage } from './chat';
import { judgeFile, prepareJudge } from './judgeFile';
import type { ChatKind } from './presets';
import { likelihoodFile, prepareProbability, vqaScoreFile } from './probability/probabilityFile';
import { type Ask, type PreparedScorer, scoreOfPair, sentImage } from './scorer';

/** The result of scoring one image and caption with a chat model. */
export interface Trial {
  outcome: Outcome<number>;
  /** The last answer of the model. */
  said: string;
  low?: number;
  high?: number;
}

interface TrialOptions {
  home: string;
  secret: Secret;
  image: ImageItem;
  caption: string;
  signal: AbortSignal;
}

/** Scores one image and caption in the same way as an audit. The evaluator file need not be saved. */
export async function tryChatFile(
  file: { kind: ChatKind } & Record<string, unknown>,
  { home, secret, image, caption, signal }: TrialOptions,
): Promise<Trial> {
  const { spec, manner, model } = await prepared(file, { home, secret });
  throwIfCancelled(signal);
  let said = '';
  const ask: Ask = async (question) => {
    const answer = await model.ask(question, signal);
    said = answer.text;
    return answer;
  };
  const engine = new Engine({ lost: whyDecodingEnded });
  const toSend = (): Promise<Outcome<ChatImage>> => sentImage(engine, image, spec, signal);
  const outcome = await scoreOfPair(manner, toSend, caption, ask).finally(() => engine.close());
  const { low, high } = manner;
  return {
    outcome,
    said,
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
  };
}

function prepared(
  { kind, ...said }: { kind: ChatKind } & Record<string, unknown>,
  { home, secret }: Pick<TrialOptions, 'home' | 'secret'>,
): Promise<PreparedScorer> {
  const context: Parameters<typeof prepareJudge>[2] = {
    id: 'trial',
    name: 'trial',
    path: '',
    home,
    secret,
    storesKeys: true,
    wrong: (key, message, remedy) => evaluatorError(say('evaluator.keyProblem', key, message), remedy),
  };
  switch (kind) {
    case 'judge':
    case 'fleur':
      return prepareJudge(kind, parsed(judgeFile, said), context);
    case 'vqascore':
      return prepareProbability(kind, parsed(vqaScoreFile, said), context);
    case 'likelihood':
      return prepareProbability(kind, parsed(likelihoodFile, said), context);
  }
}
