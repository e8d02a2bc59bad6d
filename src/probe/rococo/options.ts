import { CaptiousError, usageError } from '../../base/errors';
import { say } from '../../base/say';
import { policies, type Policy } from '../../perturb/words/replace';
import { pairsOption } from '../pairScores';
import type { OptionSpec, OptionValue } from '../probe';

export type Source = 'file' | Policy;

export interface ImageKind {
  op: 'mix' | 'patch';
  lambda: number;
}

export interface RococoOptions {
  /** If undefined, the file's altered captions are used, or the policy same-concept if the file has none. */
  sources: readonly Source[] | undefined;
  textOnly: boolean;
  agree: boolean;
  influence: boolean;
  imageKinds: readonly ImageKind[];
  imageSeeds: readonly number[];
  deletion: boolean;
  words: boolean;
  occlusion: boolean;
}

export const votersOption = 'voters';

export const optionSpecs: readonly OptionSpec[] = [
  {
    key: 'captions',
    title: say('rococo.captionsOption'),
    describe: `Source of the altered captions. file: the dataset file. The name of a policy: Captious generates them with this policy. all: Captious generates them with all four policies. auto: the dataset file if it contains altered captions, otherwise same-concept.`,
    default: 'auto',
    choices: ['auto', 'file', 'all', ...policies],
  },
  {
    key: 'textOnly',
    title: say('rococo.captionsOnlyOption'),
    describe: 'Compare only captions, without images.',
    default: false,
  },
  {
    key: votersOption,
    title: say('rococo.votersOption'),
    describe:
      'Text encoders that choose which noun to replace, separated by commas: ids or paths, as for --evaluator. Each votes for the noun whose removal changes its embedding of the caption least. They do not depend on the audited evaluators, so reports with the same voters have the same altered captions. "none" draws the nouns at random.',
    default: 'starter',
  },
  {
    key: 'agree',
    title: say('rococo.grammarOption'),
    describe: 'Adapt the number and the article of the new word. The paper does not do this.',
    default: false,
  },
  {
    key: 'influence',
    title: say('rococo.influenceOption'),
    describe: 'Compute the influence of every noun (EI).',
    default: true,
  },
  {
    key: 'images',
    title: say('rococo.alteredImagesOption'),
    describe:
      'Altered images to generate, separated by commas: mix-λ or patch-λ, with λ below 1. "none" generates no altered images.',
    default: 'mix-0.9,mix-0.8,patch-0.9,patch-0.8',
  },
  {
    key: 'imageSeeds',
    title: say('rococo.seedsOption'),
    describe: 'Seeds for drawing the altered images. The metrics are means over the seeds.',
    default: '1,10,100',
  },
  {
    key: 'deletion',
    title: say('rococo.withoutNounOption'),
    describe:
      'Also score captions without one noun, chosen by low influence, by high influence (EI) or at random (Table 5 of the paper).',
    default: false,
  },
  {
    key: 'words',
    title: say('rococo.severalWordsOption'),
    describe: 'Also score captions with two to five replaced words (Table 6 of the paper).',
    default: false,
  },
  {
    key: 'occlusion',
    title: say('rococo.blackCellOption'),
    describe:
      'Also score every image with one cell of a 4 × 4 grid blacked out, for each cell (Fig. 8 of the paper).',
    default: false,
  },
  pairsOption,
];

export function readOptions(options: Readonly<Record<string, OptionValue>>): RococoOptions {
  const captions = String(options.captions);
  return {
    sources: captions === 'auto' ? undefined : captions === 'all' ? policies : [captions as Source],
    textOnly: options.textOnly === true,
    agree: options.agree === true,
    influence: options.influence === true,
    imageKinds: imageKindsOf(String(options.images)),
    imageSeeds: seedsOf(String(options.imageSeeds)),
    deletion: options.deletion === true,
    words: options.words === true,
    occlusion: options.occlusion === true,
  };
}

function imageKindsOf(text: string): ImageKind[] {
  if (text.trim() === 'none') return [];
  return text.split(',').map((part) => {
    const match = /^(mix|patch)-(0?\.\d+)$/.exec(part.trim());
    if (match === null || Number(match[2]) === 0)
      throw new CaptiousError('usage', say('rococo.alteredImageKindInvalid', part.trim()), {
        remedy: say('rococo.useAlteredImageKinds'),
      });
    return { op: match[1] as ImageKind['op'], lambda: Number(match[2]) };
  });
}

function seedsOf(text: string): number[] {
  const seeds = text.split(',').map(Number);
  if (text.trim() === '' || !seeds.every(Number.isSafeInteger))
    throw usageError(say('rococo.seedsInvalid', text), say('rococo.useSeedList'));
  return seeds;
}
