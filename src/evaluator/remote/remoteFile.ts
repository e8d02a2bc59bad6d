import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import * as z from 'zod/mini';
import { mostRows } from '../model/onnx/graphPorts';
import type { KindPreview } from '../fileContext';
import { withoutEnd } from '../../base/text/ends';
import { described, optionalKey } from '../../base/schema';

export const remoteFile = z.object({
  endpoint: described(z.string(), 'Address of the server, without /v2.'),
  folder: described(
    z.string(),
    'Folder with config.json, tokenizer.json and, for images, preprocessor_config.json. The weights are on the server.',
  ),
  text: described(z.string(), 'The model on the server for texts.'),
  textVersion: z.optional(z.string()),
  image: optionalKey(z.string(), 'The model on the server for images. It may be the model for texts.'),
  imageVersion: z.optional(z.string()),
  batch: optionalKey(
    z.number(),
    'Number of rows in every request. It is fixed, because results may depend on it.',
  ),
  timeout: optionalKey(z.number(), 'Time limit per request in seconds.'),
  binary: optionalKey(z.boolean(), 'Send tensors in binary form instead of JSON.'),
});
export type RemoteFile = z.infer<typeof remoteFile>;

/** The longest time limit in seconds. A limit is needed, because Node.js fires timers of 25 days or more immediately. */
const longestTimeout = 3600;
/** The default number of rows per request. */
const usualBatch = 8;

/** Checks the whole file without contacting the server. */
export function checkedRemote(said: RemoteFile): { endpoint: URL; batch: number } {
  const endpoint = checkedEndpoint(said.endpoint);
  const batch = said.batch ?? usualBatch;
  if (!Number.isInteger(batch) || batch < 1 || batch > mostRows)
    throw new CaptiousError('evaluator', say('remote.batchInvalid', mostRows, batch));
  const { timeout } = said;
  if (timeout !== undefined && !(timeout > 0 && timeout <= longestTimeout))
    throw new CaptiousError('evaluator', say('remote.timeoutInvalid', longestTimeout, timeout));
  if (!existsSync(join(said.folder, 'config.json')))
    throw new CaptiousError('evaluator', say('model.folderFileMissing', 'config.json'), {
      at: said.folder,
      remedy: say('remote.addFolderFiles'),
    });
  return { endpoint, batch };
}

export function previewRemote(said: RemoteFile, name: string): KindPreview {
  checkedRemote(said);
  return {
    name,
    scores: said.image === undefined ? ['text-text'] : ['text-text', 'image-text', 'image-image'],
    sharedSpace: said.image !== undefined,
    remote: true,
  };
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The address without a slash at the end, as it is stored with the user's consent. */
export function placeOf(endpoint: URL): string {
  return withoutEnd(endpoint.href, /\//);
}

function checkedEndpoint(given: string): URL {
  let url: URL;
  try {
    url = new URL(given);
  } catch (cause) {
    throw new CaptiousError('evaluator', say('remote.notServerAddress', given), {
      remedy: say('remote.addressExample'),
      cause,
    });
  }
  if (
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username + url.password + url.search === ''
  )
    return url;
  throw new CaptiousError('evaluator', say('remote.addressFormInvalid'), {
    at: `${url.protocol}//${url.host}`,
    remedy: say('remote.addressExample'),
  });
}
