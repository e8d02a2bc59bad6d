/** Why an endpoint did not answer a question, and what to do. */
import { say, type Words } from '../../../base/say';
import type { ChatQuestion } from '../chat';

/** What to do if the server rejects this question. Names only settings that affect this question. */
export function rejectionRemedy({ schema, alternatives }: ChatQuestion): Words {
  if (schema !== undefined) return say('judge.changeFormatOrSeed');
  return alternatives === undefined ? say('judge.dropSeed') : say('judge.dropSeedOrAlternatives');
}

/** Why a request got no response. */
export function whyUnreached(error: unknown): Words {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  switch (cause?.code) {
    case 'ECONNREFUSED':
      return say('judge.connectionRefused');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say('judge.hostUnresolved');
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return say('judge.connectionClosed');
    default:
      return cause?.message ?? cause?.code ?? message ?? say('judge.networkErrorUnknown');
  }
}
