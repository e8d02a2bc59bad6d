import assert from 'node:assert/strict';
import type * as editor from '../../../../src/editor/panel/reportEditor';
import { bundle } from '../bundle';

describe('the page of a report file that cannot be shown', function () {
  this.timeout(60_000);
  let load: (vscode: object) => typeof editor;
  before(async () => {
    load = await bundle(`export * from './src/editor/panel/reportEditor';`);
  });

  const vscode = { l10n: { t: (text: string) => text }, env: { language: 'en' } };
  const uri = { toString: () => 'file:///w/a%20"b.report.json' };
  const pageOf = (problem: string) =>
    (load(vscode).problemPage as (uri: object, problem: string) => string)(uri, problem);

  it('says why, runs nothing, and links to the text of this file', () => {
    const page = pageOf('broken.report.json: this is not JSON.');
    assert.match(page, /<p>broken\.report\.json: this is not JSON\.<\/p>/);
    assert.match(page, /content="default-src 'none'"/);
    assert.doesNotMatch(page, /<script/);
    const [, given] = /href="command:captious\.openReportAsText\?([^"]*)"/.exec(page)!;
    assert.deepEqual(JSON.parse(decodeURIComponent(given)), [uri.toString()]);
  });

  it('shows what the file says as text', () => {
    const page = pageOf('<img src=x onerror=alert(1)> "quoted" & \'more\' ](command:evil)');
    assert.doesNotMatch(page, /<img|"quoted"/);
    assert.match(page, /&#60;img src=x onerror=alert\(1\)&#62; &#34;quoted&#34; &#38; &#39;more&#39;/);
  });
});
