import type { Example } from '../../dataset/example';
import { CaptiousError, usageError } from '../../base/errors';
import { listed } from '../../base/lists';
import { say } from '../../base/say';
import { pairsOption } from '../pairScores';
import type { OptionSpec, OptionValue } from '../probe';
import type { AttributeFile } from './attributeFile';
import { attributeSynonyms } from './synonyms';
import { type SetName, setNames } from './wordings';

export interface PrsmOptions {
  sets: readonly SetName[];
  /** Sizes of the top lists. */
  sizes: readonly number[];
  groups: readonly string[];
  /** Whether each distinct caption counts as often as the dataset has it, or once. */
  weight: 'occurrences' | 'captions';
  attributes: readonly string[];
  synonyms: ReadonlyMap<string, string>;
  /** The user's synonyms, in any language. */
  ownSynonyms: ReadonlyMap<string, string>;
  /** Attributes that count before any word, not only before a word for a person. */
  anywhere: ReadonlySet<string>;
}

export const optionSpecs: readonly OptionSpec[] = [
  {
    key: 'sets',
    title: say('prsm.setsOption'),
    describe:
      'Sets of wordings, separated by commas: P1 (paraphrases), P2 (prefixes), P3 (synonyms of attributes).',
    default: 'P1,P2,P3',
  },
  {
    key: 'k',
    title: say('prsm.topSizesOption'),
    describe: 'Sizes k of the top-k lists to compare, separated by commas.',
    default: '100,1000',
  },
  {
    key: 'groups',
    title: say('prsm.sliceColumnsOption'),
    describe: 'Columns whose values become slices, separated by commas.',
    default: '',
  },
  {
    key: 'weight',
    title: say('prsm.captionWeightOption'),
    describe:
      'How often each distinct caption counts: as often as the dataset has it, as in the paper (occurrences), or once (captions).',
    default: 'occurrences',
    choices: ['occurrences', 'captions'],
  },
  {
    key: 'attributes',
    title: say('prsm.attributeColumnsOption'),
    describe:
      'Columns that list the attributes in a caption. If empty, Captious searches the caption for attributes.',
    default: '',
  },
  {
    key: 'synonyms',
    title: say('prsm.synonymsOption'),
    describe: 'Additional synonyms of attributes, for example old=aged;red=scarlet.',
    default: '',
  },
  {
    key: 'attributeFile',
    title: say('prsm.attributeFileOption'),
    describe: 'A JSON file with attributes and their synonyms. docs/probes/prsm.md describes the format.',
    default: '',
  },
  pairsOption,
];

/** `file` is the contents of the file that the option `attributeFile` names; undefined if the option is empty. */
export function readOptions(
  options: Readonly<Record<string, OptionValue>>,
  file: AttributeFile | undefined,
): PrsmOptions {
  const sets = listed(options.sets).map((name) => {
    const set = setNames.find((known) => known.toLowerCase() === name.toLowerCase());
    if (set === undefined) throw usageError(say('prsm.setUnknown', name), say('prsm.useKnownSets'));
    return set;
  });
  const sizes = listed(options.k).map((text) => {
    const size = Number(text);
    if (!Number.isSafeInteger(size) || size < 1)
      throw usageError(say('prsm.topSizeInvalid', text), say('prsm.useWholeNumbers'));
    return size;
  });
  if (sets.length === 0 || sizes.length === 0)
    throw usageError(say('prsm.setsOrSizesEmpty'), say('prsm.setSetsAndSizes'));
  const ownSynonyms = new Map(file?.synonyms);
  for (const pair of String(options.synonyms).split(';')) {
    if (pair.trim() === '') continue;
    const [word, synonym, ...rest] = pair.split('=').map((part) => part.trim());
    if (!word || !synonym || rest.length > 0)
      throw usageError(say('prsm.synonymPairInvalid', pair.trim()), say('prsm.writeSynonymPairs'));
    ownSynonyms.set(word.toLowerCase(), synonym);
  }
  return {
    sets: [...new Set(sets)],
    sizes: [...new Set(sizes)],
    groups: listed(options.groups),
    weight: options.weight === 'captions' ? 'captions' : 'occurrences',
    attributes: listed(options.attributes),
    synonyms: file?.builtIn === false ? ownSynonyms : new Map([...attributeSynonyms, ...ownSynonyms]),
    ownSynonyms,
    anywhere: file?.anywhere ?? new Set(),
  };
}

export function requireGroups({ groups }: PrsmOptions, examples: readonly Example[]): void {
  const missing = groups.find((column) => !examples.some(({ attributes }) => column in attributes));
  if (missing === undefined || examples.length === 0) return;
  const columns = new Set(examples.flatMap(({ attributes }) => Object.keys(attributes)));
  throw new CaptiousError('usage', say('prsm.groupColumnMissing', missing), {
    remedy: say('prsm.listGroupColumns', [...columns].join(', ') || 'none'),
  });
}
