/** Flips with one observation per replaced word, because a word alone may move the score of every caption. */
import { say, together } from '../../../base/say';
import { eachOf, type Steps } from '../../../base/turns/steps';
import { type FlipType, flipTypes } from '../../../perturb/text/variant';
import { Clusters, Figure } from '../../figure';
import { tooFewImages } from '../../inference/interval';
import type { Metric } from '../../metric';
import type { LgipVariant } from '../row';
import { replacedWord } from './direction';
import { byWord } from './overWords';

export class ByWord {
  private readonly words = new Clusters();
  private readonly all = new Flips();
  private readonly types: Record<FlipType, Flips> = {
    object: new Flips(),
    color: new Flips(),
    number: new Flips(),
  };

  /** `change` is the mean size of the change of the score by the caption's paraphrases, if it has any. */
  add(caption: string, flip: LgipVariant & { gap: number }, cluster: number, change?: number): void {
    const word = this.words.of(replacedWord(caption, flip));
    const type = flipTypes.find((one) => one === flip.kind);
    for (const flips of [this.all, ...(type === undefined ? [] : [this.types[type]])])
      flips.add(flip.gap, change, word, cluster);
  }

  *metrics(): Steps<Metric[]> {
    const named = [
      { suffix: '', flips: this.all },
      ...flipTypes.map((type) => ({ suffix: `.${type}`, flips: this.types[type] })),
    ].flatMap(({ suffix, flips }) => [
      { id: `lgip.pr${suffix}`, values: flips.caught },
      ...(suffix === '' ? [{ id: 'lgip.sens', values: flips.falls }] : []),
      { id: `lgip.margin${suffix}`, values: flips.margins },
    ]);
    return yield* eachOf(
      named.filter(({ values }) => values.figure.n > 0),
      ({ id, values }) => values.metric(id),
    );
  }
}

/** What is measured of flips. Intervals of means of few words are those of a test, because a bootstrap is too narrow. */
class Flips {
  readonly caught = new Values('wilson');
  readonly falls = new Values('test');
  readonly margins = new Values('test');

  add(gap: number, change: number | undefined, word: number, cluster: number): void {
    this.caught.images.add(cluster);
    this.caught.figure.compare(gap, 0, word);
    this.falls.add(gap, word, cluster);
    if (change !== undefined) this.margins.add(gap - change, word, cluster);
  }
}

class Values {
  readonly figure = new Figure();
  readonly images = new Set<number>();

  constructor(private readonly interval: 'wilson' | 'test') {}

  add(value: number, word: number, cluster: number): void {
    this.figure.add(value, word);
    this.images.add(cluster);
  }

  *metric(id: string): Steps<Metric> {
    const { figure, images, interval } = this;
    const made = yield* figure.metric(id, { slice: byWord, rate: interval === 'wilson', interval });
    const { images: words, ci, degrees, ...metric } = made;
    const counted = images.size < metric.n ? { ...metric, images: images.size } : metric;
    const note = together(metric.note, say('lgip.replacedWords', words ?? metric.n));
    const few = tooFewImages(images.size);
    if (few !== undefined) return { ...counted, note: say('probe.noInterval', few.reason) };
    return {
      ...counted,
      ...(ci === undefined ? {} : { ci }),
      ...(degrees === undefined ? {} : { degrees }),
      note,
    };
  }
}
