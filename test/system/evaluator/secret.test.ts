import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SecretGuard } from '../../../src/evaluator/secret';
import { ChatEndpoint } from '../../../src/evaluator/judge/chatEndpoint';
import { usualDialect } from '../../../src/evaluator/judge/endpoint/dialect';
import { followRedirect } from '../../../src/evaluator/fetch/hub';
import { chatServer, closeServers, completion, json } from '../../unit/evaluator/chatServer';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-."\\&<>'];
const keys = fc.string({ unit: fc.constantFrom(...letters), minLength: 50, maxLength: 50 });

const each =
  (encode: (character: string) => string) =>
  (text: string): string =>
    [...text].map(encode).join('');
const hexOf = (character: string, digits: number) =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');
const encodings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  header: (text) => `Bearer ${text}`,
  json: (text) => JSON.stringify({ key: text }),
  'json twice': (text) => JSON.stringify(JSON.stringify(text)),
  'escaped slashes': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  'unicode escapes': each((one) => `\\u${hexOf(one, 4)}`),
  'some unicode escapes': each((one) =>
    /[+/=&<>"\\]/.test(one) ? `\\u${hexOf(one, 4).toUpperCase()}` : one,
  ),
  'hex escapes': each((one) => `\\x${hexOf(one, 2)}`),
  entities: each((one) => `&#${one.charCodeAt(0)};`),
  'hex entities': each((one) => `&#x${hexOf(one, 2)};`),
  'named entities': each(
    (one) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '+': '&plus;', '/': '&sol;' })[one] ?? one,
  ),
  percent: encodeURIComponent,
  'percent, every character': each((one) => `%${hexOf(one, 2)}`),
  'percent of percent': (text) => encodeURIComponent(encodeURIComponent(text)),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 of the header': (text) => Buffer.from(`Bearer ${text}`).toString('base64'),
  'base64 of a pair': (text) => Buffer.from(`me:${text}, and more`).toString('base64'),
  base64url: (text) => Buffer.from(`x${text}`).toString('base64url'),
  'base64 in lines': (text) =>
    Buffer.from(text)
      .toString('base64')
      .replace(/(.{20})/g, '$1\r\n'),
  'base64 in JSON': (text) => Buffer.from(text).toString('base64').replaceAll('/', '\\/'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  spaced: (text) => text.replace(/(.{5})/g, '$1 '),
  reversed: (text) => [...text].reverse().join(''),
  'reversed base64': (text) => [...Buffer.from(text).toString('base64')].reverse().join(''),
  'base64 of base64': (text) => Buffer.from(Buffer.from(`"${text}"`).toString('base64')).toString('base64'),
  'base64 of hexadecimal': (text) => Buffer.from(Buffer.from(text).toString('hex')).toString('base64'),
  'hexadecimal of base64': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('hex'),
  'percent of base64url': (text) => encodeURIComponent(Buffer.from(text).toString('base64url')),
  'bytes in hexadecimal': (text) => [...Buffer.from(text)].map((byte) => byte.toString(16)).join(':'),
  'bytes in C': (text) => [...Buffer.from(text)].map((byte) => `0x${byte.toString(16)}`).join(', '),
  'a list of bytes': (text) => JSON.stringify([...Buffer.from(text)]),
  'octal escapes': each((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'quoted-printable': each((one) => (/[A-Za-z0-9]/.test(one) ? one : `=${hexOf(one, 2).toUpperCase()}`)),
  'lines in JSON': (text) => JSON.stringify(text.replace(/(.{5})/g, '$1\r\n\t')),
  'UTF-16': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
};

/** Functions that disguise a key of letters and digits. */
const split: Record<string, (text: string) => string> = {
  'zero-width spaces': (text) => [...text].join('\u200b'),
  'soft hyphens': (text) => [...text].join('\u00ad'),
  dashes: (text) => [...text].join('-'),
  'a list of characters': (text) => JSON.stringify([...text]),
  'markup between': (text) => text.replace(/(.{4})/g, '$1* _'),
  'wide letters': each((one) =>
    /[A-Za-z0-9]/.test(one) ? String.fromCharCode(one.charCodeAt(0) + 0xfee0) : one,
  ),
  'one a line': (text) => [...text].map((one, i) => `${'.'.repeat(i)}${one}`).join('\n'),
};
const letterKeys = fc.string({
  unit: fc.constantFrom(...letters.filter((letter) => /\w/.test(letter) && letter !== '_')),
  minLength: 50,
  maxLength: 50,
});

const image = { mime: 'image/png' as const, bytes: new Uint8Array([1]) };

function endpointOf(url: string, key: string): ChatEndpoint {
  return new ChatEndpoint({
    url: `${url}/chat/completions`,
    model: 'tiny',
    key,
    dialect: { ...usualDialect, format: 'none' },
    maxTokens: 8,
    deadlineMs: 5000,
    firstWaitMs: 1,
    attempts: 1,
  });
}

describe('a key that a server repeats', () => {
  afterEach(closeServers);

  for (const [name, encode] of Object.entries(encodings))
    it(`is recognised by any twelve of its characters: ${name}`, () => {
      fc.assert(
        fc.property(keys, fc.nat(38), fc.nat(250), fc.string(), (key, from, before, after) => {
          const text = `${'x '.repeat(before)}${encode(key.slice(from, from + 12))}${after}`;
          assert.equal(new SecretGuard(key).hide(text), '[withheld: it repeats the key]');
        }),
        { numRuns: 300 },
      );
    });

  for (const [name, encode] of Object.entries(split))
    it(`is recognised with separators between its letters: ${name}`, () => {
      fc.assert(
        fc.property(letterKeys, fc.nat(38), (key, from) => {
          const text = `Your key is ${encode(key.slice(from, from + 12))}.`;
          assert.equal(new SecretGuard(key).hide(text), '[withheld: it repeats the key]');
        }),
        { numRuns: 300 },
      );
    });

  it('is withheld with an answer that takes too long to decode', () => {
    const codes = [...'0123456789abcdef'].map((one) => `%${hexOf(one, 2)}`).join('');
    const nested = `${'&#x25;'.repeat(9)} \\u0025 =25 \\045 ${codes}-_ `.repeat(10_000);
    assert.match(new SecretGuard('k'.repeat(40)).hide(nested), /^\[withheld: it is too long to be searched/);
    const plain = 'A red bus stops near two dogs, and nobody gets off. '.repeat(20_000);
    assert.equal(new SecretGuard('sk-Zx81QmpL0vT9rYkWb7Nc2uHd5jFg3sA').hide(plain), plain);
  });

  it('leaves any other text unchanged', () => {
    fc.assert(
      fc.property(keys, fc.string({ maxLength: 500 }), (key, text) => {
        assert.equal(new SecretGuard(key).hide(text), text);
        assert.equal(new SecretGuard(undefined).hide(text), text);
      }),
    );
    assert.equal(new SecretGuard('EMPTY').hide('{"score": 7}'), '{"score": 7}');
    assert.equal(new SecretGuard('EMPTY').hide('the key EMPTY is wrong'), 'the key [key] is wrong');
  });

  it('is in no answer and no error of an endpoint, wherever the text is truncated', async () => {
    const key = 'sk-Zx81+Qm/pL0vT9rY==kWb7/Nc2+uHd5jFg3/sAe6+iOt4Bq';
    const texts = Object.entries(encodings).flatMap(([name, encode]) =>
      [0, 120, 150, 155, 159, 190, 1990].map((before) => [name, `${'x'.repeat(before)} ${encode(key)}`]),
    );
    let [, text] = texts[0];
    let status = 400;
    const server = await chatServer((_, response) => {
      if (status === 200) json(response, 200, completion(text));
      else response.writeHead(status === 299 ? 200 : status).end(text);
    });
    const endpoint = endpointOf(server.url, key);
    for (const [name, one] of texts) {
      text = one;
      for (status of [200, 299, 400, 404, 500]) {
        const said = await endpoint.ask({ orders: 'o', text: 't', image, probabilities: false }).then(
          (answer) => JSON.stringify(answer),
          (error: Error) => `${String(error)} ${error.stack} ${JSON.stringify(error)}`,
        );
        assert.match(said, /withheld/, `${name} ${status}`);
        for (const encode of Object.values(encodings))
          for (let from = 0; from + 12 <= key.length; from += 6)
            assert.ok(!said.includes(encode(key.slice(from, from + 12))), `${name} ${status}: ${said}`);
      }
    }
  });

  it('is in no token of an answer', async () => {
    const key = 'sk-Zx81QmpL0vT9rYkWb7Nc2uHd5jFg3sAe6iOt4Bq';
    const one = (token: string, other: string) => ({ token, top_logprobs: [{ token: other, logprob: -1 }] });
    const lists = [
      [one('0', '1'), one(key, 'x')],
      [one('0', key)],
      [...key].map((letter) => one(letter, '7')),
      [one('0', '1'), one('.', ','), one('7', '8')],
    ];
    let [tokens] = lists;
    const server = await chatServer((_, response) =>
      json(response, 200, { choices: [{ message: { content: '0.7' }, logprobs: { content: tokens } }] }),
    );
    const endpoint = endpointOf(server.url, key);
    for (const [i, list] of lists.entries()) {
      tokens = list;
      const answer = await endpoint.ask({ orders: 'o', text: 't', image, probabilities: true });
      assert.equal(answer.tokens !== undefined, i === 3, JSON.stringify(answer));
    }
  });

  it('is in no error of the hub', () => {
    const token = 'hf_Zx81QmpL0vT9rYkWb7Nc2uHd5jFg3sAe6iOt4Bq';
    const hub = { endpoint: new URL('https://huggingface.co'), token };
    for (const location of [`http://[${token}`, `https://${token}.example.com/`, `https://x:${token}@y.com`])
      assert.throws(
        () => followRedirect(hub, new URL(`https://huggingface.co/a?t=${token}`), location),
        (error: Error) => !`${error.stack} ${JSON.stringify(error)}`.toLowerCase().includes('zx81qmpl0vt9'),
      );
  });
});
