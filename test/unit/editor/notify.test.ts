import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { CaptiousError } from '../../../src/base/errors';
import type * as hovers from '../../../src/editor/text/hoverText';
import type * as notify from '../../../src/editor/notify';
import type * as commands from '../../../src/editor/registerCommand';
import { bundle } from './bundle';

const root = join(__dirname, '../../..');

/** VS Code's pattern for links in notifications, prompts and descriptions (base/common/linkedText.ts). */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** VS Code's pattern for icons in labels (base/browser/ui/iconLabel). */
const icon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;
const direction = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const hostile = [
  'See [the fix](command:workbench.action.terminal.sendSequence?%7B%7D).',
  '[a](https://example.org) [b](file:///etc/passwd "title") [c](COMMAND:x)',
  '$(error) $(sync~spin) done',
  'photo\u202egnp.exe \u2066isolated',
  'marks of direction: \u200e, \u200f, \u061c',
  '\u001b]0;title\u0007\u0000\u009b31m',
  'one\r\ntwo\n\n[thr\nee](command:x)\u2028four',
  '[x](command:y)'.repeat(1000),
];

function assertInert(text: string): void {
  assert.doesNotMatch(text, link);
  assert.doesNotMatch(text, icon);
  assert.doesNotMatch(text, direction);
  assert.doesNotMatch(text, /\p{Cc}/u);
  assert.ok(text.length <= 1000);
}

interface Loaded {
  notify: typeof notify;
  commands: typeof commands;
  hovers: typeof hovers;
}

/** Recorded calls to the editor, in order. */
type Calls = { name: string; values: unknown[] }[];

class MarkdownString {
  value = '';
  isTrusted: unknown;
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

class TestMessage {
  constructor(readonly message: string) {}
}

class Titled {
  constructor(readonly values: unknown) {}
}

/** A `vscode` module that records the displayed texts. */
function fake(calls: Calls): object {
  const window = new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        (...values: unknown[]) => {
          calls.push({ name, values });
          return Promise.resolve(undefined);
        },
    },
  );
  const commands = {
    registerCommand: (name: string, run: unknown) => {
      calls.push({ name, values: [run] });
    },
  };
  return {
    window,
    commands,
    MarkdownString,
    TestMessage,
    CodeLens: Titled,
    l10n: { t: (text: string) => text },
  };
}

describe('text in the editor', function () {
  this.timeout(60_000);
  let load: (vscode: object) => Loaded;
  let calls: Calls;
  let loaded: Loaded;

  before(async () => {
    load = await bundle(`export * as notify from './src/editor/notify';
      export * as commands from './src/editor/registerCommand';
      export * as hovers from './src/editor/text/hoverText';`);
  });

  beforeEach(() => {
    calls = [];
    loaded = load(fake(calls));
  });

  it('quotes an error of a file or a server without its links, icons and control characters', async () => {
    const log = { error: () => undefined };
    for (const text of hostile) {
      const fail = (): Promise<never> =>
        Promise.reject(new CaptiousError('input', text, { at: text, remedy: text }));
      loaded.commands.registerCommand(
        'x',
        log as unknown as Parameters<typeof commands.registerCommand>[1],
        fail,
      );
      await (calls.pop()!.values[0] as (target: unknown) => Promise<void>)(undefined);
      const { name, values } = calls.pop()!;
      assert.equal(name, 'showErrorMessage');
      assertInert(values[0] as string);
    }
  });

  it('reads only the start of a long text', () => {
    const { notify: own } = loaded;
    const since = process.cpuUsage();
    for (const sign of [' ', '\t', '\n', ' \n', '\u2028', '$(', ']('])
      for (const text of [sign.repeat(200_000), `a.${sign.repeat(200_000)}x.report.json`]) {
        assert.ok(own.inert(text).length <= 1000);
        assert.ok(own.inertLines(text).length <= 4000);
        assert.ok(own.cell(text).length <= 6000);
      }
    const { user, system } = process.cpuUsage(since);
    assert.ok(user + system < 2e6, `${user + system} µs`);
    assert.match(own.inert(`a${' '.repeat(200_000)}b`), /^a +…$/);
  });

  it('makes all text of pickers, input boxes, progress and confirmations inert', () => {
    const text = hostile.join(' ');
    const { notify: own } = loaded;
    void own.pick([{ label: text, description: text, detail: text }], { title: text, placeHolder: text });
    void own.ask({ title: text, prompt: text, placeHolder: text });
    void own.withProgress({ location: 1, title: text }, () => Promise.resolve());
    void own.showWarning(text);
    void own.showInformation(text);
    own.showStatus(text, 1);
    void own.confirm(text, text);
    assert.equal(calls.length, 7);
    const walk = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value.replaceAll('\n', ' ')]
        : typeof value === 'object' && value !== null
          ? Object.values(value).flatMap(walk)
          : [];
    const texts = walk(calls.map(({ values }) => values));
    assert.equal(texts.length, 14);
    for (const shown of texts) {
      assert.ok(shown.length <= 4000);
      assertInert(shown.slice(0, 1000));
    }
  });

  it('makes messages of tests inert, and keeps their lines', () => {
    const { message } = loaded.notify.testMessage(`a\n${hostile.join(' ')}`);
    assert.ok(typeof message === 'string' && message.startsWith('a\n'), String(message));
    assertInert(message.replaceAll('\n', ' ').slice(0, 1000));
  });

  it('leaves harmless text unchanged', () => {
    for (const text of ['Größe: 3 (of 4)', 'f(x)[0] costs $5', '日本語 — العربية', 'a/b\\c.json:12'])
      assert.equal(loaded.notify.inert(text), text);
    assert.equal(loaded.notify.inertLines('a\r\nb'), 'a\nb');
    assert.match(loaded.notify.inert('x'.repeat(999) + '😀'), /x…$/);
  });

  it('shows captions in a hover as text, with links to our own commands only', () => {
    for (const text of hostile) {
      const placed = {
        mark: { line: 1, captions: [{ label: text, text, verdict: 'wrong' }] },
        line: 0,
        stale: false,
        fresh: false,
        known: { id: 'a)[x](command:evil)', probe: text, title: text, words: text, again: undefined },
      };
      type Placed = Parameters<typeof hovers.hoverText>[1][number];
      const { value, isTrusted } = loaded.hovers.hoverText(
        {} as Parameters<typeof hovers.hoverText>[0],
        [placed as unknown as Placed],
        { probes: true },
      );
      assert.deepEqual(isTrusted, {
        enabledCommands: ['captious.openPanel', 'captious.rescore', 'captious.rerun'],
      });
      const links = [...value.matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target);
      assert.equal(links.length, 1);
      assert.match(links[0], /^command:captious\.openPanel\?[\w%.~-]*$/);
      const given = ['a)[x](command:evil)', 1, null, null, text];
      assert.deepEqual(JSON.parse(decodeURIComponent(links[0].split('?')[1])), given);
    }
  });

  it('is shown only by notify.ts, and files are written only by the helpers', async () => {
    const eslint = new ESLint({
      cwd: root,
      // Runs only these rules, because other rules need type information, which takes long to compute.
      ruleFilter: ({ ruleId }) => ruleId.startsWith('no-restricted'),
      overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    });
    const raw = [
      `import * as vscode from 'vscode';`,
      `void vscode.window.showErrorMessage('');`,
      `void vscode.window.showQuickPick(['']);`,
      `void vscode.window.withProgress({ location: 1 }, () => Promise.resolve());`,
      `export const text = new vscode.MarkdownString('');`,
      `export const item = new vscode.TreeItem('');`,
      `item.tooltip = process.title;`,
      `void vscode.workspace.fs.writeFile(vscode.Uri.file(''), new Uint8Array());`,
      `export const message = new vscode.TestMessage('');`,
    ];
    const [{ messages }] = await eslint.lintText(raw.join('\n'), {
      filePath: join(root, 'src/editor/largeFiles.ts'),
    });
    const lines = (rule: string) => messages.filter(({ ruleId }) => ruleId === rule).map(({ line }) => line);
    assert.deepEqual(lines('no-restricted-syntax'), [2, 3, 4, 5, 6, 7, 8, 9]);
    const writing = [
      `import { appendFile, open, stat } from 'node:fs/promises';`,
      `import { createWriteStream } from 'node:fs';`,
      `export const bad = [open('', 'w'), open('', 1), appendFile, createWriteStream];`,
      `export const good = [open(''), open('', 'r'), stat];`,
    ];
    const [written] = await eslint.lintText(writing.join('\n'), {
      filePath: join(root, 'src/service/rows/indexFile.ts'),
    });
    assert.deepEqual(
      written.messages.map(({ ruleId, line }) => [ruleId, line]),
      [
        ['no-restricted-imports', 1],
        ['no-restricted-imports', 2],
        ['no-restricted-syntax', 3],
        ['no-restricted-syntax', 3],
      ],
    );
  });
});
