/* Checks an experiment file. Every mistake has its line and column, and a remedy. */
import type * as z from 'zod/mini';
import { createHash } from 'node:crypto';
import { safeParse } from 'zod/mini';
import { type CaptiousError, inputError } from '../base/errors';
import { readBounded } from '../base/files/readFile';
import { say, type Words } from '../base/say';
import { expectedBy } from '../base/schema';
import { type Commented, placed, readCommented } from '../base/text/commented';
import { chooseFrom, nearest } from '../base/text/nearest';
import { type Experiment, experimentSchema, keysAt } from './shape';

type Issue = z.core.$ZodIssue;
type Path = (string | number)[];

/** The largest experiment file, in bytes. */
const most = 1 << 20;

export const smallest =
  '{ "datasets": ["data/captions.json"], "probes": ["lgip"], "evaluators": ["starter"], "out": "reports" }';

export interface ExperimentFile {
  path: string;
  /** A hash of the file's bytes, which reports contain. */
  sha256: string;
  experiment: Experiment;
  text: Commented;
  /** Makes an error about a value of the file. */
  wrong: (path: readonly (string | number)[], what: Words, remedy?: Words) => CaptiousError;
}

export async function readExperiment(path: string): Promise<ExperimentFile> {
  const bytes = await readBounded(path, most);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...checkExperiment(bytes.toString('utf8'), path), sha256 };
}

/** Checks the text of an experiment file. `path` names the file in errors. */
export function checkExperiment(content: string, path: string): Omit<ExperimentFile, 'sha256'> {
  const text = readCommented(content, path);
  const result = safeParse(experimentSchema, text.value, { error: () => 'Invalid input' });
  if (!result.success) throw firstError(result.error.issues, text, path);
  const wrong: ExperimentFile['wrong'] = (at, what, remedy) =>
    inputError(what, remedy, placed(path, text.placeOf(at)));
  return { path, experiment: result.data, text, wrong };
}

function firstError(issues: readonly Issue[], text: Commented, path: string): CaptiousError {
  const all = issues.flatMap((issue) => leaves(issue, []));
  // A misspelt key is also a missing one, and its own place says more.
  const [first] = [...all].sort((a, b) => rank(a.issue) - rank(b.issue));
  const { issue, at } = first;
  const error = (what: Words, place = text.placeOf(at), remedy?: Words): CaptiousError =>
    inputError(what, remedy, placed(path, place));
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys;
    const known = keysAt(at, entryAt(text.value, at));
    return error(
      at.length === 0 ? say('experiment.unknownKey', key) : say('experiment.unknownKeyOf', key, nameOf(at)),
      text.keyPlaceOf([...at, key]),
      chooseFrom(key, known),
    );
  }
  if (issue.code === 'invalid_key') {
    const [what] = issue.issues;
    return error(say('experiment.wrongName', String(at.at(-1)), expectedBy(what)), text.keyPlaceOf(at));
  }
  const given = valueAt(text.value, at);
  const example = say('experiment.example', smallest);
  if (given === undefined && at.length > 0)
    return error(
      say('experiment.missing', nameOf(at)),
      text.placeOf(at.slice(0, -1)),
      at.length === 1 ? example : say('experiment.addKey'),
    );
  if (at.length === 0) return error(say('experiment.expectedOneObject'), undefined, example);
  return error(
    say('experiment.wrongValue', nameOf(at), shown(given), expected(issue)),
    undefined,
    remedyOf(issue, at, given),
  );
}

function remedyOf(issue: Issue, at: Path, given: unknown): Words | undefined {
  if (issue.code === 'invalid_type' && issue.expected === 'object') {
    const keys = keysAt(at, undefined);
    return keys.length === 0 ? undefined : say('experiment.itsKeys', keys.join(', '));
  }
  if (typeof given === 'object') return undefined;
  const best = nearest(String(given), 'values' in issue ? issue.values.map(String) : optionsOf(issue));
  return best === undefined ? undefined : say('experiment.didYouMean', best);
}

/** The known values of a key that decides between alternatives. */
function optionsOf(issue: Issue): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function rank(issue: Issue): number {
  return issue.code === 'unrecognized_keys' ? 0 : 1;
}

function expected(issue: Issue): Words {
  const options = optionsOf(issue);
  return options.length > 0 ? say('probe.choiceExpected', options.join(', ')) : expectedBy(issue);
}

/** The issues inside a union, of the alternative that has the type of the value. */
function leaves(issue: Issue, before: Path): { issue: Issue; at: Path }[] {
  const at = [...before, ...(issue.path as Path)];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ issue, at }];
  const without = (wrong: Issue['code'], among: Issue[][]) =>
    among.filter((issues) => !issues.some(({ code, path }) => code === wrong && path.length === 0));
  const ofType = without('invalid_type', issue.errors);
  const fitting = ofType.length > 1 ? without('invalid_value', ofType) : ofType;
  return fitting.length === 1 ? fitting[0].flatMap((inner) => leaves(inner, at)) : [{ issue, at }];
}

/** Such as "datasets[0].path". */
function nameOf(at: Path): string {
  return at.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`),
    '',
  );
}

function valueAt(value: unknown, at: Path): unknown {
  return at.reduce<unknown>((own, key) => (own as Record<string, unknown> | undefined)?.[key], value);
}

/** The entry of a list that contains the path. */
function entryAt(value: unknown, at: Path): unknown {
  return valueAt(value, at.slice(0, at.findIndex((key) => typeof key === 'number') + 1));
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
