import { CaptiousError } from '../base/errors';
import { say } from '../base/say';
import type { ImageItem, TextItem, Want } from '../protocol/item';
import type { RowAnswer, RowAsk } from '../protocol/rows';
import { readReport } from '../report/report';
import { OpenEvaluators } from './openEvaluators';

/** Scores captions while the user types them, with the report's evaluator and the same store as runs. */
export class WhatIf {
  private asked: AbortController | undefined;

  constructor(private readonly evaluatorRun = new OpenEvaluators()) {}

  /** Scores a caption. Cancels the previous request. */
  async answer(
    { report, text, others }: RowAsk<'whatIf'>,
    image: ImageItem | undefined,
    home: string,
    allowed: readonly string[],
    given?: AbortSignal,
    python?: readonly string[],
  ): Promise<RowAnswer<'whatIf'>> {
    this.asked?.abort(new CaptiousError('interrupted', say('service.supersededByNewerCaption')));
    this.asked = new AbortController();
    const signal = AbortSignal.any([this.asked.signal, ...(given === undefined ? [] : [given])]);
    const { evaluator: info } = await readReport(report);
    const { evaluator, bench } = await this.evaluatorRun.of(info, home, allowed, python);
    const [typed, ...rest] = [text, ...others].map((each): TextItem => ({ kind: 'text', text: each }));
    const { scores } = evaluator.info;
    // The row's captions are no references: the typed caption is a variant of one of them.
    const references = evaluator.references
      ?.of(image?.source.name ?? '')
      .filter((caption) => ![text, ...others].includes(caption));
    const withImage =
      image !== undefined && scores.includes('image-text')
        ? [typed, ...rest].map((right): Want => ({
            left: image,
            right,
            ...(references === undefined ? {} : { references }),
          }))
        : [];
    const withTexts = scores.includes('text-text') ? rest.map((right): Want => ({ left: typed, right })) : [];
    const outcomes = await bench.scores(evaluator, [...withImage, ...withTexts], signal);
    const at = (index: number): number | null => {
      const outcome = outcomes.at(index);
      return outcome?.ok ? outcome.value : null;
    };
    const failed = outcomes.find((outcome) => !outcome.ok);
    return {
      image: withImage.length > 0 ? at(0) : null,
      others: others.map((_, i) => ({
        image: withImage.length > 0 ? at(i + 1) : null,
        text: withTexts.length > 0 ? at(withImage.length + i) : null,
      })),
      ...(failed === undefined || failed.ok ? {} : { problem: failed.problem }),
    };
  }

  close(): Promise<void> {
    return this.evaluatorRun.close();
  }
}
