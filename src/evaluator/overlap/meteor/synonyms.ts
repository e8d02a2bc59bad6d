/** Finds the WordNet 3.0 synsets (sets of synonyms) of words, including words in inflected forms. */
import { join } from 'node:path';
import { readJsonSync } from '../../../base/files/readJson';
import { object, text } from '../../../base/shape';
import { installFolder } from '../../../base/install';

/** Endings of nouns, verbs and adjectives, each with the ending of the base form, in WordNet's order. */
const endings: readonly (readonly [string, string])[] =
  's: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y s: ies:y es:e es: ed:e ed: ing:e ing: er: est: er:e est:e'
    .split(' ')
    .map((pair) => pair.split(':'))
    .map(([from, to]) => [from, to]);

const fileShape = object({ lemmas: text, groups: text, exceptions: text });

export class Synonyms {
  /**
   * For each word, a negative number that no other word has, and the numbers of its synsets with at least two words.
   * The negative number lets different forms of the same word match.
   */
  private readonly synsets = new Map<string, number[]>();
  private readonly bases = new Map<string, string[]>();
  private readonly known = new Map<string, ReadonlySet<number>>();

  constructor(path = join(installFolder(), 'dist', 'wordnet.json')) {
    const { lemmas, groups, exceptions } = fileShape(readJsonSync(path), path);
    const words = lemmas.split(' ');
    words.forEach((word, i) => this.synsets.set(word, [-1 - i]));
    groups.split(',').forEach((group, synset) => {
      let i = 0;
      for (const step of group.split(' ')) {
        i += parseInt(step, 36);
        this.synsets.get(words[i])?.push(synset);
      }
    });
    for (const line of exceptions.split(',')) {
      const [form, ...own] = line.split(' ');
      this.bases.set(form, own);
    }
  }

  /** The synsets of a word and its base forms. */
  of(word: string): ReadonlySet<number> {
    let found = this.known.get(word);
    if (found === undefined) {
      if (this.known.size === mostRemembered) this.known.clear();
      const bases = this.bases.get(word) ?? this.regularBase(word);
      found = new Set([word, ...bases].flatMap((one) => this.synsets.get(one) ?? []));
      this.known.set(word, found);
    }
    return found;
  }

  private regularBase(word: string): string[] {
    if (word.length <= 2 || word.endsWith('ss')) return [];
    for (const [ending, base] of endings) {
      if (!word.endsWith(ending)) continue;
      const lemma = word.slice(0, -ending.length) + base;
      if (this.synsets.has(lemma)) return [lemma];
    }
    return [];
  }
}

const mostRemembered = 1 << 16;
