import { largest } from '../../../base/extent';
import { allOf, inTurns, type Steps } from '../../../base/turns/steps';
import { cosine } from '../../../bench/similarity';
import type { Example } from '../../../dataset/example';
import type { Evaluator } from '../../../evaluator/evaluator';
import { type Clusters, figuresOf } from '../../figure';
import type { GalleryContext } from '../../probe';
import { type Metric, ownCluster } from '../../metric';
import type { LostPart } from '../../refused/lost';
import type { AlteredSet, Weights } from '../altered';
import { embed, textItem } from '../../embeddings';
import { chooseNoun } from '../influence';
import type { Participant } from '../participant';
import type { AlteredRow, CaptionRow, WordInfluence } from '../row';
import { isLeast } from '../statistics';

export interface TextFindings {
  rows: Map<Participant, CaptionRow[]>;
  metrics: Metric[];
  /** The number of texts that could not be embedded. */
  failed: number;
}

/** The number of examples per batch. Batches limit the memory for embeddings. */
const atOnce = 500;

const setFigures = () =>
  figuresOf('similarity', 'closer', 'closerByWords', 'unseen', 'sameWord', 'sameConcept');

type SetFigures = ReturnType<typeof setFigures>;

/** The captions of an example, then their altered versions. */
function askedOf(
  participant: Participant,
  sets: readonly AlteredSet[],
): { example: Example; text: string; part: LostPart }[] {
  const { example, captions } = participant;
  return [
    ...captions.map(({ text, entry }) => ({ example: entry, text, part: { caption: text } })),
    ...sets.flatMap(({ draws }) =>
      (draws[0].get(participant) ?? []).map(({ text, caption }) => ({
        example: caption === undefined ? example : captions[caption].entry,
        text,
        part: { variant: text },
      })),
    ),
  ];
}

/** Compares captions with their altered versions, without images. */
export async function compareTexts(
  context: GalleryContext,
  evaluator: Evaluator,
  participants: readonly Participant[],
  sets: readonly AlteredSet[],
  weights: Weights,
  clusters: Clusters,
): Promise<TextFindings> {
  const figures = sets.map(setFigures);
  const found: TextFindings = { rows: new Map(), metrics: [], failed: 0 };
  for (let from = 0; from < participants.length; from += atOnce) {
    const part = participants.slice(from, from + atOnce);
    const asked = part.flatMap((participant) => askedOf(participant, sets));
    const rows: (Float32Array | undefined)[] =
      evaluator.embedTexts === undefined
        ? asked.map(() => undefined)
        : await embed(
            context,
            evaluator,
            asked.map(({ text }) => textItem(text)),
            (at) => {
              found.failed++;
              context.lost?.(evaluator, asked[at].example, asked[at].part);
            },
          );
    let at = 0;
    for (const participant of part) {
      const cluster = clusters.of(participant.example.id);
      const captions = participant.captions.map(() => rows[at++]);
      const words = participant.captions.map(({ text }) => wordsOf(text));
      const made = participant.captions.map((_, index) =>
        captionRow(context.seed, evaluator, participant, index, weights),
      );
      participant.captions.forEach((_, index) => {
        const near = nearest(captions, index);
        if (near !== undefined)
          made[index].nearest = { text: participant.captions[near.at].text, similarity: near.similarity };
      });
      sets.forEach((set, s) => {
        for (const alteration of set.draws[0].get(participant) ?? []) {
          const row = rows[at++];
          const { caption: index, ...localized } = alteration;
          if (index === undefined) continue;
          const altered: AlteredRow = { source: set.name, ...localized };
          const own = captions[index];
          made[index].altered.push(altered);
          const weighed = weights.get(participant)?.[index];
          if (set.name === 'file' && alteration.from !== undefined) {
            const least = weighed && isLeast(weighed, evaluator, alteration.from);
            if (least !== undefined) figures[s].sameWord.add(least ? 1 : 0, cluster);
            if (alteration.fromConcept !== undefined)
              figures[s].sameConcept.add(alteration.fromConcept === alteration.toConcept ? 1 : 0, cluster);
          }
          if (own === undefined || row === undefined) continue;
          altered.similarity = cosine(own, row);
          figures[s].unseen.add(own.every((value, i) => value === row[i]) ? 1 : 0, cluster);
          figures[s].similarity.add(altered.similarity, cluster);
          const near = made[index].nearest;
          if (near === undefined) continue;
          figures[s].closer.compare(altered.similarity, near.similarity, cluster);
          const others = words.filter((_, at) => at !== index && captions[at] !== undefined);
          const common = largest(others.map((other) => inCommon(words[index], other)));
          figures[s].closerByWords.compare(inCommon(words[index], wordsOf(altered.text)), common, cluster);
        }
      });
      found.rows.set(participant, made);
    }
  }
  if (evaluator.embedTexts === undefined) return found;
  const metrics = allOf(sets, (set, s) =>
    metricsOf(set, figures[s], { isFirst: s === 0, count: sets.length }),
  );
  found.metrics = await inTurns(metrics, context.signal);
  return found;
}

function* metricsOf(
  { name, slice }: AlteredSet,
  { similarity, closer, closerByWords, unseen, sameWord, sameConcept }: SetFigures,
  { isFirst, count }: { isFirst: boolean; count: number },
): Steps<Metric[]> {
  const metrics: Metric[] = [];
  const withins = [...(isFirst ? [undefined] : []), ...(count > 1 ? [slice] : [])];
  for (const within of withins) {
    metrics.push(yield* similarity.metric('rococo.text.similarity', { slice: within }));
    metrics.push(yield* closer.metric('rococo.text.closer', { rate: true, slice: within }));
    metrics.push(yield* closerByWords.metric('rococo.text.closer.words', { rate: true, slice: within }));
    metrics.push(yield* unseen.metric('rococo.text.unseen', { share: true, slice: within }));
  }
  if (name === 'file' && sameWord.n > 0)
    metrics.push(yield* sameWord.metric('rococo.given.leastWord', { share: true }));
  if (name === 'file' && sameConcept.n > 0)
    metrics.push(yield* sameConcept.metric('rococo.given.sameConcept', { share: true }));
  return metrics;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []);
}

/** The share of words in common, of all words of both (Jaccard). */
function inCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common / Math.max(1, a.size + b.size - common);
}

function captionRow(
  seed: number,
  evaluator: Evaluator,
  participant: Participant,
  index: number,
  weights: Weights,
): CaptionRow {
  const { example, captions } = participant;
  const { text, place, entry } = captions[index];
  const row: CaptionRow = {
    kind: 'caption',
    example: entry.id,
    row: entry.row,
    place: place ?? entry.place,
    image: example.images.at(0)?.name,
    ...ownCluster(example),
    caption: text,
    altered: [],
  };
  const weighed = weights.get(participant)?.[index];
  const influence = weighed?.influence.get(evaluator);
  if (weighed === undefined || influence === undefined) return row;
  row.words = weighed.nouns.map(({ start, end, text }, noun): WordInfluence => ({
    start,
    end,
    text,
    influence: Number.isNaN(influence[noun]) ? null : influence[noun],
  }));
  const choice = chooseNoun(weighed, seed);
  if (choice !== undefined) {
    row.chosen = choice.noun;
    row.votes = choice.votes;
    row.voters = choice.voters;
  }
  return row;
}

/** The other caption that is closest to the caption at `index`. */
function nearest(
  captions: readonly (Float32Array | undefined)[],
  index: number,
): { at: number; similarity: number } | undefined {
  const own = captions[index];
  if (own === undefined) return undefined;
  let best: { at: number; similarity: number } | undefined;
  for (const [at, other] of captions.entries()) {
    if (at === index || other === undefined) continue;
    const similarity = cosine(own, other);
    if (best === undefined || similarity > best.similarity) best = { at, similarity };
  }
  return best;
}
