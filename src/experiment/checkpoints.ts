/* The checkpoints of a training run that an evaluator entry with a pattern names, such as "./ckpt/step_*". */
import type * as z from 'zod/mini';
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { inputError } from '../base/errors';
import { entriesOf, isFolder } from '../base/files/isFile';
import { checkpointName, patternsIn } from '../base/files/namedInside';
import { say } from '../base/say';
import { inNaturalOrder } from '../dataset/parts/naturalOrder';
import { metricPrefix } from '../evaluator/clipscore';
import { referencedIn } from '../evaluator/overlap/names';
import { stepOf, stepPattern, usualSteps } from '../report/trend/step';
import { checkpointsKind, type checkpointsObject, type RunFields } from './shape';

export interface Checkpoint {
  path: string;
  /** The entry with the path of the checkpoint in place of the pattern. */
  ref: string;
  step: number;
  /** The entry, or the name of its object. */
  pattern: string;
}

/** The checkpoints of an entry of an experiment file. Undefined if it has no pattern. */
export function checkpointsIn(
  entry: RunFields['evaluators'][number],
  folder: string,
  refInFile: (name: string) => string,
): Checkpoint[] | undefined {
  if (typeof entry === 'string') return checkpointsOf(entry, folder);
  if (entry.kind !== checkpointsKind) return checkpointsOfObject(entry, folder, refInFile);
  const { pattern, step } = entry as z.infer<typeof checkpointsObject>;
  return checkpointsOf(pattern, folder, step) ?? [];
}

/** The most checkpoints of one entry: more are a mistake in the pattern. */
const most = 1000;

/**
 * The checkpoints of an entry in the order of their steps. Undefined if the entry has no pattern. The pattern is the
 * path of the evaluator or one of its parameters; `*` matches within one name. `named` is the pattern of the step.
 */
export function checkpointsOf(entry: string, folder: string, named?: string): Checkpoint[] | undefined {
  const [before, , after] = partsOf(entry);
  const isParameter = before.includes('?');
  const pattern = patternOf(entry);
  // A file may have this name.
  if (!pattern.includes('*') || (named === undefined && existsSync(resolve(folder, pattern))))
    return undefined;
  const steps = named === undefined ? usualSteps : stepPattern(named);
  const all = matchesOf(pattern, folder);
  // A folder of checkpoints may have logs of the same name.
  const evaluators = all.filter((path) => isFolder(resolve(folder, path)) || path.endsWith('.json'));
  const found = isParameter || evaluators.length === 0 ? all : evaluators;
  if (found.length === 0)
    throw inputError(say('experiment.patternWithoutMatch', entry), say('experiment.patternStartsAt', folder));
  if (found.length > most)
    throw inputError(
      say('experiment.patternTooWide', entry, found.length, most),
      say('experiment.narrowPattern'),
    );
  const parts = pattern.split(/[\\/]/);
  const checkpoints = found.map((path) => {
    // Of "ckpt2/step_*", the fixed name says nothing of the step.
    const own = path
      .split(/[\\/]/)
      .slice(-parts.length)
      .filter((_, i) => parts[i].includes('*'));
    const step = stepOf([...own.reverse(), ...(named === undefined ? [] : [path])], steps);
    if (step === undefined)
      throw inputError(
        say('experiment.checkpointWithoutStep', path),
        say('experiment.nameStepPattern', JSON.stringify(example(entry))),
      );
    return { path, step, ref: `${before}${isParameter ? encoded(path) : path}${after}` };
  });
  const sorted = checkpoints.sort((a, b) => a.step - b.step || inNaturalOrder(a.path, b.path));
  const twice = sorted.findIndex(({ step }, i) => i > 0 && step === sorted[i - 1].step);
  if (twice > 0)
    throw inputError(
      say('experiment.stepOfTwo', sorted[twice].step, sorted[twice - 1].path, sorted[twice].path),
      say('experiment.narrowPattern'),
    );
  return sorted.map((found) => ({ ...found, pattern: entry }));
}

function example(pattern: string): object {
  return { kind: 'checkpoints', pattern, step: 'run-(\\d+)' };
}

/**
 * The checkpoints of an evaluator object, one of whose paths is a pattern with one asterisk. The text that the asterisk
 * matches ends the names of the evaluators, and replaces the asterisk in the object's other paths. Undefined without a pattern.
 */
function checkpointsOfObject(
  entry: Readonly<Record<string, unknown>>,
  folder: string,
  refOf: (name: string) => string,
): Checkpoint[] | undefined {
  const [first, ...others] = patternsIn(entry);
  const checkpoints = first === undefined ? undefined : checkpointsOf(first, folder);
  if (checkpoints === undefined) return undefined;
  const wrong = [first, ...others].find((pattern) => pattern.split('*').length > 2);
  if (wrong !== undefined)
    throw inputError(say('experiment.asterisksInObject', wrong), say('experiment.oneAsterisk'));
  const [before, after] = fromFolder(patternOf(first)).split('*');
  const name = String(entry.name);
  return checkpoints.map(({ path, step }) => {
    const match = path.slice(before.length, path.length - after.length);
    return { path, step, ref: refOf(checkpointName(name, match)), pattern: name };
  });
}

/** Splits an entry into what is before the pattern, the pattern, and what is after it. */
function partsOf(entry: string): [before: string, pattern: string, after: string] {
  const question = entry.indexOf('?');
  const [whole, query] = question < 0 ? [entry, ''] : [entry.slice(0, question), entry.slice(question)];
  if (whole.includes('*')) {
    const inner = referencedIn(whole)?.inner ?? whole;
    const metric = whole.slice(0, whole.length - inner.length + metricPrefix(inner).length);
    // A drive of Windows has one letter before the colon.
    const adapter = /^[\w-]{2,}:/.exec(whole.slice(metric.length))?.[0] ?? '';
    const before = `${metric}${adapter}`;
    return [before, whole.slice(before.length), query];
  }
  const pairs = query.split('&');
  const own = pairs.findIndex((pair) => pair.includes('*'));
  if (own < 0) return [entry, '', ''];
  const value = pairs[own].slice(pairs[own].indexOf('=') + 1);
  const after = ['', ...pairs.slice(own + 1)].join('&');
  return [entry.slice(0, entry.length - after.length - value.length), value, after];
}

/** The path with the pattern in an entry. */
function patternOf(entry: string): string {
  const [before, written] = partsOf(entry);
  return before.includes('?') ? decoded(written) : written;
}

/** A path that begins with ./ or ../, as references to evaluators have it, or an absolute one. */
function fromFolder(pattern: string): string {
  return isAbsolute(pattern) || /^\.{1,2}[\\/]/.test(pattern) ? pattern : `./${pattern}`;
}

function matchesOf(pattern: string, folder: string): string[] {
  const parts = fromFolder(pattern).split(process.platform === 'win32' ? /[\\/]/ : '/');
  let found = [''];
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const joined = (path: string, name: string): string => (i === 0 ? name : `${path}/${name}`);
    found = part.includes('*')
      ? found.flatMap((path) =>
          entriesOf(join(resolve(folder, path === '' ? '/' : path)))
            .filter(({ name }) => nameMatches(part, name))
            .map(({ name }) => joined(path, name))
            .filter((one) => isLast || isFolder(resolve(folder, one))),
        )
      : found.map((path) => joined(path, part)).filter((one) => !isLast || existsSync(resolve(folder, one)));
  }
  return found;
}

export function nameMatches(part: string, name: string): boolean {
  if (name.startsWith('.') && !part.startsWith('.')) return false;
  // By position and not by an expression, which takes exponentially long for many asterisks of a foreign file.
  const pieces = part.split('*');
  const [start, end] = [pieces[0], pieces.at(-1)!];
  const limit = name.length - end.length;
  if (limit < start.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  return pieces.slice(1, -1).every((piece) => {
    const found = name.indexOf(piece, at);
    at = found + piece.length;
    return found >= 0 && at <= limit;
  });
}

function decoded(value: string): string {
  return new URLSearchParams(`v=${value}`).get('v')!;
}

function encoded(path: string): string {
  return encodeURIComponent(path).replaceAll('%2F', '/');
}
