import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { flag, number, optional, text } from '../../base/shape';
import { mostRows } from '../model/graphPorts';
import type { KindPreview } from '../fileContext';

/** What an evaluator file of the kind "remote" says. */
export interface RemoteFile {
  /** Where the server is, without /v2. */
  endpoint: string;
  /** Holds config.json, tokenizer.json and, for pictures, preprocessor_config.json; the weights are on the server. */
  folder: string;
  /** The model on the server that takes texts. */
  text: string;
  textVersion?: string;
  /** The model that takes pictures: the same one, or another. */
  image?: string;
  imageVersion?: string;
  /** Rows in each request, always so many: a server may compute otherwise with other numbers of rows. */
  batch?: number;
  /** Seconds for one request. */
  timeout?: number;
  binary?: boolean;
}

export const remoteFields = {
  endpoint: text,
  folder: text,
  text,
  textVersion: optional(text),
  image: optional(text),
  imageVersion: optional(text),
  batch: optional(number),
  timeout: optional(number),
  binary: optional(flag),
};

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
