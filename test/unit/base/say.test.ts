import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError, messageOf, wordsOf } from '../../../src/base/errors';
import { english, englishOf, sentences } from '../../../src/base/english';
import { filled, inARow, numberIn, say, spoken } from '../../../src/base/say';
import { lgipRows } from '../../../src/probe/lgip/rowView';
import type { LgipRow } from '../../../src/probe/lgip/row';
import { errorOf, failureOf, failure } from '../../../src/base/failure';
import { sentence } from '../../sentence';

const bundle = JSON.parse(
  readFileSync(join(__dirname, '../../../l10n/bundle.l10n.de.json'), 'utf8'),
) as Record<string, string>;
const german = (code: string) => bundle[code] ?? englishOf(code);

describe('a text with values to fill in', () => {
  it('is shown in English, and in another language with the same values', () => {
    const said = say('editor.imageNotFound', 'a.jpg');
    for (const [shown, pattern] of [
      [english(said), sentences()[said.code]],
      [spoken(said, german), bundle[said.code]],
    ]) {
      assert.equal(pattern.split('{0}').length, 2);
      assert.equal(shown, pattern.replace('{0}', 'a.jpg'));
    }
    assert.notEqual(spoken(said, german), english(said));
  });

  it('contains other texts, and leaves foreign text unchanged', () => {
    // A caption is never translated, even if it equals a text that Captious translates.
    const said = say('lgip.worstHigherBy', 'caption', '0.1');
    assert.equal(spoken(said, german), 'am schlechtesten: caption mit um 0.1 höherem Score');
    assert.equal(
      spoken(inARow([say('dataset.caption'), say('lgip.flip')]), german),
      'Bildunterschrift · Flip',
    );
    assert.equal(filled('{0} and {1}', ['{1}', 'x']), '{1} and x');
    const ofAnotherVersion = { code: 'room.code', values: ['a', say('dataset.caption')] };
    assert.equal(spoken(ofAnotherVersion, german), 'room.code: a: Bildunterschrift');
  });

  it('crosses a process border in an error, with its place and remedy', () => {
    const error = new CaptiousError('input', say('shard.folderUnreadable', 'EIO'), {
      at: 'a.json',
      remedy: say('model.checkPermissions'),
    });
    const there = errorOf(failure(JSON.parse(JSON.stringify(failureOf(error))), ''));
    assert.equal(
      messageOf(there),
      `a.json: ${sentence('shard.folderUnreadable', 'EIO')} ${sentence('model.checkPermissions')}`,
    );
    assert.equal(
      spoken(wordsOf(there), german),
      'a.json: Der Ordner lässt sich nicht lesen (EIO). Prüfen Sie ihre Zugriffsrechte.',
    );
  });

  it('makes the lens above a caption a single text in German', () => {
    const flip = {
      family: 'flip',
      kind: 'color',
      rule: '',
      text: 'a blue bus',
      score: 0.3,
      delta: 0.05,
      gap: -0.05,
    };
    const row = {
      ...{ example: '1', row: 0, text: 'a red bus', score: 0.25, words: 3 },
      variants: [{ ...flip, was: [2, 5], span: [2, 6] }],
    } as unknown as LgipRow;
    assert.equal(
      spoken(lgipRows.mark(row).words, german),
      'erkannte Flips: 0 von 1 · am schlechtesten: "red" → "blue" mit um 0.050 höherem Score',
    );
  });
});

describe('a number in German', () => {
  it('has a decimal comma, a leading zero and points between thousands', () => {
    const written = ['0.083', '+.196', '−.0160', '1,234', '12,345.5', '59.5 %', '9.4 %', '±0.021'].map(
      (text) => numberIn('de', text),
    );
    assert.deepEqual(written, [
      ...['0,083', '+0,196', '−0,0160', '1.234', '12.345,5', '59,5 %', '9,4 %', '±0,021'],
    ]);
    assert.equal(numberIn('de', '[3.0, 23.3]'), '[3,0; 23,3]');
    assert.equal(numberIn('de', '[-0.0198, -0.0119]'), '[-0,0198; -0,0119]');
    assert.equal(numberIn('de', '[−.020, .012]'), '[−0,020; 0,012]');
    assert.equal(numberIn('de', 'p = 0.0042'), 'p = 0,0042');
    assert.equal(numberIn('de', 'p = 1.2e-7'), 'p = 1,2e-7');
    assert.equal(numberIn('de', '[-1.5e-11, 3.4e+6]'), '[-1,5e-11; 3,4e+6]');
  });

  it('is changed only if the whole text is a number', () => {
    for (const text of ['a.jpg', 'v1.2', '1.100.3', 'CLIP 1.5', '3.0, or less', '1.2e', '1.5ex', ''])
      assert.equal(numberIn('de', text), text);
    assert.equal(numberIn('en', '0.083'), '0.083');
  });
});
