/** Rates with one observation per replaced word, because a word alone may move the score of every caption. */
import { say, together } from '../../../base/say';
import { eachOf, type Steps } from '../../../base/turns/steps';
import { type FlipType, flipTypes } from '../../../perturb/text/variant';
import { Clusters, Figure } from '../../figure';
import { tooFewImages } from '../../inference/interval';
import type { Metric } from '../../metric';
import type { LgipVariant } from '../row';
import { byWord, replacedWord } from './direction';

export class ByWord {
  private readonly words = new Clusters();
  private readonly all = new Rate();
  private readonly rates: Record<FlipType, Rate> = {
    object: new Rate(),
    color: new Rate(),
    number: new Rate(),
  };

  add(caption: string, flip: LgipVariant & { gap: number }, cluster: number): void {
    const word = this.words.of(replacedWord(caption, flip));
    const type = flipTypes.find((one) => one === flip.kind);
    for (const rate of [this.all, ...(type === undefined ? [] : [this.rates[type]])]) {
      rate.figure.compare(flip.gap, 0, word);
      rate.images.add(cluster);
    }
  }

  *metrics(): Steps<Metric[]> {
    const named = [
      { id: 'lgip.pr', rate: this.all },
      ...flipTypes.map((type) => ({ id: `lgip.pr.${type}`, rate: this.rates[type] })),
    ].filter(({ rate }) => rate.figure.n > 0);
    return yield* eachOf(named, function* ({ id, rate }): Steps<Metric> {
      const form = { slice: byWord, rate: true, interval: 'wilson' } as const;
      const { images: words, ci, degrees, ...metric } = yield* rate.figure.metric(id, form);
      const images = rate.images.size;
      const counted = images < metric.n ? { ...metric, images } : metric;
      const note = together(metric.note, say('lgip.replacedWords', words ?? metric.n));
      const few = tooFewImages(images);
      if (few !== undefined) return { ...counted, note: say('probe.noInterval', few.reason) };
      return {
        ...counted,
        ...(ci === undefined ? {} : { ci }),
        ...(degrees === undefined ? {} : { degrees }),
        note,
      };
    });
  }
}

class Rate {
  readonly figure = new Figure();
  readonly images = new Set<number>();
}
