import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { html } from '../../../../src/report/export/html';
import { inEnglish, speechIn } from '../../../../src/report/export/speech';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { reportOf } from '../reportOf';

describe('the numbers of a page', () => {
  const report = reportOf({
    metrics: [{ id: 'visla.margin.negative', value: -0.4437, n: 1075, ties: 1234, ci: [-0.5, -0.4] }],
  });
  const none = () => Readable.from([]);
  const page = (language: typeof inEnglish) =>
    html('/w/a.report.json', report, none, new LeftOutRows(), { speech: language });

  it('have a minus sign and separators of thousands, as in the panel', async () => {
    const shown = await page(inEnglish);
    for (const text of ['>−0.4437<', '>[−0.5000, −0.4000]<', '>1,075<', '>1,234<'])
      assert.ok(shown.includes(text), text);
    assert.doesNotMatch(shown, />\[?-0\./);
  });

  it('have the separators of the language', async () => {
    const shown = await page(speechIn({ language: 'de', messages: {}, texts: {} }));
    for (const text of ['>−0,4437<', '>[−0,5000; −0,4000]<', '>1.075<', '>1.234<'])
      assert.ok(shown.includes(text), text);
  });

  it('are no dates, versions or names', () => {
    for (const text of ['2026-11-30', 'a-1', '1.2-3', 'x -1']) assert.equal(inEnglish.say(text), text);
  });
});
