/* Searches for a text that an evaluator scores higher than a caption, while the user watches. */
import { stat } from 'node:fs/promises';
import type { AnswerOf, AskOf, CallContext } from '../base/calls';
import { CaptiousError, throwIfCancelled } from '../base/errors';
import { append } from '../base/lists';
import type { Outcome } from '../base/outcome';
import { Random } from '../base/random';
import { say, type Words } from '../base/say';
import { inTurns } from '../base/turns/steps';
import { drawKey } from '../dataset/example';
import { openDataset } from '../dataset/open';
import type { EvaluatorInfo } from '../evaluator/evaluator';
import { PairScorer } from '../explain/scorer';
import { rulesApply } from '../perturb/text/fileLanguage';
import { trueOf } from '../perturb/words/replace';
import { mostRead } from '../probe/exploit/exploit';
import { exploitOptionsFrom } from '../probe/exploit/options';
import { climb, remembered, vocabularyOf } from '../probe/exploit/search';
import type { readerRequests } from '../protocol/service';
import { readReport, type Report } from '../report/report';
import type { SeenImage } from './explaining';
import type { OpenEvaluators } from './openEvaluators';

type FoolAsk = AskOf<typeof readerRequests, 'fool'>;

/** The image of a caption, where its dataset is, and all captions of the example. */
interface SeenCaption extends SeenImage {
  captions: readonly string[];
}

export class Fooling {
  /** The words of the dataset that was read last. */
  private words: { key: string; vocabulary: readonly string[] } | undefined;
  /** What the last search knows. A request with a larger budget repeats it from its start. */
  private last:
    { key: string; outcomes: Map<string, Outcome<number>>; isTrue: (word: string) => boolean } | undefined;

  constructor(private readonly evaluators: OpenEvaluators) {}

  /** The search that a run with this budget makes: the seed, the image and the caption decide what is drawn. */
  async answer(
    ask: FoolAsk,
    { image, dataset, captions }: SeenCaption,
    { signal }: CallContext,
  ): Promise<AnswerOf<typeof readerRequests, 'fool'>> {
    const { report: path, text, image: name = '', budget, home, allowed } = ask;
    const report = await readReport(path);
    const { evaluator: info, seed } = report;
    refuseUnlessScoring(info);
    if (!rulesApply(text, undefined))
      throw new CaptiousError('usage', say('fool.notEnglish'), { remedy: say('fool.chooseEnglish') });
    const { evaluator, bench } = await this.evaluators.of(info, home, allowed.evaluators, allowed.python);
    if (image === undefined)
      throw new CaptiousError('input', say('editor.imageNotFound', name), {
        at: path,
        remedy: say('editor.addImageFolderSetting'),
      });
    // As in a run, the caption is no reference of its variants.
    const references = evaluator.references?.of(name).filter((each) => each !== text);
    const target = { image, ...(references === undefined ? {} : { references }) };
    const vocabulary = await this.vocabulary(report, dataset, signal);
    const { outcomes, isTrue } = this.known(JSON.stringify([path, info.sha256, name, captions, text]), [
      ...captions,
      text,
    ]);
    const scorer = new PairScorer(bench, evaluator, target, text, signal);
    let problem: Words | undefined;
    const scoresOf = async (texts: readonly string[]): Promise<Float64Array> => {
      throwIfCancelled(signal);
      const fresh = texts.filter((one) => !outcomes.has(one));
      const found = await scorer.outcomes(fresh.map((one) => ({ text: one })));
      for (const [i, one] of fresh.entries()) outcomes.set(one, found[i]);
      return Float64Array.from(texts, (one) => {
        const outcome = outcomes.get(one)!;
        if (outcome.ok) return outcome.value;
        problem = outcome.problem;
        return NaN;
      });
    };
    const [score] = await scoresOf([text]);
    if (problem !== undefined)
      throw new CaptiousError('evaluator', say('fool.unscored', info.name, problem), { at: info.path });
    const random = new Random(seed, ...drawKey({ images: [{ name }] }, { image: 0, text }), 'exploit.search');
    const { lost, ...search } = await climb(
      { text, score },
      budget,
      { vocabulary, isTrue, random },
      scoresOf,
    );
    return {
      search: { caption: text, score, ...search },
      isOver: search.queries < budget,
      lost,
      ...(problem === undefined ? {} : { problem }),
    };
  }

  private known(key: string, captions: readonly string[]): NonNullable<Fooling['last']> {
    if (this.last?.key !== key)
      this.last = { key, outcomes: new Map(), isTrue: remembered(trueOf(captions)) };
    return this.last;
  }

  /** The words of the report's searches, or else the content words of its dataset. */
  private async vocabulary(
    { probe, options }: Report,
    dataset: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const given = probe === 'exploit' ? exploitOptionsFrom(options).words : [];
    if (given.length > 0 || dataset === undefined) return given;
    const changed = await stat(dataset).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    const key = JSON.stringify([dataset, changed]);
    if (this.words?.key !== key) {
      const texts: string[] = [];
      let read = 0;
      for await (const { captions } of (await openDataset(dataset, { signal })).read({ signal })) {
        append(
          texts,
          captions.map(({ text }) => text),
        );
        if (++read === mostRead) break;
      }
      this.words = { key, vocabulary: await inTurns(vocabularyOf(texts), signal) };
    }
    return this.words.vocabulary;
  }
}

/** Refuses before a model is loaded: a search takes many scores of new texts, which may cost money or do not exist. */
function refuseUnlessScoring({ kind, name, path, scores }: EvaluatorInfo): void {
  const refused = (what: Words, remedy: Words): CaptiousError =>
    new CaptiousError('evaluator', what, { at: path, remedy });
  if (kind === 'judge') throw refused(say('service.captionsCostMoney', name), say('fool.auditInstead'));
  if (kind === 'scores') throw refused(say('fool.onlyGivenScores', name), say('fool.chooseScoring'));
  if (!scores.includes('image-text'))
    throw refused(say('explain.scoresNoImages', name), say('fool.chooseScoring'));
}
