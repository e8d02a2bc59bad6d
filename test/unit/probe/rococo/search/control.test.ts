import assert from 'node:assert/strict';
import { findSaid } from '../../../../../src/base/say';
import { atOnce } from '../../../../../src/base/turns/steps';
import { Gallery, packRows } from '../../../../../src/evaluator/ranking/rows';
import type { CountQuestion, Ranker } from '../../../../../src/evaluator/ranking/ranking';
import type { Metric } from '../../../../../src/probe/metric';
import { rococoClaims } from '../../../../../src/probe/rococo/claims';
import { rankClean } from '../../../../../src/probe/rococo/retrieval';
import { controlMetrics, inHalves } from '../../../../../src/probe/rococo/search/control';
import type { Entrants } from '../../../../../src/probe/rococo/search/entrants';
import {
  type PackedRows,
  readOracle,
  type RetrievalExample,
  unpack,
} from '../../../evaluator/ranking/oracle';
import { type ControlOracle, isControl } from '../controlOracle';

/** Counts by all cosines. */
const ranker = {
  hold: (rows: ReturnType<typeof packRows>) => Promise.resolve({ gallery: new Gallery(rows), id: 0 }),
  drop: () => Promise.resolve(),
  count: ({ queries, gallery, thresholds }: CountQuestion) => {
    const count = (hits: (cosine: number, threshold: number) => boolean) =>
      Int32Array.from(thresholds, (threshold, q) => {
        const cosines = Array.from({ length: gallery.gallery.count }, (_, item) =>
          queries.gallery.cosine(q, gallery.gallery, item),
        );
        return cosines.filter((cosine) => hits(cosine, threshold)).length;
      });
    const [greater, equal] = [count((a, b) => a > b), count((a, b) => a === b)];
    const [topItems, topScores] = [new Int32Array(0), new Float64Array(0)];
    return Promise.resolve({ greater, equal, topItems, topScores });
  },
} as unknown as Ranker;

const images = 24;
const common = images;
const away = images + 1;

function direction(parts: Record<number, number>): Float32Array {
  return Float32Array.from({ length: images + 2 }, (_, axis) => parts[axis] ?? 0);
}

interface Texts {
  caption: (image: number) => Float32Array;
  altered: (image: number) => Float32Array[];
}

interface Given {
  seed: number;
  images: readonly Float32Array[];
  captions: readonly Float32Array[];
  /** The image of each caption. */
  owners: readonly number[];
  altered: readonly { owner: number; row: Float32Array }[];
  /** The name of an image and the text of its first caption. */
  names: (image: number) => [string, string];
}

async function measuredOn(given: Given): Promise<Metric[] | undefined> {
  const { seed, captions, owners, altered, names } = given;
  const heldImages = await ranker.hold(packRows(given.images));
  const held = await ranker.hold(packRows(captions));
  const { signal } = new AbortController();
  const truths = given.images.map((_, q) => [...owners.keys()].filter((at) => owners[at] === q));
  const results = await rankClean(ranker, heldImages, held, truths, signal);
  const entrants = {
    ...{ ranker, captionRows: captions, context: { seed, signal } },
    clean: owners.map((owner) => ({ owner })),
    embedded: given.images.map((_, image) => ({
      cluster: image,
      participant: {
        example: { images: [{ name: names(image)[0] }] },
        captions: [{ text: names(image)[1], image: 0 }],
      },
    })),
  } as unknown as Entrants;
  const entries = altered.map(({ owner }) => ({ owner }));
  const embeddings = altered.map(({ row }) => row);
  const metrics = await controlMetrics(entrants, heldImages, results, { entries, embeddings });
  return metrics && atOnce(metrics);
}

/** Each image has one caption. Its direction has an axis of its own and one that all images share. */
async function controlOf({ caption, altered }: Texts): Promise<Record<string, number | null> | undefined> {
  const all = Array.from({ length: images }, (_, image) => image);
  const metrics = await measuredOn({
    ...{ seed: 1, owners: all, captions: all.map(caption) },
    images: all.map((image) => direction({ [image]: 1, [common]: 1 })),
    altered: all.flatMap((owner) => altered(owner).map((row) => ({ owner, row }))),
    names: (image) => [`${image}.jpg`, `${image}`],
  });
  return metrics && Object.fromEntries(metrics.map(({ id, value }) => [id.slice(15), value]));
}

/** A caption with a cosine of .42 to its image. */
const faint = (image: number): Float32Array => direction({ [image]: 0.6, [away]: 0.8 });
const opposite = (): Float32Array[] => [direction({ [common]: -1 })];

function near(found: Record<string, number | null> | undefined, expected: Record<string, number>): void {
  assert.deepEqual(Object.keys(found ?? {}), Object.keys(expected));
  for (const [id, value] of Object.entries(expected))
    assert.ok(Math.abs(found![id]! - value) < 1e-12, `${id}: ${found![id]}`);
}

describe('the control of a drop by altered captions', () => {
  it('is nothing if each altered caption misleads only its own image', async () => {
    const found = await controlOf({ caption: faint, altered: (image) => [direction({ [image]: 1 })] });
    near(found, { altered: 1, others: 0, difference: 1 });
  });

  it('is the share of the halves that a caption of another image enters', async () => {
    // The first caption is closer to all images than their own ones. Two other images always share a gallery with it. Of the
    // galleries of the other 21, it is outside in 4 of 7: they lose 21 · 4/7 of 24 searches.
    const caption = (image: number): Float32Array =>
      image === 0 ? direction({ [common]: 1 }) : faint(image);
    near(await controlOf({ caption, altered: opposite }), { altered: 0, others: 0.5, difference: -0.5 });
  });

  it('counts a tie with an added caption as half', () => {
    const none = Array.from({ length: 8 }, () => ({ above: 0, equal: 0 }));
    const tied = none.map((one, part) => (part === 3 ? { above: 0, equal: 1 } : one));
    const found = inHalves(0, { captions: none, added: tied, altered: tied });
    // Part 3 is in the half with part 0 in 3 of 7 cases, where it has altered captions; else it is added.
    assert.ok(Math.abs(found.withAltered - (1 - 3 / 14)) < 1e-12);
    assert.ok(Math.abs(found.withOthers - (1 - 4 / 14)) < 1e-12);
    assert.equal(inHalves(3, { captions: tied, added: none, altered: none }).clean, 0);
  });

  for (const name of ['random', 'ties'] as const)
    it(`agrees with a second implementation, with unequal numbers of altered captions: ${name}`, async () => {
      const oracle = readOracle<Record<typeof name, RetrievalExample>>('rococo/retrieval.json')[name];
      const rowsOf = (packed: PackedRows): Float32Array[] => {
        const { count, dimension, data } = unpack(packed);
        return Array.from({ length: count }, (_, at) => data.slice(at * dimension, (at + 1) * dimension));
      };
      const { perImage } = oracle;
      const owners = Array.from({ length: oracle.captions.count }, (_, at) => Math.floor(at / perImage));
      const fewer = [...owners.keys()].filter((at) => at % perImage < 1 + (owners[at] % 3));
      const altered = rowsOf(oracle.alteredCaptions);
      const metrics = await measuredOn({
        ...{ seed: 42, images: rowsOf(oracle.images), captions: rowsOf(oracle.captions), owners },
        altered: fewer.map((at) => ({ owner: owners[at], row: altered[at] })),
        names: (image) => [`photo ${image}`, `caption ${image * perImage}`],
      });
      isControl(metrics!, readOracle<ControlOracle>('rococo/control.json')[name].fewer);
    });

  it('is missing if images have fewer captions than altered ones', async () => {
    const altered = (): Float32Array[] => [...opposite(), ...opposite()];
    assert.equal(await controlOf({ caption: faint, altered }), undefined);
  });

  const metric = (id: string, low: number, high: number): Metric => ({
    ...{ id: `rococo.${id}`, value: (low + high) / 2, n: 100, ci: [low, high] },
  });

  it('is in the sentence on lost searches, in the same family', () => {
    const said = (...control: Metric[]) => {
      const [{ text, rule }] = rococoClaims([
        ...[metric('i2t.r1', 0.3, 0.5), metric('i2t.dropRate', 0.2, 0.4)],
        ...control,
      ]);
      const codes = [
        ...(['rococo.costMore', 'rococo.costLess'] as const),
        ...(['rococo.costUndecided', 'rococo.galleryGrows'] as const),
      ];
      return [codes.find((code) => findSaid(text, code)), findSaid(rule, 'probe.holmRule')?.values[0]];
    };
    const costs = [metric('control.altered', 0.2, 0.3), metric('control.others', 0.1, 0.2)];
    assert.deepEqual(said(), ['rococo.galleryGrows', undefined]);
    assert.deepEqual(said(...costs, metric('control.difference', 0.05, 0.15)), ['rococo.costMore', '2']);
    assert.deepEqual(said(...costs, metric('control.difference', -0.15, -0.05)), ['rococo.costLess', '2']);
    assert.deepEqual(said(...costs, metric('control.difference', -0.01, 0.1)), ['rococo.costUndecided', '2']);
  });

  it('is said if it is decided, also where the drop itself is not', () => {
    const saidCodes = (low: number, high: number): (string | undefined)[] => {
      const [{ text }] = rococoClaims([
        ...[metric('i2t.r1', 0.3, 0.5), metric('i2t.dropRate', 0.02, 0.2)],
        ...[metric('control.altered', 0.06, 0.07), metric('control.others', 0.1, 0.12)],
        metric('control.difference', low, high),
      ]);
      return (
        ['rococo.captionSearchesLostUndecided', 'rococo.costLess', 'rococo.costUndecided'] as const
      ).filter((code) => findSaid(text, code) !== undefined);
    };
    assert.deepEqual(saidCodes(-0.08, -0.02), ['rococo.captionSearchesLostUndecided', 'rococo.costLess']);
    assert.deepEqual(saidCodes(-0.08, 0.02), ['rococo.captionSearchesLostUndecided']);
  });
});
