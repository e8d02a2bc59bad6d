/** Splits captions into words as the COCO caption evaluation does, so scores compare with published ones. */

interface Rule {
  /** A sticky regular expression. The text of its first group must follow, but is not part of the match. */
  pattern: RegExp;
  /** Returns the part of the match that becomes a token. The rest of the match is tokenised again. */
  keep?: (match: string) => string;
  /** Turns the match into a token. */
  write?: (match: string) => string;
  /** Matches nothing without a later "@". Otherwise the time grows with the square of a run's length. */
  needsAt?: true;
}

const letter = String.raw`(?:[\p{L}\u00AD]|&[aeiouAEIOU](?:acute|grave|uml);|(?![\uFE00-\uFE0F])\p{M})`;
const apostrophe = String.raw`(?:['\u0092\u2019]|&apos;)`;
const anyApostrophe = String.raw`(?:['\u0092\u2019\x60\u0091\u2018\u201B]|&apos;)`;
const dash = '[-_\u058A\u2010\u2011]';
const number = String.raw`(?:\d*(?:[.:,]\d+)+|\d+)`;
const particle = String.raw`(?:[dDoOlL]${anyApostrophe}[A-Za-z0-9])?`;
const space = String.raw`[ \t\u00A0\u2000-\u200A\u3000]`;
const path = String.raw`(?:\/[^\s"<>|(){}]+[^\s"<>|.!?(){},-])?`;
const acronym = String.raw`[A-Za-z](?:\.[A-Za-z])*`;

function any(words: string): string {
  return `(?:${words.trim().split(/\s+/).join('|')})`;
}

/** A pattern for a word. The first letter must have the given case, other letters may have any case. */
function inAnyCase(word: string): string {
  return word.replace(/(?<=.)[a-z]/g, (one) => `[${one}${one.toUpperCase()}]`);
}

function rule(source: string, more: Omit<Rule, 'pattern'> = {}): Rule {
  return { pattern: new RegExp(source, 'uy'), ...more };
}

/** A rule that ignores the case of letters. */
function caseless(source: string, more: Omit<Rule, 'pattern'> = {}): Rule {
  return { pattern: new RegExp(source, 'iuy'), ...more };
}

const months = 'Jan Feb Mar Apr Jun Jul Aug Sept? Oct Nov Dec';
const days = 'Mon Tues? Wed Thu Thurs Fri';
const states = `Ala Ariz Calif Colo Conn Ct Dak Fla Ga Ind Kans? Ky Md Mich Minn Mo Mont Neb Nev Okla Penn Tenn Va Vt
  Wisc? Wyo`;
const companies = 'Inc Cos? Corp Ltd Plc Rt Bancorp Bhd Assn Univ Intl Sys';
const others = 'etc al seq Jr Bros Ed\\.D Ph\\.D Esq tel est ext sq';
const statesAsWritten = 'Az Ark Del Ill La Mass Miss Ore Pa Tex Wash';
const titles = `Mr Mrs Ms Drs? Profs? Sens? Reps? Attys? Lt Col Gen Messrs Govs? Adm Rev Maj Sgt Cpl Pvt Capt Ste? Ave
  Pres Lieut Hon Brig Co?mdr Pfc Spc Supts? Det Mt Ft Adj Adv Asst Assoc Ens Insp Mlle Mme Msgr Sfc vs Alex Wm Jos Cie
  a\\.k\\.a cf Ph Invt Elec Natl Mfg Mtg Dept Blvd Rd`;
const sentenceStarts =
  'About According Additionally After An A As At But Did During Earlier He Her Here How However If In It Last Many More Mr\\. Ms\\. Now Once One Other Our She Since So Some Such That The Their Then There These They This We When While What Who Why Yet You';
const beforeNumbers = 'ca figs? prop nos? arts? bldg pp op';

const quoted = (left: boolean) => (text: string) =>
  text
    .replace(/"|''|&quot;/g, left ? '``' : "''")
    .replace('&apos;', "'")
    .replace(/^'$/, left ? '`' : "'")
    .replace(/[\u201C\u00AB\u0093]/g, '``')
    .replace(/[\u201D\u00BB\u0094]/g, "''")
    .replace(/[\u2018\u201B\u0091\u2039]/g, '`')
    .replace(/[\u2019\u00B4\u0092\u203A]/g, "'");
const bare = (text: string): string => text.replace(/\u00AD/g, '');
const joined = (text: string): string => text.replace(/ /g, '\u00A0');
const brackets = (text: string): string => text.replaceAll('(', '-LRB-').replaceAll(')', '-RRB-');
const always = (written: string) => () => written;
const allBut = (count: number) => (text: string) => text.slice(0, -count);

/**
 * The longest match wins. The length of a match includes the text of the rule's first group. Of equally long
 * matches, the first rule wins.
 */
const rules: readonly Rule[] = [
  caseless('cannot', { keep: allBut(3) }),
  caseless(`(?:gonna|gotta|lemme|gimme|wanna|'t(?:is|was))`, {
    keep: (text) => (/twas$/i.test(text) ? text.slice(0, -3) : text.slice(0, -2)),
  }),
  rule(
    String.raw`<(?:[!?][A-Za-z-][^>]*|/?[A-Za-z][\w:.-]*(?: +[A-Za-z][\w:.-]*(?: *= *(?:'[^']*'|"[^"]*"))?)* *\/?)>`,
    { write: joined },
  ),
  caseless(String.raw`&(?:md|mdash|ndash);|[\u0096\u0097\u2013-\u2015]`, { write: always('--') }),
  caseless('&amp;', { write: always('&') }),
  caseless(
    String.raw`${letter}(?:${letter}|\d)*(?:[.!?]${letter}(?:${letter}|\d)*)*(?=(${apostrophe}(?:[msd]|re|ve|ll)))`,
    { write: bare },
  ),
  caseless(String.raw`[A-Za-z\u00AD]*[A-MO-Za-mo-z](?=(n${anyApostrophe}t))`, { write: bare }),
  rule(String.raw`${letter}(?:${letter}|\d)*(?:[.!?]${letter}(?:${letter}|\d)*)*`, { write: bare }),
  caseless(
    String.raw`${apostrophe}n${apostrophe}|${apostrophe}n(?= |$)|[ldj]${apostrophe}|ol${apostrophe}|${apostrophe}(?:em|till?|cause)|${apostrophe}[2-9]0s|c'mon|e'er|s'mores|li'l|nor'easter`,
  ),
  rule(String.raw`[A-HJ-XZn]${anyApostrophe}\p{L}{2,}|\p{L}+[aeiouyAEIOUY]${anyApostrophe}[aeiouA-Z]\p{L}*`),
  caseless(String.raw`y${apostrophe}(?=(\p{L}))`),
  caseless(String.raw`https?:\/\/[^\s"<>|(){}]+[^\s"<>|.!?(){},-]`),
  caseless(String.raw`www\.(?:[^\s"<>|.!?(){},]+\.)+[a-z]{2,4}${path}`),
  // `,-_` is a range from the comma to the underscore. The reference tokeniser has the same range, probably by
  // mistake.
  rule(
    // The bounds are those of domain names. Without them, the time grows with the square of a run's length.
    String.raw`(?:[^\s"'\x60|!(){}$,-_]{1,63}\.){1,16}(?:[cC][oO][mM]|[nN][eE][tT]|[oO][rR][gG]|[eE][dD][uU])${path}`,
  ),
  rule(
    String.raw`(?:&lt;|<)?[a-zA-Z0-9][^\s"<>|()\u00A0]*@(?:[^\s"<>|().\u00A0]+\.)*[^\s"<>|().\u00A0]+(?:&gt;|>)?`,
    { needsAt: true },
  ),
  rule(String.raw`@[a-zA-Z_]\w*|#\p{L}+`),
  caseless(String.raw`(?:${apostrophe}(?:[msd]|re|ve|ll)|n${anyApostrophe}t)(?=([^A-Za-z]|$))`, {
    write: quoted(false),
  }),
  caseless(String.raw`[\u0092\u2019](?:[msd]|re|ve|ll)`, { write: quoted(false) }),
  rule(String.raw`\d{1,2}[-/]\d{1,2}[-/]\d{2,4}`),
  rule(String.raw`[-+]?${number}`, { write: bare }),
  rule(String.raw`(?:\d{1,4}[- \u00A0])?\d{1,4}(?:\\?\/|\u2044)\d{1,4}`, { write: joined }),
  rule('[\u00BC\u00BD\u00BE\u2153\u2154]', {
    write: (text) =>
      ['1/4', '1/2', '3/4', '1/3', '2/3']['\u00BC\u00BD\u00BE\u2153\u2154'.indexOf(text)] ?? text,
  }),
  rule(String.raw`[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}(?:\\?\/[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}){1,2}`),
  rule(String.raw`[A-Z]*\$|#`),
  rule('[\u00A3\u00A2\u00A4\u00A5\u0080\u20A0\u20AC]', {
    write: (text) => (text === '\u00A3' ? '#' : text === '\u00A2' ? 'cents' : '$'),
  }),
  caseless(String.raw`${any(beforeNumbers)}\.(?=(${space}?\d))`),
  caseless(String.raw`${any(`${months} ${days} ${states} ${companies} ${others}`)}\.(?=(..|))`),
  rule(String.raw`${any(statesAsWritten)}\.`),
  caseless(String.raw`${any(titles)}\.`),
  // A letter and a full stop end a sentence if one of `sentenceStarts` or the end of the caption follows.
  rule(
    String.raw`[A-Za-z](?=(\.(?: *$| +(?:${sentenceStarts.split(' ').map(inAnyCase).join('|')})(?: |$))))`,
  ),
  rule(String.raw`${acronym}\.`),
  rule(String.raw`[A-Za-z](?:\.[A-Za-z])+(?=(${space}))`),
  caseless(String.raw`${any(titles)}(?=(${space}))`),
  rule(String.raw`${apostrophe}\d\d(?=(${space}))`),
  caseless(
    String.raw`[A-Za-z0-9]+\.${any('bat bmp c cgi cpp dll docx? exe gif gz h html? jar java jpe?g mov mp[34] pdf php pl png ppt ps py sql tar txt wav x xml zip 3gp wm[va] avi flv')}(?=(${space}|[.?!,]|$))`,
  ),
  rule(String.raw`(?:${letter}|\d)+(?:[.!?]${letter}(?:${letter}|\d)*)*\.(?=([,;:]))`, {
    write: bare,
  }),
  rule(
    String.raw`(?:\(\d{2,3}\)[ \u00A0]?|(?:\+\+?)?(?:\d{2,4}[- \u00A0])?\d{2,4}[- \u00A0])\d{3,4}[- \u00A0]?\d{3,5}|(?:(?:\+\+?)?\d{2,4}\.)?\d{2,4}\.\d{3,4}\.\d{3,5}`,
    { write: (text) => brackets(joined(text)) },
  ),
  caseless(String.raw`(?:"|&quot;|'')(?=([A-Za-z0-9$]))`, { write: quoted(true) }),
  caseless(String.raw`"|&quot;|''`, { write: quoted(false) }),
  rule('<<|>>'),
  caseless('<|&lt;', { write: always('<') }),
  caseless('>|&gt;', { write: always('>') }),
  rule(String.raw`[<>]?[:;=][-o*']?[()DPdpO\\{@|[\]](?=([^A-Za-z0-9]|$))`, { write: brackets }),
  rule(String.raw`[-^x=~<>']_[-^x=~<>']|\([-^x=~<>'][_.]?[-^x=~<>']\)`, { write: brackets }),
  rule(String.raw`\{`, { write: always('-LCB-') }),
  rule(String.raw`\}`, { write: always('-RCB-') }),
  rule(String.raw`\[`, { write: always('-LSB-') }),
  rule(String.raw`\]`, { write: always('-RSB-') }),
  rule(String.raw`[()]`, { write: brackets }),
  rule('-+', { write: (text) => (text.length === 3 || text.length === 4 ? '--' : text) }),
  rule(String.raw`\.\.\.+|[\u0085\u2026]|\.[ \u00A0](?:\.[ \u00A0])+\.`, { write: always('...') }),
  rule(String.raw`@+|#+|_+|\*+`),
  rule('[,;:\u3001]'),
  rule('[?!]+'),
  rule('[.\u00A1\u00BF\u3002=/]'),
  rule(String.raw`[A-Za-z0-9][A-Za-z0-9.,\u00AD]*(?:-(?:[A-Za-z0-9\u00AD]+|[A-Za-z](?:\.[A-Za-z])+\.))+`, {
    write: bare,
  }),
  rule(String.raw`${particle}[\p{L}\d]+(?:${dash}${particle}[\p{L}\d]+)*`),
  rule('[A-Z]+(?:(?:[+&]|&amp;)[A-Z]+)+', { write: (text) => text.replaceAll('&amp;', '&') }),
  rule(String.raw`${apostrophe}(?=([A-Za-z]))`, { write: quoted(true) }),
  rule(String.raw`(?:${apostrophe}|[\x60\u2018-\u201F\u0091-\u0094\u2039\u203A\u00AB\u00BB]{1,2})`, {
    write: quoted(false),
  }),
  caseless(String.raw`c\+\+|[cf]#`),
  rule(
    String.raw`[+%&~^|\\\u00A6-\u00AC\u00AE-\u00B7\u00B9\u00BA\u00D7\u00F7\u2016-\u205E\u2100-\u2BFF\uFF01-\uFF65]`,
  ),
];

/** Most words, quickly: before a space and a letter, before a comma, or at the end. No rule extends them. */
const plain = /[A-Za-z]+(?= [A-Za-z]|, |$)/y;
const lastWord = /[A-Za-z]{2,}(?=\.$)/y;
const abbreviation = new RegExp(
  `^${any(`${months} ${days} ${states} ${companies} ${others} ${statesAsWritten} ${titles} ${beforeNumbers}`)}$`,
  'i',
);
const splitWords = /^(?:cannot|gonna|gotta|lemme|gimme|wanna)$/i;

/** Splits a text into tokens in lower case. Punctuation marks are tokens, too. */
export function ptbTokens(text: string): string[] {
  const line = text.replace(/[\r\n]|&nbsp;/gi, ' ');
  const tokens: string[] = [];
  const lastAt = line.lastIndexOf('@');
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ') {
      at++;
      continue;
    }
    const word = plainWord(line, at);
    if (word !== undefined) {
      tokens.push(word.toLowerCase());
      at += word.length;
      if (at < line.length && line[at] !== ' ') tokens.push(line[at++]);
      continue;
    }
    const found = longest(line, at, lastAt);
    if (found === undefined) {
      // The reference tokeniser skips characters that it cannot tokenise.
      at += (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    tokens.push(found.written.toLowerCase());
    at += found.length;
  }
  return tokens;
}

function plainWord(line: string, at: number): string | undefined {
  plain.lastIndex = lastWord.lastIndex = at;
  const isLast = !plain.test(line);
  if (isLast && !lastWord.test(line)) return undefined;
  const word = line.slice(at, isLast ? lastWord.lastIndex : plain.lastIndex);
  return splitWords.test(word) || (isLast && abbreviation.test(word)) ? undefined : word;
}

function longest(line: string, at: number, lastAt: number): { length: number; written: string } | undefined {
  let best: { match: string; rule: Rule } | undefined;
  let reach = 0;
  for (const one of rules) {
    if (one.needsAt === true && at > lastAt) continue;
    one.pattern.lastIndex = at;
    const match = one.pattern.exec(line);
    if (match === null || match[0] === '') continue;
    const length = match[0].length + (match[1]?.length ?? 0);
    if (length <= reach) continue;
    reach = length;
    best = { match: match[0], rule: one };
  }
  if (best === undefined) return undefined;
  const kept = best.rule.keep?.(best.match) ?? best.match;
  return { length: kept.length, written: best.rule.write?.(kept) ?? kept };
}

const punctuation = new Set("'' ' `` ` -LRB- -RRB- -LCB- -RCB- . ? ! , : - -- ... ;".split(' '));

/** A caption's words as the COCO caption evaluation counts them: the tokens without punctuation. */
export function captionWords(text: string): string[] {
  return ptbTokens(text).filter((token) => !punctuation.has(token));
}
