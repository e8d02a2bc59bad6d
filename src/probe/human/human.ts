import { throwIfCancelled } from '../../base/errors';
import { eachOf, inTurns, type Steps } from '../../base/turns/steps';
import { drawKey } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import type { ImageItem, Want } from '../../protocol/item';
import { ranks } from '../../stats/summary';
import { say, type Words } from '../../base/say';
import { percent } from '../claim';
import { humanClaims } from './claims';
import { isUnfound, missingImage } from '../missingImage';
import { type Metric, ownCluster } from '../metric';
import type { Fault, Findings, GalleryContext, GalleryProbe } from '../probe';
import { humanCharts, humanComparison } from './charts';
import { accuracyMetrics, foilMetrics, rightShare } from './choices';
import { correlationMetrics, correlationTests, ratingOf } from './correlations';
import { familyMetrics } from './family';
import { drawsOf, type Judged, judgedIn } from './items';
import { type HumanOptions, optionSpecs, readOptions } from './options';
import { type HumanRow, leadOf, scoreOf } from './row';
import { arenaMetrics, systemMetrics } from './systems';
import { humanView } from './view';

export const human: GalleryProbe<HumanRow> = {
  ...humanView,
  options: optionSpecs,
  claims: humanClaims,
  faults,
  charts: humanCharts,
  comparisonCharts: humanComparison,

  needs: () => ['image-text'],

  refuse(example, { options, scores, image }) {
    const judged = judgedIn(example, readOptions(options));
    if ('code' in judged) return judged;
    if (!scores.includes('image-text')) return say('choice.evaluatorLacksImageScores');
    return image(0) === undefined ? missingImage(example) : undefined;
  },

  plan(example, { options, image }) {
    const judged = judgedIn(example, readOptions(options));
    return {
      wants: 'code' in judged ? [] : judged.flatMap((one) => wantsOf(one, image(0)!, [undefined])),
    };
  },

  shares: (row) => {
    if (row.kind === 'rating' || row.preferred === null) return [];
    const metric = row.kind === 'foil' ? 'human.foil' : 'human.accuracy';
    const value = row.kind === 'foil' ? (leadOf(row, row.scores.length - 1) > 0 ? 1 : 0) : rightShare(row);
    return [{ metric, value, better: 'higher' }];
  },

  pairedTests(first, second) {
    const at = first.flatMap(({ kind }, i) => (kind === 'rating' ? [i] : []));
    return correlationTests(
      at.map((i) => first[i]),
      at.map((i) => second[i]),
    );
  },

  async run(context) {
    const options = readOptions(context.options);
    const findings = new Map<Evaluator, Findings>();
    const gathered = await gather(context, options);
    for (const evaluator of context.evaluators) {
      const { rows, unscored } = await score(evaluator, gathered, context, options);
      await inTurns(rank(rows), context.signal);
      for (const row of rows) await context.writeRow(evaluator, row);
      const warnings = unscored === 0 ? [] : [say('human.partlyScored', unscored)];
      findings.set(evaluator, { metrics: await inTurns(metricsOf(rows, options), context.signal), warnings });
    }
    return findings;
  },

  async encode(context) {
    const options = readOptions(context.options);
    const gathered = await gather(context, options);
    for (const evaluator of context.evaluators) await score(evaluator, gathered, context, options);
  },
};

interface Gathered {
  judged: Judged;
  image: ImageItem;
  example: Parameters<GalleryContext['markUsed']>[1];
}

/** Collects the judgments of all examples. A rated caption that occurs in several pairs is collected once. */
async function gather(context: GalleryContext, options: HumanOptions): Promise<Gathered[]> {
  const gathered: Gathered[] = [];
  const known = new Set<string>();
  for await (const example of context.examples()) {
    throwIfCancelled(context.signal);
    const image = context.image(example, 0);
    const judged = judgedIn(example, options);
    const reason = 'code' in judged ? judged : image === undefined ? missingImage(example) : undefined;
    if ('code' in judged || image === undefined) {
      const unscored = 'code' in judged ? undefined : isUnfound(example);
      for (const evaluator of context.evaluators) context.leaveOut(evaluator, reason!, example, unscored);
      continue;
    }
    for (const one of judged) {
      const key = JSON.stringify([example.row, example.images[0].name, one.captions]);
      if (example.rated === true && known.has(key)) continue;
      known.add(key);
      gathered.push({ judged: one, image, example });
    }
  }
  return gathered;
}

function wantsOf(
  { captions }: Judged,
  image: ImageItem,
  draws: readonly (readonly string[] | undefined)[],
): Want[] {
  return draws.flatMap((references) =>
    captions.map((text): Want => ({
      left: image,
      right: { kind: 'text', text: text.trim() },
      ...(references === undefined ? {} : { references }),
      ...(captions.length === 2 ? { against: captions[1].trim() } : {}),
    })),
  );
}

/** The number of judgments that are scored at once. */
const block = 1024;

async function score(
  evaluator: Evaluator,
  gathered: readonly Gathered[],
  context: GalleryContext,
  options: HumanOptions,
): Promise<{ rows: HumanRow[]; unscored: number }> {
  const rows: HumanRow[] = [];
  const used = new Set<string>();
  const problems: { example: Gathered['example']; reason: Words; unscored?: true }[] = [];
  const canScore = evaluator.info.scores.includes('image-text');
  for (let from = 0; from < gathered.length; from += block) {
    throwIfCancelled(context.signal);
    const planned = gathered.slice(from, from + block).map((one) => {
      const draws =
        evaluator.references !== undefined
          ? drawsOf(one.judged, options, context.seed, drawKey(one.example, ...one.example.captions))
          : [undefined];
      return { ...one, draws, wants: canScore ? wantsOf(one.judged, one.image, draws) : [] };
    });
    const outcomes = await context.bench.scores(
      evaluator,
      planned.flatMap(({ wants }) => wants),
      context.signal,
    );
    let at = 0;
    for (const { judged, example, draws, wants } of planned) {
      const own = outcomes.slice(at, (at += wants.length));
      const failed = own.find((outcome) => !outcome.ok);
      if (!canScore) problems.push({ example, reason: say('choice.evaluatorLacksImageScores') });
      else if (failed !== undefined && !failed.ok)
        problems.push({ example, reason: say('audit.notScored', failed.problem), unscored: true });
      else {
        if (!used.has(example.id)) context.markUsed(evaluator, example);
        used.add(example.id);
        const values = own.map((outcome) => (outcome.ok ? outcome.value : NaN));
        rows.push(rowOf(judged, example, values, draws));
      }
    }
  }
  return { rows, unscored: leaveOut(problems) };

  /** Leaves out the examples without any scored judgment. Returns the number of problems in the other examples. */
  function leaveOut(all: typeof problems): number {
    const left = new Set<string>();
    for (const { example, reason, unscored } of all) {
      if (used.has(example.id) || left.has(example.id)) continue;
      left.add(example.id);
      context.leaveOut(evaluator, reason, example, unscored);
    }
    return all.filter(({ example }) => used.has(example.id)).length;
  }
}

function rowOf(
  { kind, captions, ratings, preferred, votes, systems, tags }: Judged,
  { id, row, place, images, cluster }: Gathered['example'],
  values: readonly number[],
  draws: readonly (readonly string[] | undefined)[],
): HumanRow {
  return {
    example: id,
    row,
    ...(place === undefined ? {} : { place }),
    image: images[0].name,
    ...ownCluster({ cluster }),
    kind,
    captions,
    ...(ratings === undefined ? {} : { ratings }),
    ...(preferred === undefined ? {} : { preferred }),
    ...(votes === undefined ? {} : { votes }),
    ...(systems === undefined ? {} : { systems }),
    ...(tags === undefined ? {} : { tags }),
    scores: draws.map((_, draw) => values.slice(draw * captions.length, (draw + 1) * captions.length)),
    ...(draws[0] === undefined ? {} : { references: draws.map((draw) => draw?.length ?? 0) }),
  };
}

/**
 * Adds to each rating the caption's ranks by people and by the evaluator, and whether people's rating is in the
 * lowest, middle or highest third.
 */
function* rank(rows: readonly HumanRow[]): Steps<void> {
  const rated = rows.filter(({ kind }) => kind === 'rating');
  if (rated.length === 0) return;
  const [people, evaluator] = yield* eachOf([ratingOf, scoreOf], function* (of) {
    yield;
    return ranks(rated.map(of)).map((one) => (one - 0.5) / rated.length);
  });
  rated.forEach((row, i) => {
    row.ranks = { people: people[i], evaluator: evaluator[i] };
    row.band = people[i] < 1 / 3 ? 'low' : people[i] < 2 / 3 ? 'middle' : 'high';
  });
}

function* metricsOf(rows: readonly HumanRow[], { exclude, family }: HumanOptions): Steps<Metric[]> {
  const of = (kind: HumanRow['kind']): HumanRow[] => rows.filter((row) => row.kind === kind);
  const [ratings, preferences, foils] = [of('rating'), of('preference'), of('foil')];
  return [
    ...(ratings.length === 0
      ? []
      : [...(yield* correlationMetrics(ratings)), ...systemMetrics(ratings, exclude)]),
    ...(preferences.length === 0
      ? []
      : [
          ...(yield* accuracyMetrics(preferences, exclude)),
          ...arenaMetrics(preferences, exclude),
          ...(yield* familyMetrics(preferences, family)),
        ]),
    ...(foils.length === 0 ? [] : yield* foilMetrics(foils)),
  ];
}

/** A rated caption is a failure if its ranks by people and by the evaluator differ by at least this much. */
const farApart = 0.5;

function faults(row: HumanRow): Fault[] {
  const { kind, captions, preferred, ranks: places } = row;
  if (kind === 'rating') {
    if (places === undefined) return [];
    const apart = places.evaluator - places.people;
    if (Math.abs(apart) < farApart) return [];
    const message = say(
      'human.evaluatorRanksHigher',
      captions[0],
      percent(places.evaluator),
      percent(places.people),
    );
    return [{ message, size: Math.abs(apart) }];
  }
  if (preferred === null || preferred === undefined) return [];
  const last = row.scores.length - 1;
  const lead = leadOf(row, last);
  if (lead > 0) return [];
  const [own, other] = [captions[preferred], captions[1 - preferred]];
  const scores = row.scores[last];
  const [high, low] = [scores[1 - preferred].toFixed(4), scores[preferred].toFixed(4)];
  const message =
    lead === 0
      ? say('human.betterCaptionTies', other, high, own, low)
      : say('human.betterCaptionLoses', other, high, own, low);
  return [{ message, size: -lead }];
}
