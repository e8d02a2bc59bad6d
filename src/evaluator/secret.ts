/** Keeps a key that a server repeats out of messages, reports and stores, in any encoding. */

/** This many consecutive characters reveal too much. */
const run = 12;
/** Levels of nested encodings to decode. */
const rounds = 3;

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', plus: '+', equals: '=', lowbar: '_' },
  ...{ hyphen: '-', period: '.', colon: ':', bsol: '\\', num: '#', percnt: '%', commat: '@', excl: '!' },
};

const decoders: readonly ((text: string) => string)[] = [
  (text) =>
    text.replace(
      /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|(["'/\\]))/gi,
      (whole, u, long, x, plain) =>
        typeof plain === 'string' ? plain : character(parseInt(String(u ?? long ?? x), 16), whole),
    ),
  (text) =>
    text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));?/gi, (whole: string, hex, decimal, name) =>
      typeof name === 'string'
        ? (entities[name.toLowerCase()] ?? whole)
        : character(typeof hex === 'string' ? parseInt(hex, 16) : Number(decimal), whole),
    ),
  (text) => text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  (text) => text.replace(/[\s\p{Cc}]+/gu, ''),
  // The alphabet of base64 in URLs.
  (text) => text.replaceAll('-', '+').replaceAll('_', '/'),
];

function character(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

export class SecretGuard {
  private readonly runs = new Set<string>();
  private readonly forms: readonly string[];

  constructor(private readonly key: string | undefined) {
    this.forms = key === undefined ? [] : formsOf(key);
    for (const form of this.forms)
      for (let from = 0; from + run <= form.length; from++)
        this.runs.add(form.toLowerCase().slice(from, from + run));
  }

  /** Returns the text, or a note that it is withheld. Do not truncate it before: half a key is not recognised. */
  hide(text: string): string {
    const { key } = this;
    if (key === undefined) return text;
    if (key.length >= run) return this.repeats(text) ? '[withheld: it repeats the key]' : text;
    // So short a key is a placeholder and may be part of any word.
    return this.forms.reduce((hidden, form) => hidden.replaceAll(form, '[key]'), text);
  }

  /** Whether the text contains `run` consecutive characters of the key, in any encoding. */
  private repeats(text: string): boolean {
    let views = new Set([text]);
    for (let round = 0; ; round++) {
      for (const view of views) if (this.isIn(view)) return true;
      if (round === rounds) return false;
      views = new Set([...views].flatMap((view) => [view, ...decoders.map((decode) => decode(view))]));
    }
  }

  /** Also in lower case, as in a host name. */
  private isIn(given: string): boolean {
    const text = given.toLowerCase();
    for (let from = 0; from + run <= text.length; from++)
      if (this.runs.has(text.slice(from, from + run))) return true;
    return false;
  }
}

/** The key itself, in hexadecimal, and in base64 after any preceding bytes. */
function formsOf(key: string): string[] {
  const bytes = Buffer.from(key);
  const hex = bytes.toString('hex');
  const shifted = [0, 1, 2].map((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = (bytes.length + before) % 3 === 0;
    // Characters that encode bits of the surroundings are not part of the key.
    return all.slice(Math.ceil((before * 8) / 6), whole ? undefined : -1);
  });
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), hex, ...shifted];
}
