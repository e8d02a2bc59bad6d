import assert from 'node:assert/strict';
import type * as hovers from '../../../src/editor/text/hoverText';
import type * as lenses from '../../../src/editor/text/lensText';
import type * as notify from '../../../src/editor/notify';
import type * as page from '../../../src/editor/panel/page';
import { bundle } from './bundle';
import type { PlacedMark } from '../../../src/editor/text/evaluatorMarks';

/** VS Code's patterns for links and icons in texts. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const hostile: Record<string, string> = {
  ...{
    markup: '<img src=x onerror=alert(1)>',
    script: '</script><script>alert(1)</script>',
    attribute: '" onload="x',
  },
  ...{
    link: '[a](command:x)',
    nested: '[[a](command:x)](command:y)',
    address: '<command:x>',
    file: '[a](file:///etc/passwd)',
  },
  ...{
    lines: '[a]\n(command:x)',
    separator: '[a]\u2028(command:x)',
    override: '[a]\u202e(command:x)',
    backslash: '[a]\\(command:x)',
  },
  ...{
    icon: '$(sync~spin)',
    icons: '$($(error))',
    split: '$\u0000(error)',
    table: '| a |\n|---|',
    entities: '&lt;b&gt;&#91;',
  },
  ...{
    surrogate: '\ud800',
    low: '\udc00x',
    cut: `${'x'.repeat(998)}\ud83d\ude00\ud83d`,
    controls: '\0\u001b[31m\u009b31m',
    mark: '\ufeffx',
  },
  ...{ template: '${x} {0} {{x}}', prototype: '__proto__', empty: '' },
  ...Object.fromEntries(
    ['x', ' ', '\n', '`', '|', '$(', '](', '\u202e', '\u200d', '[a](command:x)'].map((piece) => [
      `many of ${JSON.stringify(piece)}`,
      piece.repeat(200_000 / piece.length),
    ]),
  ),
};

function assertInert(text: string): void {
  for (const pattern of [link, icon, direction, /\p{Cc}/u]) assert.doesNotMatch(text, pattern);
  assert.ok(text.length <= 1000);
}

interface Loaded {
  notify: typeof notify;
  hovers: typeof hovers;
  lenses: typeof lenses;
  page: typeof page;
}

class Value {
  readonly values: unknown[];
  constructor(...values: unknown[]) {
    this.values = values;
  }
}

class CodeLens {
  constructor(
    readonly range: unknown,
    readonly command: { title: string },
  ) {}
}

class MarkdownString {
  value = '';
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

const vscode = {
  ...{ CodeLens, MarkdownString, Range: Value, env: { language: 'en' } },
  Uri: { joinPath: (...parts: string[]) => parts.join('/') },
  workspace: { onDidGrantWorkspaceTrust: () => ({}) },
  l10n: {
    t: (text: string | { message: string }) => (typeof text === 'string' ? text : text.message),
    bundle: {},
  },
};

/** A result with the text in each place that a report fills. */
function placedWith(text: string, stale: boolean): PlacedMark {
  const captions = [{ label: text, text, score: 0.5, delta: 0.1, verdict: 'wrong' }];
  const mark = { line: 1, words: text, hint: text, captions };
  const evaluators = [text, `${text}2`].map((evaluator) => ({ evaluator, mark }));
  const known = { id: text, probe: 'visla', title: text, words: text, again: 'rescore', evaluators: [text] };
  return {
    line: 0,
    mark: { ...mark, among: 2, evaluators },
    stale,
    fresh: true,
    known,
  } as unknown as PlacedMark;
}

describe('a hostile text of a report', function () {
  this.timeout(60_000);
  let loaded: Loaded;
  before(async () => {
    const load = await bundle<Loaded>(`export * as notify from './src/editor/notify';
      export * as hovers from './src/editor/text/hoverText';
      export * as lenses from './src/editor/text/lensText';
      export * as page from './src/editor/panel/page';`);
    loaded = load(vscode);
  });

  for (const [name, text] of Object.entries(hostile)) {
    it(`is only text in hovers and lenses: ${name}`, () => {
      const document = { uri: { toString: () => text, fsPath: text } } as unknown as Parameters<
        typeof hovers.hoverText
      >[0];
      const { value } = loaded.hovers.hoverText(document, [placedWith(text, true)], { probes: true });
      const other = value.replace(/\]\(command:captious\.[A-Za-z]+\?[\w%.~-]*\)/g, ']');
      for (const pattern of [link, direction, /(^|[^\\])</]) assert.doesNotMatch(other, pattern);
      for (const stale of [true, false])
        for (const lens of loaded.lenses.lensesOf(document, [placedWith(text, stale)], { probes: stale }))
          assertInert(lens.command!.title);
    });

    it(`is only data in the page of a view: ${name}`, () => {
      const webview = { asWebviewUri: (uri: string) => uri, cspSource: 'csp', html: '' };
      const memory = { chosen: text, more: { [text]: [text] } };
      loaded.page.openPage(webview as unknown as Parameters<typeof page.openPage>[0], {
        extensionUri: 'e' as unknown as page.PageParts['extensionUri'],
        ...{ name: 'panel', root: 'panel', memory, images: 'blob:' },
      });
      const [, said] = /<body data-memory="([^"]*)" data-language="[^"]*">\n<main/.exec(webview.html)!;
      const decoded = said.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      assert.deepEqual(JSON.parse(decoded), memory);
      assert.equal(webview.html.match(/<script/g)?.length, 2);
    });
  }
});
