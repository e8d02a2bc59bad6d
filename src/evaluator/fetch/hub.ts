import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { absolute, findUserHome } from '../../base/files/home';
import { SecretGuard } from '../secret';

const huggingFace = 'https://huggingface.co';
/** Where the hub keeps the content of large files; it sends everybody there. */
const hubHosts = ['huggingface.co', 'hf.co'];

/** The hub, or a mirror of it. */
export interface Hub {
  endpoint: URL;
  token?: string;
}

export function hubFrom(wished: string | undefined, env: NodeJS.ProcessEnv = process.env): Hub {
  const given = wished ?? (env.HF_ENDPOINT === '' ? undefined : env.HF_ENDPOINT);
  const endpoint = parse(given ?? huggingFace, wished === undefined ? 'HF_ENDPOINT' : 'the hub endpoint');
  return { endpoint, ...(env.HF_TOKEN ? { token: env.HF_TOKEN } : {}) };
}

function parse(text: string, at: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new CaptiousError('usage', `"${text}" is not the address of a hub.`, {
      at,
      remedy: `It looks like ${huggingFace}.`,
      cause,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new CaptiousError('usage', 'The address of a hub must not hold a password.', {
      at,
      remedy: 'A token goes into the environment variable HF_TOKEN.',
    });
  }
  if (!isPrivate(url)) {
    throw new CaptiousError(
      'usage',
      `Models are fetched over https only, not from ${url.protocol}//${url.host}.`,
      {
        at,
        remedy: 'Only a server on this machine (127.0.0.1, localhost) may be asked over http.',
      },
    );
  }
  return url;
}

/** Nobody on the way can read or change what is sent. */
function isPrivate(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isLoopback(url);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

export function addressOf({ endpoint }: Hub, repository: string, revision: string, path: string): URL {
  const parts = [...repository.split('/'), 'resolve', revision, ...path.split('/')].map(encodeURIComponent);
  return new URL(`${endpoint.pathname.replace(/\/+$/, '')}/${parts.join('/')}`, endpoint);
}

/** The token goes to the hub that was named, and to nobody else. */
export function headersFor({ endpoint, token }: Hub, url: URL): Record<string, string> {
  return {
    'accept-encoding': 'identity',
    'user-agent': 'captious',
    ...(token !== undefined && url.origin === endpoint.origin ? { authorization: `Bearer ${token}` } : {}),
  };
}

/** The hub sends requests for large files on to its stores; anywhere else is not where the person wanted to go. */
export function followRedirect({ endpoint, token }: Hub, from: URL, location: string | null): URL {
  const secret = new SecretGuard(token);
  const refuse = (why: string): never => {
    throw new CaptiousError('evaluator', secret.hide(why), {
      at: secret.hide(from.href),
      remedy: 'If this is right, name that server as the hub (HF_ENDPOINT, or --endpoint).',
    });
  };
  if (location === null) return refuse('The server redirects without saying where to.');
  let to: URL;
  try {
    to = new URL(location, from);
  } catch {
    return refuse(`The server redirects to "${location}", which is no address.`);
  }
  if (to.username !== '' || to.password !== '' || !isPrivate(to) || (isLoopback(to) && !isLoopback(endpoint)))
    return refuse(`The server redirects to ${to.protocol}//${to.host}, which is not followed.`);
  const allowed = [...hubHosts, endpoint.hostname];
  const known = allowed.some((host) => to.hostname === host || to.hostname.endsWith(`.${host}`));
  if (!known && !(isLoopback(endpoint) && isLoopback(to)))
    return refuse(`The server redirects to ${to.host}, which does not belong to the hub.`);
  return to;
}

/** Where the hub's own programs keep what they fetched; undefined for a user without a home folder. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env.HF_HUB_CACHE ?? env.HUGGINGFACE_HUB_CACHE;
  if (named) return named;
  if (env.HF_HOME) return join(env.HF_HOME, 'hub');
  const home = findUserHome();
  const caches = absolute(env.XDG_CACHE_HOME) ?? (home && join(home, '.cache'));
  return caches && join(caches, 'huggingface', 'hub');
}

/** What the hub itself said of the file, before it sent the request on to a store. */
export interface HubAnswer {
  tag?: string;
  size?: number;
  commit?: string;
}

/** Takes what the hub says of the file from its headers; none that repeats the token. */
export function notice({ headers: given }: Response, said: HubAnswer, { token }: Hub): void {
  const secret = new SecretGuard(token);
  const headers = new Map([...given].filter(([, value]) => secret.hide(value) === value));
  const commit = headers.get('x-repo-commit');
  if (commit !== undefined) said.commit = commit;
  const linked = headers.get('x-linked-etag');
  // A plain server's tag may be anything; the hub's is the content's hash.
  const tag = linked ?? (commit === undefined || said.tag !== undefined ? undefined : headers.get('etag'));
  if (tag !== undefined) said.tag = tag.replace(/^W\//, '').replaceAll('"', '');
  const size = Number(headers.get('x-linked-size') ?? NaN);
  if (Number.isSafeInteger(size)) said.size = size;
}

export function refuseStatus(status: number, url: URL, { token }: Hub): never {
  if (status === 429 || status >= 500) throw new Error(`the server answered ${status}`);
  const remedy =
    status === 401 || status === 403
      ? token === undefined
        ? 'If the repository asks for a sign-in, put a token into the environment variable HF_TOKEN.'
        : 'Check that the token in HF_TOKEN may read this repository.'
      : 'The repository may have changed, or this mirror does not hold it.';
  throw new CaptiousError('evaluator', `The server answered ${status}.`, {
    at: new SecretGuard(token).hide(url.href),
    remedy,
  });
}
