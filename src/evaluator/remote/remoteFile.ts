import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import * as z from 'zod/mini';
import { mostRows } from '../model/onnx/graphPorts';
import type { KindPreview } from '../fileContext';

/** What an evaluator file of the kind "remote" says. */
export const remoteFile = z.object({
  endpoint: z.string().check(z.describe('Address of the server, without /v2.')),
  folder: z
    .string()
    .check(
      z.describe(
        'Holds config.json, tokenizer.json and, for images, preprocessor_config.json; the weights are on the server.',
      ),
    ),
  text: z.string().check(z.describe('The model on the server that takes texts.')),
  textVersion: z.optional(z.string()),
  image: z.optional(z.string().check(z.describe('The model that takes images: the same one, or another.'))),
  imageVersion: z.optional(z.string()),
  batch: z.optional(
    z
      .number()
      .check(
        z.describe(
          'Rows in each request, always so many: a server may compute otherwise with other numbers of rows.',
        ),
      ),
  ),
  timeout: z.optional(z.number().check(z.describe('Seconds for one request.'))),
  binary: z.optional(z.boolean().check(z.describe('Whether tensors travel as bytes instead of JSON.'))),
});
export type RemoteFile = z.infer<typeof remoteFile>;

/** Seconds. Beyond 24 days a timer would fire at once. */
const longestTimeout = 3600;
/** Rows in a request where the file does not say. */
const usualBatch = 8;

/** All that can be wrong with it before the server is asked. */
export function checkedRemote(said: RemoteFile): { endpoint: URL; batch: number } {
  const endpoint = checkedEndpoint(said.endpoint);
  const batch = said.batch ?? usualBatch;
  if (!Number.isInteger(batch) || batch < 1 || batch > mostRows)
    throw new CaptiousError('evaluator', `"batch" is a whole number from 1 to ${mostRows}, not ${batch}.`);
  const { timeout } = said;
  if (timeout !== undefined && !(timeout > 0 && timeout <= longestTimeout))
    throw new CaptiousError(
      'evaluator',
      `"timeout" is a number of seconds above 0 and up to ${longestTimeout}, not ${timeout}.`,
    );
  if (!existsSync(join(said.folder, 'config.json')))
    throw new CaptiousError('evaluator', say`The folder has no ${'config.json'}.`, {
      at: said.folder,
      remedy:
        'The folder of a remote model holds all that a model folder does but its weights: config.json, tokenizer.json, and ' +
        'for images preprocessor_config.json.',
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

/** The address as consent is given for it. */
export function placeOf(endpoint: URL): string {
  return endpoint.href.replace(/\/+$/, '');
}

function checkedEndpoint(given: string): URL {
  let url: URL;
  try {
    url = new URL(given);
  } catch (cause) {
    throw new CaptiousError('evaluator', `"${given}" is not the address of a server.`, {
      remedy: 'It looks like http://localhost:8000.',
      cause,
    });
  }
  if ((url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.search === '')
    return url;
  throw new CaptiousError(
    'evaluator',
    'The address of a server has http or https, a host and nothing secret.',
    {
      at: `${url.protocol}//${url.host}`,
      remedy: 'It looks like http://localhost:8000.',
    },
  );
}
