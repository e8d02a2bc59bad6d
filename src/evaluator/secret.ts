/** Keeps an API key out of messages, reports and stores, even if a server repeats the key in another encoding. */

/** How many consecutive characters of the key are enough to withhold a text. */
const run = 12;
/** How many levels of nested encodings are decoded. */
const rounds = 3;
/** A text is withheld if decoding yields more characters than this in total, and more than 8 times its length. */
const mostWork = 16 << 20;

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', plus: '+', equals: '=', lowbar: '_' },
  ...{ hyphen: '-', period: '.', colon: ':', bsol: '\\', num: '#', percnt: '%', commat: '@', excl: '!' },
};

const decoders: readonly ((text: string) => string)[] = [
  (text) =>
    text.replace(
      /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|(["'/\\])|[bfnrtv])/gi,
      (whole, u, long, x, plain) =>
        typeof plain === 'string'
          ? plain
          : /^\\[bfnrtv]$/i.test(String(whole))
            ? ' '
            : character(parseInt(String(u ?? long ?? x), 16), whole),
    ),
  (text) =>
    text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));?/gi, (whole: string, hex, decimal, name) =>
      typeof name === 'string'
        ? (entities[name.toLowerCase()] ?? whole)
        : character(typeof hex === 'string' ? parseInt(hex, 16) : Number(decimal), whole),
    ),
  (text) => text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  (text) => text.replace(/[\s\p{Cc}]+/gu, ''),
  // Converts base64url to base64.
  (text) => text.replaceAll('-', '+').replaceAll('_', '/'),
  // This line decodes quoted-printable text, and the next line decodes octal escapes.
  (text) => text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  (text) => text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8))),
  (text) => text.replace(listOf('\\d{2,3}'), (list) => charactersOf(list, /\d+/g, 10)),
  (text) =>
    text.replace(listOf('[0-9a-f]{2}'), (list) => charactersOf(list, /[0-9a-f]{2}(?![0-9a-fx])/gi, 16)),
  (text) => text.replace(/[0-9a-f]{24,}/gi, (hex) => Buffer.from(hex, 'hex').toString('latin1')),
  (text) => text.replace(/[\w+/-]{16,}/g, (base64) => Buffer.from(base64, 'base64').toString('latin1')),
];

/** Matches character codes with separators, such as `[115, 107, …]`, `73:6b:…` or `0x73 0x6b …`. */
function listOf(code: string): RegExp {
  return new RegExp(`(?:0x)?${code}(?:[^0-9a-z]{1,4}(?:0x)?${code}){${run - 1},}`, 'gi');
}

function charactersOf(list: string, code: RegExp, base: number): string {
  return (list.match(code) ?? []).map((one) => String.fromCharCode(parseInt(one, base))).join('');
}

function character(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

export class SecretGuard {
  private readonly runs = new Set<string>();
  /** Like `runs`, but made from only the letters and digits of the key. */
  private readonly bareRuns = new Set<string>();
  private readonly forms: readonly string[];

  constructor(private readonly key: string | undefined) {
    this.forms = key === undefined ? [] : formsOf(key);
    for (const form of this.forms.flatMap((one) => [one, reversed(one)])) {
      for (const part of runsOf(form.toLowerCase())) this.runs.add(part);
      for (const part of runsOf(bare(form))) this.bareRuns.add(part);
    }
  }

  /** Removes the key from a text, or replaces all of it. Pass the whole: a truncated key may be missed. */
  hide(text: string): string {
    const { key } = this;
    if (key === undefined) return text;
    if (key.length >= run) {
      const why = this.whyWithheld(text);
      return why === undefined ? text : `[withheld: ${why}]`;
    }
    // A short key is only a placeholder, and other words may contain it. The text is therefore kept, and only
    // the key in it is replaced.
    return this.forms.reduce((hidden, form) => hidden.replaceAll(form, '[key]'), text);
  }

  /** Why the text is withheld: it has `run` characters of the key in a row, in whatever encoding. */
  private whyWithheld(text: string): string | undefined {
    let latest = [text, reversed(text)];
    const views = new Set(latest);
    let work = 2 * text.length;
    for (let round = 0; ; round++) {
      if (latest.some((view) => this.isIn(view))) return 'it repeats the key';
      if (round === rounds) return undefined;
      const next: string[] = [];
      for (const view of latest)
        for (const decode of decoders) {
          const decoded = decode(view);
          if (views.has(decoded)) continue;
          views.add(decoded);
          next.push(decoded);
          if ((work += decoded.length) > Math.max(mostWork, 8 * text.length))
            return 'it is too long to be searched for the key';
        }
      latest = next;
    }
  }

  /** Whether the text contains a run of the key, in upper or lower case, with or without separators. */
  private isIn(text: string): boolean {
    return hasRun(text.toLowerCase(), this.runs) || hasRun(bare(text), this.bareRuns);
  }
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

function* runsOf(text: string): Generator<string> {
  for (let from = 0; from + run <= text.length; from++) yield text.slice(from, from + run);
}

function hasRun(text: string, runs: ReadonlySet<string>): boolean {
  for (const part of runsOf(text)) if (runs.has(part)) return true;
  return false;
}

/** The ASCII letters and digits of the text in lower case, also of full-width and styled ones. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');
}

/** The key as text, in JSON, in a URL, in hexadecimal, and in base64 at each byte offset. */
function formsOf(key: string): string[] {
  const bytes = Buffer.from(key);
  const hex = bytes.toString('hex');
  const shifted = [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/={1,2}$/, '');
    const whole = (bytes.length + before) % 3 === 0;
    // The first and last characters may also encode neighbouring bytes, so they are excluded.
    return all.slice(Math.ceil((before * 8) / 6), whole ? undefined : -1);
  });
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), hex, ...shifted];
}
