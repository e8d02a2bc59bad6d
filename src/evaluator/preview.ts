import { CaptiousError } from '../base/errors';
import { Fingerprints } from '../base/fingerprints';
import { storeFolder } from '../base/home';
import { say } from '../base/say';
import { describeFolder } from './model/describe';
import { readEvaluatorFile, scoresOfFile } from './evaluatorFile';
import { findFile, findFolder } from './find';
import type { WantKind } from '../protocol/item';
import { runtimeOf } from './model/runtime';

/** Enough of an evaluator to choose it by: nothing is loaded, asked or sent to know this. */
export interface Sketch {
  name: string;
  kind: string;
  scores: readonly WantKind[];
  /** Bytes of its own files; absent where it is made of another, or lies elsewhere. */
  size?: number;
}

export function sketchEvaluator(ref: string, home: string): Promise<Sketch> {
  return sketchWithin(ref, home, new Fingerprints(storeFolder(home)), []);
}

/** `within`: the evaluator files that led here. */
async function sketchWithin(
  ref: string,
  home: string,
  fingerprints: Fingerprints,
  within: readonly string[],
): Promise<Sketch> {
  const path = findFile(ref, home);
  if (path === undefined) {
    const { folder, id } = findFolder(ref, home);
    const { info } = await describeFolder(folder, id, runtimeOf({}), fingerprints);
    return { name: info.name, kind: info.kind, scores: info.scores, size: folder.size() };
  }
  if (within.includes(path)) throw madeOfItself(path);
  const file = readEvaluatorFile(path);
  const scores = await scoresOfFile(
    file,
    async (inner) => (await sketchWithin(inner, home, fingerprints, [...within, path])).scores,
  );
  return { name: file.name, kind: file.kind, scores };
}

export function madeOfItself(path: string): CaptiousError {
  return new CaptiousError('evaluator', say`This evaluator file is made of itself.`, {
    at: path,
    remedy: say`Let it name an encoder.`,
  });
}
