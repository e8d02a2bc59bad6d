import { say } from '../../base/say';
import { Ranker } from '../../evaluator/ranking/ranking';
import type { GalleryProbe } from '../probe';
import { rococoCharts } from './charts';
import { rococoClaims } from './claims';
import { rococoFaults, rococoShares } from './faults';
import { optionSpecs, readOptions } from './options';
import type { RococoRow } from './row';
import { Study } from './study';
import { rococoView } from './view';

export const rococo: GalleryProbe<RococoRow> = {
  ...rococoView,
  options: optionSpecs,
  claims: rococoClaims,
  faults: rococoFaults,
  shares: rococoShares,
  drops: ['rococo.i2t', 'rococo.t2i'].map((id) => ({
    metric: `${id}.dropRate`,
    from: `${id}.r1`,
    to: `${id}.stressed.r1`,
  })),
  charts: rococoCharts,

  needs: ({ textOnly }) => (textOnly === true ? ['texts'] : ['texts', 'ranking']),

  refuse: (example) =>
    example.captions.some(({ role }) => role === 'caption') ? undefined : say('rococo.noPositiveCaption'),

  async run(context) {
    const ranker = new Ranker();
    try {
      return await new Study(context, readOptions(context.options), ranker).run();
    } finally {
      await ranker.close();
    }
  },

  encode: (context, whole) => new Study(context, readOptions(context.options), new Ranker()).encode(whole),
};
