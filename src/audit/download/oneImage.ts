import { Reason } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { agent, type Answer, get, type RequestLimits } from './request';
import { allowsAll, parseRobots, type Robots } from './robots';

/** What became of an address. */
export type Fetched = { ok: true; bytes: Buffer; ending: string } | NotFetched;

interface NotFetched {
  ok: false;
  problem: Words;
  /** Whether the failure may pass soon. */
  retry: boolean;
  /** Whether the next run asks again, because its limits may be others or the failure may have passed. */
  again: boolean;
  /** How long the server wants no request. */
  waitMs?: number;
  isLost?: true;
}

/** Directives of the header X-Robots-Tag by which the owner of an image objects to its use in datasets. */
const objections = /\b(?:noai|noimageai|noimageindex|noindex|none)\b/i;
const longestWait = 300;

/** What the first bytes of an image say of its kind. */
const beginnings: readonly [ending: string, form: RegExp][] = [
  ['jpg', /^\xff\xd8\xff/],
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['tiff', /^(?:II\*\0|MM\0\*)/],
  ['avif', /^[^]{4}ftyp(?:avif|avis|mif1)/],
];

const never = { retry: false, again: false } as const;

export async function fetchImage(url: URL, limits: RequestLimits): Promise<Fetched> {
  let answer: Answer;
  try {
    answer = await get(url, limits);
  } catch (error) {
    if (!(error instanceof Reason)) throw error;
    const code = typeof error.what === 'string' ? '' : error.what.code;
    if (code === 'download.badRedirect') return { ok: false, problem: error.what, ...never };
    // The user's options decide these.
    if (code === 'download.tooLarge' || code === 'download.ownNetwork')
      return { ok: false, problem: error.what, retry: false, again: true };
    return { ok: false, problem: error.what, retry: true, again: true, isLost: true };
  }
  const { status, headers, body } = answer;
  if (status !== 200) {
    const isBusy = status === 429 || status >= 500 || status === 408;
    const seconds = isBusy ? secondsOf(headers['retry-after']) : undefined;
    return {
      ok: false,
      problem: say('download.status', status),
      ...{ retry: isBusy, again: isBusy },
      ...(seconds === undefined ? {} : { waitMs: 1000 * Math.min(longestWait, seconds) }),
    };
  }
  if (objects(headers['x-robots-tag'])) return { ok: false, problem: say('download.ownerObjects'), ...never };
  const head = body.toString('latin1', 0, 16);
  const kind = beginnings.find(([, form]) => form.test(head));
  if (kind === undefined) return { ok: false, problem: say('download.noImage'), ...never };
  return { ok: true, bytes: body, ending: kind[0] };
}

/** A directive may name the program that it is for: `bot: noindex`. */
function objects(tag: string | string[] | undefined): boolean {
  return [tag ?? []].flat().some((line) =>
    line.split(',').some((part) => {
      const [directive, forWhom] = part.split(':').reverse();
      return (forWhom === undefined || forWhom.trim().toLowerCase() === agent) && objections.test(directive);
    }),
  );
}

function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** The rules of a host. A host without a file, or that does not answer, has none. */
export async function robotsOf(origin: string, limits: RequestLimits): Promise<Robots> {
  try {
    const { status, body } = await get(new URL('/robots.txt', origin), { ...limits, mostBytes: 1 << 20 });
    return status === 200 ? parseRobots(body.toString('utf8'), agent) : allowsAll;
  } catch (error) {
    if (!(error instanceof Reason)) throw error;
    return allowsAll;
  }
}
