/** Why an endpoint did not answer a question, and what to do. */
import { say, type Words } from '../../../base/say';
import type { ChatQuestion } from '../chat';

/** What to do if the server rejects this question. Names only settings that affect this question. */
export function rejectionRemedy({ schema, alternatives }: ChatQuestion): Words {
  if (schema !== undefined)
    return say`If the server does not support "response_format", set "format" to "json_object" or "none" in the evaluator file. If it does not support "seed", set "seed" to null.`;
  return alternatives === undefined
    ? say`If the server does not support "seed", set "seed" to null in the evaluator file.`
    : say`If the server does not support "seed", set "seed" to null in the evaluator file. If it allows fewer alternatives than requested, lower "alternatives".`;
}

/** Why a request got no response. */
export function whyUnreached(error: unknown): Words {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  switch (cause?.code) {
    case 'ECONNREFUSED':
      return say`the connection was refused`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say`the host name cannot be resolved`;
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return say`the connection was closed`;
    default:
      return cause?.message ?? cause?.code ?? message ?? say`unknown network error`;
  }
}
