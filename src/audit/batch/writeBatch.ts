import { readdir, rm } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { usageError } from '../../base/errors';
import { largest } from '../../base/extent';
import { fileName } from '../../base/files/fileName';
import { homeFolder } from '../../base/files/home';
import { temporaryFolder } from '../../base/files/temporary';
import { say } from '../../base/say';
import type { BatchedJudge, BatchRequest, RequestSink } from '../../evaluator/judge/batch/batchModel';
import { OutputFile, whileNaming, writeWhole } from '../../report/output';
import { prepareFolder } from '../output/folder';
import type { AuditRequest } from '../request';
import { runAudit } from '../run';
import { type BatchManifest, batchSchema } from './readBatch';

export interface BatchLimits {
  /** The largest number of requests and bytes in a file. */
  requests: number;
  bytes: number;
}

/** OpenAI's limits for one file. */
export const usualLimits: BatchLimits = { requests: 50_000, bytes: 200_000_000 };

/** Writes each request once, into numbered files. */
class RequestFiles implements RequestSink {
  judge: BatchedJudge | undefined;
  readonly ids = new Set<string>();
  private readonly files: OutputFile[] = [];
  private room = { requests: 0, bytes: 0 };
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly limits: BatchLimits,
  ) {}

  begin(judge: BatchedJudge): void {
    if (this.judge !== undefined && this.judge.sha256 !== judge.sha256)
      throw usageError(say('audit.severalJudges'), say('audit.writeJudgesSeparately'));
    this.judge = judge;
  }

  write(request: BatchRequest): Promise<void> {
    if (this.ids.has(request.custom_id)) return this.last;
    this.ids.add(request.custom_id);
    this.last = this.last.then(() => this.line(JSON.stringify(request)));
    return this.last;
  }

  /** Completes the files, which keep their temporary names. */
  async seal(): Promise<void> {
    await this.last;
    await this.files.at(-1)?.seal();
  }

  /** Gives the files their final names, which begin with `base`. Returns their paths. */
  async finish(base: string): Promise<string[]> {
    const paths = this.files.map((_, i) => `${base}.requests-${i + 1}.jsonl`);
    for (const [i, file] of this.files.entries()) await file.finish(paths[i]);
    return paths;
  }

  async discard(): Promise<void> {
    await this.last.catch(() => undefined);
    await Promise.all(this.files.map((file) => file.discard()));
  }

  private async line(json: string): Promise<void> {
    const bytes = Buffer.byteLength(json) + 1;
    let file = this.files.at(-1);
    if (file === undefined || this.room.requests < 1 || this.room.bytes < bytes) {
      await file?.seal();
      file = await OutputFile.create(join(this.folder, 'requests.jsonl'));
      this.files.push(file);
      this.room = { ...this.limits };
    }
    this.room.requests--;
    this.room.bytes -= bytes;
    await file.json(json);
  }
}

/** The manifest and its path. Both are absent if every request already has an answer. */
export interface BatchWritten {
  path?: string;
  manifest?: BatchManifest;
}

/** Writes an audit's requests to a judge, except those answered already. Without requests, writes no file. */
export async function writeBatch(
  request: Omit<AuditRequest, 'evaluators' | 'out' | 'consent'> & { evaluator: string; out: string },
  limits: BatchLimits = usualLimits,
): Promise<BatchWritten> {
  const { evaluator, out, ...audit } = request;
  const home = request.home ?? homeFolder();
  await prepareFolder(out);
  const files = new RequestFiles(out, limits);
  const scratch = await temporaryFolder('batch');
  try {
    // This audit collects requests without answers, so its reports are incomplete and are deleted.
    await runAudit({ ...audit, home, evaluators: [evaluator], out: scratch, requests: files });
    await files.seal();
  } catch (error) {
    await files.discard();
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const { judge, ids } = files;
  if (judge === undefined)
    throw usageError(say('audit.sendsNoRequests', evaluator), say('audit.chooseChatEvaluator'));
  if (ids.size === 0) return {};
  return whileNaming(out, async () => {
    const base = await nextBatch(out, [evaluator, request.dataset].map(stemOf).join('.'));
    const paths = await files.finish(base);
    const manifest: BatchManifest = {
      schema: batchSchema,
      judge,
      dataset: resolve(request.dataset),
      probes: [...request.probes],
      requestCount: ids.size,
      files: paths.map((path) => basename(path)),
    };
    const path = `${base}.json`;
    await writeWhole(path, `${JSON.stringify(manifest, null, 1)}\n`);
    return { path, manifest };
  });
}

function stemOf(path: string): string {
  return fileName(basename(path, extname(path)).replace(/\.evaluator$/, ''));
}

/** The next batch's path without its extension. Files of earlier batches stay, because their results need them. */
async function nextBatch(folder: string, name: string): Promise<string> {
  const start = `${name}.batch-`;
  const numbers = (await readdir(folder))
    .filter((file) => file.startsWith(start))
    .map((file) => Number.parseInt(file.slice(start.length), 10) || 0);
  return join(folder, `${start}${largest([0, ...numbers]) + 1}`);
}
