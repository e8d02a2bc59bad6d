/*
 * What altered captions cost beside as many unaltered ones. A gallery of half of the images grows by the altered captions
 * of this half, or by the captions of the other half.
 */
import { Random } from '../../../base/random';
import type { Steps } from '../../../base/turns/steps';
import { drawKey } from '../../../dataset/example';
import type { Held } from '../../../evaluator/ranking/ranking';
import { leastImages } from '../../../stats/decisions/smallSample';
import { sum } from '../../../stats/summary';
import { Figure } from '../../figure';
import type { Metric } from '../../metric';
import type { Embedded } from '../participant';
import { type CleanResult, rankAltered } from '../retrieval';
import type { Entrants } from './entrants';

/** The images are divided into this number of parts, and each set of half of them is a gallery. */
const parts = 8;

/** The numbers of captions above a query's best true caption, and equal to it. */
interface Rivals {
  above: number;
  equal: number;
}

/** A query's rivals by the part of their image. True captions are no rivals. */
interface PartRivals {
  captions: readonly Rivals[];
  /** Those captions that are added in place of altered ones. */
  added: readonly Rivals[];
  altered: readonly Rivals[];
}

/** Shares of the halves with a query's part in which the query is right: without added captions, and with them. */
interface InHalves {
  clean: number;
  withOthers: number;
  withAltered: number;
}

/** Each set of half of the parts, as a list of whether it has each part. */
const halves = Array.from({ length: 2 ** parts }, (_, bits) =>
  Array.from({ length: parts }, (_, part) => ((bits >> part) & 1) === 1),
).filter((half) => half.filter(Boolean).length === parts / 2);

export function inHalves(own: number, { captions, added, altered }: PartRivals): InHalves {
  const shares = { clean: 0, withOthers: 0, withAltered: 0 };
  const galleries = halves.filter((half) => half[own]);
  for (const half of galleries) {
    const count = (rivals: readonly Rivals[], within: boolean, kind: keyof Rivals): number =>
      sum(rivals.map((rival, part) => (half[part] === within ? rival[kind] : 0)));
    // As elsewhere, a tie counts against the true caption in the clean gallery, and else counts half.
    const stays = (rivals: readonly Rivals[], within: boolean): number =>
      count(rivals, within, 'above') > 0 ? 0 : count(rivals, within, 'equal') > 0 ? 0.5 : 1;
    if (count(captions, true, 'above') + count(captions, true, 'equal') > 0) continue;
    shares.clean += 1 / galleries.length;
    shares.withOthers += stays(added, false) / galleries.length;
    shares.withAltered += stays(altered, true) / galleries.length;
  }
  return shares;
}

interface Altered {
  /** Each with the index of its image. */
  entries: readonly { owner: number }[];
  embeddings: readonly Float32Array[];
}

/** The metrics of the control. None if images have too few captions to stand for their altered ones. */
export async function controlMetrics(
  { embedded, clean, captionRows, ranker, context: { seed, signal } }: Entrants,
  queries: Held,
  results: readonly CleanResult[],
  altered: Altered,
): Promise<Steps<Metric[]> | undefined> {
  const left = embedded.map(() => 0);
  for (const { owner } of altered.entries) left[owner]++;
  const isAdded = clean.map(({ owner }) => left[owner]-- > 0);
  const count = isAdded.filter(Boolean).length;
  if (embedded.length < leastImages || count === 0 || count < 0.95 * altered.entries.length) return undefined;
  const part = partsOf(embedded, seed);
  const rivals = async (
    { entries, embeddings }: Altered,
    counts: (at: number) => boolean,
  ): Promise<readonly Rivals[][]> => {
    const byPart: Rivals[][] = [];
    for (let own = 0; own < parts; own++) {
      const rows = embeddings.filter((_, at) => part[entries[at].owner] === own && counts(at));
      byPart.push(await rankAltered(ranker, queries, results, rows, signal));
    }
    return results.map((_, q) => byPart.map((found) => found[q]));
  };
  const captions = { entries: clean, embeddings: captionRows };
  const added = await rivals(captions, (at) => isAdded[at]);
  const others = await rivals(captions, (at) => !isAdded[at]);
  const changed = await rivals(altered, () => true);
  return measured(embedded, (q) => {
    const all = added[q].map((one, at) => ({
      above: one.above + others[q][at].above,
      equal: one.equal + others[q][at].equal,
    }));
    const elsewhere = (kind: keyof Rivals): number =>
      sum(all.map((one, at) => (at === part[q] ? 0 : one[kind])));
    // The part of the query has its true captions, too, so its rivals are what is left of all.
    all[part[q]] = {
      above: results[q].above - elsewhere('above'),
      equal: results[q].equal - elsewhere('equal'),
    };
    return inHalves(part[q], { captions: all, added: added[q], altered: changed[q] });
  });
}

/** Equally many images for each part, whatever their order in the file. */
function partsOf(embedded: readonly Embedded[], seed: number): number[] {
  const keys = embedded.map(({ participant: { example, captions } }) =>
    new Random(seed, ...drawKey(example, ...captions.slice(0, 1)), 'rococo control').uniform(),
  );
  const part = keys.map(() => 0);
  [...keys.keys()].sort((a, b) => keys[a] - keys[b]).forEach((image, at) => (part[image] = at % parts));
  return part;
}

function* measured(embedded: readonly Embedded[], of: (q: number) => InHalves): Steps<Metric[]> {
  const [altered, others, difference] = [new Figure(), new Figure(), new Figure()];
  for (const [q, { cluster }] of embedded.entries()) {
    yield;
    const { clean, withOthers, withAltered } = of(q);
    altered.add(clean - withAltered, cluster);
    others.add(clean - withOthers, cluster);
    difference.add(withOthers - withAltered, cluster);
  }
  return [
    yield* altered.metric('rococo.control.altered', { share: true }),
    yield* others.metric('rococo.control.others', { share: true }),
    yield* difference.metric('rococo.control.difference', { interval: 'test' }),
  ];
}
