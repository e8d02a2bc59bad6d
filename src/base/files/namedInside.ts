/* Evaluators inside an experiment file, whose paths are "captious.json#NAME". */
import { existsSync } from 'node:fs';
import { evaluatorError } from '../errors';
import { readBoundedSync } from './readFile';
import { say } from '../say';
import { readCommented } from '../text/commented';

interface Inside {
  path: string;
  file: string;
  name: string;
}

/** Undefined for the path of a file or a folder. */
export function namedInside(path: string): Inside | undefined {
  const [, file, name] = /^(.+\.(?:json|ya?ml))#([^/\\#]+)$/is.exec(path) ?? [];
  return file === undefined || existsSync(path) || !existsSync(file) ? undefined : { path, file, name };
}

/** The object that defines an evaluator inside a file. Undefined for the path of a file. */
export function readInside(path: string): unknown {
  const inside = namedInside(path);
  if (inside === undefined) return undefined;
  const { file, name } = inside;
  const { value } = readCommented(readBoundedSync(file).toString('utf8'), file);
  const runs = [value, ...Object.values(recordOf(recordOf(value).runs))];
  const entries = runs.flatMap((run) => recordOf(run).evaluators).map(recordOf);
  const found = entries.find((entry) => entry.name === name) ?? checkpointIn(entries, name);
  if (found !== undefined) return found;
  throw evaluatorError(say('base.noEvaluatorOfName', name), say('base.addEvaluatorOfName'));
}

/** The keys of evaluator objects whose texts are paths. In others, such as a rubric, an asterisk is a sign like any other. */
const pathKeys = ['encoder', 'scorer', 'folder', 'features', 'file', 'text', 'image'];

/** The texts of an evaluator object that are patterns, also among the arguments of one in Python. */
export function patternsIn(entry: Readonly<Record<string, unknown>>): string[] {
  const own = pathKeys.map((key) => entry[key]);
  return [...own, ...Object.values(recordOf(entry.args))].filter(
    (value): value is string => typeof value === 'string' && value.includes('*'),
  );
}

/** The name of one checkpoint of an object with a pattern. */
export function checkpointName(name: string, match: string): string {
  return `${name}-${match}`;
}

/** The object with a pattern whose name begins the name of this checkpoint, with the match for the asterisk. */
function checkpointIn(
  entries: readonly Readonly<Record<string, unknown>>[],
  name: string,
): Record<string, unknown> | undefined {
  for (const entry of entries) {
    const start = checkpointName(String(entry.name), '');
    const match = name.slice(start.length);
    if (!name.startsWith(start) || match.startsWith('.')) continue;
    const patterns = patternsIn(entry);
    if (patterns.length === 0) continue;
    const filled = (values: Readonly<Record<string, unknown>>): Record<string, unknown> => {
      const all = Object.entries(values).map(([key, value]): [string, unknown] => {
        const pattern = patterns.find((one) => one === value);
        return [key, pattern === undefined ? value : filledIn(pattern, match)];
      });
      return Object.fromEntries(all);
    };
    const { args } = entry;
    return { ...filled(entry), ...(args === undefined ? {} : { args: filled(recordOf(args)) }), name };
  }
  return undefined;
}

/** In a parameter of a reference, the match is encoded. */
function filledIn(pattern: string, match: string): string {
  const question = pattern.indexOf('?');
  const isParameter = question >= 0 && question < pattern.indexOf('*');
  return pattern.replace('*', () => (isParameter ? encodeURIComponent(match) : match));
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
