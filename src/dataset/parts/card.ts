/* Reads which files belong to which split from the dataset card (README.md) of the Hugging Face hub. */
import { isAbsolute, join, win32 } from 'node:path';
import { actionable, type CaptiousError, inputError } from '../../base/errors';
import { isFile } from '../../base/files/isFile';
import { readBounded } from '../../base/files/readFile';
import { say, type Words } from '../../base/say';
import { placed, readCommented } from '../../base/text/commented';
import { recordOf } from '../../base/files/namedInside';

/** One of the configurations of a card. */
export interface CardConfig {
  name: string;
  isDefault: boolean;
  /** The patterns of each split, relative to `folder`. Undefined if the names of the files tell. */
  splits?: ReadonlyMap<string, readonly string[]>;
  /** The folder of the configuration, relative to the card. */
  folder: string;
  /** The line of the card that lists the configuration. */
  at: string;
}

/** The front matter of a card may list thousands of classes. */
const mostBytes = 16 << 20;
const usualSplit = 'train';

type Path = readonly (string | number)[];
type Wrong = (what: Words, path: Path, remedy: Words) => CaptiousError;

/** The configurations that the card of a folder lists. Empty if there is no card, or if it lists none. */
export async function cardConfigs(folder: string): Promise<readonly CardConfig[]> {
  const card = join(folder, 'README.md');
  if (!isFile(card)) return [];
  const bytes = await readBounded(card, mostBytes).catch((error: unknown) => {
    throw actionable(error, card);
  });
  const matter = /^\ufeff?---[ \t]*\r?\n([^]*?\n)?---[ \t]*(?:\r?\n|$)/.exec(bytes.toString('utf8'))?.[1];
  if (matter === undefined) return [];
  // The empty line stands for the first line of dashes, so that lines are those of the card.
  const { value, placeOf } = readCommented(`\n${matter}`, card, true);
  const at = (path: Path): string => placed(card, placeOf(path));
  const wrong: Wrong = (what, path, remedy) => inputError(what, remedy, at(path));
  const configs = (value as { configs?: unknown } | null)?.configs;
  if (configs === undefined || configs === null) return [];
  if (!Array.isArray(configs))
    throw wrong(say('dataset.cardConfigs'), ['configs'], say('dataset.correctCard'));
  return configs.map((given: unknown, i) => configOf(given, ['configs', i], wrong, at(['configs', i])));
}

function configOf(given: unknown, path: Path, wrong: Wrong, at: string): CardConfig {
  const { config_name: name, data_files: files, data_dir: folder, default: isDefault } = recordOf(given);
  if (typeof name !== 'string' || name === '')
    throw wrong(say('dataset.cardConfigs'), path, say('dataset.correctCard'));
  if (folder !== undefined) requirePath(folder, [...path, 'data_dir'], wrong);
  return {
    name,
    isDefault: isDefault === true || name === 'default',
    folder: typeof folder === 'string' ? folder : '',
    at,
    ...(files === undefined || files === null
      ? {}
      : { splits: splitsIn(files, [...path, 'data_files'], wrong) }),
  };
}

function splitsIn(files: unknown, path: Path, wrong: Wrong): ReadonlyMap<string, readonly string[]> {
  const isBySplit = Array.isArray(files) && files.some((item) => typeof item !== 'string');
  if (!isBySplit) return new Map([[usualSplit, pathsIn(files, path, wrong)]]);
  const splits = new Map<string, readonly string[]>();
  for (const [i, item] of files.entries()) {
    const { split, path: named } = recordOf(item);
    const own = [...path, i];
    if (typeof split !== 'string' || split === '')
      throw wrong(say('dataset.cardDataFiles'), own, say('dataset.correctCard'));
    if (splits.has(split)) throw wrong(say('dataset.cardSplitTwice', split), own, say('dataset.correctCard'));
    splits.set(split, pathsIn(named, [...own, 'path'], wrong));
  }
  return splits;
}

function pathsIn(value: unknown, path: Path, wrong: Wrong): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (paths.length === 0) throw wrong(say('dataset.cardDataFiles'), path, say('dataset.correctCard'));
  return paths.map((one, i) => requirePath(one, Array.isArray(value) ? [...path, i] : path, wrong));
}

/** Rejects what is no path below the folder of the card. */
function requirePath(value: unknown, path: Path, wrong: Wrong): string {
  if (typeof value !== 'string' || value === '')
    throw wrong(say('dataset.cardDataFiles'), path, say('dataset.correctCard'));
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value))
    throw wrong(say('dataset.cardUrl', value), path, say('dataset.downloadDataFiles'));
  const leadsOut = isAbsolute(value) || win32.isAbsolute(value) || value.split(/[/\\]/).includes('..');
  if (leadsOut) throw wrong(say('dataset.cardOutside', value), path, say('dataset.useOwnFiles'));
  if (/[{}\\\0]/.test(value))
    throw wrong(say('dataset.nameLikePattern'), path, say('dataset.nameFilesByGlob'));
  return value.replace(/^(?:\.\/+)+/, '').replace(/\/{2,}/g, '/');
}
