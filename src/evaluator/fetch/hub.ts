import { join } from 'node:path';
import { CaptiousError, evaluatorError, Reason, usageError } from '../../base/errors';
import { absolute, findUserHome } from '../../base/files/home';
import { say, withValues, type Words } from '../../base/say';
import { SecretGuard } from '../secret';
import { withoutEnd } from '../../base/text/ends';
import { isLoopback } from '../remote/remoteFile';

/*
 * @huggingface/hub 2.17.5 could replace 430 of these 864 lines, but would start an interrupted download again, check no
 * hash of the content, and add 3.3 MB to the extension.
 */

const huggingFace = 'https://huggingface.co';
/** The domains from which the hub serves large files. */
const hubHosts = ['huggingface.co', 'hf.co'];

/** The hub, or one of its mirrors. A mirror gets no token, because whoever runs it could use the account. */
export interface Hub {
  endpoint: URL;
  token?: string;
}

export function hubFrom(wished: string | undefined, env: NodeJS.ProcessEnv = process.env): Hub {
  const given = wished ?? (env.HF_ENDPOINT === '' ? undefined : env.HF_ENDPOINT);
  const endpoint = parse(given ?? huggingFace, wished === undefined ? 'HF_ENDPOINT' : 'the hub endpoint');
  return { endpoint, ...(env.HF_TOKEN && !isMirror(endpoint) ? { token: env.HF_TOKEN } : {}) };
}

function isMirror({ origin }: URL): boolean {
  return origin !== huggingFace;
}

function parse(text: string, at: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new CaptiousError('usage', say('fetch.notHubAddress', text), {
      at,
      remedy: say('fetch.hubAddressExample', huggingFace),
      cause,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError(say('fetch.hubAddressHasCredentials'), say('fetch.removeCredentials'), at);
  }
  if (!isPrivate(url)) {
    throw usageError(say('fetch.httpsOnly', url.protocol, url.host), say('fetch.useHttpsAddress'), at);
  }
  return url;
}

/** Whether the connection is encrypted or stays on this machine. */
function isPrivate(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isLoopback(url);
}

export function addressOf({ endpoint }: Hub, repository: string, revision: string, path: string): URL {
  const parts = [...repository.split('/'), 'resolve', revision, ...path.split('/')].map(encodeURIComponent);
  return new URL(`${withoutEnd(endpoint.pathname, /\//)}/${parts.join('/')}`, endpoint);
}

/** The headers of a request. Only requests to the user's hub contain the token. */
export function headersFor({ endpoint, token }: Hub, url: URL): Record<string, string> {
  return {
    'accept-encoding': 'identity',
    'user-agent': 'captious',
    ...(token !== undefined && url.origin === endpoint.origin ? { authorization: `Bearer ${token}` } : {}),
  };
}

/** Returns the target of a redirect. Throws if it is invalid, insecure, or outside the hub and `hubHosts`. */
export function followRedirect({ endpoint, token }: Hub, from: URL, location: string | null): URL {
  const secret = new SecretGuard(token);
  const check = say('fetch.checkHubAddress');
  const refuse = (why: Words, remedy: Words = check): never => {
    throw evaluatorError(
      withValues(why, (value) => secret.hide(value)),
      remedy,
      secret.hide(from.href),
    );
  };
  if (location === null) return refuse(say('fetch.redirectWithoutAddress'));
  let to: URL;
  try {
    to = new URL(location, from);
  } catch {
    return refuse(say('fetch.redirectNotAddress', location));
  }
  if (to.username !== '' || to.password !== '' || !isPrivate(to) || (isLoopback(to) && !isLoopback(endpoint)))
    return refuse(say('fetch.redirectNotAllowed', to.protocol, to.host));
  const allowed = [...hubHosts, endpoint.hostname];
  const known = allowed.some((host) => to.hostname === host || to.hostname.endsWith(`.${host}`));
  if (!known && !(isLoopback(endpoint) && isLoopback(to)))
    return refuse(say('fetch.redirectOutsideHub', to.host), say('fetch.setHubEndpoint'));
  return to;
}

/** The cache folder of Hugging Face's own tools; undefined if neither a variable nor a home folder is set. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env.HF_HUB_CACHE ?? env.HUGGINGFACE_HUB_CACHE;
  if (named) return named;
  if (env.HF_HOME) return join(env.HF_HOME, 'hub');
  const home = findUserHome();
  const caches = absolute(env.XDG_CACHE_HOME) ?? (home && join(home, '.cache'));
  return caches && join(caches, 'huggingface', 'hub');
}

/** What the hub's headers say about a file. */
export interface HubAnswer {
  tag?: string;
  size?: number;
  commit?: string;
}

/** Adds to `said` what the headers say about the file. Headers that repeat the token are skipped. */
export function notice({ headers: given }: Response, said: HubAnswer, { token }: Hub): void {
  const secret = new SecretGuard(token);
  const headers = new Map([...given].filter(([, value]) => secret.hide(value) === value));
  const commit = headers.get('x-repo-commit');
  if (commit !== undefined) said.commit = commit;
  const linked = headers.get('x-linked-etag');
  // The ETag is the content's hash only if the hub itself sent it, together with a commit.
  const tag = linked ?? (commit === undefined || said.tag !== undefined ? undefined : headers.get('etag'));
  if (tag !== undefined) said.tag = tag.replace(/^W\//, '').replaceAll('"', '');
  const size = Number(headers.get('x-linked-size') ?? NaN);
  if (Number.isSafeInteger(size)) said.size = size;
}

export function refuseStatus(status: number, url: URL, { endpoint, token }: Hub): never {
  if (status === 429 || status >= 500) throw new Reason(say('fetch.serverStatus', status));
  const remedy =
    status === 401 || status === 403
      ? token !== undefined
        ? say('fetch.checkTokenAccess')
        : isMirror(endpoint)
          ? say('fetch.downloadFromTokenHost', huggingFace)
          : say('fetch.setToken')
      : say('fetch.fileMaybeRemoved');
  throw evaluatorError(say('fetch.serverRefused', status), remedy, new SecretGuard(token).hide(url.href));
}
