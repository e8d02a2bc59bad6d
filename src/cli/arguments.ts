import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CaptiousError, messageOf, usageError } from '../base/errors';
import { isFile } from '../base/files/isFile';
import { chooseFrom, nearest } from '../base/text/nearest';
import { patternOf } from '../dataset/parts/paths';
import { splitPath } from '../dataset/parts/splits';

export interface CommandGroup {
  name: string;
  commands: Command[];
}

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

export interface CommandOption {
  /** The placeholder of the value in the help, such as DIR. Undefined for a switch, which has no value. */
  value?: string;
  multiple?: boolean;
  describe: string;
}

/** The description of a command. The parser, `--help` and docs/cli.md are derived from it. */
export interface Command {
  name: string;
  /** One line for the overview. */
  summary: string;
  usage: readonly string[];
  operands?: Readonly<Record<string, string>>;
  options: Readonly<Record<string, CommandOption>>;
  /** Paragraphs after the options. The strings of an inner list are printed as separate lines. */
  notes?: readonly (string | readonly string[])[];
  examples: readonly string[];
  run(call: Call): Promise<number>;
}

export interface Call {
  positionals: string[];
  values: Values;
  signal: AbortSignal;
}

export function parseCommand(command: Command, args: string[]): Pick<Call, 'positionals' | 'values'> {
  const options = { help: { type: 'boolean' as const, short: 'h' }, ...typesOf(command) };
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, strict: true, options });
    return { positionals, values };
  } catch (cause) {
    const help = `See: captious ${command.name} --help`;
    const unknown = isUnknownOption(cause) ? unknownOption(args, options) : undefined;
    if (unknown === undefined) throw new CaptiousError('usage', messageOf(cause), { remedy: help, cause });
    const meant = nearest(unknown.slice(2), Object.keys(command.options));
    throw new CaptiousError('usage', `There is no option ${unknown}.`, {
      remedy: meant === undefined ? help : `Did you mean --${meant}? ${help}`,
      cause,
    });
  }
}

const isUnknownOption = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';

/** The first long option that the command does not have. */
function unknownOption(args: string[], options: ReturnType<typeof typesOf>): string | undefined {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  const first = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name));
  return first?.kind === 'option' && first.rawName.startsWith('--') ? first.rawName : undefined;
}

/** One of the values that an option knows; undefined without the option. */
export function oneOf<T extends string>(
  option: string,
  given: string | undefined,
  known: readonly T[],
): T | undefined {
  if (given === undefined) return undefined;
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw usageError(`"${given}" is not a value of --${option}.`, chooseFrom(given, known));
}

function typesOf({ options }: Command): Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple = false }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple },
    ]),
  );
}

export function text(values: Values, key: string): string | undefined {
  const value = values[key];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option. The option may be repeated, and each value may be a comma-separated list. */
export function list(values: Values, key: string): string[] {
  const value = values[key];
  const given = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return given
    .flatMap((item) => String(item).split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Like `list`, but values may contain commas. */
export function repeated(values: Values, key: string): string[] {
  const value = values[key];
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

export function wholeNumber(values: Values, key: string, least = 0): number | undefined {
  const given = text(values, key);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(value) && value >= least) return value;
  throw new CaptiousError('usage', `--${key} ${given}: expected an integer of ${least} or more.`);
}

export function onePositional(call: Call, command: string, what: string): string {
  const [only, ...rest] = call.positionals;
  if (only !== undefined && rest.length === 0) return only;
  throw usageError(
    only === undefined
      ? `${what} is missing.`
      : `Expected only ${what[0].toLowerCase()}${what.slice(1)}, but got ${rest.length + 1} arguments.`,
    `See: captious ${command} --help`,
  );
}

/** The dataset of a command: a file, a folder, a pattern, or the files that the shell made of a pattern. */
export function datasetOf(call: Call, command: string): string {
  const { positionals } = call;
  if (positionals.length < 2 || !positionals.every(isFile)) return onePositional(call, command, 'A dataset');
  return patternOf(positionals);
}

/** Replaces the folders among the operands by the files of the split and configuration that the user named. */
export async function inSplit(
  { positionals, values: { split, config, ...values } }: Pick<Call, 'positionals' | 'values'>,
  signal: AbortSignal,
): Promise<Pick<Call, 'positionals' | 'values'>> {
  if (typeof split !== 'string' && typeof config !== 'string') return { positionals, values };
  const wanted = {
    ...(typeof split === 'string' ? { split } : {}),
    ...(typeof config === 'string' ? { config } : {}),
  };
  const paths: string[] = [];
  for (const path of positionals) paths.push(await splitPath(path, wanted, signal));
  return { positionals: paths, values };
}

/** The value of an option without which the command cannot run. */
export function needed(values: Values, key: string, remedy: string): string {
  const value = text(values, key);
  if (value === undefined) throw missing(`--${key}`, remedy);
  return value;
}

export function missing(option: string, remedy: string): CaptiousError {
  return usageError(`${option} is missing.`, remedy);
}

/** Turns "lgip.asInPaper=false" into { lgip: { asInPaper: "false" } }. */
export function parseSettings(given: readonly string[]): Record<string, Record<string, string>> {
  // This is a Map, because a key may be called __proto__.
  const out = new Map<string, Map<string, string>>();
  for (const setting of given) {
    const parts = /^([\w-]+)\.([\w-]+)=(.*)$/s.exec(setting);
    if (parts === null) {
      throw usageError(
        `--set ${setting}: expected probe.option=value.`,
        'Example: --set lgip.asInPaper=true.',
      );
    }
    const [, probe, key, value] = parts;
    out.set(probe, (out.get(probe) ?? new Map<string, string>()).set(key, value));
  }
  return Object.fromEntries([...out].map(([probe, options]) => [probe, Object.fromEntries(options)]));
}

/** Rejects an output file that is one of the command's input files. A file that does not exist yet is never one. */
export function requireOther(out: string, inputs: readonly string[]): void {
  const ofFile = (path: string): string | undefined => {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found && `${found.dev}:${found.ino}`;
  };
  const own = ofFile(out);
  if (own === undefined || !inputs.some((path) => ofFile(path) === own)) return;
  throw usageError('The output file is an input file of this command.', 'Choose another file.', out);
}

/** The rows of a report by its file name. */
export const rowsBeside = (report: string): string => report.replace(/report\.json$/, 'rows.jsonl');
