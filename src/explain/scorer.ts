import type { Bench } from '../bench/bench';
import { CaptiousError } from '../base/errors';
import { say, type Words } from '../base/say';
import type { Outcome } from '../base/outcome';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem, TextItem, Want } from '../protocol/item';

/** What a caption is scored against: its image, or another text. */
export type Target = { image: ImageItem; references?: readonly string[] } | { text: string };

/** A text to score. `image` replaces the target's image, for example with one of which a part is hidden. */
export interface Asked {
  text: string;
  image?: ImageItem;
}

/** An empty text, as a text that every tokenizer and server accepts. */
const blank = ' ';

/** Scores versions of one pair. Everything that is asked for at once goes through the queue together. */
export class PairScorer {
  private readonly distinct = new Set<string>();

  constructor(
    private readonly bench: Bench,
    readonly evaluator: Evaluator,
    readonly target: Target,
    /** The caption that is explained. Reference-based metrics must not use it as a reference. */
    private readonly caption: string,
    private readonly signal?: AbortSignal,
  ) {}

  /** The number of distinct pairs that were scored. */
  get scored(): number {
    return this.distinct.size;
  }

  outcomes(asked: readonly Asked[]): Promise<Outcome<number>[]> {
    return this.bench.scores(
      this.evaluator,
      asked.map((one) => this.want(one)),
      this.signal,
    );
  }

  /** The scores. Throws if one of them is missing. */
  async scores(asked: readonly Asked[]): Promise<number[]> {
    const outcomes = await this.outcomes(asked);
    return outcomes.map((outcome, i) => {
      if (outcome.ok) return outcome.value;
      throw this.unscored(asked[i].text, outcome.problem);
    });
  }

  private want({ text, image }: Asked): Want {
    const { target } = this;
    const right: TextItem = { kind: 'text', text: text === '' ? blank : text, origin: this.caption };
    const left = 'text' in target ? { kind: 'text' as const, text: target.text } : (image ?? target.image);
    this.distinct.add(JSON.stringify([right.text, left.kind === 'image' ? left.transforms : null]));
    const references = 'text' in target ? undefined : target.references;
    return { left, right, ...(references === undefined ? {} : { references }) };
  }

  private unscored(text: string, problem: Words): CaptiousError {
    return new CaptiousError('evaluator', say('explain.unscored', this.evaluator.info.name, text, problem), {
      at: this.evaluator.info.path,
      remedy: say('explain.leaveOneOutInstead'),
    });
  }
}

/** Whether images and texts are encoded separately, so that every further combination costs only a cosine. */
export function separates({ derived, mapped, scorePairs, lookUp, embedTexts }: Evaluator): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  if (inner !== undefined) return separates(inner);
  return scorePairs === undefined && lookUp === undefined && embedTexts !== undefined;
}
