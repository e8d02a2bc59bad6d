import { CaptiousError, throwIfCancelled } from '../../base/errors';
import type { Evaluator } from '../../evaluator/evaluator';
import type { Ranker } from '../../evaluator/ranking/ranking';
import { Clusters } from '../figure';
import type { Findings, GalleryContext } from '../probe';
import { deletions } from './alter';
import { alteredBy, alteredByDeletion, alteredByWords, type AlteredSet } from './altered';
import { weigh, type WeighedCaption } from './influence';
import type { RococoOptions, Source } from './options';
import { gather, type Participant, seesPhotos } from './participant';
import { PhotoStage } from './photoStage';
import type { PhotoRow } from './row';
import { agreementMetrics, influenceMetrics } from './statistics';
import { compareTexts } from './textStage';

/** The paper's three draws for random words (Table 6). */
const wordSeeds = [1, 10, 100];
const wordCounts = [2, 3, 4, 5];

/** Examples per batch: their embeddings are released afterwards. */
const weighedAtOnce = 200;

export class Study {
  private readonly clusters = new Clusters();
  private readonly weights = new Map<Participant, readonly WeighedCaption[]>();

  constructor(
    private readonly context: GalleryContext,
    private readonly options: RococoOptions,
    private readonly ranker: Ranker,
  ) {}

  async run(): Promise<ReadonlyMap<Evaluator, Findings>> {
    const { context, options } = this;
    const { participants, dropped } = await gather(context, options.textOnly);
    const sources = this.sourcesFor(participants);
    if (options.influence || options.deletion || sources.some((source) => source !== 'file')) {
      await this.weighAll(participants);
    }
    const sets = sources.map((source) =>
      alteredBy(source, participants, this.weights, context.seed, options.agree),
    );
    const warnings = [
      ...leftOut('of the file', dropped),
      ...sets.flatMap((set) => leftOut(`made by ${set.name}`, set.dropped)),
    ];
    const findings = new Map<Evaluator, Findings>();
    for (const evaluator of context.evaluators) {
      throwIfCancelled(context.signal);
      const { metrics, warnings: own } = await this.ask(evaluator, participants, sets);
      findings.set(evaluator, { metrics, warnings: [...warnings, ...own] });
    }
    return findings;
  }

  private sourcesFor(participants: readonly Participant[]): readonly Source[] {
    const given = participants.some((participant) => participant.given.length > 0);
    const { sources } = this.options;
    if (sources === undefined) return given ? ['file'] : ['same-concept'];
    if (sources.includes('file') && !given)
      throw new CaptiousError('usage', 'The file holds no altered captions.', {
        remedy: 'Set the option captions to same-concept or another policy, and they are made here.',
      });
    return sources;
  }

  private onlyText(evaluator: Evaluator): boolean {
    return this.options.textOnly || !seesPhotos(evaluator);
  }

  /** Every evaluator that embeds texts has one vote. */
  private async weighAll(participants: readonly Participant[]): Promise<void> {
    const { bench, evaluators, signal } = this.context;
    const voters = evaluators.filter((evaluator) => evaluator.embedTexts !== undefined);
    const all = voters.some((evaluator) => this.onlyText(evaluator));
    const weighty = participants.filter(({ image }) => all || image !== undefined);
    for (let from = 0; from < weighty.length; from += weighedAtOnce) {
      throwIfCancelled(signal);
      const part = weighty.slice(from, from + weighedAtOnce);
      const refs = part.flatMap(({ example, captions }) =>
        captions.map(({ text }, index) => ({ example: example.id, index, text })),
      );
      const weighed = await weigh(bench, voters, refs, signal);
      for (const participant of part) {
        this.weights.set(participant, weighed.splice(0, participant.captions.length));
      }
    }
  }

  private async ask(
    evaluator: Evaluator,
    participants: readonly Participant[],
    sets: readonly AlteredSet[],
  ): Promise<Findings> {
    const { context, options, weights, clusters } = this;
    if (evaluator.embedTexts === undefined) {
      for (const { example } of participants)
        context.leaveOut(evaluator, 'the evaluator embeds no captions, so it cannot rank them', example);
      return { metrics: [], warnings: [] };
    }
    const stage = this.onlyText(evaluator)
      ? undefined
      : new PhotoStage(context, options, this.ranker, evaluator, clusters);
    const asked = stage === undefined ? participants : await stage.prepare(participants);
    for (const { example } of asked) context.tookPart(evaluator, example);
    const texts = await compareTexts(context, evaluator, asked, sets, weights, clusters);
    const found: Findings = { metrics: [], warnings: [] };
    let photoRows: readonly PhotoRow[] = [];
    if (stage !== undefined && asked.length > 0) {
      const analyses = this.analysesOf(evaluator, asked);
      const { rows, metrics, warnings } = await stage.run(sets, analyses, texts.rows);
      photoRows = rows;
      found.metrics.push(...metrics);
      found.warnings.push(...warnings);
    }
    found.metrics.push(...texts.metrics);
    if (texts.failed > 0)
      found.warnings.push(`${texts.failed} captions have no embedding and were left out.`);
    const weighed = asked.flatMap((participant) => weights.get(participant) ?? []);
    if (weighed.length > 0) {
      found.metrics.push(
        ...influenceMetrics(evaluator, weighed, clusters),
        ...agreementMetrics(weighed, context.seed),
      );
    }
    for (const row of worstFirst(photoRows)) await context.writeRow(evaluator, row);
    for (const participant of asked) {
      for (const row of texts.rows.get(participant)!) await context.writeRow(evaluator, row);
    }
    return found;
  }

  private analysesOf(evaluator: Evaluator, asked: readonly Participant[]): AlteredSet[] {
    const { options, weights, context } = this;
    return [
      ...(options.deletion
        ? deletions.map((kind) => alteredByDeletion(kind, evaluator, asked, weights, context.seed))
        : []),
      ...(options.words ? wordCounts.map((words) => alteredByWords(words, asked, wordSeeds)) : []),
    ];
  }
}

/** By the lead of an altered caption; in the file's order where none leads. */
function worstFirst(rows: readonly PhotoRow[]): PhotoRow[] {
  const lead = ({ lists, score }: PhotoRow): number => {
    const rival = lists.at(0)?.first.find(({ kind }) => kind === 'altered');
    return rival === undefined ? -Infinity : rival.score - score;
  };
  const leads = new Map(rows.map((row) => [row, lead(row)]));
  return [...rows].sort((a, b) => Math.max(0, leads.get(b)!) - Math.max(0, leads.get(a)!) || a.row - b.row);
}

function leftOut(which: string, count: number): string[] {
  if (count === 0) return [];
  return [`${count} altered captions ${which} equal a true caption of their own photo and were left out.`];
}
