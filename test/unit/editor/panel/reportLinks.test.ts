import assert from 'node:assert/strict';
import type { CaptiousError } from '../../../../src/base/errors';
import { isSaid } from '../../../../src/base/say';
import type * as links from '../../../../src/editor/panel/reportLinks';
import { bundle } from '../bundle';

const report = '/home/me/checkpoints/lgip.step_1000.report.json';

interface Handler {
  handleUri: (uri: { path: string; query: string }) => Promise<void>;
}

/** A fake editor that counts questions, opened reports and errors. The user gives `answer`. */
class FakeEditor {
  readonly asked: { message: string; detail: string; modal: boolean }[] = [];
  readonly opened: unknown[][] = [];
  readonly errors: string[] = [];
  handler: Handler | undefined;

  constructor(private readonly answer: string | undefined) {}

  readonly l10n = {
    bundle: undefined,
    t: (text: string, ...values: string[]) => text.replace(/\{(\d)\}/g, (_, i: string) => values[Number(i)]),
  };
  readonly Uri = { file: (path: string) => ({ fsPath: path }) };
  readonly commands = {
    executeCommand: (...given: unknown[]) => Promise.resolve(this.opened.push(given)),
  };
  readonly window = {
    registerUriHandler: (handler: Handler) => (this.handler = handler),
    showErrorMessage: (message: string) => Promise.resolve(this.errors.push(message)),
    showWarningMessage: (message: string, options: { modal: boolean; detail: string }) => {
      this.asked.push({ message, ...options });
      return Promise.resolve(this.answer);
    },
  };
}

describe('a link to a report', () => {
  let load: (vscode: object) => { links: typeof links };
  before(async () => {
    load = await bundle<{ links: typeof links }>("export * as links from './src/editor/panel/reportLinks';");
  });

  async function open(query: string, answer?: string, path = '/open'): Promise<FakeEditor> {
    const editor = new FakeEditor(answer);
    load(editor).links.openReportLinks({ error: () => undefined } as never);
    await editor.handler!.handleUri({ path, query });
    return editor;
  }

  function codeOf(query: string, platform: NodeJS.Platform, path = '/open'): string {
    try {
      load(new FakeEditor(undefined)).links.linkedReport({ path, query }, platform);
      return 'opened';
    } catch (error) {
      const { what } = error as CaptiousError;
      return isSaid(what) ? what.code : String(error);
    }
  }

  it('asks with the whole path, and opens the report only if the user agrees', async () => {
    const agreed = await open(`report=${report}`, 'Open Report');
    assert.equal(agreed.asked.length, 1);
    const [{ message, detail, modal }] = agreed.asked;
    assert.ok(modal && message.includes('lgip.step_1000.report.json') && detail === report);
    assert.deepEqual(agreed.opened, [['captious.openReport', { fsPath: report }]]);
    const refused = await open(`report=${report}`);
    assert.deepEqual([refused.asked.length, refused.opened.length, refused.errors.length], [1, 0, 0]);
  });

  it('takes the rest of the query as the path', async () => {
    const path = '/a b/50%2F&report=x+ä?#/é.report.json';
    assert.deepEqual((await open(`report=${path}`, 'Open Report')).opened[0][1], { fsPath: path });
  });

  it('shows hidden characters and line breaks of a path', async () => {
    const path = '/a\n\nIt is safe.\u202e/b.report.json';
    const [{ message, detail }] = (await open(`report=${path}`)).asked;
    assert.doesNotMatch(message + detail, /[\n\u202e]/);
    assert.match(detail, /\\u202e/);
  });

  for (const [query, code] of [
    ['', 'editor.linkUnknown'],
    ['report=', 'editor.linkUnknown'],
    ['Report=/a.report.json', 'editor.linkUnknown'],
    ['x=1&report=/a.report.json', 'editor.linkUnknown'],
    ['report=//host/share/a.report.json', 'editor.linkNotLocal'],
    ['report=\\\\host\\share\\a.report.json', 'editor.linkNotLocal'],
    ['report=\\\\?\\C:\\a.report.json', 'editor.linkNotLocal'],
    ['report=/\\host/a.report.json', 'editor.linkNotLocal'],
    ['report=/home/../etc/a.report.json', 'editor.linkNotLocal'],
    ['report=/home\\..\\a.report.json', 'editor.linkNotLocal'],
    ['report=a.report.json', 'editor.linkNotLocal'],
    ['report=./a.report.json', 'editor.linkNotLocal'],
    ['report=~/a.report.json', 'editor.linkNotLocal'],
    ['report=https://host/a.report.json', 'editor.linkNotLocal'],
    ['report=file:///a.report.json', 'editor.linkNotLocal'],
    ['report=vscode-remote://ssh/a.report.json', 'editor.linkNotLocal'],
    ['report=/a\0.report.json', 'editor.linkNotLocal'],
    ['report=/etc/passwd', 'editor.linkNoReport'],
    ['report=/a.report.json/b', 'editor.linkNoReport'],
    ['report=/a.report.json&windowId=1', 'editor.linkNoReport'],
    ['report=/a.report.json\n', 'editor.linkNoReport'],
    ['report=/dev/zero', 'editor.linkNoReport'],
    [`report=/${'a'.repeat(900)}.report.json`, 'editor.linkNoReport'],
  ])
    it(`is refused without a question: ${JSON.stringify(query).slice(0, 60)}`, async () => {
      assert.equal(codeOf(query, 'linux'), code);
      const { asked, opened, errors } = await open(query, 'Open Report');
      assert.deepEqual([asked.length, opened.length, errors.length], [0, 0, 1]);
    });

  it('is refused with another action', async () => {
    for (const path of ['', '/', '/open/', '/run', '/open/x'])
      assert.equal(codeOf(`report=${report}`, 'linux', path), 'editor.linkUnknown');
    assert.equal((await open(`report=${report}`, 'Open Report', '/run')).opened.length, 0);
  });

  for (const [path, code] of [
    ['C:\\Users\\me\\a.report.json', 'opened'],
    ['c:/Users/me/a.report.json', 'opened'],
    ['C:a.report.json', 'editor.linkNotLocal'],
    ['\\a.report.json', 'editor.linkNotLocal'],
    ['/home/a.report.json', 'editor.linkNotLocal'],
    ['C:\\a.txt:b.report.json', 'editor.linkNotLocal'],
    ['\\\\.\\pipe\\a.report.json', 'editor.linkNotLocal'],
    ['C:\\a\\..\\b.report.json', 'editor.linkNotLocal'],
  ])
    it(`on Windows, ${path} is ${code}`, () => assert.equal(codeOf(`report=${path}`, 'win32'), code));
});
