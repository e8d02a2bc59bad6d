/* What is known about items from outside their file's captions. */
import type { ScoreOfText } from './blind/outside';
import type { Alike } from './images/alike';
import type { Leaks } from './leaks/leakKinds';
import type { AuditedEvaluator } from './evaluators/asked';

export interface Known {
  /** Evaluators that have been audited on the same items. */
  evaluators?: readonly AuditedEvaluator[];
  /** Hears how many of the models without the image are finished. */
  told?: (done: number, of: number) => void;
  /** The images without a file, by `imageKey`. Undefined if images were not searched. */
  missing?: ReadonlySet<string>;
  /** The images that cannot be decoded. Undefined if no image was read. */
  corrupt?: ReadonlySet<string>;
  /** For images of which an earlier one has the same pixels or nearly the same pattern: that one. */
  alike?: ReadonlyMap<string, Alike>;
  /** The names of images, by `imageKey`. */
  names?: ReadonlyMap<string, string>;
  /** For each item, what it shares with other files and splits. Undefined if there are none. */
  leaks?: readonly (Leaks | undefined)[];
  /** Baselines that need more than the benchmark. */
  blind?: Readonly<Record<string, ScoreOfText | undefined>>;
}
