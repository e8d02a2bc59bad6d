import { append } from '../append';
import { inARow, type Words } from '../say';

/** Texts with more characters are not translated. There is a limit, because reports may be untrusted. */
const longest = 2000;
/** A template with fewer letters fits too many texts, unless all its values are known texts or numbers. */
const enoughLetters = 12;
const deepest = 4;
/** The most searches for one text. A hostile text could have thousands of parts within parts. */
const mostSearches = 200;
/** How many texts are remembered. */
const mostFound = 20_000;
/** Templates are looked up by this many characters at their start. */
const letters = 4;

interface Template {
  words: string;
  /** The template's text before, between and after the values. */
  literals: string[];
  /** The numbers N of the placeholders {N}, in the order of the template. */
  holes: number[];
  letters: number;
}

/** Finds the template and the values of an English text, because the texts of English reports need a translation. */
export class Templates {
  private readonly exact: ReadonlySet<string>;
  /** Templates by the first letters before their first value. The key is "" if a template starts with a value. */
  private readonly starting = new Map<string, Template[]>();
  /**
   * Earlier results by text, each with the depth of its search. If a search failed, a search from a smaller depth
   * may succeed, because it can go through more levels before it reaches the limit `deepest`.
   */
  private readonly found = new Map<string, { words: Words | undefined; depth: number }>();
  private searches = 0;

  /** `known`: the English texts that have a translation. */
  constructor(known: Iterable<string>) {
    this.exact = new Set(known);
    const templates = [...this.exact].flatMap((words) => templateOf(words) ?? []);
    for (const template of templates.sort((a, b) => b.letters - a.letters)) {
      const start = template.literals[0].slice(0, letters);
      const same = this.starting.get(start);
      if (same === undefined) this.starting.set(start, [template]);
      else same.push(template);
    }
  }

  /** The text as a template with values, or the text itself if no template fits. */
  wordsOf(text: string): Words {
    this.searches = 0;
    return text.length > longest ? text : (this.known(text, 0) ?? text);
  }

  private known(text: string, depth: number): Words | undefined {
    if (this.exact.has(text)) return { code: text, values: [] };
    if (depth > deepest || !/\p{L}/u.test(text)) return undefined;
    const before = this.found.get(text);
    if (before !== undefined && (before.words !== undefined || before.depth <= depth)) return before.words;
    if (++this.searches > mostSearches) return undefined;
    const words = this.recognised(text, depth);
    // `mostSearches` may have ended this part's search early, so the result is not remembered.
    if (depth > 0 && this.searches > mostSearches) return words;
    if (this.found.size >= mostFound) this.found.clear();
    this.found.set(text, { words, depth });
    return words;
  }

  private recognised(text: string, depth: number): Words | undefined {
    const quoted = /^"([^"]+)"$/.exec(text);
    const inner = quoted && this.known(quoted[1], depth + 1);
    if (inner != null) return { code: '"{0}"', values: [inner] };
    return (
      this.made(text, depth, true) ??
      this.joined(text, depth, true) ??
      this.made(text, depth, false) ??
      this.joined(text, depth, false)
    );
  }

  /** The templates that may fit, by the first letters of the text. */
  private candidates(text: string): Template[] {
    const found: Template[] = [];
    for (let length = 0; length <= letters; length++)
      append(found, this.starting.get(text.slice(0, length)) ?? []);
    return found.sort((a, b) => b.letters - a.letters);
  }

  /**
   * Fits the text to a template. If `clear`, tries only the templates with enough letters. If not, tries only the
   * other templates, and all values must be known texts or numbers.
   */
  private made(text: string, depth: number, clear: boolean): Words | undefined {
    for (const template of this.candidates(text)) {
      if (template.letters >= enoughLetters !== clear) continue;
      const values = valuesIn(template, text);
      if (values === undefined) continue;
      const known = values.map((value) => this.known(value, depth + 1));
      const isCertain = values.every((value, i) => known[i] !== undefined || !/\p{L}/u.test(value));
      if (clear || isCertain)
        return { code: template.words, values: values.map((value, i) => known[i] ?? value) };
    }
    return undefined;
  }

  /**
   * Splits sentences, lists and texts with brackets. At least one part must be known. If `all`, every part with
   * letters must be known.
   */
  private joined(text: string, depth: number, all: boolean): Words | undefined {
    const bracketed = /^([^()]+) \(([^()]+)\)$/.exec(text);
    if (bracketed !== null) {
      const [outer, inner] = bracketed.slice(1).map((part) => this.known(part, depth + 1));
      const isFound = all
        ? outer !== undefined && (inner !== undefined || !/\p{L}/u.test(bracketed[2]))
        : outer !== undefined || inner !== undefined;
      if (isFound) return { code: '{0} ({1})', values: [outer ?? bracketed[1], inner ?? bracketed[2]] };
    }
    for (const [between, separator] of [
      [' ', /(?<=[.!?]) (?=[\p{Lu}"])/u],
      ['; ', /; /],
      [' × ', / × /],
      [': ', /: (?!.*: )/s],
      [': ', /: /],
      [', ', /, /],
    ] as const) {
      const parts = text.split(separator);
      if (parts.length === 1) continue;
      const known = parts.map((part) => this.known(part, depth + 1));
      const isKnown = (part: Words | undefined, i: number): boolean =>
        part !== undefined || (all && !/\p{L}/u.test(parts[i]));
      if (known.some((part) => part !== undefined) && (!all || known.every(isKnown)))
        return inARow(
          parts.map((part, i) => known[i] ?? part),
          between,
        );
    }
    return undefined;
  }
}

function templateOf(words: string): Template | undefined {
  const parts = words.split(/\{(\d+)\}/);
  const literals = parts.filter((_, i) => i % 2 === 0);
  const holes = parts.filter((_, i) => i % 2 === 1).map(Number);
  // Two values without a text between them are ambiguous.
  if (holes.length === 0 || literals.slice(1, -1).includes('')) return undefined;
  return { words, literals, holes, letters: literals.join('').replace(/[^\p{L}]/gu, '').length };
}

function valuesIn({ literals, holes }: Template, text: string): string[] | undefined {
  if (!text.startsWith(literals[0]) || !text.endsWith(literals.at(-1)!)) return undefined;
  const values: string[] = [];
  let at = literals[0].length;
  for (const [i, hole] of holes.entries()) {
    const next = literals[i + 1];
    const end = i === holes.length - 1 ? text.length - next.length : text.indexOf(next, at + 1);
    if (end <= at) return undefined;
    const value = text.slice(at, end);
    if (values[hole] !== undefined && values[hole] !== value) return undefined;
    values[hole] = value;
    at = end + next.length;
  }
  return values;
}
