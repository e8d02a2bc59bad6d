/* Which evaluators an assistant may use. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CaptiousError, usageError } from '../base/errors';
import { english } from '../base/english';
import { metricPrefix } from '../evaluator/clipscore';
import { listEvaluators } from '../evaluator/installed';
import { referencedIn } from '../evaluator/overlap/names';
import { overlapMetrics } from '../evaluator/overlap/overlap';
import { fileInFolder, knownIds, parseReference } from '../evaluator/reference';
import type { Folders } from '../assistant/folders';

/** A model folder has a few dozen files. A folder with more is not searched for links. */
const mostFiles = 10_000;

/**
 * Accepts evaluators that run no code of the user and contact no server: the starter, installed models, model folders
 * inside the open folders, and metrics of these. The user allows others one by one.
 */
export class Evaluators {
  private readonly allowed: ReadonlyMap<string, string>;

  constructor(
    private readonly folders: Folders,
    private readonly home: string,
    allowed: readonly string[],
  ) {
    this.allowed = new Map(allowed.map((ref) => [ref, parseReference(ref, { home }).absolute]));
  }

  async list(): Promise<object[]> {
    const found = await listEvaluators({ home: this.home, also: [...this.allowed.keys()] });
    const described = found.map((one) => {
      if ('problem' in one) return { id: one.id, problem: english(one.problem) };
      const { id, name, kind, scores, remote, python } = one;
      const state =
        this.allowed.has(id) || !(remote || python === true) ? 'ready' : 'needs --allow-evaluator';
      return { id, name, kind, scores, state };
    });
    const references = overlapMetrics.map((id) => ({
      id,
      kind: 'metric of reference captions',
      state: 'ready',
    }));
    return [...described, ...references];
  }

  async references(given: readonly string[]): Promise<string[]> {
    if (given.length === 0)
      throw usageError(
        'The list of evaluators is empty.',
        'Name an id from the tool "evaluators", or leave the list out.',
      );
    const references: string[] = [];
    for (const one of given) references.push(await this.reference(one));
    return references;
  }

  /** The reference to open. Throws if the evaluator needs the user's permission. */
  private async reference(given: string): Promise<string> {
    const plain = plainOf(given);
    const metrics = given.slice(0, given.length - plain.length);
    const allowed = this.allowed.get(given) ?? this.allowed.get(plain);
    if (allowed !== undefined) return this.allowed.has(given) ? allowed : metrics + allowed;
    if (overlapMetrics.some((metric) => metric === given)) return given;
    if (knownIds(this.home).includes(plain)) {
      const [found] = await listEvaluators({ home: this.home, only: [given] });
      if ('problem' in found) throw new CaptiousError('evaluator', found.problem);
      if (found.remote || found.python === true) throw needsNaming(given);
      return given;
    }
    // One letter before a colon is a drive of Windows.
    if (/^[a-z][\w.+-]+:/i.test(plain) || plain.endsWith('.json')) throw needsNaming(given);
    const folder = await this.folders.existing(plain, 'folder').catch((error: unknown) => {
      if (!(error instanceof CaptiousError)) throw error;
      throw usageError(
        error.what,
        'The tool "evaluators" lists the ids. A model folder inside the open folders works, too.',
        given,
      );
    });
    await this.needPlainFolder(folder, given);
    return metrics + folder;
  }

  /** Throws if a folder has an evaluator file, or a link that leads out of the open folders. */
  private async needPlainFolder(folder: string, given: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    if (entries.length > mostFiles || entries.some(({ name }) => name === fileInFolder))
      throw needsNaming(given);
    for (const entry of entries.filter((one) => one.isSymbolicLink()))
      await this.folders.existing(join(entry.parentPath, entry.name), 'file');
  }
}

/** The reference without the metrics before it. */
function plainOf(ref: string): string {
  const inner = referencedIn(ref)?.inner ?? ref;
  return inner.slice(metricPrefix(inner).length);
}

function needsNaming(given: string): CaptiousError {
  return usageError(
    'This evaluator may run code or contact a server, so an assistant can use it only if the user allows it.',
    'The user can start the server again with --allow-evaluator followed by this reference.',
    given,
  );
}
