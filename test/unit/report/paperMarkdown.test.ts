import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { PaperTable } from '../../../src/report/paper/table';
import { markdownTable } from '../../../src/report/paper/write/plain';

type Parser = new (options: object) => { render: (text: string) => string };
const Markdown = createRequire(__filename)('markdown-it') as Parser;

describe('a table of a paper in Markdown', () => {
  for (const name of [
    'a|b',
    '<b>bold</b>',
    '[link](http://x)',
    '**strong**',
    '`code`',
    '![image](x)',
    'a\nb',
  ])
    it(`shows the name ${JSON.stringify(name)} as text, in its cell`, () => {
      const table: PaperTable = {
        id: 't',
        caption: name,
        heads: [[{ text: name, span: 1 }]],
        labels: 1,
        rows: [{ labels: [name], cells: [name] }],
        notes: [name],
      };
      const page = new Markdown({ html: true }).render(markdownTable(table, 'ci'));
      const cells = [...page.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell]) => cell);
      assert.equal(cells.length, 4, page);
      assert.doesNotMatch(cells.join('\n'), /<(b|a|em|strong|code|img)\b/, page);
      assert.ok(cells.at(-1)!.includes(name[0] === '<' ? '&lt;' : name[0]), page);
    });
});
