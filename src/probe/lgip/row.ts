import type { Place } from '../../dataset/example';
import type { Span, TextFamily } from '../../perturb/text/variant';
import type { Row } from '../probe';

/** One caption with everything that was asked about it. */
export interface LgipRow extends Row {
  /** Index of the caption in its example, the column it was read from, and where it stands. */
  caption: number;
  field: string;
  captionPlace?: Place;
  /** Trimmed, as it was scored. */
  text: string;
  words: number;
  outcome: Outcome;
  /** Against the picture; null where the caption was not scored. */
  score: number | null;
  variants: LgipVariant[];
}

/**
 * - `perturbed`: it has variants;
 * - `given`: it has variants, and the dataset brought them;
 * - `no-variant`: nothing of it survived the filters and caps;
 * - `other-language`, `no-word` (emoji, digits), `blank`: nothing was made from it, and a blank one was not scored.
 */
export type Outcome = 'perturbed' | 'given' | 'no-variant' | 'other-language' | 'no-word' | 'blank';

export interface LgipVariant {
  text: string;
  family: TextFamily;
  /** Of a paraphrase: template, passive, synonym, restructure. Of a flip: color, number, object, or what it is beyond the paper. */
  kind: string;
  rule: string;
  score: number;
  /** The variant's score minus the original's. */
  delta: number;
  /** The original's score minus the flip's; absent for a paraphrase. */
  gap?: number;
  /** What is new in `text`, and what it stands for in the text it was made from, in UTF-16 units. */
  span: Span;
  was: Span;
  /** Of a combined variant: the index of the paraphrase that was flipped, and that one's score minus this one's. */
  of?: number;
  gapToParaphrase?: number;
  /** 1 − cosine of the flip and the original in the model's text space; absent where it has none. */
  distance?: number;
}
