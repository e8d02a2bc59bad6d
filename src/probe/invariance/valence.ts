import { say } from '../../base/say';
import { pEquals } from '../../base/pValue';
import type { TextItem, Want } from '../../protocol/item';
import type { Lexicon } from '../../perturb/society/lexicon';
import { spearman } from '../../stats/correlation';
import { isDefined } from '../../stats/outcome';
import { mean } from '../../stats/summary';
import type { Metric } from '../metric';

/**
 * Positions of a word between unkind and kind words (A.13 of the paper). A position is the projection on the line
 * between the means of both groups.
 */
export interface Valence {
  word: number;
  /** The position of the word with its object, such as "African bed". */
  phrase: number;
}

type Anchors = Lexicon['valence'];

function textOf(text: string): TextItem {
  return { kind: 'text', text };
}

/** Requests the cosines between the anchors. These cosines determine the length of the line. */
export function anchorWants({ positive, negative }: Anchors): Want[] {
  const all = [...positive, ...negative];
  return all.flatMap((a, i) => all.slice(i + 1).map((b) => ({ left: textOf(a), right: textOf(b) })));
}

/** Requests the cosine of a text with each anchor. */
export function projectionWants({ positive, negative }: Anchors, text: string): Want[] {
  return [...positive, ...negative].map((anchor) => ({ left: textOf(text), right: textOf(anchor) }));
}

/** The length of the line between the means of the kind and of the unkind anchors. */
export function lineLength({ positive, negative }: Anchors, cosines: ArrayLike<number>): number {
  const n = positive.length + negative.length;
  const weight = (i: number): number => (i < positive.length ? 1 / positive.length : -1 / negative.length);
  let squared = 0;
  let at = 0;
  for (let i = 0; i < n; i++) {
    squared += weight(i) * weight(i);
    for (let j = i + 1; j < n; j++) squared += 2 * weight(i) * weight(j) * cosines[at++];
  }
  return Math.sqrt(Math.max(0, squared));
}

export function projection({ positive }: Anchors, cosines: readonly number[], length: number): number {
  const kind = mean(cosines.slice(0, positive.length));
  const unkind = mean(cosines.slice(positive.length));
  return (kind - unkind) / length;
}

/** Tests whether words closer to the unkind end lower the score more, per family and for all words. */
export class ValenceRecord {
  private readonly words = new Map<
    string,
    { family: string; variant: string; word: number; phrases: number[] }
  >();

  add(family: string, variant: string, { word, phrase }: Valence): void {
    const key = JSON.stringify([family, variant]);
    const found = this.words.get(key) ?? { family, variant, word, phrases: [] };
    found.phrases.push(phrase);
    this.words.set(key, found);
  }

  /** `medianOf` returns a word's median change. */
  metrics(medianOf: (family: string, variant: string) => number | null): Metric[] {
    const all = [...this.words.values()]
      .map((one) => ({ ...one, change: medianOf(one.family, one.variant) }))
      .filter((one) => one.change !== null)
      .sort((a, b) => (a.family + a.variant < b.family + b.variant ? -1 : 1));
    if (all.length === 0) return [];
    const families = [...new Set(all.map(({ family }) => family))];
    return [undefined, ...families].flatMap((family) => {
      const own = family === undefined ? all : all.filter((one) => one.family === family);
      const changes = own.map(({ change }) => change!);
      const slice = family === undefined ? {} : { slice: { family } };
      return (['word', 'phrase'] as const).map((what): Metric => {
        const places = own.map(({ word, phrases }) => (what === 'word' ? word : mean(phrases)));
        const metric: Metric = {
          id: `invariance.societal.valence.${what}`,
          value: null,
          n: own.length,
          ...slice,
        };
        const rho = spearman(places, changes);
        if (!isDefined(rho)) return { ...metric, note: say('invariance.kindnessUndefined', rho.reason) };
        const p = rho.pValue === undefined ? '' : `, ${pEquals(rho.pValue)}`;
        return {
          ...metric,
          value: rho.coefficient,
          note: what === 'word' ? say('invariance.kindnessByWord', p) : say('invariance.kindnessByPhrase', p),
        };
      });
    });
  }
}
