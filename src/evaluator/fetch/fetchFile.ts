import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../base/files/cannotWrite';
import { CaptiousError, evaluatorError, Reason, throwIfCancelled, wordsOf } from '../../base/errors';
import { openToAppend } from '../../base/files/writeFile';
import { type Words, say } from '../../base/say';
import { digestsOf, matchesTag } from './digests';
import { followRedirect, headersFor, type Hub, type HubAnswer, notice, refuseStatus } from './hub';
import type { KnownFile } from './known';
import { reasonOf } from '../network';
import {
  forget,
  mostUndeclared,
  noRoom,
  remember,
  resume,
  roomFor,
  tagOf,
  tooLong,
  writeAll,
} from './partFile';
import { sizeOf } from '../../base/files/isFile';

/** What the content was checked against. */
export type Check = 'known hash' | "hub's hash" | 'length' | 'nothing';

export interface Download {
  sha256: string;
  size: number;
  check: Check;
  /** The commit from which the hub served the file. */
  commit?: string;
}

export interface DownloadOptions {
  signal?: AbortSignal;
  onBytes?: (received: number, total: number | undefined) => void;
  /** After this many milliseconds without data, the download reconnects. */
  stallMs?: number;
  /** The time limit of all attempts together. The default is ten minutes plus the time for the file at 16 kB/s. */
  totalMs?: number;
  /** Returns how many bytes may be written for a file. The default is the disk's free space less a reserve. */
  room?: (path: string) => Promise<number>;
  /** After this many failed attempts in a row without new data, the download fails. */
  attempts?: number;
  /** The wait in milliseconds after a failure. Each further failure in a row without new data doubles it. */
  pauseMs?: number;
}

const staleRemedy = say('fetch.tryHubItself');
const mostRedirects = 5;
/** The default time limit: `grace` milliseconds plus the file's size at `slowest` bytes per millisecond. */
const grace = 600_000;
const slowest = 16;
/** The longest delay of a timer. Node.js fires timers with a longer delay at once. */
const longestTimer = 2 ** 31 - 1;

/** Downloads a file into `part` and verifies it. Resumes an earlier attempt. */
export async function download(
  hub: Hub,
  url: URL,
  part: string,
  file: KnownFile,
  options: DownloadOptions = {},
): Promise<Download> {
  const { attempts = 5, pauseMs = 500 } = options;
  const total = options.totalMs ?? Math.ceil(grace + (file.size ?? mostUndeclared) / slowest);
  const late = AbortSignal.timeout(Math.min(longestTimer, total));
  const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late]);
  const giveUp = (): void => {
    throwIfCancelled(options.signal);
    if (late.aborted)
      throw new CaptiousError('interrupted', say('fetch.downloadTooSlow', Math.round(total / 1000)), {
        at: url.href,
        remedy: resume,
      });
  };
  await makeFolder(dirname(part));
  let failures = 0;
  let mistrusted = false;
  for (;;) {
    giveUp();
    const before = await sizeOf(part);
    try {
      const said = await receive(hub, url, part, file, { ...options, signal });
      const checked = await check(part, file, said, signal);
      if (checked !== undefined) return checked;
      // The partial file may belong to another version, so the download restarts once.
      await forget(part);
      if (before === 0 || mistrusted) throw wrong(url, file);
      mistrusted = true;
    } catch (error) {
      giveUp();
      if (error instanceof CaptiousError) throw error;
      failures = (await sizeOf(part)) > before ? 0 : failures + 1;
      if (failures >= attempts) {
        throw new CaptiousError('interrupted', say('fetch.downloadFailed', wordsOf(error)), {
          at: url.href,
          remedy: resume,
          cause: error,
        });
      }
      await sleep(pauseAfter(failures, pauseMs), undefined, { signal }).catch(() => undefined);
    }
  }
}

async function receive(
  hub: Hub,
  url: URL,
  part: string,
  file: KnownFile,
  { signal, onBytes, stallMs = 30_000, room: roomOf = roomFor }: DownloadOptions,
): Promise<HubAnswer> {
  const silence = new AbortController();
  const watch = setTimeout(() => silence.abort(new Reason(say('fetch.noDataFor', stallMs / 1000))), stallMs);
  const either = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
  try {
    let have = await sizeOf(part);
    const known = await tagOf(part);
    const range: Record<string, string> = have > 0 ? { range: `bytes=${have}-` } : {};
    const { response, said } = await ask(hub, url, range, either);
    const where = (remedy: Words): { at: string; remedy: Words } => ({ at: url.href, remedy });
    if (response.status === 416 || (have > 0 && !sameContent(file, known, said))) {
      await response.body?.cancel();
      // Status 416 means that the file is complete or that its content has changed. The caller's check detects
      // changed content and restarts the download.
      if (response.status === 416 && sameContent(file, known, said)) return said;
      await forget(part);
      clearTimeout(watch);
      return await receive(hub, url, part, file, { signal, onBytes, stallMs, room: roomOf });
    }
    if (response.headers.get('content-type')?.startsWith('text/html')) {
      await response.body?.cancel();
      throw new CaptiousError(
        'evaluator',
        say('fetch.webPageAnswered'),
        where(say('fetch.checkAddressInBrowser')),
      );
    }
    if (response.status === 200) have = 0;
    const total = wholeSize(response, have);
    const expected = file.size ?? said.size;
    if (total !== undefined && expected !== undefined && total !== expected) {
      await response.body?.cancel();
      throw new CaptiousError('evaluator', say('fetch.sizeDiffers', total, expected), where(staleRemedy));
    }
    await remember(part, said.tag);
    const limit = total ?? expected;
    const room = await roomOf(part);
    if (limit !== undefined && limit - have > room) {
      await response.body?.cancel();
      throw noRoom(part, limit - have, room);
    }
    const most = limit ?? Math.min(mostUndeclared, have + room);
    const handle = await openToAppend(part);
    try {
      if (have === 0) await handle.truncate();
      onBytes?.(have, limit);
      for await (const chunk of response.body ?? []) {
        watch.refresh();
        have += chunk.byteLength;
        if (have > most) throw await tooLong(url, part, most, limit);
        await writeAll(handle, chunk, part);
        onBytes?.(have, limit);
      }
    } finally {
      await handle.close();
    }
    if (limit !== undefined && have < limit)
      throw new Reason(say('fetch.connectionClosedEarly', have, limit));
    return { ...said, ...(limit === undefined ? {} : { size: limit }) };
  } catch (error) {
    // The abort reason is specific, but the error only says "aborted".
    if (silence.signal.aborted && signal?.aborted !== true) throw silence.signal.reason;
    throw error;
  } finally {
    clearTimeout(watch);
  }
}

/** Requests the file and follows redirects. Only the hub's own headers become `said`. */
async function ask(
  hub: Hub,
  start: URL,
  range: Record<string, string>,
  signal: AbortSignal,
): Promise<{ response: Response; said: HubAnswer }> {
  const said: HubAnswer = {};
  let url = start;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const response = await fetch(url, {
      headers: { ...headersFor(hub, url), ...range },
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      throw new Error(reasonOf(error), { cause: error });
    });
    if (url.origin === hub.endpoint.origin) notice(response, said, hub);
    if (response.status >= 300 && response.status < 400 && response.status !== 304) {
      await response.body?.cancel();
      url = followRedirect(hub, url, response.headers.get('location'));
      continue;
    }
    if (response.ok || response.status === 416) return { response, said };
    await response.body?.cancel();
    refuseStatus(response.status, url, hub);
  }
  throw new CaptiousError('evaluator', say('fetch.tooManyRedirects', mostRedirects), {
    at: start.href,
  });
}

/** The wait in milliseconds. `failures`: attempts in a row without new data; 0 if the last one got some. */
export function pauseAfter(failures: number, pauseMs: number): number {
  return pauseMs * 2 ** Math.max(0, failures - 1);
}

/** The size of the whole file in bytes; undefined if the response does not state it. */
function wholeSize({ headers, status }: Response, have: number): number | undefined {
  if (status === 206) {
    const parts = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '');
    if (parts === null || Number(parts[1]) !== have) throw new Reason(say('fetch.wrongByteRange'));
    return Number(parts[2]);
  }
  const packed = headers.get('content-encoding');
  const length = headers.get('content-length') ?? '';
  return !/^\d{1,15}$/.test(length) || (packed !== null && packed !== 'identity')
    ? undefined
    : Number(length);
}

/** Whether to continue the partial file: its tag is unchanged, or a hash will verify the whole. */
function sameContent(file: KnownFile, tag: string | undefined, said: HubAnswer): boolean {
  return file.sha256 !== undefined || (tag !== undefined && tag === said.tag);
}

async function check(
  part: string,
  file: KnownFile,
  said: HubAnswer,
  signal: AbortSignal | undefined,
): Promise<Download | undefined> {
  const { sha256, gitBlob, size } = await digestsOf(part, signal);
  const result = (held: Check): Download => ({
    sha256,
    size,
    check: held,
    ...(said.commit === undefined ? {} : { commit: said.commit }),
  });
  if (file.sha256 !== undefined) return sha256 === file.sha256 ? result('known hash') : undefined;
  const verdict = matchesTag(said.tag, sha256, gitBlob);
  if (verdict !== undefined) return verdict ? result("hub's hash") : undefined;
  return result((file.size ?? said.size) === undefined ? 'nothing' : 'length');
}

function wrong(url: URL, file: KnownFile): CaptiousError {
  const wanted =
    file.sha256 === undefined ? say('fetch.hubHash') : say('fetch.knownHash', file.sha256.slice(0, 12));
  return evaluatorError(say('fetch.hashDiffers', wanted), say('fetch.retryOrChangeMirror'), url.href);
}
