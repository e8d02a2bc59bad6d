/* Finds the splits of a folder as the Hugging Face hub and its library `datasets` lay them out. */
import { dirname, join } from 'node:path';
import { CaptiousError, inputError, usageError, wordsOf } from '../../base/errors';
import { isFile, isFolder } from '../../base/files/isFile';
import { readJson } from '../../base/files/readJson';
import { say } from '../../base/say';
import { withoutEnd } from '../../base/text/ends';
import { chooseFrom } from '../../base/text/nearest';
import { type CardConfig, cardConfigs } from './card';
import { inNaturalOrder } from './naturalOrder';
import { defaultSplits } from './splitNames';
import { magic, relativeTo, Walk } from './walk';

/** What the user named: a split or `all`, and a configuration of the dataset card. */
export interface Wanted {
  split?: string;
  config?: string;
}

/** The patterns of each split, relative to the folder. */
type Splits = ReadonlyMap<string, readonly string[]>;

const every = 'all';
const usualSplit = 'train';
const usualConfig = 'default';

/** The names of a folder's splits. Empty if its files tell of none. */
export async function splitNames(folder: string): Promise<readonly string[]> {
  return [...(await splitsOf(folder, new Walk(folder, undefined), undefined)).keys()];
}

/** The path that names the files of a split of a folder. */
export async function splitPath(folder: string, wanted: Wanted, signal?: AbortSignal): Promise<string> {
  if (!isFolder(folder)) throw usageError(say('dataset.splitOfFile'), say('dataset.nameFolder'), folder);
  const walk = new Walk(folder, signal);
  const splits = await splitsOf(folder, walk, wanted.config);
  const { split } = wanted;
  if (split === undefined) return splits.size === 0 ? folder : pathOf(folder, theOnly(folder, splits));
  const own = splits.get(split);
  if (own !== undefined) return pathOf(folder, own);
  if (split === every)
    return splits.size === 0 ? join(folder, '**') : pathOf(folder, [...splits.values()].flat());
  if (splits.size === 0 && split === usualSplit) return join(folder, '**');
  const remedy = splits.size === 0 ? say('dataset.omitSplit') : chooseFrom(split, [...splits.keys(), every]);
  throw usageError(say('dataset.unknownSplit', split), remedy, folder);
}

/**
 * The path of the only split of a folder, or the folder itself if the names of its files tell of no splits. Throws if
 * there are several splits. `walk` then has the files of the folder.
 */
export async function onlySplit(folder: string, walk: Walk): Promise<string> {
  const splits = await splitsOf(folder, walk, undefined);
  return splits.size === 0 ? folder : pathOf(folder, theOnly(folder, splits));
}

function theOnly(folder: string, splits: Splits): readonly string[] {
  const [first, ...others] = splits;
  if (others.length === 0) return first[1];
  const names = [...splits.keys()];
  throw inputError(
    say('dataset.severalSplits', names.join(', ')),
    say('dataset.nameSplit', names[0]),
    folder,
  );
}

/** Splits by the dataset card, by `dataset_dict.json`, or by names. One split by names alone is no split. */
async function splitsOf(folder: string, walk: Walk, config: string | undefined): Promise<Splits> {
  const configs = await cardConfigs(folder);
  const chosen = chooseConfig(folder, configs, config);
  if (chosen !== undefined) return splitsOfConfig(folder, chosen, walk);
  const dict = join(folder, 'dataset_dict.json');
  if (isFile(dict)) return splitsOfDict(folder, dict);
  await walk.tree(folder);
  return byNames(folder, walk);
}

function chooseConfig(
  folder: string,
  configs: readonly CardConfig[],
  wanted: string | undefined,
): CardConfig | undefined {
  const names = configs.map(({ name }) => name);
  const card = join(folder, 'README.md');
  if (wanted !== undefined) {
    const own = configs.find(({ name }) => name === wanted);
    if (own !== undefined || (configs.length === 0 && wanted === usualConfig)) return own;
    throw usageError(
      say('dataset.unknownConfig', wanted),
      chooseFrom(wanted, names) ?? say('dataset.omitConfig'),
      configs.length === 0 ? folder : card,
    );
  }
  const own = configs.find(({ isDefault }) => isDefault) ?? (configs.length === 1 ? configs[0] : undefined);
  if (own !== undefined || configs.length === 0) return own;
  throw inputError(
    say('dataset.severalConfigs', names.join(', ')),
    say('dataset.nameConfig', names[0]),
    card,
  );
}

async function splitsOfConfig(folder: string, config: CardConfig, walk: Walk): Promise<Splits> {
  const base = config.folder === '' ? '' : `${withoutEnd(config.folder, /\//)}/`;
  if (config.splits === undefined) {
    const inner = join(folder, base);
    if (!isFolder(inner)) throw withoutMatch(config, base);
    await walk.tree(inner);
    const found = await byNames(inner, walk);
    const below = (patterns: readonly string[]): string[] => patterns.map((pattern) => base + pattern);
    if (found.size > 0) return new Map([...found].map(([name, patterns]) => [name, below(patterns)]));
    return base === '' ? found : new Map([[usualSplit, [`${base}**`]]]);
  }
  const splits = new Map<string, readonly string[]>();
  for (const [name, patterns] of config.splits) {
    const own = patterns.map((pattern) => base + pattern);
    splits.set(name, await withFiles(folder, own, config));
  }
  return splits;
}

/** Rejects a pattern without a file, because its split would silently be smaller. */
async function withFiles(
  folder: string,
  patterns: readonly string[],
  config: CardConfig,
): Promise<readonly string[]> {
  const named: string[] = [];
  for (const pattern of patterns) {
    const path = join(folder, pattern);
    if (magic.test(pattern)) {
      const walk = new Walk(folder, undefined);
      if (isFolder(folderBefore(folder, pattern))) await walk.pattern(folder, pattern.split('/'));
      if (walk.files.size + walk.namedTexts.size + walk.texts.size === 0) throw withoutMatch(config, pattern);
      named.push(pattern);
    } else if (isFolder(path)) named.push(`${withoutEnd(pattern, /\//)}/**`);
    else if (isFile(path)) named.push(pattern);
    else throw withoutMatch(config, pattern);
  }
  return named;
}

/** The folder in front of the first pattern. */
function folderBefore(folder: string, pattern: string): string {
  const names = pattern.split('/');
  return join(
    folder,
    ...names.slice(
      0,
      Math.max(
        names.findIndex((name) => magic.test(name)),
        0,
      ),
    ),
  );
}

function withoutMatch({ name, at }: CardConfig, pattern: string): CaptiousError {
  return inputError(say('dataset.cardWithoutMatch', pattern, name), say('dataset.downloadDataFiles'), at);
}

async function splitsOfDict(folder: string, dict: string): Promise<Splits> {
  const value = await jsonOf(dict);
  const names = (value as { splits?: unknown } | null)?.splits;
  const isNames = (given: unknown): given is string[] =>
    Array.isArray(given) && given.every((name) => typeof name === 'string' && /^\w[\w.-]*$/.test(name));
  if (!isNames(names) || names.length === 0)
    throw inputError(say('dataset.dictWithoutSplits'), say('dataset.saveDictAgain'), dict);
  const missing = names.find((name) => !isFolder(join(folder, name)));
  if (missing !== undefined)
    throw inputError(say('dataset.splitFolderMissing', missing), say('dataset.saveDictAgain'), dict);
  return new Map(names.map((name) => [name, [`${name}/**`]]));
}

async function byNames(folder: string, walk: Walk): Promise<Splits> {
  const files = [...walk.files].map((file) => relativeTo(folder, file)).sort(inNaturalOrder);
  const withTexts = new Set<string>();
  for (const inner of new Set([...walk.texts].map((text) => dirname(text))))
    if ((await walk.imagesIn(inner)).length > 0) withTexts.add(relativeTo(folder, inner));
  const splits = defaultSplits(files, [...withTexts].sort(inNaturalOrder), await infoSplits(folder));
  return splits.size > 1 ? splits : new Map();
}

/** The splits that `dataset_info.json` lists, whose names may be any. */
async function infoSplits(folder: string): Promise<readonly string[]> {
  const info = join(folder, 'dataset_info.json');
  if (!isFile(info)) return [];
  const splits = ((await jsonOf(info)) as { splits?: unknown } | null)?.splits;
  return typeof splits === 'object' && splits !== null ? Object.keys(splits) : [];
}

async function jsonOf(path: string): Promise<unknown> {
  try {
    return await readJson(path);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CaptiousError('input', say('base.invalidCommentedJson', wordsOf(error)), {
      at: path,
      cause: error,
    });
  }
}

/** The path of all these patterns. */
function pathOf(folder: string, patterns: readonly string[]): string {
  const [first, ...others] = new Set(patterns);
  if (others.length === 0) return join(folder, first);
  const odd = patterns.find((pattern) => /[{},\\]/.test(pattern.replace(/\{\d{5}\.\.\d{5}\}/, '')));
  if (odd === undefined) return join(folder, `{${[first, ...others].join(',')}}`);
  throw usageError(say('dataset.nameLikePattern'), say('dataset.nameFilesByGlob'), join(folder, odd));
}
