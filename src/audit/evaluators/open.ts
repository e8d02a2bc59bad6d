import { dirname, resolve } from 'node:path';
import { foldersOf } from '../../dataset/images/nameFolders';
import { unopened } from '../../dataset/open';
import type { Evaluator } from '../../evaluator/evaluator';
import { openEvaluator } from '../../evaluator/open';
import { ownReferences, readReferences, type References } from '../../evaluator/overlap/references';
import { askConsent } from '../consent';
import type { AuditRequest } from '../request';

/** Opens an evaluator with the settings of a request. An open evaluator is returned unchanged. */
export async function openOne(
  ref: string | Evaluator,
  home: string,
  request: AuditRequest,
): Promise<Evaluator> {
  if (typeof ref !== 'string') return ref;
  const { threads, provider, precision, secret, editor, requests, namedIn, signal } = request;
  return openEvaluator(ref, {
    home,
    threads,
    provider,
    precision,
    secret,
    editor,
    requests,
    namedIn,
    signal,
    batch: request.batchSize,
    python: { ...request.python, folders: [dirname(resolve(request.dataset))] },
    references: () => referencesIn(request),
    imageFolders: () => imageFoldersOf(request),
    onNotice: (message) => request.onEvent?.({ type: 'notice', message }),
    allow: (consent, scores) => askConsent(request, consent, scores),
  });
}

type ReferenceRequest = Pick<AuditRequest, 'dataset' | 'references' | 'map' | 'signal'>;

/** The reference captions, for evaluators that need them. */
export async function referencesIn(request: ReferenceRequest): Promise<References> {
  const { dataset, references, map, signal } = request;
  return references === undefined
    ? ownReferences(resolve(dataset), map, signal)
    : readReferences(resolve(references), signal, await imageFoldersOf(request));
}

export function imageFoldersOf({ dataset, map, signal }: ReferenceRequest): ReturnType<typeof foldersOf> {
  return foldersOf(unopened(resolve(dataset), map), signal);
}
