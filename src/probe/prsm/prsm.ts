import { smallest } from '../../base/extent';
import { Ranker } from '../../evaluator/ranking/ranking';
import { say } from '../../base/say';
import { percent } from '../claim';
import { missingImage } from '../missingImage';
import type { Fault, GalleryContext, GalleryProbe, Share } from '../probe';
import type { Row } from '../metric';
import { type AttributeFile, readAttributeFile } from './attributeFile';
import { prsmCharts } from './charts';
import { prsmClaims } from './claims';
import { optionSpecs, type PrsmOptions, readOptions } from './options';
import type { QueryRow } from './row';
import { Study } from './study';
import { prsmView } from './view';

export const prsm: GalleryProbe<QueryRow> = {
  ...prsmView,
  options: optionSpecs,
  claims: prsmClaims,
  faults,
  shares,
  charts: prsmCharts,

  needs: () => ['ranking'],

  refuse: (example, { image }) =>
    example.images.some((_, at) => image(at) !== undefined) ? undefined : missingImage(example),

  prepare({ options }): AttributeFile | undefined {
    const path = String(options.attributeFile ?? '');
    return path === '' ? undefined : readAttributeFile(path);
  },

  async run(context) {
    const ranker = new Ranker();
    try {
      return await new Study(context, optionsOf(context), ranker).run();
    } finally {
      await ranker.close();
    }
  },

  encode: (context) => new Study(context, optionsOf(context), new Ranker()).encode(),
};

function optionsOf({ options, beside }: GalleryContext): PrsmOptions {
  return readOptions(options, beside as AttributeFile | undefined);
}

/** Pairs of wordings that share at most half of the images in their smallest top lists. */
function faults(row: Row): Fault[] {
  const { pairs, wordings } = row as QueryRow;
  const textOf = new Map(wordings.map(({ label, text }) => [label, text]));
  return pairs
    .flatMap(({ first, second, shared }): Fault[] => {
      const size = smallest(Object.keys(shared).map(Number));
      if (shared[size] > 0.5) return [];
      const message = say(
        'prsm.wordingsShareFew',
        textOf.get(first) ?? '',
        textOf.get(second) ?? '',
        percent(shared[size]),
        size,
      );
      return [{ message, size: 0.5 - shared[size] }];
    })
    .sort((a, b) => b.size - a.size);
}

function shares(row: Row): Share[] {
  const { global, listwise, local, weight } = row as QueryRow;
  const values: [metric: string, value: number | null][] = [
    ['prsm.global', global],
    ['prsm.global.listwise', listwise],
    ...Object.entries(local).map(([size, value]): [string, number] => [`prsm.local@${size}`, value]),
  ];
  const counts = weight === undefined ? {} : { weight };
  return values.flatMap(([metric, value]) =>
    value === null ? [] : [{ metric, value, better: 'higher' as const, ...counts }],
  );
}
