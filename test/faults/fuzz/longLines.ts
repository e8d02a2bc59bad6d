import { Random } from '../../../src/base/random';
import { oneLine } from '../../../src/base/text/oneLine';
import { fileName } from '../../../src/base/files/fileName';
import { markdownCode, markdownText } from '../../../src/base/text/markdown';
import { answerIn, parseAnswer } from '../../../src/base/text/modelAnswer';
import { shortNames } from '../../../src/base/text/shortNames';
import { escapeXml } from '../../../src/base/xml';
import { visible } from '../../../src/base/text/visible';
import { table } from '../../../src/cli/terminal';
import { parseFieldMap, plainName } from '../../../src/dataset/fields/fields';
import { isNear } from '../../../src/dataset/fields/near';
import { pythonList } from '../../../src/dataset/fields/pythonList';
import { readScore } from '../../../src/evaluator/judge/judgeAnswer';
import { meanLogProbability } from '../../../src/evaluator/judge/probability/probability';
import { meteorWords } from '../../../src/evaluator/overlap/meteor/normalise';
import { stem } from '../../../src/evaluator/overlap/meteor/stem';
import { mostCaption } from '../../../src/evaluator/overlap/overlap';
import { ptbTokens } from '../../../src/evaluator/overlap/ptb';
import { jaccard, wordSet } from '../../../src/mining/jaccard';
import { lint } from '../../../src/mining/lint';
import { negativesByRules } from '../../../src/mining/negatives/negatives';
import { positivesByRules } from '../../../src/mining/rules';
import { readStatement } from '../../../src/mining/statement';
import { refuseNegative, refusePositive } from '../../../src/mining/written';
import { nounOf, withPlace } from '../../../src/perturb/society/caption';
import { lexicon } from '../../../src/perturb/society/lexicon';
import { rewrites } from '../../../src/perturb/society/natural';
import { longestCaption } from '../../../src/perturb/text/language';
import { perturb, type PerturbOptions } from '../../../src/perturb/text/perturb';
import { tag } from '../../../src/perturb/text/tagger';
import { nounsOf } from '../../../src/perturb/words/replace';
import { changedWord, plainly } from '../../../src/probe/rococo/alter';
import { paraphrased, prefixed } from '../../../src/probe/prsm/wordings';
import { viewFor } from '../../../src/probe/views';
import { quote } from '../../../src/report/export/csv';
import { markdown } from '../../../src/report/export/markdown';
import { withoutPaths } from '../../../src/report/figures';
import { parseGate } from '../../../src/report/gate';
import { tex } from '../../../src/report/paper/write/texText';
import { diffWords } from '../../../webview/base/diff';
import { escapeMarkdown, shortened, wrapped } from '../../../webview/base/format';
import { reportOf } from '../../unit/report/reportOf';

/** Does something with an untrusted text. It may throw, but must return soon. */
export interface Subject {
  name: string;
  act: (text: string) => unknown;
  /** The most characters that callers pass on. They reject longer texts. */
  most?: number;
}

const options: PerturbOptions = {
  ...{ asInPaper: false, capitals: true, leastLength: 1 },
  ...{ mostParaphrases: 20, mostFlips: 20, mostCombined: 20 },
  ...{ relations: true, beyond: true },
} as unknown as PerturbOptions;
const randomFor = (purpose: string): Random => new Random(1, 'a', 0, purpose);
const perturbed =
  (changes: Partial<PerturbOptions>, language: string, given?: Parameters<typeof perturb>[3]) =>
  (text: string): unknown =>
    perturb(text.trim(), { ...options, ...changes }, randomFor, given, language);

const words: Subject[] = [
  { name: 'tagger', act: tag },
  { name: 'LGIP', act: perturbed({}, 'en') },
  { name: "LGIP by the paper's rules", act: perturbed({ asInPaper: true }, 'en') },
  { name: 'LGIP in German', act: perturbed({}, 'de') },
  { name: 'LGIP in Spanish', act: perturbed({}, 'es') },
  {
    name: 'LGIP with given variants',
    act: (text) =>
      perturb(
        text,
        options,
        randomFor,
        [
          { text: `${text} too`, family: 'paraphrase', kind: '' },
          { text: `no ${text}`, family: 'flip', kind: '' },
        ],
        'en',
      ),
  },
  { name: 'society', act: (text) => rewrites(lexicon, text) },
  { name: 'society: labels', act: (text) => [withPlace(text, 'on the left'), nounOf(text)] },
  { name: 'RoCOCO: nouns', act: nounsOf },
  { name: 'RoCOCO: changed word', act: (text) => [changedWord(text, `${text} x`), plainly(text)] },
  {
    name: 'PRSM',
    act: (text) => [paraphrased(text, [], new Random(1, 'a'), 'en').wordings, prefixed(text)],
  },
  { name: 'mining: positives', act: (text) => positivesByRules(text, tag(text)) },
  { name: 'mining: negatives', act: (text) => negativesByRules(text, tag(text) ?? [], randomFor) },
  { name: 'mining: findings', act: (text) => lint({ caption: text, second: text, negative: `${text} x` }) },
  { name: 'mining: statements', act: readStatement },
  {
    name: 'mining: texts of a model',
    act: (text) => [refusePositive(text, `${text} x`), refuseNegative(text, `${text} x`)],
  },
  { name: 'mining: similarity', act: (text) => jaccard(wordSet(text), wordSet(`${text} x`)) },
  { name: 'PTB tokens', act: ptbTokens, most: mostCaption(['rouge-l']) },
  { name: 'METEOR tokens', act: meteorWords },
  { name: 'stems', act: stem },
];

const readers: Subject[] = [
  { name: 'column names', act: (text) => [plainName(text), isNear(text, 'caption')] },
  { name: 'column maps', act: parseFieldMap },
  {
    name: 'Python lists',
    act: (text) => [pythonList(text), pythonList(`['${text}`), pythonList(`["${text}"]`)],
  },
  { name: 'gates', act: parseGate },
  {
    name: "judges' answers",
    act: (text) => [readScore(text, 10, { sent: [text], thinks: true, plain: true })],
  },
  {
    name: "judges' thoughts",
    act: (text) => answerIn(`<think>${text}</think>${text}`, { sent: [`${text}</think>`], thinks: true }),
  },
  { name: 'answers in JSON', act: (text) => parseAnswer(JSON.stringify({ a: text }), [text]) },
  {
    name: 'likelihoods',
    act: (text) =>
      meanLogProbability(
        Array.from(`x ${text}`, (token) => ({ token, logprob: -1 })),
        text,
      ),
  },
];

const view = viewFor('visla').rows;
const row = (text: string) => ({
  ...{ example: '1', row: 1, p1: text, p2: `${text} x`, n: `a ${text}`, swapped: false },
  ...{ characters: { p1p2: 1, p1n: 1, p2n: 1 }, words: { p1p2: 1, p1n: 1, p2n: 1 } },
  t2t: { p1p2: 0.5, p1n: 0.6, p2n: 0.1, right: false, tie: false },
});

const renderers: Subject[] = [
  { name: 'terminal', act: (text) => [visible(text), table(['a', 'b'], [[text, text]])] },
  { name: 'one line', act: oneLine },
  { name: 'file names', act: fileName },
  { name: 'short names', act: (text) => shortNames([text, `${text}x`]) },
  { name: 'Markdown', act: (text) => [markdownText(text), markdownCode(text), escapeMarkdown(text)] },
  { name: 'XML', act: escapeXml },
  { name: 'CSV', act: quote },
  { name: 'LaTeX', act: tex },
  { name: 'paths in texts', act: withoutPaths },
  {
    name: 'reports in Markdown',
    act: (text) => markdown(reportOf({ warnings: [text], probe: text, options: { a: text } })),
  },
  {
    name: 'lines and details of the panel',
    act: (text) => {
      const one = row(text) as unknown as Parameters<typeof view.facts>[0];
      return [view.facts(one), view.words(one), view.line(one, 0), view.detail(one, 0), view.mark(one)];
    },
  },
  { name: 'differences of captions', act: (text) => diffWords(text, `${text} x`) },
  { name: 'labels', act: (text) => [shortened(text), wrapped(text, 20)] },
];

export const subjects: readonly Subject[] = [...words, ...readers, ...renderers];

/** Repeated to make a long line. Each is a run that some pattern may read again from every position. */
export const pieces: readonly string[] = [
  ...[
    '.',
    '. ',
    '...',
    ',',
    ', ',
    '!',
    '?!',
    ';',
    ': ',
    '-',
    '--',
    '_',
    '=',
    '/',
    '\\',
    '\\"',
    '|',
    '~',
    '^',
    '@',
    '#',
  ],
  ...[' ', '\t', '\n', '\r\n', ' \n', '\u00a0', '\u2028', '\ufeff', '\0', '\u0001'],
  ...['a', 'A', 'é', 'e\u0301', '\u0301', '狗', 'ß', '😀', '\ud83d', '\ufffd', '\u202e'],
  ...['0', '1.', '1,', '0x', '1e', '-1', '"', '""', "'", "''", "'a", '`', '```', '“'],
  ...[
    '(',
    ')',
    '()',
    '[',
    ']',
    '](',
    '{',
    '}',
    '{0}',
    '<',
    '>',
    '<a',
    '</',
    '&',
    '&amp;',
    '$',
    '$(',
    '%',
    '*',
    '**',
    '+',
  ],
  ...[
    'a ',
    'A ',
    'a b',
    'a-',
    'a.',
    'a@',
    'a/',
    'dog ',
    'a dog, ',
    'two dogs and ',
    'is on the ',
    'A red dog. ',
  ],
  ...['<think>', '</think>', '{"score": ', '"a":', 'caption,', 'a=', '/a', ' /a/b', 'x; '],
];

/** The characters of a short line. A long line is four times as long. A second pair is just below `longestCaption`. */
const shortLine = 25_000;
/** A long line may take this many milliseconds. A person who cancels waits for one caption at most. */
const soon = 1000;
/** Below this many milliseconds, times are not compared. */
const noise = 250;

/** The line begins and ends with a word, because patterns often fail only after a long run. */
function lineOf(piece: string, characters: number): string {
  return `A dog ${piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters)} sits x`;
}

/** Processor time in milliseconds, because the machine may be busy. */
async function timeOf({ act }: Subject, text: string): Promise<number> {
  const since = process.cpuUsage();
  try {
    await act(text);
  } catch {
    // Only the time counts here. The other targets check which errors are allowed.
  }
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** Why the subject's time is out of proportion to the length of a line of this piece; undefined if it is not. */
export async function whySlow(subject: Subject, piece: string): Promise<string | undefined> {
  const { name, most = Infinity } = subject;
  for (const characters of [shortLine, longestCaption / 4 - 10]) {
    const short = Math.min(characters, Math.floor(most / 4) - 10);
    const long = lineOf(piece, 4 * short);
    let slow = await timeOf(subject, long);
    if (slow < noise) continue;
    if (slow < 4 * soon) slow = Math.min(slow, await timeOf(subject, long));
    const line = lineOf(piece, short);
    const quick = Math.min(await timeOf(subject, line), await timeOf(subject, line));
    // A linear time is four times as long, a quadratic one sixteen times.
    const isSlow = (): boolean => slow > soon || slow > 10 * Math.max(quick, noise / 10);
    // Other programs make single times longer, never shorter.
    for (let tries = 0; tries < 3 && isSlow(); tries++) slow = Math.min(slow, await timeOf(subject, long));
    if (isSlow())
      return `${name}, ${JSON.stringify(piece)}: ${quick.toFixed(0)} ms for ${short} characters, ${slow.toFixed(0)} ms for ${4 * short}`;
  }
  return undefined;
}
