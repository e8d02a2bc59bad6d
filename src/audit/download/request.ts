/* One polite request: redirects, limits, and no address of the own network unless the user allows it. */
import { lookup } from 'node:dns';
import { request as plain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as secure } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Reason } from '../../base/errors';
import { say } from '../../base/say';
import { reasonOf } from '../../evaluator/network';

export const agent = 'captious';
const mostRedirects = 5;

export interface RequestLimits {
  signal: AbortSignal;
  mostBytes: number;
  /** After so many milliseconds without data, the request fails. */
  stallMs: number;
  /** Whether addresses of the own computer and network may be asked. */
  allowPrivate: boolean;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  /** Empty unless the status is 200. */
  body: Buffer;
}

/** A dataset must not make this computer ask addresses that only its own network can reach. */
const own = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  own.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  own.addSubnet(net, prefix, 'ipv6');

export function isOwnAddress(address: string): boolean {
  const kind = isIP(address);
  // The check also sees IPv4 addresses that are written as IPv6.
  return kind !== 0 && own.check(address, kind === 4 ? 'ipv4' : 'ipv6');
}

/** The name is resolved once, and the address that is connected is the address that is checked. */
const guarded: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    const first = found?.find(({ address }) => !isOwnAddress(address));
    if (error !== null) callback(error, '', 0);
    else if (first === undefined) callback(new Reason(say('download.ownNetwork', host)), '', 0);
    else if (options.all === true) callback(null, [first]);
    else callback(null, first.address, first.family);
  });
};

/** Throws a Reason if there is no answer. */
export async function get(start: URL, limits: RequestLimits): Promise<Answer> {
  let url = start;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const answer = await once(url, limits);
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer;
    if (!URL.canParse(location, url.href)) throw new Reason(say('download.badRedirect'));
    url = new URL(location, url);
    if (!/^https?:$/.test(url.protocol)) throw new Reason(say('download.badRedirect'));
  }
  throw new Reason(say('fetch.tooManyRedirects', mostRedirects));
}

function once(url: URL, { signal, mostBytes, stallMs, allowPrivate }: RequestLimits): Promise<Answer> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isOwnAddress(host)) throw new Reason(say('download.ownNetwork', host));
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      headers: { 'user-agent': `${agent} (image download of a dataset)`, accept: 'image/*,*/*;q=0.1' },
      signal,
      timeout: stallMs,
      ...(allowPrivate ? {} : { lookup: guarded }),
    };
    const fail = (error: unknown): void => {
      const inner = error instanceof Error && error.cause instanceof Reason ? error.cause : error;
      reject(inner instanceof Reason ? inner : new Reason(say('download.noAnswer', reasonOf(error))));
    };
    const sent = (url.protocol === 'https:' ? secure : plain)(url, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      if (status !== 200) {
        response.destroy();
        resolve({ status, headers, body: Buffer.alloc(0) });
        return;
      }
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > mostBytes || Number(headers['content-length']) > mostBytes)
          response.destroy(new Reason(say('download.tooLarge', mostBytes)));
        else parts.push(part);
      });
      response.on('error', fail);
      response.on('end', () =>
        response.complete
          ? resolve({ status, headers, body: Buffer.concat(parts, size) })
          : fail(new Reason(say('download.cutShort', size))),
      );
    });
    sent.on('timeout', () => sent.destroy(new Reason(say('fetch.noDataFor', stallMs / 1000))));
    sent.on('error', fail);
    sent.end();
  });
}
