/** Rates with one observation per replaced word, because a word alone may move the score of every caption. */
import { say, together } from '../../../base/say';
import { eachOf, type Steps } from '../../../base/turns/steps';
import { type FlipType, flipTypes } from '../../../perturb/text/variant';
import { Clusters, Figure } from '../../figure';
import type { Metric } from '../../metric';
import type { LgipVariant } from '../row';
import { byWord, replacedWord } from './direction';

export class ByWord {
  private readonly words = new Clusters();
  private readonly all = new Figure();
  private readonly figures: Record<FlipType, Figure> = {
    object: new Figure(),
    color: new Figure(),
    number: new Figure(),
  };

  add(caption: string, flip: LgipVariant & { gap: number }): void {
    const word = this.words.of(replacedWord(caption, flip));
    const type = flipTypes.find((one) => one === flip.kind);
    for (const figure of [this.all, ...(type === undefined ? [] : [this.figures[type]])])
      figure.compare(flip.gap, 0, word);
  }

  *metrics(): Steps<Metric[]> {
    const named = [
      { id: 'lgip.pr', figure: this.all },
      ...flipTypes.map((type) => ({ id: `lgip.pr.${type}`, figure: this.figures[type] })),
    ].filter(({ figure }) => figure.n > 0);
    return yield* eachOf(named, function* ({ id, figure }): Steps<Metric> {
      // `n` counts flips, and the interval holds over words, not over images.
      const form = { slice: byWord, rate: true, interval: 'wilson' } as const;
      const { images, ...metric } = yield* figure.metric(id, form);
      return { ...metric, note: together(metric.note, say('lgip.replacedWords', images ?? metric.n)) };
    });
  }
}
