/* Downloads the images that a dataset names by web addresses, politely, and lists them where the image search looks. */
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfCancelled } from '../../base/errors';
import { makeFolder } from '../../base/files/cannotWrite';
import { openToAppend, replaceFile } from '../../base/files/writeFile';
import { say } from '../../base/say';
import type { Dataset } from '../../dataset/dataset';
import { KeySet } from '../../dataset/ids';
import { noRoom, roomFor } from '../../evaluator/fetch/partFile';
import { type LogLine, logName, readLog } from '../../dataset/images/downloadLog';
import { isWebAddress } from '../../dataset/images/nameFolders';
import { type Fetched, fetchImage, robotsOf } from './oneImage';
import type { RequestLimits } from './request';
import type { Robots } from './robots';

export interface DownloadRequest {
  dataset: Dataset;
  folder: string;
  signal: AbortSignal;
  /** Requests a second to one host. */
  rate: number;
  /** Requests at once, to all hosts. */
  atOnce: number;
  /** How often an address is asked again after a failure that may pass. */
  retries: number;
  limit?: number;
  limits: Omit<RequestLimits, 'signal'>;
  onImage?: (done: Downloaded) => void;
  /** Waits; tests do not. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Downloaded {
  /** Distinct web addresses of the dataset. */
  addresses: number;
  /** Names that are no web address. */
  others: number;
  /** Images that were there before. */
  kept: number;
  fetched: number;
  bytes: number;
  /** The addresses without an image, by the code of the reason. */
  problems: Map<string, { count: number; first: LogLine[] }>;
}

const perHost = 4;
/** After so many addresses in a row without an answer, a host is left alone until the next run. */
const mostLost = 5;
const shown = 5;
/** After so many bytes, the room on the disk is looked at again. */
const checkEvery = 64 << 20;

interface Host {
  origin: string;
  waiting: { url: URL; tries: number }[];
  running: number;
  /** The time of the next request. */
  at: number;
  lost: number;
  robots?: Promise<Robots>;
}

/** The distinct web addresses of a dataset's images, in its order. */
export async function addressesIn(
  dataset: Dataset,
  { signal, limit = Infinity }: { signal: AbortSignal; limit?: number },
): Promise<{ addresses: string[]; others: number }> {
  const seen = new KeySet();
  const addresses: string[] = [];
  let [others, read] = [0, 0];
  for await (const { images } of dataset.read({ signal })) {
    if (read++ === limit) break;
    for (const { name, bytes } of images) {
      if (bytes !== undefined || !seen.add(name)) continue;
      if (isWebAddress(name)) addresses.push(name);
      else others++;
    }
  }
  return { addresses, others };
}

export async function downloadImages(request: DownloadRequest): Promise<Downloaded> {
  const { addresses, others } = await addressesIn(request.dataset, request);
  // Each request and each pause listens to the signal.
  const signal = AbortSignal.any([request.signal]);
  setMaxListeners(0, signal);
  return new Downloads({ ...request, signal }, addresses.length, others).run(addresses);
}

class Downloads {
  private readonly hosts = new Map<string, Host>();
  /** The addresses as the dataset writes them, which are the names of its images. */
  private readonly names = new Map<URL, string>();
  private readonly done: Downloaded;
  private readonly pause: NonNullable<DownloadRequest['pause']>;
  private unchecked = 0;
  private hasLine = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly request: DownloadRequest,
    addresses: number,
    others: number,
  ) {
    this.done = { addresses, others, kept: 0, fetched: 0, bytes: 0, problems: new Map() };
    this.pause = request.pause ?? ((ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined));
  }

  async run(addresses: readonly string[]): Promise<Downloaded> {
    const { folder, signal, atOnce } = this.request;
    await makeFolder(folder);
    const log = await readLog(folder);
    for (const name of addresses) {
      const line = log.get(name);
      if (line?.file !== undefined && (await isThere(join(folder, line.file), line.bytes))) this.done.kept++;
      else if (line?.problem !== undefined && line.again !== true) this.book(line);
      else await this.queue(name);
    }
    this.request.onImage?.(this.done);
    await Promise.all(Array.from({ length: atOnce }, () => this.work()));
    await this.writing;
    throwIfCancelled(signal);
    return this.done;
  }

  private async queue(name: string): Promise<void> {
    const url = URL.canParse(name) ? new URL(name) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      await this.note({ url: name, problem: say('download.badAddress'), again: false });
      return;
    }
    const { origin } = url;
    let host = this.hosts.get(origin);
    if (host === undefined)
      this.hosts.set(origin, (host = { origin, waiting: [], running: 0, at: 0, lost: 0 }));
    host.waiting.push({ url, tries: 0 });
    this.names.set(url, name);
  }

  /** Takes one address after the other from the host that may be asked soonest. */
  private async work(): Promise<void> {
    const { signal } = this.request;
    while (!signal.aborted) {
      const host = this.soonest();
      if (host === 'none') return;
      if (host === 'all busy') {
        await this.pause(20, signal);
        continue;
      }
      const job = host.waiting.shift()!;
      host.running++;
      try {
        await this.waitFor(host);
        if (!signal.aborted) await this.ask(host, job);
      } finally {
        host.running--;
      }
    }
  }

  private soonest(): Host | 'none' | 'all busy' {
    let [best, isBusy]: [Host | undefined, boolean] = [undefined, false];
    for (const host of this.hosts.values()) {
      if (host.running > 0) isBusy = true;
      if (host.waiting.length === 0) {
        if (host.running === 0) this.hosts.delete(host.origin);
      } else if (host.running < perHost && (best === undefined || host.at < best.at)) best = host;
      else isBusy = true;
    }
    return best ?? (isBusy ? 'all busy' : 'none');
  }

  private async waitFor(host: Host): Promise<void> {
    const { limits, rate, signal } = this.request;
    const { delay } = await (host.robots ??= robotsOf(host.origin, { ...limits, signal }));
    const now = Date.now();
    const at = Math.max(now, host.at);
    host.at = at + 1000 * Math.max(1 / rate, Math.min(delay ?? 0, 30));
    if (at > now) await this.pause(at - now, signal);
  }

  private async ask(host: Host, job: Host['waiting'][number]): Promise<void> {
    const { limits, retries, signal } = this.request;
    const { url } = job;
    const name = this.names.get(url)!;
    if (host.lost >= mostLost)
      return this.note({ url: name, problem: say('download.hostLost', url.host), again: true });
    if (!(await host.robots!).allows(url.pathname + url.search))
      return this.note({ url: name, problem: say('download.robotsForbid'), again: false });
    const fetched = await fetchImage(url, { ...limits, signal });
    if (signal.aborted) return undefined;
    if (fetched.ok) {
      host.lost = 0;
      return this.keep(name, fetched);
    }
    if (fetched.retry && job.tries < retries) {
      const wait = fetched.waitMs ?? 1000 * 2 ** job.tries;
      host.at = Math.max(host.at, Date.now() + wait);
      host.waiting.push({ url, tries: job.tries + 1 });
      return undefined;
    }
    host.lost = fetched.isLost === true ? host.lost + 1 : 0;
    return this.note({ url: name, problem: fetched.problem, again: fetched.again });
  }

  private async keep(url: string, { bytes, ending }: Fetched & { ok: true }): Promise<void> {
    const { folder } = this.request;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = `${sha256.slice(0, 2)}/${sha256.slice(2)}.${ending}`;
    const path = join(folder, file);
    await makeFolder(dirname(path));
    await this.checkRoom(path, bytes.length);
    if (!(await isThere(path, bytes.length))) await replaceFile(path, bytes);
    this.done.fetched++;
    this.done.bytes += bytes.length;
    await this.append({ url, file, bytes: bytes.length });
  }

  private async checkRoom(path: string, wanted: number): Promise<void> {
    this.unchecked += wanted;
    if (this.done.fetched > 0 && this.unchecked < checkEvery) return;
    this.unchecked = 0;
    const room = await roomFor(path);
    if (room < checkEvery) throw noRoom(path, checkEvery, room);
  }

  private async note(line: LogLine): Promise<void> {
    this.book(line);
    await this.append(line);
  }

  private book(line: LogLine): void {
    const code = typeof line.problem === 'string' ? line.problem : line.problem!.code;
    const key = code === 'download.status' ? `${code} ${JSON.stringify(line.problem)}` : code;
    const known = this.done.problems.get(key) ?? { count: 0, first: [] };
    if (known.count++ < shown) known.first.push(line);
    this.done.problems.set(key, known);
  }

  /** A line is written only after its file, so a list never names a file that an interruption cut. */
  private append(line: LogLine): Promise<void> {
    this.writing = this.writing.then(async () => {
      const file = await openToAppend(join(this.request.folder, logName));
      // The first line feed ends a line that an interruption cut.
      const start = this.hasLine ? '' : '\n';
      this.hasLine = true;
      await file.appendFile(`${start}${JSON.stringify(line)}\n`).finally(() => file.close());
    });
    this.request.onImage?.(this.done);
    return this.writing;
  }
}

async function isThere(path: string, bytes: number | undefined): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile() && (bytes === undefined || found.size === bytes),
    () => false,
  );
}
