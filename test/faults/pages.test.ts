import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns, pageSvg, svgFile } from '../../src/chart/svg';
import { hubFrom, followRedirect } from '../../src/evaluator/fetch/hub';
import { CaptiousError } from '../../src/base/errors';
import { exportReport } from '../../src/report/export/export';
import { comparisonHtml } from '../../src/report/export/comparison';
import { lineUpReports } from '../../src/report/lineUp';
import { LeftOutRows } from '../../src/report/rowChecks';
import { parseReport } from '../../src/report/reportShape';
import { reportOf, writeReport } from '../unit/report/reportOf';

/** Names of metrics, slices, evaluators, options and captions in a report of a stranger. */
const hostile: Record<string, string> = {
  ...{
    image: '<img src=x onerror=alert(1)>',
    svg: '<svg/onload=alert(1)>',
    script: '</script><script>alert(1)</script>',
    style: '</style><style>@import "//evil.example"</style>',
    title: '</title></head><body onload=alert(1)>',
    comment: '--><script>alert(1)</script><!--',
    cdata: ']]><script>alert(1)</script>',
  },
  ...{
    quotes: '" onmouseover="alert(1)" x="',
    apostrophes: "' onmouseover='alert(1)' x='",
    entity: '&lt;script&gt;alert(1)&lt;/script&gt;',
    numeric: '&#60;img src=x onerror=alert(1)&#62;',
    address: 'javascript:alert(1)',
    data: 'data:text/html,<script>alert(1)</script>',
    link: '<a href="javascript:alert(1)">x</a>',
    base: '<base href="//evil.example">',
    meta: '<meta http-equiv="refresh" content="0;url=//evil.example">',
    frame: '<iframe srcdoc="<script>alert(1)</script>">',
    form: '<form action="//evil.example"><button>',
    math: '<math><mtext></table><mglyph><style><img src=x onerror=alert(1)>',
    cut: '<img src=x onerror=alert(1) ',
  },
  ...{
    prototype: '__proto__',
    constructor: 'constructor',
    method: 'toString',
    length: 'length',
    number: '0',
  },
  ...{
    zero: '\0<b>',
    surrogate: '\ud800<b>',
    overridden: '\u202e<b>',
    lines: 'a\n<b>\r\n<i>',
    template: '${alert(1)}{0}{{x}}',
  },
  ...{ long: 'x'.repeat(1_000_000), longMarkup: '<b>'.repeat(300_000), blank: '', spaces: ' '.repeat(1000) },
};

/** Tags that only markup in a text can make, and handlers in any tag. */
const foreignTag =
  /<(?:img|script|base|iframe|form|math|b|i|body onload|svg\/)[\s>/]|<[a-z][^<>]*\son[a-z]+=/i;
/** Without the values of attributes. A value that ended too early would leave its rest. */
function tagsOf(page: string): string {
  return page.replaceAll(/"[^"]*"/g, '""');
}

const policy = /<meta http-equiv="Content-Security-Policy"/;

function reportWith(text: string): ReturnType<typeof reportOf> {
  const metrics = [
    { id: text, value: 0.5, n: 3, note: text, ci: [0.1, 0.9] as [number, number] },
    { id: 'visla.t2t', value: 0.5, n: 3, slice: Object.fromEntries([[text, text]]) },
    { id: 'visla.t2t', value: 0.5, n: 3 },
  ];
  const report = reportOf({
    ...{ metrics, warnings: [text], claims: [{ text, rule: text }] },
    options: Object.fromEntries([[text, text]]),
  });
  report.evaluator.name = text;
  report.evaluator.notes = [text];
  report.dataset.leftOut = [{ reason: text, count: 1, lines: [1] }];
  return parseReport(JSON.parse(JSON.stringify(report)));
}

function row(text: string): string {
  const distances = { p1p2: 3, p1n: 1, p2n: 4 };
  return `${JSON.stringify({
    ...{ example: text, row: 1, image: text, p1: text, p2: 'one cat', n: text, swapped: false },
    ...{ characters: distances, words: distances },
    t2t: { p1p2: 0.1, p1n: 0.6, p2n: 0.5, right: false, tie: false },
  })}\n`;
}

describe('a report of a stranger', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-pages-'))));
  after(() => rmSync(folder, { recursive: true }));

  async function exported(form: string, text: string): Promise<string> {
    const path = await writeReport(folder, reportWith(text), row(text));
    const pieces: Buffer[] = [];
    for await (const piece of exportReport(path, form, new LeftOutRows())) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  }

  for (const [name, text] of Object.entries(hostile)) {
    it(`is text in its page: ${name}`, async () => {
      const page = await exported('html', text);
      assert.doesNotMatch(tagsOf(page), foreignTag);
      assert.match(page, policy);
      assert.doesNotMatch(page, /(?:href|src)="\s*(?:javascript|data:text)/i);
    });
    it(`is text in a comparison: ${name}`, () => {
      const reports = [reportWith(text), reportWith(text)];
      const page = comparisonHtml(reports, lineUpReports(reports), [], []);
      assert.doesNotMatch(tagsOf(page), foreignTag);
      assert.match(page, policy);
    });
    it(`is text in charts: ${name}`, () => {
      const drawing = {
        title: text,
        width: 9,
        height: 9,
        shapes: [{ is: 'text' as const, x: 0, y: 0, text }],
      };
      assert.doesNotMatch(tagsOf(pageSvg(drawing)), foreignTag);
      assert.doesNotMatch(tagsOf(svgFile(drawing, columns.single)), foreignTag);
    });
    it(`is text in results of tests: ${name}`, async () => {
      assert.doesNotMatch(tagsOf(await exported('junit', text)), foreignTag);
    });
    it(`changes no prototype: ${name}`, () => {
      const { metrics, options } = reportWith(text);
      assert.equal(metrics[0].id, text);
      assert.ok(Object.keys(options).length <= 1);
      assert.equal(Object.getPrototypeOf({}), Object.prototype);
      assert.equal(({} as Record<string, unknown>)[text] === text, false);
    });
  }
});

describe('a hub that redirects', () => {
  const from = new URL('https://huggingface.co/a/b/resolve/main/x');
  const hub = hubFrom(undefined, {});
  for (const location of [
    ...[
      'file:///etc/passwd',
      'FILE:///etc/passwd',
      'file://huggingface.co/etc/passwd',
      'data:,x',
      'blob:https://hf.co/x',
    ],
    ...[
      'javascript:alert(1)',
      'ftp://huggingface.co/x',
      'ws://huggingface.co/x',
      'about:blank',
      'mailto:x@hf.co',
    ],
    ...[
      'http://huggingface.co/x',
      'http://cdn-lfs.hf.co/x',
      '//evil.example/x',
      '\\\\evil.example/x',
      '/\\evil.example/x',
    ],
    ...[
      'https://huggingface.co.evil.example/x',
      'https://evilhuggingface.co/x',
      'https://evilhf.co',
      'https://hf.co.evil.example',
    ],
    ...[
      'https://huggingface.co@evil.example/x',
      'https://user@huggingface.co/x',
      'https://:pass@huggingface.co/x',
    ],
    ...[
      'https://evil.example#huggingface.co',
      'https://evil.example?.hf.co',
      'https://evil.example\\.hf.co',
      'https://evil.example/.hf.co',
    ],
    ...[
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://[::1]/x',
      'https://0x7f.1/x',
      'https://2130706433/x',
      'https://0/x',
    ],
    ...[
      'https://169.254.169.254/latest',
      'https://10.0.0.1/x',
      'https://[::ffff:127.0.0.1]/x',
      'https://127.1/x',
    ],
    ...[
      'https://hug\u0261ingface.co/x',
      'https://huggingface\u3002co.evil.example',
      'https://',
      'http://[',
      'https://%zz/',
    ],
  ])
    it(`is not followed to ${JSON.stringify(location)}`, () => {
      assert.throws(() => followRedirect(hub, from, location), CaptiousError);
    });
});
