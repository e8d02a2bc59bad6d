import { say, type Words } from '../../base/say';
import { Random } from '../../base/random';
import type { Example } from '../../dataset/example';
import { refusalOf } from '../../perturb/text/fileLanguage';
import type { GalleryContext } from '../probe';
import type { PrsmOptions } from './options';
import {
  attributed,
  paraphrased,
  prefixed,
  type Prefixing,
  unattributedNote,
  type Wordings,
} from './wordings';

/** Makes the wordings of each query, and collects warnings for the report. */
export class WordingMaker {
  private generated = 0;
  private readonly prefixings: Record<Prefixing, number> = { of: 0, colon: 0, none: 0 };
  private readonly unattributed: string[][] = [];
  /** Why the rules make no wordings: the captions are not in English. Undefined if the rules apply. */
  private readonly refusal: Words | undefined;

  constructor(
    private readonly options: PrsmOptions,
    private readonly context: Pick<GalleryContext, 'seed' | 'language'>,
  ) {
    this.refusal = refusalOf(context.language);
  }

  /** Why an example has no wordings; undefined if it may have some. */
  refusalFor({ form, captions }: Example): Words | undefined {
    const { sets, ownSynonyms } = this.options;
    const isGiven =
      form === 'triplet' ||
      captions.some(({ variants }) => variants?.some(({ family }) => family === 'paraphrase'));
    const hasOwn = (sets.includes('P1') && isGiven) || (sets.includes('P3') && ownSynonyms.size > 0);
    return hasOwn ? undefined : this.refusal;
  }

  wordingsOf(example: Example, caption: string, given: readonly string[]): Wordings {
    const { sets, attributes, ownSynonyms, anywhere } = this.options;
    const synonyms = this.refusal === undefined ? this.options.synonyms : ownSynonyms;
    const wordings: Wordings = new Map([['o', caption]]);
    const addAll = (more: Wordings): void => more.forEach((text, label) => wordings.set(label, text));
    if (sets.includes('P1')) {
      const { seed, language } = this.context;
      // Several images may have the caption, so the choice depends on none of them.
      const random = new Random(seed, caption, 'prsm.paraphrases');
      const { wordings: made, made: generated } = paraphrased(caption, given, random, language);
      if (generated && made.size > 0) this.generated++;
      addAll(made);
    }
    if (sets.includes('P2') && this.refusal === undefined) {
      const { wordings: made, how } = prefixed(caption);
      this.prefixings[how]++;
      addAll(made);
    }
    if (sets.includes('P3')) {
      const named = attributes
        .map((column) => example.attributes[column])
        .filter((value) => typeof value === 'string');
      const made = attributed(caption, named, synonyms, anywhere);
      if (made.size === 0) this.unattributed.push(named.filter((name) => !synonyms.has(name.toLowerCase())));
      addAll(made);
    }
    return wordings;
  }

  warnings(queries: number): Words[] {
    const warnings = unattributedNote(this.unattributed, queries);
    if (this.refusal !== undefined) warnings.push(say('prsm.wordingsGivenOnly', this.refusal));
    if (this.generated > 0) warnings.push(say('prsm.paraphrasesGenerated', this.generated));
    const { colon, none } = this.prefixings;
    if (colon > 0) warnings.push(say('prsm.colonPrefixes', colon, queries));
    if (none > 0) warnings.push(say('prsm.captionsWithoutPrefix', none, queries));
    return warnings;
  }
}
