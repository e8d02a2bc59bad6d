import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as fc from 'fast-check';
import { markdownText } from '../../../../src/base/text/markdown';

interface Token {
  type: string;
  content: string;
  children: Token[] | null;
}
type Parser = new (options: object) => { parse(text: string, env: object): Token[] };

/** GitHub's dialect: tables, strikethrough, and addresses without brackets become links. */
const Markdown = createRequire(import.meta.url)('markdown-it') as Parser;
const parser = new Markdown({ html: true, linkify: true });

const pieces = [
  ...[
    '<b>',
    '</td>',
    '<!--',
    '&amp;',
    '&lt;',
    '|',
    '`',
    '``',
    '*',
    '**',
    '_',
    '__',
    '~~',
    '[a](javascript:alert(1))',
  ],
  ...[
    '![x](http://e.vil/x.png)',
    'http://e.vil',
    'www.e.vil',
    'ftp://e',
    'a@b.co',
    '@user',
    '#1',
    ':smile:',
    '$x$',
  ],
  ...[
    '\n',
    '\n\n',
    '\r',
    '\u2028',
    '\t',
    '    ',
    '# ',
    '> ',
    '- ',
    '+ ',
    '1. ',
    '1) ',
    '---',
    '===',
    '[^1]',
    '[a]: b',
  ],
  ...['\\', '\\\\', 'a', ' ', '模', '|---|', '```', '<http://e.vil>', '{', '}', '^', '!', '\u0000'],
];
const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));

/** The text that a reader sees, with white space as one space. Fails if there is any markup in it. */
function seen(tokens: readonly Token[], allowed: RegExp): string {
  return tokens
    .map((token) => {
      assert.match(token.type, allowed);
      return token.children === null
        ? token.type.startsWith('text')
          ? token.content
          : ''
        : seen(token.children, allowed);
    })
    .join('');
}

const plain = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

describe('texts in Markdown', () => {
  it('are shown as they are, in a paragraph, a list, a table and bold', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = plain(text);
        if (shown === '') return;
        const own = markdownText(text);
        const inline = /^(?:inline|text|text_special)$/;
        assert.equal(
          seen(parser.parse(own, {}), /^(?:paragraph_(?:open|close)|inline|text|text_special)$/),
          shown,
        );
        const [, , , line] = parser.parse(`- ${own}\n`, {});
        assert.equal(seen([line], inline), shown);
        const cells = parser
          .parse(`| a | b |\n|---|---|\n| ${own} | x |\n`, {})
          .filter(({ type }) => type === 'inline');
        assert.equal(cells.length, 4);
        assert.deepEqual([seen([cells[2]], inline), seen([cells[3]], inline)], [shown, 'x']);
      }),
      { numRuns: 5000 },
    );
  });

  it('name no person, issue or emoji of a code host, and hold no formula', () => {
    assert.equal(markdownText('@user #1 :tada: $x$ [^1]'), '\\@user \\#1 \\:tada: \\$x\\$ \\[\\^1\\]');
    assert.equal(markdownText('seed: 42, recall (n = 3)'), 'seed: 42, recall (n = 3)');
  });
});
