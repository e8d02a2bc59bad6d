import type { Span } from '../text/variant';

/** Words with a full stop that does not end a sentence. */
const abbreviation =
  /(?:^|[\s("'“])(?:mr|mrs|ms|dr|st|jr|sr|prof|vs|etc|e\.g|i\.e|no|fig|approx|inc|a\.m|p\.m|u\.s|\p{L})\.$/iu;

/** The end of a sentence, with closing quotes and brackets, before a space. A line break also ends a sentence. */
const end = /[.!?]["'”’)\]]*(?=\s)|\n/gu;
const opening = /^\s+["'“‘([]*[\p{Lu}\p{N}]/u;

/** The sentences of a caption, without the spaces between them. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  let from = text.length - text.trimStart().length;
  const last = text.trimEnd().length;
  const add = (to: number): void => {
    const trimmed = from + text.slice(from, to).trimEnd().length;
    if (/[\p{L}\p{N}]/u.test(text.slice(from, to))) spans.push([from, trimmed]);
  };
  for (const { 0: mark, index } of text.matchAll(end)) {
    const to = index + (mark === '\n' ? 0 : mark.length);
    if (to <= from || to >= last) continue;
    const isEnd = opening.test(text.slice(to, to + 20)) && !abbreviation.test(text.slice(from, index + 1));
    if (mark !== '\n' && !isEnd) continue;
    add(to);
    from = to + /^\s*/.exec(text.slice(to))![0].length;
  }
  add(last);
  return spans;
}
