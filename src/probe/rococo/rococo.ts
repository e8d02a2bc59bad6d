import { Ranker } from '../../evaluator/ranking/ranking';
import type { GalleryProbe } from '../probe';
import { rococoClaims } from './claims';
import { rococoFaults, rococoShares } from './faults';
import { optionSpecs, readOptions } from './options';
import { Study } from './study';

export const rococo: GalleryProbe = {
  mode: 'gallery',
  id: 'rococo',
  title: 'RoCOCO',
  question:
    'When altered captions and photos are put among the true ones, does the search still find the true ones?',
  options: optionSpecs,
  claims: rococoClaims,
  faults: rococoFaults,
  shares: rococoShares,

  refuse: (example) =>
    example.captions.some(({ role }) => role === 'caption')
      ? undefined
      : 'it has no caption that is said to be right',

  async run(context) {
    const ranker = new Ranker();
    try {
      return await new Study(context, readOptions(context.options), ranker).run();
    } finally {
      await ranker.close();
    }
  },
};
