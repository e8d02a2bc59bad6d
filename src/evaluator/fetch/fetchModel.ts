import { existsSync, realpathSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../base/files/cannotWrite';
import { CaptiousError, evaluatorError, throwIfCancelled, usageError } from '../../base/errors';
import { readJsonSync } from '../../base/files/readJson';
import { readBoundedSync } from '../../base/files/readFile';
import { homeFolder } from '../../base/files/home';
import { holderOf, Lease } from '../../base/files/lease';
import { linkOrCopy, replaceFile } from '../../base/files/writeFile';
import { say } from '../../base/say';
import { digestsOf, matchesTag } from './digests';
import { type Check, download, type DownloadOptions } from './fetchFile';
import { addressOf, cacheFolder, type Hub } from './hub';
import { modelsFolder } from '../reference';
import { filesOf, type KnownEncoder, type KnownFile } from './known';

export interface FetchProgress {
  file: string;
  /** The file's number, from 1 to `files`. */
  number: number;
  files: number;
  received: number;
  total: number | undefined;
}

export interface FetchOptions extends Omit<DownloadOptions, 'onBytes'> {
  hub: Hub;
  home?: string;
  precision?: string;
  /** The cache folder of Hugging Face's own tools. */
  cache?: string;
  onProgress?: (progress: FetchProgress) => void;
}

export interface FetchedFile {
  path: string;
  size: number;
  sha256: string;
  /** Where the file came from. `installed`: the file already existed. */
  from: 'hub' | 'cache' | 'installed';
  check: Check;
}

/** The content of `fetched.json` in the model's folder. It records the source of each file. */
export interface Fetched {
  hub: string;
  revision: string;
  commit?: string;
  licence: string;
  files: FetchedFile[];
}

const recordName = 'fetched.json';
const commitForm = /^[0-9a-f]{40}$/;

/** Installs a known encoder under models/ in Captious's home folder. A failed download installs nothing. */
export async function fetchModel(
  model: KnownEncoder,
  options: FetchOptions,
): Promise<Fetched & { path: string }> {
  const { signal, precision = 'float32' } = options;
  throwIfCancelled(signal);
  const wanted = filesOf(model, precision);
  const models = modelsFolder(options.home ?? homeFolder());
  const staging = join(models, '.fetch', model.id);
  const target = join(models, model.id);
  await makeFolder(staging);
  const lease = await lock(`${staging}.lock`, model.id);
  try {
    const record = readRecord(target);
    // Without a cache folder, `cache` searches the staging folder and finds nothing.
    const cache = new Snapshots(options.cache ?? cacheFolder() ?? staging, model);
    let commit = commitForm.test(model.revision)
      ? model.revision
      : (record?.commit ?? cache.commitWithAll(wanted));
    const files: FetchedFile[] = [];
    // Downloads keep the ending .part until all files are complete, because a retry reuses only .part files.
    const parts: string[] = [];
    for (const [i, file] of wanted.entries()) {
      throwIfCancelled(signal);
      const here = await alreadyThere(target, file, record, signal);
      if (here !== undefined) {
        files.push(here);
        continue;
      }
      const place = join(staging, file.path);
      await makeFolder(dirname(place));
      const cached = await cache.take(file, commit, place, signal);
      if (cached !== undefined) {
        files.push(cached);
        continue;
      }
      const url = addressOf(options.hub, model.hub, commit ?? model.revision, file.path);
      const got = await download(options.hub, url, `${place}.part`, file, {
        ...options,
        onBytes: (received, total) =>
          options.onProgress?.({ file: file.path, number: i + 1, files: wanted.length, received, total }),
      });
      if (got.commit !== undefined && commit !== undefined && got.commit !== commit) throw moved(model, url);
      commit ??= got.commit;
      parts.push(place);
      const { sha256, size, check } = got;
      files.push({ path: file.path, size, sha256, from: 'hub', check });
    }
    for (const path of parts) {
      await rename(`${path}.part`, path);
      await rm(`${path}.part.tag`, { force: true });
    }
    const kept = (record?.files ?? []).filter((old) => !files.some((file) => file.path === old.path));
    const fetched: Fetched = {
      hub: model.hub,
      revision: model.revision,
      ...(commit === undefined ? {} : { commit }),
      licence: model.licence,
      files: [...kept, ...files],
    };
    await replaceFile(join(staging, recordName), `${JSON.stringify(fetched, null, 1)}\n`);
    await place(staging, target, files);
    return { ...fetched, files, path: target };
  } finally {
    await lease.release();
  }
}

/** Moves the files to the target. A new folder appears in one step; else the record is written last. */
async function place(staging: string, target: string, files: readonly FetchedFile[]): Promise<void> {
  if (!existsSync(target)) {
    await rename(staging, target);
    return;
  }
  for (const { path, from } of files) {
    if (from === 'installed') continue;
    await makeFolder(dirname(join(target, path)));
    await rename(join(staging, path), join(target, path));
  }
  await rename(join(staging, recordName), join(target, recordName));
  await rm(staging, { recursive: true, force: true });
}

/**
 * Returns the file if it is already installed, or undefined if it is missing. Throws if its content is different or
 * cannot be checked, because an existing file is never replaced.
 */
async function alreadyThere(
  target: string,
  file: KnownFile,
  record: Fetched | undefined,
  signal: AbortSignal | undefined,
): Promise<FetchedFile | undefined> {
  const path = join(target, file.path);
  if (!existsSync(path)) return undefined;
  const expected = file.sha256 ?? record?.files.find((old) => old.path === file.path)?.sha256;
  const { sha256, size } = await digestsOf(path, signal);
  if (sha256 === expected)
    return { path: file.path, size, sha256, from: 'installed', check: file.sha256 ? 'known hash' : 'length' };
  const problem =
    expected === undefined ? say('fetch.existingFileUncheckable') : say('fetch.existingFileDiffers');
  throw evaluatorError(problem, say('fetch.moveFileAway', target), path);
}

function moved(model: KnownEncoder, url: URL): CaptiousError {
  return new CaptiousError('interrupted', say('fetch.repositoryChanged', model.hub), {
    at: url.href,
    remedy: say('fetch.runAgain'),
  });
}

function readRecord(target: string): Fetched | undefined {
  try {
    return readJsonSync(join(target, recordName)) as Fetched;
  } catch {
    return undefined;
  }
}

/** The local cache of one repository, as Hugging Face's tools write it: snapshots/<commit>/… and refs/<branch>. */
class Snapshots {
  private readonly root: string;

  constructor(
    cache: string,
    private readonly model: KnownEncoder,
  ) {
    this.root = join(cache, `models--${model.hub.replaceAll('/', '--')}`);
  }

  /** Returns the branch's cached commit if the cache contains all `files` of this commit. */
  commitWithAll(files: readonly KnownFile[]): string | undefined {
    let commit: string;
    try {
      commit = readBoundedSync(join(this.root, 'refs', this.model.revision))
        .toString('utf8')
        .trim();
    } catch {
      return undefined;
    }
    const all = files.every(({ path }) => existsSync(this.pathOf(commit, path)));
    return commitForm.test(commit) && all ? commit : undefined;
  }

  /** Links or copies a file from the cache and verifies it. Returns undefined if no cached file is right. */
  async take(
    file: KnownFile,
    commit: string | undefined,
    to: string,
    signal: AbortSignal | undefined,
  ): Promise<FetchedFile | undefined> {
    for (const candidate of await this.candidates(file, commit)) {
      await rm(to, { force: true });
      const real = realpathSync(candidate);
      await linkOrCopy(real, to);
      const { sha256, gitBlob, size } = await digestsOf(to, signal);
      const known = file.sha256 === undefined ? undefined : sha256 === file.sha256;
      // The files of a snapshot are normally links. The name of a link's target is the hash of the content.
      const right = known ?? matchesTag(basename(real), sha256, gitBlob);
      if (right === true) {
        const check = known === undefined ? "hub's hash" : 'known hash';
        return { path: file.path, size, sha256, from: 'cache', check };
      }
      await rm(to, { force: true });
    }
    return undefined;
  }

  /** The file's paths in the cache. With a known hash, any commit will do; otherwise only `commit`. */
  private async candidates(file: KnownFile, commit: string | undefined): Promise<string[]> {
    const commits =
      file.sha256 === undefined
        ? commit === undefined
          ? []
          : [commit]
        : await readdir(join(this.root, 'snapshots')).catch(() => []);
    return commits.map((name) => this.pathOf(name, file.path)).filter((path) => existsSync(path));
  }

  private pathOf(commit: string, path: string): string {
    return join(this.root, 'snapshots', commit, path);
  }
}

/** Allows one download of a model at a time, across all hosts that share the folder. */
async function lock(path: string, id: string): Promise<Lease> {
  const lease = await Lease.take(path);
  if (lease !== undefined) return lease;
  const { pid, host } = (await holderOf(path)) ?? {};
  const holder =
    pid === undefined || host === undefined
      ? say('fetch.otherProcess')
      : say('fetch.processOnHost', pid, host);
  throw usageError(say('fetch.alreadyDownloading', id, holder), say('fetch.waitForOtherDownload'), path);
}
