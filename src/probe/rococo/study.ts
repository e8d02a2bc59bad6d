import { append } from '../../base/lists';
import { throwIfCancelled, usageError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { inTurns } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { refusalOf } from '../../perturb/text/fileLanguage';
import type { Evaluator } from '../../evaluator/evaluator';
import type { ImageItem } from '../../protocol/item';
import type { Ranker } from '../../evaluator/ranking/ranking';
import { Clusters } from '../figure';
import { clusterOfExample } from '../metric';
import { embedsBoth, noRanking, rerankedBy, tooMany } from '../pairScores';
import type { Findings, GalleryContext } from '../probe';
import { deletions } from './alter';
import { alteredBy, alteredByDeletion, alteredByWords, type AlteredSet, hashOfSets } from './altered';
import { mostNouns, weighAll, type WeighedCaption } from './influence';
import type { RococoOptions, Source } from './options';
import { entriesIn, gather, gatherAll, type Participant } from './participant';
import { ImageStage } from './stages/imageStage';
import type { ImageRow } from './row';
import { agreementMetrics, influenceMetrics } from './statistics';
import { compareTexts } from './stages/textStage';

/** Seeds of the paper's three draws of random words (Table 6). */
const wordSeeds = [1, 10, 100];
const wordCounts = [2, 3, 4, 5];

/** A caption's usual number of nouns. Each noun needs one embedding of the caption without this noun. */
const usualNouns = 3;

export class Study {
  private readonly clusters = new Clusters();
  private weights: ReadonlyMap<Participant, readonly WeighedCaption[]> = new Map();
  /** Why the rules change no captions: the captions are not in English. Undefined if the rules apply. */
  private readonly refusal: Words | undefined;

  constructor(
    private readonly context: GalleryContext,
    private readonly options: RococoOptions,
    private readonly ranker: Ranker,
  ) {
    this.refusal = refusalOf(context.language);
  }

  async run(): Promise<ReadonlyMap<Evaluator, Findings>> {
    const { context, options } = this;
    const { participants, dropped } = await gatherAll(context, options);
    for (const { example } of participants) this.clusters.assign(example.id, clusterOfExample(example));
    if (options.sources?.includes('file') && !hasGiven(participants))
      throw usageError(say('rococo.noAlteredCaptions'), say('rococo.setCaptionPolicy'));
    context.watch?.expect(this.requests(participants, options.sources ?? usualSources(participants)));
    const sets = await this.setsFor(participants);
    const isDrawn = (await context.voters()).length === 0 && sets.some(({ name }) => name !== 'file');
    const warnings = [
      ...(isDrawn ? [say('rococo.nounsDrawnRandomly')] : []),
      ...(this.refusal === undefined || participants.length === 0
        ? []
        : [say('rococo.onlyFileAlterations', this.refusal)]),
      ...leftOut(dropped, say('rococo.fileAlterationsEqualTrue', dropped)),
      ...sets.flatMap(({ name, dropped: count }) =>
        leftOut(count, say('rococo.madeAlterationsEqualTrue', name, count)),
      ),
      ...sets.flatMap(({ name, missing }) =>
        leftOut(missing, say('rococo.captionsWithoutAlteration', name, mostNouns, missing)),
      ),
    ];
    const altered = {
      sha256: hashOfSets(participants, sets),
      voters: (await context.voters()).map(({ info: { id, sha256 } }) => ({ id, sha256 })),
    };
    const findings = new Map<Evaluator, Findings>();
    for (const evaluator of context.evaluators) {
      throwIfCancelled(context.signal);
      const { metrics, warnings: own } = await this.ask(evaluator, participants, sets);
      if (metrics.length > 0) context.watch?.tell(evaluator, entriesIn(participants), metrics);
      findings.set(evaluator, { metrics, warnings: [...warnings, ...own], altered });
    }
    return findings;
  }

  /** Embeds what a later ranking of the whole dataset needs from this shard's examples. */
  async encode(whole: () => AsyncIterable<Example>): Promise<void> {
    const { context, options } = this;
    const { participants } = await gatherAll(context, options);
    const sets = await this.setsFor(participants);
    // Any image may be mixed into another image, so the choice needs all images.
    const all = options.imageKinds.length === 0 || options.textOnly ? [] : await this.imagesOf(whole);
    for (const evaluator of context.evaluators) {
      // Evaluators without embeddings score pairs later, when the shards are merged.
      if (evaluator.embedTexts === undefined || (!this.onlyText(evaluator) && !embedsBoth(evaluator)))
        continue;
      const stage = this.onlyText(evaluator)
        ? undefined
        : new ImageStage(context, options, this.ranker, evaluator, this.clusters);
      const asked = stage === undefined ? participants : await stage.prepare(participants);
      await compareTexts(context, evaluator, asked, sets, this.weights, this.clusters);
      await stage?.encode([...sets, ...(await this.analysesOf(evaluator, asked))], all);
    }
  }

  private async imagesOf(whole: () => AsyncIterable<Example>): Promise<ImageItem[]> {
    const { participants } = await gather(this.context, this.options, whole(), () => undefined);
    return participants.flatMap(({ image }) => image ?? []);
  }

  private async setsFor(participants: readonly Participant[]): Promise<AlteredSet[]> {
    const { context, options } = this;
    const sources = options.sources ?? usualSources(participants);
    const weighs = this.refusal === undefined && participants.length > 0 && this.weighs(sources);
    if (weighs) await this.weighNouns(participants);
    const altering = { ...context, participants, weights: this.weights };
    const sets: AlteredSet[] = [];
    for (const source of sources) sets.push(await alteredBy(source, altering, options.agree));
    return sets;
  }

  private onlyText(evaluator: Evaluator): boolean {
    return this.options.textOnly || !this.ranks(evaluator);
  }

  /** Whether the evaluator can rank images and captions. */
  private ranks(evaluator: Evaluator): boolean {
    return embedsBoth(evaluator) || rerankedBy(evaluator) !== undefined;
  }

  private async problemOf(
    evaluator: Evaluator,
    participants: readonly Participant[],
    sets: readonly AlteredSet[],
  ): Promise<Words | undefined> {
    const onlyText = this.onlyText(evaluator);
    if (evaluator.embedTexts === undefined && onlyText)
      return noRanking(evaluator) ?? say('rococo.evaluatorLacksTexts');
    if (onlyText || embedsBoth(evaluator)) return undefined;
    const { imageKinds, imageSeeds } = this.options;
    const images = participants.filter(({ image }) => image !== undefined).length;
    const captions = participants.reduce((sum, one) => sum + one.captions.length, 0);
    const altered = [...sets, ...(await this.analysesOf(evaluator, participants))].reduce(
      (sum, set) => sum + alteredIn(set),
      0,
    );
    const alteredImages = images * imageKinds.length * imageSeeds.length;
    return tooMany(images * (captions + altered) + captions * alteredImages, this.context.options);
  }

  /** Computes the influence of the captions' nouns on the voters and on every evaluator that embeds texts. */
  private async weighNouns(participants: readonly Participant[]): Promise<void> {
    const { bench, evaluators, signal } = this.context;
    const audited = evaluators.filter((evaluator) => evaluator.embedTexts !== undefined);
    const voters = await this.context.voters();
    // Captions without an image matter only to a text encoder. Whether others join must not change a choice.
    this.weights = await weighAll(bench, { audited, voters }, participants, signal);
  }

  private async ask(
    evaluator: Evaluator,
    participants: readonly Participant[],
    sets: readonly AlteredSet[],
  ): Promise<Findings> {
    const { context, options, weights, clusters } = this;
    const problem = await this.problemOf(evaluator, participants, sets);
    if (problem !== undefined) {
      for (const { entries } of participants)
        for (const entry of entries) context.leaveOut(evaluator, problem, entry);
      return { metrics: [], warnings: [] };
    }
    const stage = this.onlyText(evaluator)
      ? undefined
      : new ImageStage(context, options, this.ranker, evaluator, clusters);
    const asked = stage === undefined ? participants : await stage.prepare(participants);
    for (const { entries } of asked) for (const entry of entries) context.markUsed(evaluator, entry);
    const texts = await compareTexts(context, evaluator, asked, sets, weights, clusters);
    // The captions' metrics are reported now, because the following searches take most of the time.
    if (context.watch?.wantsMetrics() === true)
      context.watch.tell(evaluator, entriesIn(asked), texts.metrics);
    const found: Findings = { metrics: [], warnings: [] };
    let imageRows: readonly ImageRow[] = [];
    if (stage !== undefined && asked.length > 0) {
      const analyses = await this.analysesOf(evaluator, asked);
      const { rows, metrics, warnings } = await stage.run(sets, analyses, texts.rows);
      imageRows = rows;
      append(found.metrics, metrics);
      append(found.warnings, warnings);
    }
    append(found.metrics, texts.metrics);
    if (texts.failed > 0) found.warnings.push(say('rococo.captionsLeftOut', texts.failed));
    const weighed = asked.flatMap((participant) => weights.get(participant) ?? []);
    if (weighed.length > 0 && evaluator.embedTexts !== undefined) {
      append(found.metrics, [
        ...(await inTurns(influenceMetrics(evaluator, weighed, clusters), context.signal)),
        ...agreementMetrics(weighed, context.seed),
      ]);
    }
    for (const row of worstFirst(imageRows)) await context.writeRow(evaluator, row);
    for (const participant of asked) {
      for (const row of texts.rows.get(participant)!) await context.writeRow(evaluator, row);
    }
    return found;
  }

  /** The approximate number of embeddings plus pair scores, over all evaluators. */
  private requests(participants: readonly Participant[], sources: readonly Source[]): number {
    const { imageKinds, imageSeeds, deletion, words } = this.options;
    const captions = participants.reduce((sum, one) => sum + one.captions.length, 0);
    const images = participants.filter(({ image }) => image !== undefined).length;
    const given = participants.reduce((sum, one) => sum + one.given.length, 0);
    const altered = sources.reduce((sum, source) => sum + (source === 'file' ? given : captions), 0);
    const analysed =
      captions * ((deletion ? deletions.length : 0) + (words ? wordCounts.length * wordSeeds.length : 0));
    const weighed = this.weighs(sources) ? captions * usualNouns : 0;
    const alteredImages = images * imageKinds.length * imageSeeds.length;
    return this.context.evaluators.reduce((sum, evaluator) => {
      const texts = evaluator.embedTexts === undefined ? 0 : captions + altered + analysed + weighed;
      if (this.onlyText(evaluator)) return sum + texts;
      const reranked = Math.min(images, rerankedBy(evaluator) ?? 0);
      return sum + texts + images + alteredImages + reranked * (2 * captions + altered + analysed);
    }, 0);
  }

  private weighs(sources: readonly Source[]): boolean {
    const { influence, deletion } = this.options;
    return influence || deletion || sources.some((source) => source !== 'file');
  }

  private async analysesOf(evaluator: Evaluator, asked: readonly Participant[]): Promise<AlteredSet[]> {
    const { options } = this;
    if (this.refusal !== undefined) return [];
    const altering = { ...this.context, participants: asked, weights: this.weights };
    return Promise.all([
      ...(options.deletion ? deletions.map((kind) => alteredByDeletion(kind, evaluator, altering)) : []),
      ...(options.words ? wordCounts.map((words) => alteredByWords(words, altering, wordSeeds)) : []),
    ]);
  }
}

function alteredIn({ draws }: AlteredSet): number {
  return draws.reduce((sum, draw) => sum + [...draw.values()].flat().length, 0);
}

function hasGiven(participants: readonly Participant[]): boolean {
  return participants.some(({ given }) => given.length > 0);
}

function usualSources(participants: readonly Participant[]): readonly Source[] {
  return hasGiven(participants) ? ['file'] : ['same-concept'];
}

/**
 * Rows in which an altered caption scores higher than the true caption come first, sorted by the difference. The
 * other rows keep the file's order.
 */
function worstFirst(rows: readonly ImageRow[]): ImageRow[] {
  const lead = ({ lists, score }: ImageRow): number => {
    const rival = lists.at(0)?.first.find(({ kind }) => kind === 'altered');
    return rival === undefined ? -Infinity : rival.score - score;
  };
  const leads = new Map(rows.map((row) => [row, lead(row)]));
  return [...rows].sort((a, b) => Math.max(0, leads.get(b)!) - Math.max(0, leads.get(a)!) || a.row - b.row);
}

function leftOut(count: number, note: Words): Words[] {
  return count === 0 ? [] : [note];
}
